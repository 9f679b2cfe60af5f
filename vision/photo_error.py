"""What a file is refused for, and the size from which it is: apart from `vision.photo`, which needs OpenCV."""

MAX_BYTES = 40 * 1000 * 1000
"""No larger file is looked at."""


class PhotoError(ValueError):
    """A file that is no usable photo.

    code: the named reason, one of `not_found`, `is_a_directory`, `unreadable`, `empty`, `too_many_bytes`,
        `not_a_photo`, `unsupported_format`, `animated`, `too_many_pixels`, `too_small`, `damaged`, `out_of_memory`.
    message: what is wrong and what to do, for the person.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep the named reason beside the sentence."""
        super().__init__(message)
        self.code = code
        self.message = message
