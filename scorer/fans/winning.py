"""和牌方式: fans of how the hand was won."""

from __future__ import annotations

from scorer.fans.model import Family, Wait, Win, fan


@fan(44, "妙手回春", "Last Tile Draw", 8, Family.WINNING, Win, "自摸牌墙上最后一张牌和牌", drops="自摸",
     made_of="winning_tile",
     example="456m55678p78s[123m]9s|EE1010", near_miss="456m55678p78s[123m]9s|EE1000")  # fmt: skip
def last_tile_draw(win: Win) -> int:
    """Self-drawn on the last tile of the wall."""
    return win.self_drawn and win.last_tile


@fan(45, "海底捞月", "Last Tile Claim", 8, Family.WINNING, Win, "和打出的最后一张牌",
     made_of="winning_tile",
     example="456m55678p78s[123m]9s|EE0010", near_miss="456m55678p78s[123m]9s")  # fmt: skip
def last_tile_claim(win: Win) -> int:
    """Won on the last discard of the hand."""
    return win.last_tile and not win.self_drawn


@fan(46, "杠上开花", "Out with Replacement Tile", 8, Family.WINNING, Win, "开杠抓进的牌成和", drops="自摸",
     made_of="winning_tile",
     example="456m55678p78s[3333m]9s|EE1001", near_miss="456m55678p78s[3333m]9s|EE1000")  # fmt: skip
def out_with_replacement_tile(win: Win) -> int:
    """Self-drawn on the replacement tile of a kong."""
    return win.self_drawn and win.kong


@fan(47, "抢杠和", "Robbing the Kong", 8, Family.WINNING, Win, "和别人自抓开明杠的牌", drops="和绝张",
     made_of="winning_tile",
     example="456m55678p78s[123m]9s|EE0001", near_miss="456m55678p78s[123m]9s")  # fmt: skip
def robbing_the_kong(win: Win) -> int:
    """Won on the tile another player adds to a melded pung."""
    return win.kong and not win.self_drawn


@fan(52, "全求人", "Melded Hand", 6, Family.WINNING, Win, "四副牌全部鸣牌,单钓别人打出的牌和牌",
     drops="单钓将 边张 坎张",
     example="9p[123m][456p][777s][234s]9p", near_miss="9p[123m][456p][777s][234s]9p|EE1000")  # fmt: skip
def melded_hand(win: Win) -> int:
    """Four melds, won on a discard that makes the pair."""
    return win.all_melded and not win.self_drawn


@fan(56, "不求人", "Fully Concealed Hand", 4, Family.WINNING, Win, "没有鸣牌,自摸和牌",
     drops="自摸 门前清",
     example="12334m456p55678s5m|EE1000", near_miss="12334m456p55678s5m")  # fmt: skip
def fully_concealed_hand(win: Win) -> int:
    """No melds, self-drawn."""
    return win.concealed and win.self_drawn


@fan(58, "和绝张", "Last Tile", 4, Family.WINNING, Win, "和桌面已亮明三张的第四张牌", drops="单钓将",
     made_of="winning_tile",
     example="456m55678p78s[123m]9s|EE0100", near_miss="456m55678p78s[123m]9s")  # fmt: skip
def last_tile(win: Win) -> int:
    """Won on the fourth tile when the other three lie open."""
    return win.fourth_tile


@fan(62, "门前清", "Concealed Hand", 2, Family.WINNING, Win, "没有鸣牌,和别人打出的牌",
     example="12334m456p55678s5m", near_miss="12334m456p55678s5m|EE1000")  # fmt: skip
def concealed_hand(win: Win) -> int:
    """No melds, won on a discard."""
    return win.concealed and not win.self_drawn


@fan(77, "边张", "Edge Wait", 1, Family.WINNING, Wait, "单和12的3或89的7", drops="坎张 单钓将",
     made_of="edge",
     example="12m567p789sEE[345m]3m", near_miss="24m567p789sEE[345m]3m")  # fmt: skip
def edge_wait(wait: Wait) -> int:
    """The only wait is the 3 of 12 or the 7 of 89."""
    return wait.edge


@fan(78, "坎张", "Closed Wait", 1, Family.WINNING, Wait, "单和顺子中间的牌", drops="单钓将",
     made_of="closed",
     example="13m567p789sEE[345m]2m", near_miss="34m567p789sEE[345m]2m")  # fmt: skip
def closed_wait(wait: Wait) -> int:
    """The only wait is the middle tile of a chow."""
    return wait.closed


@fan(79, "单钓将", "Single Wait", 1, Family.WINNING, Wait, "单钓一张牌作将", made_of="pair",
     example="123m567p789sE[345m]E", near_miss="23m567p789sEE[345m]1m")  # fmt: skip
def single_wait(wait: Wait) -> int:
    """The only wait is the tile that makes the pair."""
    return wait.pair


@fan(80, "自摸", "Self-Drawn", 1, Family.WINNING, Win, "自己抓进的牌和牌",
     made_of="winning_tile",
     example="456m678p78sEE[123m]9s|EE1000", near_miss="456m678p78sEE[123m]9s")  # fmt: skip
def self_drawn(win: Win) -> int:
    """Won on one's own draw."""
    return win.self_drawn
