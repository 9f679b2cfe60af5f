"""字牌: fans of winds and dragons."""

from __future__ import annotations

from scorer.fans.model import Family, Honours, Palette, fan

WIND_FACES = 0b1111 << 27
DRAGON_FACES = 0b111 << 31


@fan(1, "大四喜", "Big Four Winds", 88, Family.HONOURS, Honours, "四副风刻(杠)",
     drops="三风刻 碰碰和 圈风刻 门风刻 幺九刻", absorbs=True,
     example="5mWWWNNN[EEE][SSS]5m", near_miss="55mWWNNN[EEE][SSS]5m")  # fmt: skip
def big_four_winds(honours: Honours) -> int:
    """Pungs or kongs of all four winds."""
    winds = honours.pungs & WIND_FACES
    return winds if winds.bit_count() == 4 else 0


@fan(2, "大三元", "Big Three Dragons", 88, Family.HONOURS, Honours, "三副箭刻(杠)", drops="双箭刻 箭刻",
     absorbs=True,
     example="123m9sFFFPPP[CCC]9s", near_miss="123m99sFFPPP[CCC]9s")  # fmt: skip
def big_three_dragons(honours: Honours) -> int:
    """Pungs or kongs of all three dragons."""
    dragons = honours.pungs & DRAGON_FACES
    return dragons if dragons.bit_count() == 3 else 0


@fan(9, "小四喜", "Little Four Winds", 64, Family.HONOURS, Honours, "三副风刻(杠)及第四种风的将",
     drops="三风刻", absorbs=True, needs_pair=True,
     example="12mWWWNN[EEE][SSS]3m", near_miss="22mWWWNN[EEE][SSS]N")  # fmt: skip
def little_four_winds(honours: Honours) -> int:
    """Pungs or kongs of three winds and a pair of the fourth."""
    winds = honours.pungs & WIND_FACES
    return winds if winds.bit_count() == 3 and honours.pair & WIND_FACES else 0


@fan(10, "小三元", "Little Three Dragons", 64, Family.HONOURS, Honours, "两副箭刻(杠)及第三种箭牌的将",
     drops="双箭刻 箭刻", absorbs=True, needs_pair=True,
     example="123m78sFFFPP[CCC]9s", near_miss="123m88sFFFPP[CCC]P")  # fmt: skip
def little_three_dragons(honours: Honours) -> int:
    """Pungs or kongs of two dragons and a pair of the third."""
    dragons = honours.pungs & DRAGON_FACES
    return dragons if dragons.bit_count() == 2 and honours.pair & DRAGON_FACES else 0


@fan(11, "字一色", "All Honors", 64, Family.HONOURS, Palette, "全部由字牌组成",
     drops="混幺九 碰碰和 全带幺 幺九刻",
     example="WWWCCPP[EEE][SSS]P", near_miss="WWWCCPP[111m][SSS]P")  # fmt: skip
def all_honours(palette: Palette) -> int:
    """Only winds and dragons."""
    return palette.suits == 0


@fan(38, "三风刻", "Big Three Winds", 12, Family.HONOURS, Honours, "三副风刻(杠)",
     absorbs=True,
     example="12m99pWWW[EEE][SSS]3m", near_miss="12m999pWW[EEE][SSS]3m")  # fmt: skip
def big_three_winds(honours: Honours) -> int:
    """Pungs or kongs of three winds."""
    winds = honours.pungs & WIND_FACES
    return winds if winds.bit_count() >= 3 else 0


@fan(54, "双箭刻", "Two Dragon Pungs", 6, Family.HONOURS, Honours, "两副箭刻(杠)", drops="箭刻",
     absorbs=True,
     example="123m99p45sFFF[CCC]6s", near_miss="123m999p45sFF[CCC]6s")  # fmt: skip
def two_dragon_pungs(honours: Honours) -> int:
    """Pungs or kongs of two dragons."""
    dragons = honours.pungs & DRAGON_FACES
    return dragons if dragons.bit_count() >= 2 else 0


@fan(59, "箭刻", "Dragon Pung", 2, Family.HONOURS, Honours, "中、发或白的刻子(杠)", repeats=True,
     absorbs=True,
     example="123m34567p99s[CCC]5p", near_miss="123m34567p99s[111m]5p")  # fmt: skip
def dragon_pung(honours: Honours) -> int:
    """A pung or kong of a dragon."""
    return honours.pungs & DRAGON_FACES


@fan(60, "圈风刻", "Prevalent Wind", 2, Family.HONOURS, Honours, "本圈风的刻子(杠)",
     absorbs=True,
     example="123m34567p99s[SSS]5p|SE0000", near_miss="123m34567p99s[111m]5p|SE0000")  # fmt: skip
def prevalent_wind(honours: Honours) -> int:
    """A pung or kong of the prevalent wind."""
    return honours.pungs & honours.prevalent


@fan(61, "门风刻", "Seat Wind", 2, Family.HONOURS, Honours, "本门风的刻子(杠)", absorbs=True,
     example="123m34567p99s[SSS]5p|ES0000", near_miss="123m34567p99s[111m]5p|ES0000")  # fmt: skip
def seat_wind(honours: Honours) -> int:
    """A pung or kong of the seat wind."""
    return honours.pungs & honours.seat
