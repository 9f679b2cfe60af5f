"""The tool that cuts the typeface of pictures out of Debian's fonts; it is not part of the wheel."""
