"""A second, deliberately naive scorer that shares nothing with the first but the hand it is given.

It works on plain lists of tiles, finds the readings by trial, asks each fan by itself with the words of
the rule table, and tries every subset of what it finds. Slow, and meant to be read beside the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise, permutations

from scorer import SUIT_AND_HONOUR_FACES, Circumstances, Hand

POINTS = {
    88: "大四喜 大三元 绿一色 九莲宝灯 四杠 连七对 十三幺",
    64: "清幺九 小四喜 小三元 字一色 四暗刻 一色双龙会",
    48: "一色四同顺 一色四节高",
    32: "一色四步高 三杠 混幺九",
    24: "七对 七星不靠 全双刻 清一色 一色三同顺 一色三节高 全大 全中 全小",
    16: "清龙 三色双龙会 一色三步高 全带五 三同刻 三暗刻",
    12: "全不靠 组合龙 大于五 小于五 三风刻",
    8: "花龙 推不倒 三色三同顺 三色三节高 无番和 妙手回春 海底捞月 杠上开花 抢杠和",
    6: "碰碰和 混一色 三色三步高 五门齐 全求人 双暗杠 双箭刻",
    5: "明暗杠",
    4: "全带幺 不求人 双明杠 和绝张",
    2: "箭刻 圈风刻 门风刻 门前清 平和 四归一 双同刻 双暗刻 暗杠 断幺",
    1: "一般高 喜相逢 连六 老少副 幺九刻 明杠 缺一门 无字 边张 坎张 单钓将 自摸 花牌",
}
PLATFORM_POINTS = {
    168: "天胡 四方大发财",
    158: "地胡",
    108: "人胡",
    6: "混四节",
    4: "混三节 混四步",
    2: "混三步",
    1: "二五八将 幺九头",
}


def by_name(points: dict[int, str]) -> dict[str, int]:
    return {name: worth for worth, names in points.items() for name in names.split()}


VALUE = by_name(POINTS)

ORDER = {name: place for place, name in enumerate([*VALUE, *by_name(PLATFORM_POINTS)])}

NOT_ALSO = {
    "大四喜": "三风刻 碰碰和 圈风刻 门风刻 幺九刻",
    "大三元": "双箭刻 箭刻",
    "绿一色": "混一色",
    "九莲宝灯": "清一色 不求人 门前清 无字",
    "四杠": "三杠 双明杠 双暗杠 明暗杠 明杠 暗杠 碰碰和 单钓将",
    "连七对": "七对 清一色 不求人 门前清 无字 单钓将",
    "十三幺": "混幺九 五门齐 不求人 门前清 单钓将",
    "清幺九": "混幺九 碰碰和 全带幺 双同刻 幺九刻 无字",
    "小四喜": "三风刻",
    "小三元": "双箭刻 箭刻",
    "字一色": "混幺九 碰碰和 全带幺 幺九刻",
    "四暗刻": "三暗刻 双暗刻 碰碰和 不求人 门前清",
    "一色双龙会": "七对 清一色 平和 一般高 老少副 无字",
    "一色四同顺": "一色三同顺 一色三节高 七对 四归一 一般高",
    "一色四节高": "一色三节高 一色三同顺 碰碰和",
    "一色四步高": "一色三步高 连六 老少副",
    "三杠": "双明杠 双暗杠 明暗杠 明杠 暗杠",
    "混幺九": "碰碰和 全带幺 幺九刻",
    "七对": "不求人 门前清 单钓将",
    "七星不靠": "全不靠 五门齐 不求人 门前清 单钓将",
    "全双刻": "碰碰和 断幺 无字",
    "清一色": "无字",
    "一色三同顺": "一色三节高 一般高",
    "一色三节高": "一色三同顺",
    "全大": "大于五 无字",
    "全中": "断幺 无字",
    "全小": "小于五 无字",
    "三色双龙会": "平和 喜相逢 老少副 无字",
    "全带五": "断幺 无字",
    "三同刻": "双同刻",
    "三暗刻": "双暗刻",
    "全不靠": "五门齐 不求人 门前清 单钓将",
    "大于五": "无字",
    "小于五": "无字",
    "推不倒": "缺一门",
    "妙手回春": "自摸",
    "杠上开花": "自摸",
    "抢杠和": "和绝张",
    "全求人": "单钓将 边张 坎张",
    "双暗杠": "暗杠 双暗刻",
    "双箭刻": "箭刻",
    "不求人": "自摸 门前清",
    "双明杠": "明杠",
    "明暗杠": "明杠 暗杠",
    "和绝张": "单钓将",
    "平和": "无字",
    "断幺": "无字",
    "边张": "坎张 单钓将",
    "坎张": "单钓将",
}
DROPS = {name: set(names.split()) for name, names in NOT_ALSO.items()}


@dataclass(frozen=True)
class Rules:
    """What profiles decide: `docs/rules.md`, "How profiles differ"."""

    value: dict[str, int]
    drops: dict[str, set[str]]
    mixed_kongs: bool = True
    knitted_body_wait: bool = True
    pairs_are_sets: bool = True
    unavoidable_hog: bool = True
    platform: bool = False


CONCEALED = ("九莲宝灯", "连七对", "十三幺", "四暗刻", "七对", "七星不靠", "全不靠")
PLATFORM_NOT_ALSO = {
    "天胡": "自摸 不求人 边张 坎张 单钓将",
    "四方大发财": "字一色 圈风刻 门风刻 箭刻 混幺九 碰碰和 全带幺 幺九刻",
    "混四节": "混三节",
    "混四步": "混三步",
}


def _beside(fan: str, *names: str) -> dict[str, set[str]]:
    """The exclusions with ``fan`` allowed beside each of ``names``."""
    return {**DROPS, **{name: DROPS[name] - {fan} for name in names}}


RULES = {
    "guobiao": Rules(VALUE, DROPS),
    "text1998": Rules(
        VALUE,
        {**_beside("不求人", "九莲宝灯", "四暗刻"), "清幺九": DROPS["清幺九"] | {"三同刻"}},
        mixed_kongs=False,
        pairs_are_sets=False,
    ),
    "wmo2006": Rules(
        {**VALUE, "明暗杠": 6, "双暗杠": 8},
        {**_beside("不求人", *CONCEALED), "绿一色": set()},
        knitted_body_wait=False,
    ),
    "platform": Rules(
        {**VALUE, **by_name(PLATFORM_POINTS)},
        {**DROPS, **{name: set(names.split()) for name, names in PLATFORM_NOT_ALSO.items()}},
        platform=True,
    ),
}
RULES["wmo2014"] = replace(RULES["wmo2006"], unavoidable_hog=False)
RENAMED = {"清龙": "青龙", "断幺": "断幺九", "单钓将": "单钓"}
"""The platform's names; the rules above use ours."""
OVER_SETS = {"清幺九", "混幺九", "字一色", "全大", "全中", "全小", "大于五", "小于五"}

ORPHANS = [f"{rank}{suit}" for suit in "mps" for rank in (1, 9)] + [f"{rank}z" for rank in range(1, 8)]
KNITTED = [
    {f"{rank + step}{suit}" for suit, rank in zip(suits, (1, 2, 3), strict=True) for step in (0, 3, 6)}
    for suits in permutations("mps")
]
GREEN = {"2s", "3s", "4s", "6s", "8s", "6z"}
REVERSIBLE = {f"{r}p" for r in (1, 2, 3, 4, 5, 8, 9)} | {f"{r}s" for r in (2, 4, 5, 6, 8, 9)} | {"7z"}


@dataclass(frozen=True)
class Block:
    """A set: its tiles and whether it lies open. Completed by a discard it is open as well."""

    tiles: tuple[str, ...]
    melded: bool

    @property
    def is_chow(self) -> bool:
        return self.tiles[0] != self.tiles[1]

    @property
    def is_kong(self) -> bool:
        return len(self.tiles) == 4

    @property
    def suit(self) -> str:
        return self.tiles[0][1]

    @property
    def rank(self) -> int:
        return int(self.tiles[0][0])


@dataclass(frozen=True)
class Way:
    """One reading: a shape, its sets, the pair and the nine knitted tiles if there are any."""

    shape: str
    blocks: tuple[Block, ...] = ()
    pair: str = ""
    body: frozenset[str] = frozenset()
    hand_blocks: int = 0
    """How many of the blocks, the first ones, are not melds."""


@dataclass(frozen=True)
class Item:
    """A fan that could be counted, with the places of the sets it joins (combination fans only)."""

    name: str
    joins: tuple[int, ...] = ()


def is_chow(tiles: tuple[str, ...]) -> bool:
    if tiles[0][1] == "z" or len({tile[1] for tile in tiles}) > 1:
        return False
    ranks = [int(tile[0]) for tile in tiles]
    return ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]


@cache
def splits(tiles: tuple[str, ...], with_pair: bool) -> frozenset[tuple[tuple[tuple[str, ...], ...], str]]:
    """Every way to make sets, and a pair if wanted, of these sorted tiles: (sets, pair face)."""
    if not tiles:
        return frozenset() if with_pair else frozenset({((), "")})
    first, rest = tiles[0], list(tiles[1:])
    found = set()
    if with_pair and first in rest:
        left = list(rest)
        left.remove(first)
        found |= {(sets, first) for sets, _ in splits(tuple(left), False)}
    wanted = [(first, first, first)]
    if first[1] != "z" and int(first[0]) <= 7:
        wanted.append((first, f"{int(first[0]) + 1}{first[1]}", f"{int(first[0]) + 2}{first[1]}"))
    for block in wanted:
        left = list(tiles)
        try:
            for tile in block:
                left.remove(tile)
        except ValueError:
            continue
        for sets, pair in splits(tuple(left), with_pair):
            found.add((tuple(sorted((*sets, block))), pair))
    return frozenset(found)


def in_suit_order(tiles: list[str]) -> tuple[str, ...]:
    return tuple(sorted(tiles, key=lambda tile: (tile[1], tile[0])))


def ways(tiles: list[str], melds: list[Block]) -> Iterator[Way]:
    """Every reading of the concealed tiles (winning tile among them) beside the melds."""
    counts = Counter(tiles)
    for sets, pair in splits(in_suit_order(tiles), True):
        yield Way("standard", (*(Block(block, False) for block in sets), *melds), pair, hand_blocks=len(sets))
    if len(melds) <= 1:
        for body in KNITTED:
            if body <= set(tiles):
                rest = list((counts - Counter(body)).elements())
                for sets, pair in splits(in_suit_order(rest), True):
                    blocks = (*(Block(block, False) for block in sets), *melds)
                    yield Way("knitted", blocks, pair, frozenset(body), len(sets))
    if melds:
        return
    if all(count in (2, 4) for count in counts.values()):
        yield Way("pairs")
    if set(counts) == set(ORPHANS):
        yield Way("orphans")
    honours = {f"{rank}z" for rank in range(1, 8)}
    if len(counts) == 14 and any(set(counts) <= body | honours for body in KNITTED):
        yield Way("unrelated")


def wins(tiles: list[str], melds: list[Block]) -> bool:
    return next(ways(tiles, melds), None) is not None


@cache
def wait_faces(concealed: tuple[str, ...], meld_count: int) -> tuple[str, ...]:
    """Faces that complete the 13 tiles by form, a fifth copy included."""
    melds = [Block(("?",) * 3, True)] * meld_count
    found = []
    for face in SUIT_AND_HONOUR_FACES:
        tiles = [*concealed, face]
        # Seven pairs, orphans and unrelated tiles never hold five of a face.
        if wins(tiles, melds):
            found.append(face)
    return tuple(found)


def naive_score(hand: Hand, how: Circumstances, profile: str = "guobiao") -> tuple[int, list[Counter[str]]]:
    """The best total without flowers, and every list of fans that reaches it."""
    rules = RULES[profile]
    names = RENAMED if rules.platform else {}
    melds = [Block(meld.tiles, meld.kind != "concealed_kong") for meld in hand.melds]
    best, lists = -1, []
    for way in set(ways([*hand.concealed, hand.winning_tile], melds)):
        present = items(way, hand, how, rules) or [Item("无番和")]
        for counted in claims(present, way, rules):
            total = sum(rules.value[name] * count for name, count in counted.items())
            if total > best:
                best, lists = total, []
            if total == best and counted not in lists:
                lists.append(counted)
    return best, [Counter({names.get(fan, fan): n for fan, n in each.items()}) for each in lists]


def items(way: Way, hand: Hand, how: Circumstances, rules: Rules) -> list[Item]:
    """Everything present in this reading."""
    found = [Item(name) for name in (*whole_hand(way, hand), *of_the_win(hand, how))]
    if way.shape == "pairs" and not rules.pairs_are_sets:
        found = [item for item in found if item.name not in OVER_SETS]
    if way.shape == "pairs" and not rules.unavoidable_hog and {Item("清幺九"), Item("绿一色")} & set(found):
        # Seven pairs of six faces: one of them is there four times.
        found.remove(Item("四归一"))
    if way.shape in ("standard", "knitted"):
        found += [Item(name) for name in of_sets(way, hand, how, rules)]
        found += combinations_of(way, rules)
    if rules.platform:
        found += [Item(name) for name in of_the_platform(way, hand, how)]
    return found


def of_the_platform(way: Way, hand: Hand, how: Circumstances) -> Iterator[str]:
    openings = {"heavenly": "天胡", "earthly": "地胡", "human": "人胡"}
    if how.opening:
        yield openings[how.opening]
    if way.shape not in ("standard", "knitted"):
        return
    pungs = {block.tiles[0] for block in way.blocks if not block.is_chow}
    winds = {f"{'ESWN'.index(wind) + 1}z" for wind in (how.seat_wind, how.prevalent_wind)}
    if all(tile[1] == "z" for tile in hand.tiles) and {"6z", *winds} <= pungs:
        yield "四方大发财"
    if way.pair[1] != "z" and way.pair[0] in "258":
        yield "二五八将"
    if way.pair[1] != "z" and way.pair[0] in "19":
        yield "幺九头"


def mixed_steps(blocks: list[Block]) -> Iterator[str]:
    ranks = sorted(block.rank for block in blocks)
    suits = len({block.suit for block in blocks})
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return
    kind = "步" if blocks[0].is_chow else "节"
    if len(blocks) == 3 and suits == 2:
        yield f"混三{kind}"
    if len(blocks) == 4 and suits > 1:
        yield f"混四{kind}"


def whole_hand(way: Way, hand: Hand) -> Iterator[str]:
    tiles = list(hand.tiles)
    suits = {tile[1] for tile in tiles if tile[1] != "z"}
    ranks = {int(tile[0]) for tile in tiles if tile[1] != "z"}
    winds = any(tile[1] == "z" and int(tile[0]) <= 4 for tile in tiles)
    dragons = any(tile[1] == "z" and int(tile[0]) >= 5 for tile in tiles)
    honours = winds or dragons
    only_suits = bool(suits) and not honours
    tests = {
        "绿一色": set(tiles) <= GREEN,
        "字一色": not suits,
        "清幺九": only_suits and ranks <= {1, 9},
        "混幺九": bool(suits) and honours and ranks <= {1, 9},
        "清一色": len(suits) == 1 and not honours,
        "混一色": len(suits) == 1 and honours,
        "全大": only_suits and ranks <= {7, 8, 9},
        "全中": only_suits and ranks <= {4, 5, 6},
        "全小": only_suits and ranks <= {1, 2, 3},
        "大于五": only_suits and ranks <= {6, 7, 8, 9},
        "小于五": only_suits and ranks <= {1, 2, 3, 4},
        "推不倒": set(tiles) <= REVERSIBLE,
        "五门齐": len(suits) == 3 and winds and dragons,
        "断幺": only_suits and not ranks & {1, 9},
        "缺一门": len(suits) == 2,
        "无字": not honours,
        "七对": way.shape == "pairs",
        "十三幺": way.shape == "orphans",
        "全不靠": way.shape == "unrelated",
        "七星不靠": way.shape == "unrelated" and sum(tile[1] == "z" for tile in tiles) == 7,
        "组合龙": way.shape == "knitted"
        or (way.shape == "unrelated" and any(b <= set(tiles) for b in KNITTED)),
        "连七对": way.shape == "pairs"
        and len(suits) == 1
        and not honours
        and len(ranks) == 7
        and max(ranks) - min(ranks) == 6,
        "九莲宝灯": not hand.melds and is_nine_gates(hand),
    }
    yield from (name for name, held in tests.items() if held)
    kongs = {meld.tiles[0] for meld in hand.melds if meld.is_kong}
    for face, count in Counter(tiles).items():
        if count == 4 and face not in kongs:
            yield "四归一"


def of_the_win(hand: Hand, how: Circumstances) -> Iterator[str]:
    opened = [meld for meld in hand.melds if meld.kind != "concealed_kong"]
    tests = {
        "自摸": how.self_drawn,
        "妙手回春": how.self_drawn and how.last_tile,
        "海底捞月": how.last_tile and not how.self_drawn,
        "杠上开花": how.self_drawn and how.kong,
        "抢杠和": how.kong and not how.self_drawn,
        "和绝张": how.fourth_tile
        or sum(tile == hand.winning_tile for meld in hand.melds for tile in meld.tiles) == 3,
        "不求人": not opened and how.self_drawn,
        "门前清": not opened and not how.self_drawn,
        "全求人": len(opened) == 4 and not how.self_drawn,
    }
    yield from (name for name, held in tests.items() if held)


def is_nine_gates(hand: Hand) -> bool:
    suits = {tile[1] for tile in hand.tiles}
    ranks = sorted(int(tile[0]) for tile in hand.concealed)
    return len(suits) == 1 and "z" not in suits and ranks == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9]


def of_sets(  # noqa: PLR0912 - one line of the table after the other
    way: Way, hand: Hand, how: Circumstances, rules: Rules
) -> Iterator[str]:
    pungs = [block for block in way.blocks if not block.is_chow]
    chows = [block for block in way.blocks if block.is_chow]
    tile = hand.winning_tile
    own = list(way.blocks[: way.hand_blocks])
    elsewhere = way.pair == tile or any(block.is_chow and tile in block.tiles for block in own)
    closed_pungs = [block for block in pungs if block in own or (block.is_kong and not block.melded)]
    if not how.self_drawn and not elsewhere:
        closed_pungs = [b for b in closed_pungs if not (b in own and b.tiles[0] == tile)]
    for number, name in ((4, "四暗刻"), (3, "三暗刻"), (2, "双暗刻")):
        if len(closed_pungs) == number:
            yield name
    melded_kongs = sum(block.is_kong and block.melded for block in pungs)
    concealed_kongs = sum(block.is_kong and not block.melded for block in pungs)
    if (melded_kongs, concealed_kongs) == (1, 1):
        yield from ["明暗杠"] if rules.mixed_kongs else ["明杠", "暗杠"]
    names = {(1, 0): "明杠", (0, 1): "暗杠", (2, 0): "双明杠", (0, 2): "双暗杠"}
    if (melded_kongs, concealed_kongs) in names:
        yield names[melded_kongs, concealed_kongs]
    if melded_kongs + concealed_kongs >= 3:
        yield "三杠" if melded_kongs + concealed_kongs == 3 else "四杠"
    groups = [*(block.tiles for block in way.blocks), (way.pair, way.pair)]
    if len(pungs) == 4:
        yield "碰碰和"
        if all(g[0][1] != "z" and int(g[0][0]) % 2 == 0 for g in groups):
            yield "全双刻"
    if way.shape == "standard":
        if all(any(t[0] == "5" and t[1] != "z" for t in group) for group in groups):
            yield "全带五"
        if all(any(t in ORPHANS for t in group) for group in groups):
            yield "全带幺"
    if way.pair[1] != "z" and len(chows) == len(way.blocks):
        yield "平和"
    yield from honour_sets(way, pungs, how, nine_gates=not hand.melds and is_nine_gates(hand))
    in_body = tile in way.body and not rules.knitted_body_wait
    if len(wait_faces(hand.concealed, len(hand.melds))) == 1 and not in_body:
        if any(
            (b.tiles[2] == tile and b.rank == 1) or (b.tiles[0] == tile and b.rank == 7)
            for b in own
            if b.is_chow
        ):
            yield "边张"
        if any(block.is_chow and block.tiles[1] == tile for block in own):
            yield "坎张"
        if way.pair == tile:
            yield "单钓将"


def honour_sets(way: Way, pungs: list[Block], how: Circumstances, *, nine_gates: bool) -> Iterator[str]:
    faces = [block.tiles[0] for block in pungs]
    winds = [face for face in faces if face[1] == "z" and int(face[0]) <= 4]
    dragons = [face for face in faces if face[1] == "z" and int(face[0]) >= 5]
    seat = f"{'ESWN'.index(how.seat_wind) + 1}z"
    prevalent = f"{'ESWN'.index(how.prevalent_wind) + 1}z"
    used = set(dragons)
    if len(winds) == 4:
        yield "大四喜"
    if len(winds) == 3:
        yield "小四喜" if way.pair[1] == "z" and int(way.pair[0]) <= 4 else "三风刻"
    if len(winds) >= 3:
        used |= set(winds)
    if len(dragons) == 3:
        yield "大三元"
    elif len(dragons) == 2:
        yield "小三元" if way.pair[1] == "z" and int(way.pair[0]) >= 5 else "双箭刻"
    elif len(dragons) == 1:
        yield "箭刻"
    for face, name in ((prevalent, "圈风刻"), (seat, "门风刻")):
        if face in winds:
            yield name
            used.add(face)
    outside = [face for face in faces if face in ORPHANS and face not in used]
    yield from ["幺九刻"] * (len(outside) - nine_gates)


def combinations_of(way: Way, rules: Rules) -> list[Item]:
    """Every combination fan over every choice of sets."""
    found = []
    places = range(len(way.blocks))
    for size in (2, 3, 4):
        for chosen in combinations(places, size):
            blocks = [way.blocks[place] for place in chosen]
            if all(block.is_chow for block in blocks):
                found += [Item(name, chosen) for name in chow_fans(blocks, way.pair)]
                found += [Item(name, chosen) for name in mixed_steps(blocks) if rules.platform]
            elif not any(block.is_chow or block.suit == "z" for block in blocks):
                found += [Item(name, chosen) for name in pung_fans(blocks)]
                found += [Item(name, chosen) for name in mixed_steps(blocks) if rules.platform]
    return found


def chow_fans(blocks: list[Block], pair: str) -> Iterator[str]:  # noqa: PLR0912
    suits = [block.suit for block in blocks]
    ranks = sorted(block.rank for block in blocks)
    same_suit, all_suits = len(set(suits)) == 1, len(set(suits)) == 3
    steps = [after - before for before, after in pairwise(ranks)]
    if len(blocks) == 2:
        if same_suit and steps == [0]:
            yield "一般高"
        if not same_suit and steps == [0]:
            yield "喜相逢"
        if same_suit and steps == [3]:
            yield "连六"
        if same_suit and ranks == [1, 7]:
            yield "老少副"
    if len(blocks) == 3:
        if same_suit and steps == [0, 0]:
            yield "一色三同顺"
        if same_suit and ranks == [1, 4, 7]:
            yield "清龙"
        if same_suit and steps in ([1, 1], [2, 2]):
            yield "一色三步高"
        if all_suits and ranks == [1, 4, 7]:
            yield "花龙"
        if all_suits and steps == [0, 0]:
            yield "三色三同顺"
        if all_suits and steps == [1, 1]:
            yield "三色三步高"
    if len(blocks) == 4:
        if same_suit and steps == [0, 0, 0]:
            yield "一色四同顺"
        if same_suit and steps in ([1, 1, 1], [2, 2, 2]):
            yield "一色四步高"
        if same_suit and ranks == [1, 1, 7, 7] and pair == f"5{suits[0]}":
            yield "一色双龙会"
        if ranks == [1, 1, 7, 7] and len(set(suits)) == 2:
            each = {suit: sorted(b.rank for b in blocks if b.suit == suit) for suit in suits}
            third = (set("mps") - set(suits)).pop()
            if all(found == [1, 7] for found in each.values()) and pair == f"5{third}":
                yield "三色双龙会"


def pung_fans(blocks: list[Block]) -> Iterator[str]:
    suits = [block.suit for block in blocks]
    ranks = sorted(block.rank for block in blocks)
    same_suit, all_suits = len(set(suits)) == 1, len(set(suits)) == 3
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if len(blocks) == 2 and ranks[0] == ranks[1]:
        yield "双同刻"
    if len(blocks) == 3:
        if len(set(ranks)) == 1:
            yield "三同刻"
        if in_a_row and same_suit:
            yield "一色三节高"
        if in_a_row and all_suits:
            yield "三色三节高"
    if len(blocks) == 4 and in_a_row and same_suit:
        yield "一色四节高"


def claims(found: list[Item], way: Way, rules: Rules) -> Iterator[Counter[str]]:
    """Every largest collection that may be counted together, as fan name to count.

    A fan is left out only if one that is counted drops it by name, or if its sets are joined already.
    """
    links = [item for item in found if item.joins]
    alone = Counter(item.name for item in found if not item.joins)
    for chosen in subsets(links, {place: {place} for place in range(len(way.blocks))}):
        names = set(alone) | {link.name for link in chosen}
        counted = Counter(alone)
        counted.update(link.name for link in chosen)
        kept = set()
        for name in sorted(names, key=lambda each: (-rules.value[each], ORDER[each])):
            if not any(name in rules.drops.get(other, ()) for other in kept):
                kept.add(name)
        yield Counter({name: count for name, count in counted.items() if name in kept})


def subsets(links: list[Item], groups: dict[int, set[int]]) -> Iterator[list[Item]]:
    """Every subset of the links in which none joins sets that are joined already."""
    if not links:
        yield []
        return
    first, rest = links[0], links[1:]
    yield from subsets(rest, groups)
    joined = [groups[place] for place in first.joins]
    if all(a is not b for a, b in combinations(joined, 2)):
        merged = set().union(*joined)
        regrouped = {place: merged if place in merged else group for place, group in groups.items()}
        for more in subsets(rest, regrouped):
            yield [first, *more]
