"""What the package gives, whoever imported what before."""

import subprocess
import sys

import pytest

import vision


@pytest.mark.parametrize(
    "before",
    [
        "import vision",
        "import vision.recognition",
        "from vision.recognition import Recognition",
        "import vision.photo",
    ],
)
def test_recognise_is_the_function_whatever_was_imported_before(before: str) -> None:
    script = (
        f"{before}\nimport vision\nfrom vision import recognise, load_photo\nprint(type(recognise).__name__, "
    )
    script += "vision.recognise is recognise, recognise.__module__, load_photo.__module__)"
    said = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["function", "True", "vision.recognition", "vision.photo"]


def test_everything_promised_is_there_and_nothing_else() -> None:
    assert {name: getattr(vision, name).__name__ for name in vision.__all__} == {
        name: name for name in vision.__all__
    }
    with pytest.raises(AttributeError, match="module 'vision' has no attribute 'nothing'"):
        _ = vision.nothing
