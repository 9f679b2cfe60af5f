"""Draws the icons of the installed page from `static/icon.svg`: `python -m tests.e2e.take_icons`."""

from pathlib import Path

import webapp
from tests.e2e.browser import running_chromium

STATIC = Path(webapp.__file__).parent / "static"
GROUND = "#1f6a52"
# A maskable icon may be cut to a circle: its drawing keeps to the inner four fifths.
INNER = 0.8


def main() -> None:
    """Writes `static/icons/SIZE.png` for the manifest and for iOS."""
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with running_chromium() as chromium:
        for size in (180, 192, 512):
            page = chromium.new_page(viewport={"width": size, "height": size})
            side = round(size * INNER)
            page.set_content(
                f"<body style='margin:0;background:{GROUND};display:grid;place-items:center;height:100vh'>"
                f"<div style='width:{side}px;height:{side}px'>{drawing}</div>"
            )
            page.screenshot(path=STATIC / "icons" / f"{size}.png")
            page.close()


if __name__ == "__main__":
    main()
