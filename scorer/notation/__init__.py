"""Hands as text.

Canonical is the notation of the MCR community's GB-Mahjong library::

    concealed tiles [melds] winning tile | winds and flags | flowers
    345s3p55p5567p[7777s]4p|EE0100|cbagh

* Tiles are ranks and then their suit (``2333m``; ``m`` characters, ``p`` dots, ``s`` bamboo) or honours
  (``ESWN`` winds, ``CFP`` red, green and white dragon). The last tile outside brackets is the winning tile.
* Melds are in brackets: ``[123m]``, ``[EEE]``, ``[7777s]`` for a concealed kong, ``[7777s,1]`` for a melded one.
  The number after the comma says from whom the tile came (1-3, or 5-7 for a kong added to a pung); Fanlens
  only notes that the kong is melded.
* After the first ``|`` come the prevalent wind, the seat wind, and four digits 0 or 1: self-drawn, 和绝张, last
  tile, kong.
* After the second ``|`` come the flowers: a count, or letters ``a-h`` for 梅兰竹菊春夏秋冬.

Fanlens also reads what others write (see ``docs/notations.md``): MPSZ honours and flowers (``1234567z``, ``1f``),
upper-case suits, ``1w 2b 3t``, Chinese names (一万 九饼 东 红中), Botzone's codes (``W1 B2 T3 F1 J1``, ``PENG J1 2``),
Unicode tiles (🀇 …; 🀫 for the outer tiles of a concealed kong), full-width characters, 【】 and （）, blanks between
tiles, and ``+`` before the winning tile. :class:`Notation` names those it writes.

>>> hand, circumstances = parse_hand("77m 234p [777z] [3333s,1] 45s +6s")
>>> format_hand(hand, circumstances)
'77m234p45s[PPP][3333s,1]6s|EE0000'
"""

from scorer.notation.parse import numbers_a_dragon, parse_flowers, parse_hand, parse_tiles, says_winds
from scorer.notation.write import Notation, format_hand, format_meld, format_tiles

__all__ = [
    "Notation",
    "format_hand",
    "format_meld",
    "format_tiles",
    "numbers_a_dragon",
    "parse_flowers",
    "parse_hand",
    "parse_tiles",
    "says_winds",
]
