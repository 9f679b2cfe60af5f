"""The manifest of the networks that ship: their versions, checksums, classes and training commands."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scorer.errors import FanlensError

FOLDER = Path(__file__).resolve().parent


class ModelError(FanlensError):
    """A network is missing or is not the one in the manifest; `code` is `models_missing`."""

    def __init__(self, message: str) -> None:
        """Say which file is wrong and what to do."""
        super().__init__("models_missing", message)


@dataclass(frozen=True)
class Model:
    """One network as `manifest.json` describes it."""

    name: str
    version: str
    file: str
    sha256: str
    classes: tuple[str, ...]
    input: str
    metrics: Mapping[str, float]
    commands: tuple[str, ...]
    """The commands that trained it, in order, seeds included."""

    @property
    def path(self) -> Path:
        """The ONNX file."""
        return FOLDER / self.file

    def to_json(self) -> dict[str, object]:
        """The network as `manifest.json` describes it."""
        return {
            **vars(self),
            "classes": list(self.classes),
            "metrics": dict(self.metrics),
            "commands": list(self.commands),
        }

    def read(self) -> bytes:
        """Return the bytes of the file. Raises ModelError if it is missing or has another sha256."""
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise ModelError(
                f"{self.path} cannot be read ({error.strerror}): install Fanlens again"
            ) from error
        found = hashlib.sha256(content).hexdigest()
        if found != self.sha256:
            raise ModelError(
                f"{self.path} has the sha256 {found[:12]}…, but the manifest says {self.sha256[:12]}…: "
                "the file is damaged or from another version; install Fanlens again",
            )
        return content


@dataclass(frozen=True)
class Manifest:
    """The networks that ship."""

    models: tuple[Model, ...]

    def __getitem__(self, name: str) -> Model:
        """Return the network with this name. Raises KeyError."""
        for model in self.models:
            if model.name == name:
                return model
        raise KeyError(name)


@cache
def load_manifest() -> Manifest:
    """Return the manifest that ships with this version. Raises ModelError if it is missing or damaged.

    >>> [model.name for model in load_manifest().models]
    ['detector', 'reader']
    """
    path = FOLDER / "manifest.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["models"]
        return Manifest(
            tuple(
                Model(**{**row, "classes": tuple(row["classes"]), "commands": tuple(row["commands"])})
                for row in rows
            )
        )
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}): install Fanlens again") from error
    except (ValueError, LookupError, TypeError) as error:
        raise ModelError(f"{path} is damaged: install Fanlens again") from error
