"""All thresholds of recognition in one value, so that one of them can be exchanged for a run."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.decoding.thresholds import DecodingPriors, DoubtThresholds
from vision.layout.weights import LayoutSettings
from vision.networks.limits import DetectionLimits, ReadingLimits, SizeLimits


@dataclass(frozen=True)
class RecognitionSettings:
    """The thresholds of every stage, in the order of the stages; `RecognitionSettings()` holds those Fanlens uses.

    `dataclasses.replace` exchanges one. `vision.threshold.notes_of` says what each means.
    """

    detection: DetectionLimits = field(default_factory=DetectionLimits)
    sizes: SizeLimits = field(default_factory=SizeLimits)
    reading: ReadingLimits = field(default_factory=ReadingLimits)
    layout: LayoutSettings = field(default_factory=LayoutSettings)
    priors: DecodingPriors = field(default_factory=DecodingPriors)
    doubts: DoubtThresholds = field(default_factory=DoubtThresholds)


SETTINGS = RecognitionSettings()
"""The thresholds that Fanlens uses."""
