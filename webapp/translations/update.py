"""Brings the catalogues in line with the sources: `make messages`.

Every marked string of the Python modules, the templates and the scripts gets an entry, with the files it comes from;
entries that no source uses are dropped. Translate each empty `msgstr` afterwards: `tests/webapp/test_language.py`
fails while one is empty, or while a catalogue differs from what this module writes.
"""

from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po, write_po

TRANSLATIONS = Path(__file__).parent
SOURCES = TRANSLATIONS.parent
LOCALES = ("zh_Hans",)
#: The functions that mark a string; `ngettext` takes the singular and the plural first.
KEYWORDS = {"_": None, "gettext": None, "later": None, "ngettext": (1, 2)}


def template() -> Catalog:
    """Every marked string of the sources, with the files it comes from."""
    with (TRANSLATIONS / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    catalog = Catalog(project="Fanlens", charset="utf-8")
    for path, line, message, comments, context in extract_from_dir(
        SOURCES, methods, options, keywords=KEYWORDS
    ):
        catalog.add(message, None, [(path, line)], auto_comments=comments, context=context)
    return catalog


def update(folder: Path = TRANSLATIONS) -> None:
    """Rewrites the catalogue of each locale under `folder`."""
    strings = template()
    for locale in LOCALES:
        path = folder / locale / "LC_MESSAGES" / "messages.po"
        with path.open("rb") as file:
            catalog = read_po(file, locale=locale)
        # A fuzzy match would silently show the translation of a similar string.
        catalog.update(strings, no_fuzzy_matching=True, update_creation_date=False)
        with path.open("wb") as file:
            write_po(
                file,
                catalog,
                width=0,
                omit_header=True,
                sort_by_file=True,
                ignore_obsolete=True,
                include_lineno=False,
            )


if __name__ == "__main__":
    update()
