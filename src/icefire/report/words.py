"""Every word of a report, in English and Japanese."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "ja"]

WORDS: dict[str, dict[Language, str]] = {
    "original": {"en": "original", "ja": "元データ"},
    "release": {"en": "release", "ja": "公開データ"},
    "releases": {"en": "Releases", "ja": "公開データ"},
    "attack": {"en": "attack", "ja": "攻撃"},
    "column": {"en": "column", "ja": "列"},
    "metric": {"en": "metric", "ja": "指標"},
    "value": {"en": "value", "ja": "値"},
    "seconds": {"en": "seconds", "ja": "秒"},
    "table": {"en": "table", "ja": "表"},
    "re-identified": {"en": "re-identified", "ja": "再識別率"},
    "95% interval": {"en": "95% interval", "ja": "95%信頼区間"},
    "strongest attack": {"en": "strongest attack", "ja": "最強の攻撃"},
    "higher is better": {"en": "higher is better", "ja": "大きいほど良い"},
    "lower is better": {"en": "lower is better", "ja": "小さいほど良い"},
    "what was done": {"en": "What was done", "ja": "行ったこと"},
    "how to reproduce": {"en": "How to reproduce it", "ja": "再現方法"},
    "made with": {"en": "Made with icefire {version}.", "ja": "icefire {version} で作成。"},
    "rows": {
        "en": "{n} rows, {qi} quasi-identifiers, {sa} sensitive columns",
        "ja": "{n}行、準識別子{qi}列、機微属性{sa}列",
    },
    "lead": {
        "en": "Defenders anonymize, attackers re-identify, a judge measures both. The attacker here is the strongest there "
        "is: one who holds the whole original table and tries to find every person in the release.",
        "ja": "守り手は匿名化し、攻め手は再識別し、審判が両方を測ります。ここでの攻撃者は最も強い相手です。"
        "元の表をすべて持ち、公開データの中から全員を探し出そうとします。",
    },
    "verdict": {
        "en": "The strongest attack finds {worst:.0%} of the people in “{riskiest}” and {best:.0%} in “{safest}”.",
        "ja": "最強の攻撃は「{riskiest}」では{worst:.0%}、「{safest}」では{best:.0%}の人を見つけ出します。",
    },
    "verdict one": {
        "en": "The strongest attack, {attack}, finds {worst:.1%} of the people in this release.",
        "ja": "最強の攻撃 {attack} は、この公開データの{worst:.1%}の人を見つけ出します。",
    },
    "scatter title": {"en": "Risk against loss", "ja": "リスクと損失"},
    "scatter text": {
        "en": "Each point is a release. Lower is safer, further left is more useful: the good corner is at the bottom left. "
        "Risk is what the strongest attack finds.",
        "ja": "点は一つの公開データです。下ほど安全、左ほど有用で、左下が理想です。リスクは最強の攻撃が見つけた割合です。",
    },
    "loss axis": {"en": "information loss (U5)", "ja": "情報損失 (U5)"},
    "risk axis": {"en": "re-identified by the strongest attack", "ja": "最強の攻撃による再識別率"},
    "heat title": {"en": "Every attack on every release", "ja": "すべての攻撃とすべての公開データ"},
    "heat text": {
        "en": "Share of people found. The strongest attacks are at the top: judging a release by one weak attack "
        "would be a mistake.",
        "ja": "見つけ出された人の割合です。強い攻撃ほど上にあります。弱い攻撃一つで安全と判断してはいけません。",
    },
    "identification title": {"en": "What one known fact gives away", "ja": "一つの事実が明かすもの"},
    "identification text": {
        "en": "Average probability that a single known value of a column singles a person out, before and after "
        "“{name}”. The columns at the top are the ones to treat first.",
        "ja": "列の値を一つ知られたときに個人が識別される平均確率です（「{name}」の前後）。上の列から優先して加工すべきです。",
    },
    "identification axis": {"en": "identification probability (log scale)", "ja": "平均識別確率（対数目盛）"},
    "classes title": {"en": "How large a crowd people hide in", "ja": "何人の中に隠れているか"},
    "classes text": {
        "en": "Share of people by the number of rows with the same quasi-identifiers. People in a crowd of one are unique.",
        "ja": "準識別子が同じ行の数ごとの人の割合です。1人の集団にいる人は一意に特定されます。",
    },
    "classes axis": {"en": "rows with the same quasi-identifiers", "ja": "準識別子が同じ行の数"},
    "share axis": {"en": "share of people", "ja": "人の割合"},
    "attacks title": {"en": "Attacks, the worst case on top", "ja": "攻撃の一覧（最悪の場合が先頭）"},
    "metrics title": {"en": "All measurements", "ja": "すべての測定値"},
    "yamaoka flag": {
        "en": "The declared row map of “{name}” looks false: about {share:.0%} of the rows are as far from their declared "
        "owner as from anybody.",
        "ja": "「{name}」の申告された行対応は偽りの疑いがあります。"
        "約{share:.0%}の行は、申告された持ち主から無関係な人と同じだけ離れています。",
    },
}


class Phrases:
    """Looks words up in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, **values: object) -> str:
        text = WORDS[key][self.language]
        return text.format(**values) if values else text
