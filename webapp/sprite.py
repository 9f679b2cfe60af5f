"""The tile artwork as one SVG file of symbols, so that a page fetches every face once."""

import gzip
import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from xml.etree import ElementTree as ET

from scorer import BACK, FACES
from vision.artwork import face_svg

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


@dataclass(frozen=True)
class Sprite:
    """`plain` and `gzipped` bytes of the file, and a `version` that changes with its content."""

    plain: bytes = field(repr=False)
    gzipped: bytes = field(repr=False)
    version: str


def _symbol(face: str) -> ET.Element:
    # The drawings come from our own package, not from outside: nothing hostile to parse.
    root = ET.fromstring(face_svg(face))  # noqa: S314
    # Each drawing names its gradients for itself; in one file the names must not meet.
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            if name == "id":
                element.set(name, f"{face}-{value}")
            elif name in {"href", f"{{{_XLINK}}}href"} and value.startswith("#"):
                element.set(name, f"#{face}-{value[1:]}")
            elif "url(#" in value:
                element.set(name, _REFERENCE.sub(rf"url(#{face}-\1)", value))
    size = f"0 0 {root.get('width', '0')} {root.get('height', '0')}"
    symbol = ET.Element(f"{{{_SVG}}}symbol", {"id": face, "viewBox": root.get("viewBox", size)})
    # What is set on the drawing as a whole (fill, stroke, font) goes with it.
    kept = {k: v for k, v in root.attrib.items() if k not in {"width", "height", "viewBox", "id", "version", "role"}}
    group = ET.SubElement(symbol, f"{{{_SVG}}}g", kept)
    group.extend(child for child in root if not str(child.tag).endswith(("}title", "}desc", "}metadata")))
    return symbol


@cache
def tile_sprite() -> Sprite:
    """The 42 faces and the back, each as the symbol named by its face code (`#3m`, `#back`)."""
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    sheet = ET.Element(f"{{{_SVG}}}svg")
    sheet.extend(_symbol(face) for face in (*FACES, BACK))
    plain = ET.tostring(sheet, encoding="utf-8", xml_declaration=True)
    return Sprite(plain, gzip.compress(plain, 9, mtime=0), hashlib.sha256(plain).hexdigest()[:12])
