"""onnxruntime, imported here and nowhere else, so that its telemetry is off in every process of ours.

onnxruntime reports to Microsoft unless `ORT_DISABLE_TELEMETRY` is set before it is imported: it looks up a server's
name and writes a device id into the user's cache folder. `onnxruntime.disable_telemetry_events()` comes too late.
`tests/test_no_telemetry.py` fails when another module imports it, and watches what our processes do.
"""

import os
from importlib import import_module
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from onnxruntime import InferenceSession, SessionOptions

__all__ = ["InferenceSession", "SessionOptions", "quantization_tools"]


def quantization_tools() -> Any:
    """Return the module `onnxruntime.quantization`. Raises ImportError without the `onnx` package ([train])."""
    return import_module("onnxruntime.quantization")
