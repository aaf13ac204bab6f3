"""The words of reports on synthetic tables, in English and Japanese."""

from __future__ import annotations

from icefire.core.chapters import Language

WORDS: dict[str, dict[Language, str]] = {
    "chapter synthetic": {"en": "Synthetic tables: nobody has a row", "ja": "合成データ：実在の人の行はない"},
    "found synthetic": {"en": "found beyond chance", "ja": "偶然を超えて分かる割合"},
    "loss axis synthetic": {"en": "error of cross tables", "ja": "クロス集計の誤差"},
    "risk axis synthetic": {"en": "advantage of the strongest attack", "ja": "最強の攻撃の優位"},
    "members": {
        "en": "{n} members, {columns} columns; a control group of {others} others",
        "ja": "元データに含まれる人{n}人、{columns}列。対照群{others}人",
    },
    "lead synthetic": {
        "en": "Attackers ask who was in the data, what somebody's hidden value is, whether one person alone fits a "
        "description, and which rows of two data sets belong together. Risk is counted beyond what the same attack finds "
        "of people who were not in the data.",
        "ja": "攻撃者は、誰が元データに含まれていたか、隠された値は何か、ある条件に当てはまる人が一人だけか、"
        "二つのデータのどの行が同じ人かを推定します。"
        "リスクは、元データに含まれない人に対する同じ攻撃の結果を差し引いて数えます。",
    },
    "verdict synthetic": {
        "en": "The advantage of the strongest attack is {worst:.0%} in “{riskiest}” and {best:.0%} in “{safest}”.",
        "ja": "最強の攻撃の優位は「{riskiest}」では{worst:.0%}、「{safest}」では{best:.0%}です。",
    },
    "verdict one synthetic": {
        "en": "The strongest attack, {attack}, has an advantage of {worst:.1%} over chance.",
        "ja": "最強の攻撃 {attack} の、偶然に対する優位は{worst:.1%}です。",
    },
    "people synthetic": {"en": "{n} members", "ja": "元データの{n}人"},
    "level release": {"en": "the release alone", "ja": "提供データのみ"},
    "level halves": {"en": "two data sets, each with half of the columns", "ja": "列を半分ずつ持つ二つのデータ"},
    "level facts": {"en": "all columns but the hidden ones", "ja": "隠された列以外のすべての列"},
    "short release": {"en": "the release alone", "ja": "提供データのみ"},
    "short halves": {"en": "two halves", "ja": "半分ずつの列"},
    "short facts": {"en": "all but hidden", "ja": "隠された列以外"},
    "found of all": {"en": "of all", "ja": "全員"},
    "found of the rarest": {"en": "of the rarest tenth", "ja": "最も珍しい1割の人"},
    "rare title": {"en": "Rare people", "ja": "珍しい人のリスク"},
    "rare text": {
        "en": "The mean hides those who differ most from the others. What the strongest attacks find beyond chance, of "
        "everybody and of the tenth whose combinations of values are most unlikely; the second figure is of few people, and "
        "the largest of many attacks.",
        "ja": "平均では、他の人と大きく異なる人のリスクが見えません。最強の攻撃が偶然を超えて正しく推定した割合を、"
        "全員と、値の組み合わせが最も珍しい1割の人について示します。後者は人数が少なく、多くの攻撃の最大値です。",
    },
    "allowed at most": {"en": "allowed at most", "ja": "理論上の上限"},
    "privacy title": {"en": "What differential privacy promises", "ja": "差分プライバシーの保証"},
    "privacy text": {
        "en": "The budget of the first step, for tables that differ in one row; later steps look at its result alone. No "
        "membership attack has a larger advantage than this, whatever it knows; attacks here find less.",
        "ja": "最初のステップの予算です（1行だけ異なる表に対するもの。以降のステップはその結果だけを使います）。"
        "攻撃者が何を知っていても、所属推定の優位がこの上限を超えることはありません。",
    },
    "synthetic people text": {
        "en": "The members whom most membership attacks name while at most 1 in 100 others who are as rare is as "
        "suspicious, and the columns in which they are rarest. redteam --exposed FILE lists more of them, with the values.",
        "ja": "所属推定攻撃の多くに名指しされる人と、その人が最も珍しい列です。名指しとは、"
        "同程度に珍しい対照群の人のうち、同程度に疑わしい人が"
        "100人中1人以下であることをいいます。redteam --exposed FILE で、値を含むより長い一覧を書き出せます。",
    },
    "rarest in": {"en": "rarest in", "ja": "最も珍しい列"},
}
