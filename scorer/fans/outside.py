"""全带: fans of which ranks every set holds, or none does."""

from __future__ import annotations

from scorer.fans.model import Family, Frame, Palette, fan

TERMINALS = 1 | 1 << 8


@fan(8, "清幺九", "All Terminals", 64, Family.OUTSIDE, Palette, "全部由序数牌1、9组成",
     drops="混幺九 碰碰和 全带幺 双同刻 幺九刻 无字",
     example="11199p99s[111m][999m]9p", near_miss="11179p99s[111m][999m]8p")  # fmt: skip
def all_terminals(palette: Palette) -> int:
    """Only 1s and 9s of suits."""
    return palette.suits > 0 and palette.ranks & ~TERMINALS == 0 and not (palette.winds or palette.dragons)


@fan(18, "混幺九", "All Terminals and Honors", 32, Family.OUTSIDE, Palette, "由字牌和序数牌1、9组成",
     drops="碰碰和 全带幺 幺九刻",
     example="11199sEE[111m][999p]E", near_miss="11179sEE[111m][999p]8s")  # fmt: skip
def all_terminals_and_honours(palette: Palette) -> int:
    """Only 1s, 9s and honours, both present."""
    return palette.suits > 0 and palette.ranks & ~TERMINALS == 0 and (palette.winds or palette.dragons)


@fan(31, "全带五", "All Fives", 16, Family.OUTSIDE, Frame, "每副牌及将牌都有序数牌5",
     drops="断幺 无字",
     example="55m45556p567s[345m]5p", near_miss="55m45556p678s[345m]5p")  # fmt: skip
def all_fives(frame: Frame) -> int:
    """Every set and the pair hold a 5."""
    return frame.fives == 5


@fan(55, "全带幺", "Outside Hand", 4, Family.OUTSIDE, Frame, "每副牌及将牌都有幺牌或字牌",
     example="789p11178sEE[123m]9s", near_miss="789p11178sEE[123m]6s")  # fmt: skip
def outside_hand(frame: Frame) -> int:
    """Every set and the pair hold a 1, a 9 or an honour."""
    return frame.outsiders == 5


@fan(68, "断幺", "All Simples", 2, Family.OUTSIDE, Palette, "没有1、9和字牌", drops="无字",
     example="34567p55678s[234m]5p", near_miss="34567p55789s[234m]5p")  # fmt: skip
def all_simples(palette: Palette) -> int:
    """No 1, no 9, no honour."""
    return palette.ranks & TERMINALS == 0 and not (palette.winds or palette.dragons)
