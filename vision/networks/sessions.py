"""ONNX sessions: one for each network and process, opened when first needed and checked against the manifest."""

import json
import os
from functools import cache

from models.manifest import ModelError, load_manifest
from vision.networks.runtime import InferenceSession, SessionOptions

THREADS = "FANLENS_THREADS"
"""Environment variable: how many threads each session may use; by default as many as this process may run on."""


@cache
def open_session(name: str) -> InferenceSession:
    """Return this process's session of the network `name` ("detector" or "reader").

    Raises `models.manifest.ModelError` if the file is missing, damaged, or made for other classes.
    """
    model = load_manifest()[name]
    options = SessionOptions()
    options.intra_op_num_threads = int(os.environ.get(THREADS) or len(os.sched_getaffinity(0)))
    options.inter_op_num_threads = 1
    # The threads of one network, waiting for work that does not come, would hold the cores that the other needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = InferenceSession(model.read(), options, providers=["CPUExecutionProvider"])
    written = session.get_modelmeta().custom_metadata_map
    if (
        tuple(json.loads(written.get("classes", "[]"))) != model.classes
        or written.get("version") != model.version
    ):
        raise ModelError(
            f"{model.path} names other classes or another version than the manifest: install Fanlens again"
        )
    return session
