"""Simplified Chinese into traditional: enough for the words of this page and of the rules, no general converter.

Characters that stand for several traditional ones (复: 復 or 複) are told apart by the words they occur in;
words that are said otherwise where traditional characters are written (内存: 記憶體) are replaced whole.
"""

_WORDS = {
    "文件夹": "資料夾",
    "文件": "檔案",
    "内存": "記憶體",
    "信息": "資訊",
    "网络": "網路",
    "粘贴": "貼上",
    "磁盘": "磁碟",
    "刷新": "重新整理",
    "字符": "字元",
    "动图": "動態圖片",
    "标识": "識別碼",
    "复制": "複製",
    "重复": "重複",
}
_SIMPLIFIED = (
    "与丢两个为义于从会传准几别动务单双发号后启图处备复夹宝对将尽属帮并应开张归当录态总抢择损换摄摆数无时显暂"
    "机杠条来标样检没浏满灯点独现盘确离种称红组线给络绝编缩网罚脑节莲虚补装规览计认记设识试误语说请读谁谱财贴输"
    "边过运还这进连递选里钓链错键门闭问间随静页项顺须题风饼龙鸣齐余万东兰关写删坏墙内电么着征带产绿销断捞则结听胜负赢实让"
)
_TRADITIONAL = (
    "與丟兩個為義於從會傳準幾別動務單雙發號後啟圖處備復夾寶對將盡屬幫並應開張歸當錄態總搶擇損換攝擺數無時顯暫"
    "機槓條來標樣檢沒瀏滿燈點獨現盤確離種稱紅組線給絡絕編縮網罰腦節蓮虛補裝規覽計認記設識試誤語說請讀誰譜財貼輸"
    "邊過運還這進連遞選裡釣鏈錯鍵門閉問間隨靜頁項順須題風餅龍鳴齊餘萬東蘭關寫刪壞牆內電麼著徵帶產綠銷斷撈則結聽勝負贏實讓"
)
_CHARACTERS = str.maketrans(dict(zip(_SIMPLIFIED, _TRADITIONAL, strict=True)))


def traditional(text: str) -> str:
    """`text` in traditional characters; what is traditional or common to both stays.

    >>> traditional("复制这手牌：清龙、幺九刻、花牌")
    '複製這手牌：清龍、幺九刻、花牌'
    """
    for word, other in _WORDS.items():
        text = text.replace(word, other)
    return text.translate(_CHARACTERS)
