"""Which networks ship, how they were made, and how to know that a file is the one meant."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scorer.errors import FanlensError

FOLDER = Path(__file__).resolve().parent


class ModelError(FanlensError):
    """A model file is missing, altered or not the one that the manifest describes; `code` is `models_missing`."""

    def __init__(self, message: str) -> None:
        """Refuse a model file."""
        super().__init__("models_missing", message)


@dataclass(frozen=True)
class Model:
    """One network: what `manifest.json` says of it."""

    name: str
    version: str
    file: str
    sha256: str
    classes: tuple[str, ...]
    input: str
    metrics: Mapping[str, float]
    commands: tuple[str, ...]
    """The commands that trained it, first to last, seeds included."""

    @property
    def path(self) -> Path:
        """Where the ONNX file lies."""
        return FOLDER / self.file

    def read(self) -> bytes:
        """Return the file's bytes; raises `ModelError` when it is missing or its sha256 is another."""
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise ModelError(
                f"{self.path} cannot be read ({error.strerror}): install Fanlens again"
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise ModelError(
                f"{self.path} has the sha256 {found[:12]}…, the manifest says {self.sha256[:12]}…: "
                "the file is damaged or from another version; install Fanlens again"
            )
        return content


@dataclass(frozen=True)
class Manifest:
    """All networks that ship, by name."""

    models: tuple[Model, ...]

    def __getitem__(self, name: str) -> Model:
        """Return the model of that name; raises KeyError."""
        for model in self.models:
            if model.name == name:
                return model
        raise KeyError(name)


@cache
def load_manifest() -> Manifest:
    """Return the manifest that ships with this version.

    >>> [model.name for model in load_manifest().models]
    ['detector', 'reader']
    """
    rows = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["models"]
    return Manifest(
        tuple(
            Model(**{**row, "classes": tuple(row["classes"]), "commands": tuple(row["commands"])})
            for row in rows
        )
    )
