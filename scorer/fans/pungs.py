"""刻子与杠: fans of pungs and kongs."""

from __future__ import annotations

from scorer.fans.model import Family, Frame, Honours, Pungs, fan
from scorer.tiles import FACE_INDEX, ORPHANS

ORPHAN_FACES = sum(1 << FACE_INDEX[face] for face in ORPHANS)
"""Bit mask over faces: the terminals and honours."""


def _ranks(view: Pungs) -> list[int]:
    return sorted(rank for _, rank in view.pungs)


def _suit_count(view: Pungs) -> int:
    return len({suit for suit, _ in view.pungs})


def _consecutive(view: Pungs) -> bool:
    ranks = _ranks(view)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


@fan(5, "四杠", "Four Kongs", 88, Family.PUNGS, Frame, "四副杠",
     drops="三杠 双明杠 双暗杠 明暗杠 明杠 暗杠 碰碰和 单钓将", made_of="kongs",
     example="9p[1111m][2222p,1][5555s][EEEE,1]9p", near_miss="9p[111m][2222p,1][5555s][EEEE,1]9p")  # fmt: skip
def four_kongs(frame: Frame) -> int:
    """Four kongs."""
    return frame.melded_kongs + frame.concealed_kongs == 4


@fan(12, "四暗刻", "Four Concealed Pungs", 64, Family.PUNGS, Frame, "四副暗刻(暗杠)",
     drops="三暗刻 双暗刻 碰碰和 不求人 门前清", made_of="concealed_pungs",
     example="222333m555p7888s7s", near_miss="222333m555p7888s6s")  # fmt: skip
def four_concealed_pungs(frame: Frame) -> int:
    """Four concealed pungs or kongs."""
    return frame.concealed_pungs == 4


@fan(15, "一色四节高", "Four Pure Shifted Pungs", 48, Family.PUNGS, Pungs,
     "一种花色四副依次递增一位的刻子(杠)", drops="一色三节高 一色三同顺 碰碰和", size=4,
     example="1m444555s[222s][333s]1m", near_miss="11m44555s[222s][333s]1m")  # fmt: skip
def four_pure_shifted_pungs(view: Pungs) -> int:
    """Four pungs or kongs of one suit, of consecutive ranks."""
    return _suit_count(view) == 1 and _consecutive(view)


@fan(17, "三杠", "Three Kongs", 32, Family.PUNGS, Frame, "三副杠", drops="双明杠 双暗杠 明暗杠 明杠 暗杠",
     made_of="kongs",
     example="34m99p[1111m][2222p,1][5555s]5m", near_miss="34m99p[111m][2222p,1][5555s]5m")  # fmt: skip
def three_kongs(frame: Frame) -> int:
    """Three kongs."""
    return frame.melded_kongs + frame.concealed_kongs >= 3


@fan(21, "全双刻", "All Even Pungs", 24, Family.PUNGS, Frame, "由2、4、6、8的刻子(杠)和将组成",
     drops="碰碰和 断幺 无字",
     example="88m66688s[222m][444p]8s", near_miss="68m66688s[222m][444p]7m")  # fmt: skip
def all_even_pungs(frame: Frame) -> int:
    """Four pungs or kongs and a pair, all of even rank."""
    return frame.pungs == 4 and frame.evens == 5


@fan(24, "一色三节高", "Pure Shifted Pungs", 24, Family.PUNGS, Pungs, "一种花色三副依次递增一位的刻子(杠)",
     drops="一色三同顺", size=3,
     example="99m12p666s[444s][555s]3p", near_miss="999m12p66s[444s][555s]3p")  # fmt: skip
def pure_shifted_pungs(view: Pungs) -> int:
    """Three pungs or kongs of one suit, of consecutive ranks."""
    return _suit_count(view) == 1 and _consecutive(view)


@fan(32, "三同刻", "Triple Pung", 16, Family.PUNGS, Pungs, "三种花色三副序数相同的刻子(杠)",
     drops="双同刻", size=3,
     example="99m12444p444s[444m]3p", near_miss="999m2444p444s[444m]3p")  # fmt: skip
def triple_pung(view: Pungs) -> int:
    """Pungs or kongs of one rank in all three suits."""
    return len(set(_ranks(view))) == 1


@fan(33, "三暗刻", "Three Concealed Pungs", 16, Family.PUNGS, Frame, "三副暗刻(暗杠)", drops="双暗刻",
     made_of="concealed_pungs",
     example="23444m77799p222s4m", near_miss="23444m77799p222s9p")  # fmt: skip
def three_concealed_pungs(frame: Frame) -> int:
    """Three concealed pungs or kongs."""
    return frame.concealed_pungs >= 3


@fan(42, "三色三节高", "Mixed Shifted Pungs", 8, Family.PUNGS, Pungs, "三种花色三副依次递增一位的刻子(杠)",
     size=3,
     example="67m44499p555s[333m]8m", near_miss="67m44999p555s[333m]8m")  # fmt: skip
def mixed_shifted_pungs(view: Pungs) -> int:
    """Pungs or kongs of consecutive ranks in three suits."""
    return _suit_count(view) == 3 and _consecutive(view)


@fan(48, "碰碰和", "All Pungs", 6, Family.PUNGS, Frame, "四副刻子(杠)和将",
     example="99p444sEE[222m][777p]9p", near_miss="79p444sEE[222m][777p]8p")  # fmt: skip
def all_pungs(frame: Frame) -> int:
    """Four pungs or kongs and a pair."""
    return frame.pungs == 4


@fan(53, "双暗杠", "Two Concealed Kongs", 6, Family.PUNGS, Frame, "两副暗杠", drops="暗杠 双暗刻",
     made_of="concealed_kongs",
     example="99p34678s[2222m][7777p]5s", near_miss="99p34678s[2222m,1][7777p]5s")  # fmt: skip
def two_concealed_kongs(frame: Frame) -> int:
    """Two concealed kongs."""
    return frame.concealed_kongs >= 2


@fan(57, "双明杠", "Two Melded Kongs", 4, Family.PUNGS, Frame, "两副明杠", drops="明杠",
     made_of="melded_kongs",
     example="99p34678s[2222m,1][7777p,1]5s", near_miss="99p34678s[2222m][7777p,1]5s")  # fmt: skip
def two_melded_kongs(frame: Frame) -> int:
    """Two melded kongs."""
    return frame.melded_kongs >= 2


@fan(65, "双同刻", "Double Pung", 2, Family.PUNGS, Pungs, "两种花色两副序数相同的刻子(杠)", size=2,
     repeats=True,
     example="44456p12399s[444m]7p", near_miss="44456p12399s[444m]9s")  # fmt: skip
def double_pung(view: Pungs) -> int:
    """Pungs or kongs of one rank in two suits."""
    return len(set(_ranks(view))) == 1


@fan(66, "双暗刻", "Two Concealed Pungs", 2, Family.PUNGS, Frame, "两副暗刻(暗杠)",
     made_of="concealed_pungs",
     example="444m56777p99s[123s]7p", near_miss="444m56777p99s[123s]9s")  # fmt: skip
def two_concealed_pungs(frame: Frame) -> int:
    """Two concealed pungs or kongs."""
    return frame.concealed_pungs >= 2


@fan(67, "暗杠", "Concealed Kong", 2, Family.PUNGS, Frame, "一副暗杠",
     made_of="concealed_kongs",
     example="12356p67899s[4444m]7p", near_miss="12356p67899s[4444m,1]7p")  # fmt: skip
def concealed_kong(frame: Frame) -> int:
    """A concealed kong."""
    return frame.concealed_kongs >= 1


@fan(73, "幺九刻", "Pung of Terminals or Honors", 1, Family.PUNGS, Honours, "1、9或字牌的刻子(杠)",
     repeats=True,
     example="456m67p55678s[111m]8p", near_miss="456m67p55678s[222m]8p")  # fmt: skip
def pung_of_terminals_or_honours(honours: Honours) -> int:
    """A pung or kong of a 1, a 9 or an honour."""
    return honours.pungs & ORPHAN_FACES


@fan(74, "明杠", "Melded Kong", 1, Family.PUNGS, Frame, "一副明杠", made_of="melded_kongs",
     example="12356p67899s[4444m,1]7p", near_miss="12356p67899s[4444m]7p")  # fmt: skip
def melded_kong(frame: Frame) -> int:
    """A melded kong."""
    return frame.melded_kongs >= 1


@fan(82, "明暗杠", "Melded and Concealed Kong", 5, Family.PUNGS, Frame, "一副明杠和一副暗杠",
     drops="明杠 暗杠", made_of="kongs",
     example="56p67899s[4444m,1][2222p]7p", near_miss="56p67899s[4444m][2222p]7p")  # fmt: skip
def melded_and_concealed_kong(frame: Frame) -> int:
    """One melded and one concealed kong."""
    return frame.melded_kongs >= 1 and frame.concealed_kongs >= 1
