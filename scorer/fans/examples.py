"""For each fan a hand that counts it, and a near miss: a winning hand, close by, that does not.

Most near misses differ by one tile, one set or one circumstance.
"""

from __future__ import annotations

from typing import Final

from scorer.fans import CATALOGUE
from scorer.fans.model import Fan

EXAMPLES: Final[dict[str, tuple[str, str]]] = {
    "大四喜": ("5mWWWNNN[EEE][SSS]5m", "55mWWNNN[EEE][SSS]5m"),
    "大三元": ("123m9sFFFPPP[CCC]9s", "123m99sFFPPP[CCC]9s"),
    "绿一色": ("23466688sFF[234s]8s", "34566688sFF[234s]8s"),
    "九莲宝灯": ("1112345678999m5m", "1123455678999m5m"),
    "四杠": ("9p[1111m][2222p,1][5555s][EEEE,1]9p", "9p[111m][2222p,1][5555s][EEEE,1]9p"),
    "连七对": ("2233445566778p8p", "2233445566778p2p"),
    "十三幺": ("19m19p19sESWNCFP9s", "1199m1199p1199sEE"),
    "清幺九": ("11199p99s[111m][999m]9p", "11179p99s[111m][999m]8p"),
    "小四喜": ("12mWWWNN[EEE][SSS]3m", "22mWWWNN[EEE][SSS]N"),
    "小三元": ("123m78sFFFPP[CCC]9s", "123m88sFFFPP[CCC]P"),
    "字一色": ("WWWCCPP[EEE][SSS]P", "WWWCCPP[111m][SSS]P"),
    "四暗刻": ("222333m555p7888s7s", "222333m555p7888s6s"),
    "一色双龙会": ("1122335577889m9m", "1122334477889m9m"),
    "一色四同顺": ("22334p99s[234p][234p]4p", "22334p99s[234p][234p]1p"),
    "一色四节高": ("1m444555s[222s][333s]1m", "11m44555s[222s][333s]1m"),
    "一色四步高": ("34455m99s[123m][234m]6m", "34455m99s[123m][234m]3m"),
    "三杠": ("34m99p[1111m][2222p,1][5555s]5m", "34m99p[111m][2222p,1][5555s]5m"),
    "混幺九": ("11199sEE[111m][999p]E", "11179sEE[111m][999p]8s"),
    "七对": ("1133m5577p2288sEE", "112233m1112pEEE3p"),
    "七星不靠": ("147m58p36sESWNCFP", "147m58p369sESWNCF"),
    "全双刻": ("88m66688s[222m][444p]8s", "68m66688s[222m][444p]7m"),
    "清一色": ("1245556678p[123p]3p", "1245556678p[111m]3p"),
    "一色三同顺": ("78p334455sCC[345s]9p", "78p344556sCC[345s]9p"),
    "一色三节高": ("99m12p666s[444s][555s]3p", "999m12p66s[444s][555s]3p"),
    "全大": ("78m77799p888s[789m]9m", "78m77799p888s[789m]6m"),
    "全中": ("45666p44455s[456m]5s", "45666p44455s[456m]3p"),
    "全小": ("12m11133p222s[123m]3m", "24m11133p222s[123m]3m"),
    "清龙": ("456789m66p45s[123m]6s", "567789m66p45s[123m]6s"),
    "三色双龙会": ("789m12378p55s[123m]9p", "789m12378p55s[123m]6p"),
    "一色三步高": ("345567m23p99s[123m]4p", "455667m23p99s[123m]4p"),
    "全带五": ("55m45556p567s[345m]5p", "55m45556p678s[345m]5p"),
    "三同刻": ("99m12444p444s[444m]3p", "999m2444p444s[444m]3p"),
    "三暗刻": ("23444m77799p222s4m", "23444m77799p222s9p"),
    "全不靠": ("147m258p36sESWNCF", "11247m258p369sEE3m"),
    "组合龙": ("11247m258p36999s3m", "147m258p36sESWNCF"),
    "大于五": ("66m78999p678s[678m]9p", "66m78999p567s[678m]9p"),
    "小于五": ("33m234p12444s[123m]3s", "33m345p12444s[123m]3s"),
    "三风刻": ("12m99pWWW[EEE][SSS]3m", "12m999pWW[EEE][SSS]3m"),
    "花龙": ("23m45699p789s[123m]4m", "23m56799p789s[123m]4m"),
    "推不倒": ("345p2255888s[123p]5s", "456p2255888s[123p]5s"),
    "三色三同顺": ("78m34599p345s[345m]9m", "78m45699p345s[345m]9m"),
    "三色三节高": ("67m44499p555s[333m]8m", "67m44999p555s[333m]8m"),
    "无番和": ("34567p678sEE[234m]5p", "23467p678sEE[234m]8p"),
    "妙手回春": ("456m55678p78s[123m]9s|EE1010", "456m55678p78s[123m]9s|EE1000"),
    "海底捞月": ("456m55678p78s[123m]9s|EE0010", "456m55678p78s[123m]9s"),
    "杠上开花": ("456m55678p78s[3333m]9s|EE1001", "456m55678p78s[3333m]9s|EE1000"),
    "抢杠和": ("456m55678p78s[123m]9s|EE0001", "456m55678p78s[123m]9s"),
    "碰碰和": ("99p444sEE[222m][777p]9p", "79p444sEE[222m][777p]8p"),
    "混一色": ("2356799pCCC[123p]4p", "2356799pCCC[111m]4p"),
    "三色三步高": ("78m23499p345s[123m]9m", "78m34599p345s[123m]9m"),
    "五门齐": ("789p555sEEPP[123m]P", "789p555sEEPP[111p]P"),
    "全求人": ("9p[123m][456p][777s][234s]9p", "9p[123m][456p][777s][234s]9p|EE1000"),
    "双暗杠": ("99p34678s[2222m][7777p]5s", "99p34678s[2222m,1][7777p]5s"),
    "双箭刻": ("123m99p45sFFF[CCC]6s", "123m999p45sFF[CCC]6s"),
    "明暗杠": ("56p67899s[4444m,1][2222p]7p", "56p67899s[4444m][2222p]7p"),
    "全带幺": ("789p11178sEE[123m]9s", "789p11178sEE[123m]6s"),
    "不求人": ("12334m456p55678s5m|EE1000", "12334m456p55678s5m"),
    "双明杠": ("99p34678s[2222m,1][7777p,1]5s", "99p34678s[2222m][7777p,1]5s"),
    "和绝张": ("456m55678p78s[123m]9s|EE0100", "456m55678p78s[123m]9s"),
    "箭刻": ("123m34567p99s[CCC]5p", "123m34567p99s[111m]5p"),
    "圈风刻": ("123m34567p99s[SSS]5p|SE0000", "123m34567p99s[111m]5p|SE0000"),
    "门风刻": ("123m34567p99s[SSS]5p|ES0000", "123m34567p99s[111m]5p|ES0000"),
    "门前清": ("12334m456p55678s5m", "12334m456p55678s5m|EE1000"),
    "平和": ("34567p67899s[123m]5p", "44567p67899s[123m]4p"),
    "四归一": ("567m345p2399s[555m]4s", "678m345p2399s[555m]4s"),
    "双同刻": ("44456p12399s[444m]7p", "44456p12399s[444m]9s"),
    "双暗刻": ("444m56777p99s[123s]7p", "444m56777p99s[123s]9s"),
    "暗杠": ("12356p67899s[4444m]7p", "12356p67899s[4444m,1]7p"),
    "断幺": ("34567p55678s[234m]5p", "34567p55789s[234m]5p"),
    "一般高": ("234m67p678sEE[234m]8p", "345m67p678sEE[234m]8p"),
    "喜相逢": ("23467p678sEE[234m]8p", "34567p678sEE[234m]5p"),
    "连六": ("456m67p678sEE[123m]8p", "567m67p678sEE[123m]8p"),
    "老少副": ("789m67p345sEE[123m]8p", "678m67p345sEE[123m]8p"),
    "幺九刻": ("456m67p55678s[111m]8p", "456m67p55678s[222m]8p"),
    "明杠": ("12356p67899s[4444m,1]7p", "12356p67899s[4444m]7p"),
    "缺一门": ("567m34678pEE[123m]5p", "567m34678pEE[111s]5p"),
    "无字": ("456m67p55678s[111m]8p", "456m67p55678s[EEE]8p"),
    "边张": ("12m567p789sEE[345m]3m", "24m567p789sEE[345m]3m"),
    "坎张": ("13m567p789sEE[345m]2m", "34m567p789sEE[345m]2m"),
    "单钓将": ("123m567p789sE[345m]E", "23m567p789sEE[345m]1m"),
    "自摸": ("456m678p78sEE[123m]9s|EE1000", "456m678p78sEE[123m]9s"),
    "花牌": ("456m678p78sEE[123m]9s|EE0000|2", "456m678p78sEE[123m]9s"),
}
"""Fan name to (hand, near miss) in the text notation; the rules are the default profile's."""

PLATFORM_EXAMPLES: Final[dict[str, tuple[str, str | None]]] = {
    "天胡": ("123456m234p45s55p6s|EE1000", "heavenly"),
    "地胡": ("123456m234p45s55p6s|ES0000", "earthly"),
    "人胡": ("123456m234p45s55p6s|EW0000", "human"),
    "四方大发财": ("EEESSSFFFPPPCC|ES1000", None),
    "混四节": ("22mEE[333p][444m][555p]2m", None),
    "混三节": ("222m333p444m789sEE", None),
    "混四步": ("23mEE[345p][456m][567p]4m", None),
    "混三步": ("234m345p456m789sEE", None),
    "二五八将": ("123m456m789p345s55p", None),
    "幺九头": ("123m456m789p345s99p", None),
    "季花": ("123m456m789p345s99p|EE0000|ae", None),
}
"""For each fan that only the ``platform`` profile has, a hand that counts it and its opening win, if it needs one.

The notation has no place for an opening win."""

_NAME_BY_NUMBER: Final = {fan.number: fan.name for fan in CATALOGUE}


def example_of(fan: Fan) -> tuple[str, str | None]:
    """A hand that counts ``fan`` in any profile that has it, in the text notation, and its opening win, if any.

    A profile may give a fan of the catalogue another name; its number stays the same.
    """
    if fan.number in _NAME_BY_NUMBER:
        return EXAMPLES[_NAME_BY_NUMBER[fan.number]][0], None
    return PLATFORM_EXAMPLES[fan.name]
