"""Photo in, named tiles and a scored hand out.

The stages, each a plain function on immutable values: `vision.photo` opens, `vision.detect` finds tiles,
`vision.read` names them, `vision.layout` tells what each is for, `vision.decode` reads them together,
`vision.recognise` does it all and has the score counted.
"""

from vision.photo import Photo, PhotoError, load_photo
from vision.recognise import Recognition, recognise

__all__ = ["Photo", "PhotoError", "Recognition", "load_photo", "recognise"]
