"""The tile drawings as one SVG file of symbols, so that the browser fetches every face once."""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from xml.etree import ElementTree as ET

from scorer import BACK, FACES
from vision.artwork import face_svg

_SVG = "http://www.w3.org/2000/svg"


@dataclass(frozen=True)
class Sprite:
    """The content of the file, and a `version` that changes with it."""

    content: bytes = field(repr=False)
    version: str


def _symbol(face: str) -> ET.Element:
    # The drawings ship with Fanlens, so there is nothing hostile to parse.
    root = ET.fromstring(face_svg(face))  # noqa: S314
    symbol = ET.Element(f"{{{_SVG}}}symbol", {"id": face, "viewBox": root.attrib["viewBox"]})
    symbol.extend(child for child in root if child.tag != f"{{{_SVG}}}title")
    return symbol


@cache
def tile_sprite() -> Sprite:
    """The 42 faces and the back, each as the symbol named by its face code (`#3m`, `#back`)."""
    ET.register_namespace("", _SVG)
    sheet = ET.Element(f"{{{_SVG}}}svg")
    sheet.extend(_symbol(face) for face in (*FACES, BACK))
    content = ET.tostring(sheet, encoding="utf-8", xml_declaration=True)
    return Sprite(content, hashlib.sha256(content).hexdigest()[:12])
