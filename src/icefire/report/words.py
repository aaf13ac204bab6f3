"""Every word of reports and of the pages of studies, in English and Japanese."""

from __future__ import annotations

from icefire.core.chapters import Language
from icefire.core.roles import Method
from icefire.report import synthetic_words
from icefire.words import translated

WORDS: dict[str, dict[Language, str]] = {
    "demo title": {
        "en": "icefire: what anonymization costs, and what it buys",
        "ja": "icefire：匿名化で失うものと得られるもの",
    },
    "original": {"en": "original", "ja": "元データ"},
    "release": {"en": "release", "ja": "提供データ"},
    "releases": {"en": "Releases", "ja": "提供データ"},
    "attack": {"en": "attack", "ja": "攻撃"},
    "column": {"en": "column", "ja": "列"},
    "reason": {"en": "reason", "ja": "理由"},
    "metric": {"en": "metric", "ja": "指標"},
    "value": {"en": "value", "ja": "値"},
    "seconds": {"en": "seconds", "ja": "秒"},
    "table": {"en": "table", "ja": "表"},
    "found microdata": {"en": "re-identified", "ja": "再識別率"},
    "found history": {
        "en": "re-identified",
        "ja": "再識別率",
    },
    "95% interval": {"en": "95% interval", "ja": "95%信頼区間"},
    "strongest attack": {"en": "strongest attack", "ja": "最強の攻撃"},
    "higher is better": {"en": "higher is better", "ja": "大きいほど良い"},
    "lower is better": {"en": "lower is better", "ja": "小さいほど良い"},
    "what was done": {"en": "What was done", "ja": "加工内容"},
    "step": {"en": "step", "ja": "ステップ"},
    "told by": {
        "en": "Counted together with what {columns} tell about the quasi-identifiers.",
        "ja": "準識別子を推測させる {columns} も含めて数えた値です。",
    },
    "range": {"en": "range", "ja": "範囲"},
    "best and worst": {"en": "{best} is best, {worst} is worst", "ja": "{best}が最良、{worst}が最悪"},
    "why not": {"en": "why not", "ja": "理由"},
    "not measured": {"en": "Not measured", "ja": "測定できなかった指標"},
    "worth title": {"en": "What it is still worth", "ja": "残っている有用性"},
    "worth text": {
        "en": "Whether analyses of the release come to the same results as analyses of the original.",
        "ja": "提供データを分析したときに、元データと同じ結果が得られるかを示します。",
    },
    "law title": {"en": "In terms of the Japanese law (APPI)", "ja": "個人情報保護法との関係"},
    "law text": {
        "en": "These figures measure risk; they are not legal advice, and do not decide whether this release is anonymously "
        "processed information (匿名加工情報). Such information must neither identify anybody nor allow the original to be "
        "restored. The Commission's rules (Article 34) name the criteria: delete descriptions that identify a person, "
        "individual identification codes, codes that link to the original, and unusual descriptions, and take such other "
        "measures as the nature of the database asks for. For the last two, look at rare values and at what the strongest "
        "attacker finds here. Pseudonymously processed information (仮名加工情報) does not identify anybody without other "
        "information and is for use inside an organization: as a rule it is not provided to third parties, however low the "
        "figures are.",
        "ja": "このレポートは再識別のリスクを測ったもので、法的な助言ではなく、"
        "この提供データが匿名加工情報に当たるかどうかを判断するものでもありません。"
        "匿名加工情報は、特定の個人を識別できず、元の個人情報を復元できないように加工したものです。"
        "個人情報保護委員会規則（施行規則第34条）は、その基準として、"
        "①特定の個人を識別できる記述等の削除、②個人識別符号の削除、③元の個人情報と連結する符号の削除、"
        "④特異な記述等の削除、⑤個人情報データベース等の性質を踏まえたその他の措置を挙げています"
        "（削除には、復元できる規則性のない方法による置き換えを含みます）。"
        "①〜③に当たる列は、識別子（identifying）に指定すると提供データに含まれません。"
        "④と⑤を検討する際は、特異な値が残っていないか、最も強い攻撃者にどれだけ特定されるかを、このレポートで確かめてください。"
        "仮名加工情報は、他の情報と照合しない限り個人を識別できないように加工したもので、組織の中での利用を前提とし、"
        "ここでの数値が低くても、原則として第三者に提供できません。",
    },
    "how to reproduce": {"en": "How to reproduce it", "ja": "再現方法"},
    "made with": {"en": "Made with icefire {version}.", "ja": "icefire {version} で作成。"},
    "rows": {
        "en": "{n} rows, {qi} quasi-identifiers, {sa} sensitive columns",
        "ja": "{n}行、準識別子{qi}列、機微属性{sa}列",
    },
    "lead microdata": {
        "en": "Defenders anonymize, attackers re-identify, a judge measures both. The attacker here is the strongest there "
        "is: one who holds the whole original table and tries to find every person in the release.",
        "ja": "守り手は匿名化し、攻め手は再識別し、審判が両方を測ります。ここでの攻撃者は最も強い相手です。"
        "元の表をすべて持ち、提供データの全員を特定しようとします。",
    },
    "verdict microdata": {
        "en": "The strongest attack finds {worst:.0%} of the people in “{riskiest}” and {best:.0%} in “{safest}”.",
        "ja": "最強の攻撃は「{riskiest}」では{worst:.0%}、「{safest}」では{best:.0%}の人を特定します。",
    },
    "verdict one microdata": {
        "en": "The strongest attack, {attack}, finds {worst:.1%} of the people in this release.",
        "ja": "最強の攻撃 {attack} は、この提供データの{worst:.1%}の人を特定します。",
    },
    "lead answer": {
        "en": "Each row is one risk for one attacker, by the strongest attack. {method} Below: utility, and every attack.",
        "ja": "各行は、攻撃者ごとのリスク（最も強い攻撃による値）です。{method}以下に、有用性とすべての攻撃を示します。",
    },
    "all know the method": {
        "en": "All of them know the method, never the seed.",
        "ja": "いずれも加工方法を知っています（乱数シードは除く）。",
    },
    "method not tried": {
        "en": "What they find if they know the method was not tried.",
        "ja": "加工方法を知る攻撃者は試していません。",
    },
    "accepted title": {"en": "Accepted by the schema", "ja": "スキーマで承認されている列"},
    "accepted text": {
        "en": "The checks object to these columns. Whoever prepared the data accepted that, for these reasons.",
        "ja": "点検で問題とされた列です。データの作成者が次の理由で承認しています。",
    },
    "may it go out": {"en": "May “{name}” be released?", "ja": "「{name}」は許容基準を満たすか"},
    "red team": {"en": "Red team: {name}", "ja": "攻撃の結果：{name}"},
    "decision release": {"en": "Release to everybody.", "ja": "判定：許容基準を満たします（提供先の限定なし）。"},
    "decision release to": {
        "en": "Release to recipients who know no more than {recipients}.",
        "ja": "判定：攻撃者の背景知識が{recipients}までの場合、許容基準を満たします。",
    },
    "decision do_not_release": {"en": "Do not release.", "ja": "判定：許容基準を超えています。提供しないでください。"},
    "decision inconclusive": {"en": "Cannot say yet.", "ja": "判定：まだ判断できません。"},
    "decision None": {"en": "No attack could be made.", "ja": "攻撃を実行できませんでした。"},
    "describe": {"en": "{people}; {steps}; {recipients}", "ja": "{people}／{steps}／{recipients}"},
    "unknown steps": {"en": "made in an unknown way", "ja": "加工方法は不明"},
    "no steps": {"en": "as they are", "ja": "加工なし"},
    "people microdata": {"en": "{n} people", "ja": "{n}人"},
    "people history": {"en": "records of {n} people", "ja": "{n}人の履歴"},
    "people trace": {"en": "traces of {n} people", "ja": "{n}人の移動履歴"},
    "for everybody": {"en": "meant for everybody", "ja": "提供先：限定なし（公開）"},
    "for recipients": {
        "en": "meant for recipients who know no more than {recipients}",
        "ja": "想定する攻撃者の背景知識：{recipients}",
    },
    "risk WHO": {"en": "Re-identification", "ja": "再識別"},
    "risk WHAT": {"en": "Attribute disclosure", "ja": "属性推定"},
    "risk COMPOSITION": {"en": "Other releases", "ja": "他の加工データ"},
    "risk CELLS": {"en": "Identifying cells", "ja": "識別できる値"},
    "risk": {"en": "risk", "ja": "リスク"},
    "limit": {"en": "limit", "ja": "許容値"},
    "status MEETS": {"en": "meets", "ja": "許容値以下"},
    "status EXCEEDS": {"en": "over", "ja": "許容値超"},
    "status UNKNOWN": {"en": "cannot say", "ja": "判断不可"},
    "status NOT_ASKED": {"en": "none named", "ja": "指定なし"},
    "none": {"en": "none", "ja": "なし"},
    "columns": {"en": "{n} columns", "ja": "{n}列"},
    "one column": {"en": "1 column", "ja": "1列"},
    "by attack": {"en": "attack {attack}", "ja": "攻撃：{attack}"},
    "nothing hidden": {
        "en": "not asked: no sensitive column is published that the attackers do not know",
        "ja": "対象外：攻撃者の知らない機微属性は含まれていません",
    },
    "no other releases": {
        "en": "none named (--with RELEASE): the answer assumes that there is none",
        "ja": "指定なし（--with で指定）。他に提供した加工データはないものとして判定",
    },
    "attacker knows": {"en": "knows {known}", "ja": "背景知識：{known}"},
    "with releases": {"en": "holds {names} as well", "ja": "{names}も持つ"},
    "attribute": {"en": "attribute disclosure", "ja": "属性推定"},
    "certain for": {
        "en": "{column} = {value} becomes certain for {certain} of the {holders} people who have it ({baseline} without this "
        "release)",
        "ja": "{column}が{value}の{holders}人のうち{certain}人で確実に分かる（この提供がなければ{baseline}）",
    },
    "certain for synthetic": {
        "en": "{column} = {value} is certain for {certain} of the {holders} who have it ({baseline} of people not in the data)",
        "ja": "{column}が{value}の{holders}人のうち{certain}人で確実に分かる（元データにない人では{baseline}）",
    },
    "disclosed history": {
        "en": "{share} of a person's other records are theirs for certain ({baseline} without this release)",
        "ja": "各人の他のレコードの{share}がその人のものと確実に分かる、この提供がなければ{baseline}",
    },
    "disclosed trace": {
        "en": "other places are guessed {found} right, {baseline} without this release",
        "ja": "他の時刻の居場所の推定の正確さは{found}、この提供がなければ{baseline}",
    },
    "disclosed synthetic": {
        "en": "hidden values are inferred for {members} of the members and {baseline} of people not in the data",
        "ja": "隠された値を正しく推定される人は、元データにある人の{members}、ない人の{baseline}",
    },
    "nothing certain": {
        "en": "nothing becomes certain by this release",
        "ja": "この提供によって確実に分かる値はありません",
    },
    "cannot say": {"en": "cannot say: {reason}", "ja": "判断できません：{reason}"},
    "semicolon": {"en": "; ", "ja": "、"},
    "or": {"en": ", or ", "ja": "、または"},
    "comma": {"en": ", ", "ja": "、"},
    "quasi-identifiers": {"en": "the {n} quasi-identifiers", "ja": "準識別子{n}列"},
    "and these": {"en": "these and {names}", "ja": "さらに{names}"},
    "why WHO microdata": {
        "en": "Somebody who knows {known} re-identifies {share} of the people; the limit is {limit}.",
        "ja": "{known}を知る攻撃者による再識別率は{share}です（許容値は{limit}）。",
    },
    "why WHO history": {
        "en": "Somebody who knows {known} re-identifies {share} of the pseudonyms; the limit is {limit}.",
        "ja": "{known}を知る攻撃者により、仮名の{share}が再識別されます（許容値は{limit}）。",
    },
    "why WHO trace": {
        "en": "Somebody who knows {known} re-identifies {share} of the people; the limit is {limit}.",
        "ja": "{known}を知る攻撃者による再識別率は{share}です（許容値は{limit}）。",
    },
    "why WHO synthetic": {
        "en": "Somebody who knows {known} recognizes {share} of the members beyond chance; the limit is {limit}.",
        "ja": "{known}を知る攻撃者により、偶然を超えて{share}の人が元データに含まれると分かります（許容値は{limit}）。",
    },
    "why WHAT": {
        "en": "Somebody who knows {known} learns what they did not know: {disclosure}; the limit is {limit} of them.",
        "ja": "{known}を知る攻撃者に、知らなかった属性が分かります（{disclosure}）。許容される増分は{limit}までです。",
    },
    "why together": {
        "en": "Whoever holds {names} as well finds out more. {sentence}",
        "ja": "{names}と合わせると、{sentence}",
    },
    "why cells": {
        "en": "These columns identify people by themselves: {columns}. Leave them out (drop_columns), or say in "
        "schema.toml why they may be published: {entries}.",
        "ja": "次の列は、それだけで個人を識別できます：{columns}。drop_columns で除くか、公開してよい理由を schema.toml の "
        "{entries} として書いてください。",
    },
    "row count": {"en": "{n} rows", "ja": "{n}行"},
    "why inconclusive": {"en": "There is no answer yet: {reason}.", "ja": "判断できない理由：{reason}。"},
    "why release": {
        "en": "Every risk is within its limit.",
        "ja": "すべてのリスクが許容値以下です。提供の可否は、法令・契約を踏まえて組織で判断してください。",
    },
    "would pass": {
        "en": "It meets every limit for recipients who know no more than {recipients}.",
        "ja": "攻撃者の背景知識が{recipients}までの場合は、許容基準を満たします。",
    },
    "assumes no more releases": {
        "en": "This assumes that no data about these people were released beside {names}.",
        "ja": "{names}のほかに同じ人々のデータを提供していないことを前提とします。",
    },
    "assumes no other release": {
        "en": "This assumes that no other data about these people were released.",
        "ja": "同じ人々の他のデータを提供していないことを前提とします。",
    },
    "effective k": {
        "en": "Generalizing the quasi-identifiers is partly undone, since they follow from {columns}: with that, k is {k}.",
        "ja": "{columns}から準識別子を推測できるため、加工の効果が一部失われています（これを含めると最小のクラスは{k}行）。",
    },
    "utility metric": {"en": "{metric} {value}", "ja": "{metric} {value}"},
    "utility information": {
        "en": "{share} of the information in the columns is left",
        "ja": "各列の情報の{share}が残っています",
    },
    "utility information lost": {
        "en": "{share} of the information in the columns is left ({n} of {all} columns are lost, and count as 0%)",
        "ja": "各列の情報の{share}が残っています（{all}列のうち{n}列は失われ、0%と数えます）",
    },
    "utility means": {
        "en": "means by group within {error} on average",
        "ja": "グループ別平均の誤差は平均{error}",
    },
    "utility coefficients": {
        "en": "{kept} of {all} regression coefficients stay within their 95% interval",
        "ja": "回帰係数{all}個のうち{kept}個が信頼区間内",
    },
    "utility table": {
        "en": "cross tables are off by {error} of the people",
        "ja": "クロス集計で位置が変わる人は{error}",
    },
    "next": {"en": "Next", "ja": "次にすること"},
    "why": {"en": "Why", "ja": "理由"},
    "utility": {"en": "Utility", "ja": "有用性"},
    "more": {"en": "More", "ja": "詳細"},
    "report has": {
        "en": "{report} (for you alone: {attacks} attacks, the people at risk); --all prints the attacks here",
        "ja": "{report}（内部用：{attacks}通りの攻撃と、再識別されやすい人）。--all で攻撃をここに表示します",
    },
    "gap": {"en": " ", "ja": ""},
    "scatter title": {"en": "Risk against loss", "ja": "リスクと損失"},
    "scatter text": {
        "en": "Each point is a release. Lower is safer, further left is more useful: the good corner is at the bottom left. "
        "Risk is what the strongest attack finds.",
        "ja": "点は一つの提供データです。下ほど安全、左ほど有用で、左下が理想です。リスクは最強の攻撃が特定した割合です。",
    },
    "loss axis microdata": {"en": "information loss (U5)", "ja": "情報損失 (U5)"},
    "loss axis history": {"en": "utility loss (UTL of 2017)", "ja": "有用性の損失（2017年のUTL）"},
    "risk axis history": {
        "en": "pseudonyms or records re-identified by the strongest attack",
        "ja": "最強の攻撃による再識別率（仮名またはレコード）",
    },
    "risk axis microdata": {"en": "re-identified by the strongest attack", "ja": "最強の攻撃による再識別率"},
    "attackers title": {"en": "Risk by attacker", "ja": "攻撃者ごとのリスク"},
    "attackers text": {
        "en": "What the strongest attack finds, by what the attacker knows of the people and whether the attacker knows the "
        "steps and their parameters (never the seed). ≥: no attack of icefire can use that knowledge for this release, "
        "so more may be found. "
        "Guessing at random would find {chance:.2%}.",
        "ja": "攻撃者が本人について何を知っているか、加工方法（ステップとパラメータ。"
        "乱数シードは除く）を知っているかどうかに分けて、"
        "最強の攻撃が特定した割合を示します。"
        "≥ は、その知識を使える攻撃が icefire になく、実際のリスクはこれより高い可能性があることを表します。"
        "無作為に推測した場合は {chance:.2%} です。",
    },
    "by whom": {
        "en": "Known of the people: {known}; {method}.",
        "ja": "攻撃者の知識：{known}、{method}。",
    },
    "known of the people": {"en": "background knowledge", "ja": "背景知識"},
    "method unknown": {"en": "method unknown", "ja": "加工方法を知らない"},
    "method known": {"en": "method known", "ja": "加工方法を知っている"},
    "level all": {"en": "everything", "ja": "すべて（最大知識）"},
    "level all microdata": {"en": "every column", "ja": "すべての列（最大知識）"},
    "level records:3": {"en": "three records of each person", "ja": "各人の記録3件"},
    "level T50": {"en": "half of the records, items by two characters", "ja": "半数の記録（商品は先頭2文字）"},
    "level points:4": {"en": "four points of the published days", "ja": "提供対象の日の4地点"},
    "level other-days": {"en": "where they were on other days", "ja": "他の日の居場所"},
    "level qi": {"en": "quasi-identifiers", "ja": "準識別子"},
    "level qi+2": {
        "en": "quasi-identifiers and the two most telling other columns",
        "ja": "準識別子と、最も見分けやすい他の2列",
    },
    "short qi": {"en": "quasi-identifiers", "ja": "準識別子"},
    "short qi+2": {"en": "two columns more", "ja": "準識別子＋2列"},
    "short records:3": {"en": "three records", "ja": "記録3件"},
    "short T50": {"en": "half of the records", "ja": "半数の記録"},
    "short points:4": {"en": "four points", "ja": "4地点"},
    "short other-days": {"en": "other days", "ja": "他の日"},
    "short all": {"en": "everything", "ja": "すべて"},
    "heat title": {"en": "Every attack on every release", "ja": "すべての攻撃とすべての提供データ"},
    "heat text": {
        "en": "Share found. The strongest attacks are at the top: judging a release by one weak attack "
        "would be a mistake.",
        "ja": "特定された割合です。強い攻撃ほど上にあります。弱い攻撃を一つ試しただけで、安全と判断しないでください。",
    },
    "people title": {"en": "Who is found most often", "ja": "最も特定されやすい人"},
    "people text": {
        "en": "The people whom most attacks of the attacker above find, and the smallest set of columns that makes them unique "
        "in the original: generalize or suppress there first. redteam --exposed FILE lists more of them, with the values.",
        "ja": "上の攻撃者の攻撃の多くに特定される人と、元データでその人が一意になる最小の列の組です。"
        "まずこれらの列の一般化や削除を検討してください。redteam --exposed FILE で、値を含むより長い一覧を書き出せます。",
    },
    "row of the original": {"en": "row of the original", "ja": "元データの行"},
    "attacks that find them": {"en": "attacks that find them", "ja": "特定する攻撃の割合"},
    "unique by": {"en": "unique by", "ja": "一意になる列"},
    "identification title": {"en": "What one known fact gives away", "ja": "一つの情報から分かること"},
    "identification text": {
        "en": "Average probability that a single known value of a column singles a person out, before and after "
        "“{name}”. The columns at the top are the ones to treat first.",
        "ja": "列の値を一つ知られたときに個人が識別される平均確率です（「{name}」の前後）。"
        "上の列から優先して加工してください。",
    },
    "identification axis": {"en": "identification probability (log scale)", "ja": "平均識別確率（対数目盛）"},
    "classes title": {"en": "How large a crowd people hide in", "ja": "同じ組み合わせの人数"},
    "classes text": {
        "en": "Share of people by the number of rows with the same quasi-identifiers. People in a crowd of one are unique.",
        "ja": "準識別子の組み合わせが同じ行の数ごとに、人の割合を示します。同じ組み合わせの行が他にない人は、"
        "一意に特定されます。",
    },
    "classes axis": {"en": "rows with the same quasi-identifiers", "ja": "準識別子が同じ行の数"},
    "share axis": {"en": "share of people", "ja": "人の割合"},
    "attacks title": {"en": "Attacks, the worst case on top", "ja": "攻撃の一覧（最悪の場合が先頭）"},
    "metrics title": {"en": "All measurements", "ja": "すべての測定値"},
    "yamaoka flag": {
        "en": "The declared row map of “{name}” looks false: about {share:.0%} of the rows are as far from their declared "
        "owner as from anybody.",
        "ja": "「{name}」の行番号対応表は、実際の対応と異なる疑いがあります。"
        "約{share:.0%}の行は、対応表に書かれた本人の元の値と、無関係な人の値と同じ程度に離れています。",
    },
    "owners flag": {
        "en": "The pseudonym table of “{name}” looks false: for {share:.1%} of the pseudonyms another customer's records "
        "fit far better than those of the claimed customer.",
        "ja": "「{name}」の仮名表は、実際の対応と異なる疑いがあります。"
        "仮名の{share:.1%}では、仮名表に書かれた顧客よりも別の顧客の記録のほうがはるかによく合います。",
    },
    "chapter microdata": {"en": "Microdata: one row per person", "ja": "ミクロデータ：一人一行"},
    "chapter trace": {"en": "Traces: places over time", "ja": "移動データ：時刻ごとの場所"},
    "found trace": {
        "en": "re-identified (1 - s_I)",
        "ja": "再識別率（1 - s_I）",
    },
    "loss axis trace": {"en": "utility loss (1 - s_U)", "ja": "有用性の損失（1 - s_U）"},
    "risk axis trace": {
        "en": "users re-identified by the strongest attack",
        "ja": "最強の攻撃による再識別率",
    },
    "users": {
        "en": "{n} users, {t} times, {m} regions; attackers of other days know {r} other times of each",
        "ja": "{n}人、{t}時刻、{m}地域。別の日を知る攻撃者は各人の{r}時刻を知っています",
    },
    "lead trace": {
        "en": "Attackers know where everybody was on other days, or at some of the published times, and want to know who is "
        "behind which pseudonym and where everybody was. Both risks count: a release may be safe from the one and not from "
        "the other.",
        "ja": "攻撃者は全員の別の日の居場所、または提供対象の日の一部の居場所を知っていて、"
        "どの仮名が誰か、そして全員がどこにいたかを推定します。"
        "二つのリスクは別のもので、一方に対して安全でも、他方に対して安全とは限りません。",
    },
    "verdict trace": {
        "en": "The strongest attack re-identifies {worst:.0%} of the users in “{riskiest}” and {best:.0%} in “{safest}”.",
        "ja": "最強の攻撃は「{riskiest}」では{worst:.0%}、「{safest}」では{best:.0%}の利用者を再識別します。",
    },
    "verdict one trace": {
        "en": "The strongest attack, {attack}, re-identifies {worst:.1%} of the users in this release.",
        "ja": "最強の攻撃 {attack} は、この提供データの利用者の{worst:.1%}を再識別します。",
    },
    "two risks title": {"en": "Two risks", "ja": "二つのリスク"},
    "two risks text": {
        "en": "What the strongest attacks leave: s_I, the share of pseudonyms not found, and s_T, how far guessed places are "
        "from the true ones (1 is 2 km and more). Higher is safer.",
        "ja": "最強の攻撃の後に残る安全性です。s_I は見破られなかった仮名の割合、s_T は推定した場所と本当の場所の隔たり"
        "（1は2km以上）です。大きいほど安全です。",
    },
    "exposed title": {"en": "Who is found, and by what", "ja": "誰が、どの攻撃に特定されるか"},
    "exposed text": {
        "en": "Users whose pseudonym is named right by at least one attack, and by every one; the attack that finds most, and "
        "how many only that attack finds; the most exposed users, with the number of attacks that find them.",
        "ja": "少なくとも一つの攻撃に特定された人と、すべての攻撃に特定された人の数です。最も多く特定した攻撃と、その攻撃だけが"
        "特定した人数、最も特定されやすい利用者（特定した攻撃の数）を示します。",
    },
    "found any": {"en": "found", "ja": "特定された人"},
    "found all": {"en": "by all attacks", "ja": "すべての攻撃に"},
    "finds most": {"en": "finds most", "ja": "最も多く特定した攻撃"},
    "found alone": {"en": "by it alone", "ja": "その攻撃だけに"},
    "most exposed": {"en": "most exposed users", "ja": "最も特定されやすい利用者"},
    "length title": {"en": "Risk against the length of traces", "ja": "軌跡の長さとリスク"},
    "length text": {
        "en": "What one attack, count_vectors with one-to-one assignment, finds if only the first days are published.",
        "ja": "最初の数日分だけを提供した場合に、一つの攻撃（count_vectors、一対一の割り当て）が特定する割合です。",
    },
    "length axis": {"en": "published", "ja": "提供した期間"},
    "length y": {"en": "users found", "ja": "特定された割合"},
    "days": {"en": "{n} d", "ja": "{n}日"},
    "example title": {"en": "One user’s first day", "ja": "ある利用者の最初の一日"},
    "example text": {
        "en": "User {user}, the most exposed one: where they were, what is published of it, and what the attack that comes "
        "nearest makes of it.",
        "ja": "最も特定されやすい利用者 {user} の、実際の場所、提供データの場所、最も近い推定をした攻撃の推定した場所です。",
    },
    "published": {"en": "published", "ja": "提供データ"},
    "guessed": {"en": "guessed", "ja": "推定"},
    "density title": {"en": "Where people are, before and after", "ja": "人のいる場所（加工の前後）"},
    "density text": {
        "en": "Share of all cells by region: the original, and “{name}”, the safest release here.",
        "ja": "地域ごとの割合です。元データと、最も安全な「{name}」です。",
    },
    "chapter history": {"en": "Histories: many records per person", "ja": "履歴データ：一人に多数の記録"},
    "records": {"en": "{m} records of {n} customers in {d} periods", "ja": "{n}人の顧客の{m}件の記録、{d}期間"},
    "lead history": {
        "en": "Customers are known by pseudonyms only. The attacker holds all original records and names the customer behind "
        "every pseudonym of every period (MM), and the owner of every record. The larger share counts.",
        "ja": "顧客は仮名でのみ表されます。攻撃者は元の記録をすべて持ち、各期間の仮名がどの顧客か（MM）、"
        "各レコードが誰のものかを推定します。割合の大きいほうを指標とします。",
    },
    "lead history known": {
        "en": "Customers are known by pseudonyms only. The attacker here knows {file} and names the customer behind every "
        "pseudonym of every period (MM), and the owner of every record. The larger share counts.",
        "ja": "顧客は仮名でのみ表されます。ここでの攻撃者は {file} を知り、各期間の仮名がどの顧客か（MM）、"
        "各レコードが誰のものかを推定します。割合の大きいほうを指標とします。",
    },
    "heat some": {
        "en": "The {shown} strongest of {all} are shown.",
        "ja": "{all}個のうち強いほうから{shown}個を示します。",
    },
    "verdict history": {
        "en": "The strongest attack re-identifies {worst:.0%} in “{riskiest}” and {best:.0%} in “{safest}”.",
        "ja": "最強の攻撃による再識別率は「{riskiest}」で{worst:.0%}、「{safest}」で{best:.0%}です。",
    },
    "verdict one history": {
        "en": "The strongest attack, {attack}, re-identifies {worst:.1%} of the pseudonyms or records.",
        "ja": "最強の攻撃 {attack} は、仮名またはレコードの{worst:.1%}を再識別します。",
    },
    "curves title": {"en": "Risk release by release", "ja": "提供ごとのリスク"},
    "curves text": {
        "en": "If one period goes out at a time: the share of all pseudonyms released by then that the strongest attack finds. "
        "The highest point of a line is its EMM.",
        "ja": "一期間ずつ提供する場合に、その時点までの仮名のうち最強の攻撃が見破る割合です。線の最高点が EMM です。",
    },
    "cost title": {"en": "What looking alike would cost", "ja": "顧客を見分けられなくするための追加量"},
    "cost text": {
        "en": "Dummy records that give the customers of a cluster the same items, against the share of customers that an "
        "attack on item sets still finds (one of each cluster). The models say it beforehand; the two methods were "
        "run on this data.",
        "ja": "クラスタ内の顧客の商品集合をそろえるために必要な疑似レコード数と、商品集合による攻撃になお特定される顧客の割合"
        "（クラスタごとに一人）です。モデルは事前の見積もり、二つの方式はこのデータでの実測です。",
    },
    "cost conceal text": {
        "en": "k-concealment adds no record. It hides everybody among k pseudonyms of each period and makes cells coarser "
        "instead; what the cells lose (cell loss) is shown as so many whole records, at 1/k: what it promises, while "
        "attacks may find more.",
        "ja": "k-秘匿はレコードを追加しません。期間ごとに各人を k 個の仮名に紛れさせ、代わりに値を粗くします。"
        "失われる値（セル損失）をレコード数に換算し、1/k の位置に示します"
        "（1/k は k-秘匿が目標とする値で、攻撃にはこれより多く特定されることがあります）。",
    },
    "cost conceal": {"en": "k-concealment (records' worth of cells)", "ja": "k-秘匿（セル損失のレコード換算）"},
    "cost own": {"en": "Dummies in these releases: {own}.", "ja": "この提供データの疑似レコード数：{own}。"},
    "cost model": {"en": "overlap model", "ja": "重なりモデル"},
    "cost uniform": {"en": "equally likely items", "ja": "商品が一様なモデル"},
    "cost fitted": {"en": "items and customers as they are", "ja": "実際の頻度によるモデル"},
    "cost method 2": {"en": "Method 2, measured", "ja": "方式2（実測）"},
    "cost union": {"en": "union clusters, measured", "ja": "和集合クラスタ（実測）"},
    "cost table": {
        "en": "In numbers: dummies by number of clusters, as the models expect them and as measured",
        "ja": "クラスタ数と疑似レコード数（モデルによる期待値と実測）",
    },
    "cost clusters": {"en": "clusters", "ja": "クラスタ数"},
    "cost E": {"en": "E: items equally likely, customers equal", "ja": "E（商品・顧客とも一様）"},
    "cost E2": {"en": "E2: items as they are", "ja": "E2（商品は実際の頻度）"},
    "cost E3": {"en": "E3: items and customers as they are", "ja": "E3（商品・顧客とも実際の頻度）"},
    "cost E4": {"en": "E4: customers as they are", "ja": "E4（顧客は実際の記録数）"},
    "few title": {"en": "Whom a few known records single out", "ja": "数件の記録を知られたときの特定可能性"},
    "few text": {
        "en": "For whoever knows so many records of a customer, drawn at random, and no more: how many customers of the "
        "original have all of them. The probability is the mean of one over their number, unicity the share of cases with a "
        "single one, and bits what remains unknown. It is about the original, not the release.",
        "ja": "ある顧客の記録を無作為に選んで数件だけ知る攻撃者にとって、その全てを持つ顧客が元データに何人いるかを示します。"
        "識別確率は候補者数の逆数の平均、一意率は候補者が一人になる割合、ビット数は残る不確かさです。"
        "提供データではなく元データの性質で、加工によって防ぐべきリスクの大きさを表します。",
    },
    "few of": {"en": "Known of each record: {known}", "ja": "各記録について知られる項目：{known}"},
    "few mixed": {"en": "Records of several sorts (items are known)", "ja": "複数の種類の記録（商品を知られる場合）"},
    "few known": {"en": "records known", "ja": "知られる記録"},
    "few probability": {"en": "identification probability", "ja": "識別確率"},
    "few unicity": {"en": "unicity", "ja": "一意率"},
    "few bits": {"en": "bits left", "ja": "残るビット数"},
    "few users": {"en": "customers with so many", "ja": "該当する顧客数"},
    "cost x": {
        "en": "customers still found (clusters / customers, 1/k)",
        "ja": "なお特定される顧客の割合（c/n、1/k）",
    },
    "cost y": {"en": "records added or lost", "ja": "追加または失われるレコード数"},
    "period": {"en": "period", "ja": "期間"},
    "knows everything": {"en": "knows everything", "ja": "すべてを知る"},
    "knows half": {"en": "knows half of the records", "ja": "半分の記録を知る"},
    "knows three records": {"en": "knows 3 records of each customer", "ja": "各顧客の3件を知る"},
    "knows one record": {"en": "knows 1 record of each customer", "ja": "各顧客の1件を知る"},
    "found axis": {"en": "pseudonyms found (MM)", "ja": "見破られた仮名の割合（MM）"},
    "gate axis": {"en": "release", "ja": "提供回"},
    "gate emm": {"en": "EMM, the most at any release; the limit is {limit}", "ja": "EMM（最大値）。許容値は{limit}"},
    "gate now": {"en": "now, {who}", "ja": "今回、{who}"},
    "gate title passes": {"en": "{release} may go out", "ja": "{release} は提供できます"},
    "gate title open": {"en": "{release}: no answer yet", "ja": "{release} はまだ判断できません"},
    "gate title refuses": {"en": "{release} must not go out", "ja": "{release} は提供できません"},
    "gate lead": {
        "en": "Each point is what the strongest attack of the whole suite finds at the moment of that release, in everything "
        "released so far: the share of pseudonyms, by customer and period, that it gives to the right customer. The largest "
        "value so far is EMM. These attackers do not know the method: whoever does may find more, which redteam shows.",
        "ja": "各点は、その時点までに提供されたすべてのデータに対して、最強の攻撃が正しい顧客に結び付けた仮名の割合です"
        "（顧客と期間ごとに数えます）。これまでの最大値が EMM です。ここでの攻撃者は加工方法を知りません。"
        "知っている攻撃者にはさらに見破られる可能性があります（redteam で確認できます）。",
    },
    "gate passes": {
        "en": "It may go out: no attack finds more than {found} of the pseudonyms at any release; {limit} are allowed. "
        "The most was found at {period} by {attack}, an attacker who {attacker}.",
        "ja": "提供できます。どの時点でも、見破られる仮名は最大{found}で、許容値の{limit}以下です。"
        "最大は{period}の {attack}（{attacker}攻撃者）でした。",
    },
    "gate open": {
        "en": "No answer yet: {which}. Nothing goes out before they were made.",
        "ja": "まだ判断できません。{which}。すべての攻撃を終えるまで提供しないでください。",
    },
    "gate refuses": {
        "en": "It must not go out: with this release the attack {attack}, by an attacker who {attacker}, finds {found} of the "
        "pseudonyms released by {period}; {limit} are allowed. Change or delete more of this period's records (coarser items, "
        "dates and amounts, dummies), and ask again.",
        "ja": "提供できません。今回の提供により、{attacker}攻撃者の {attack} が、{period}までに提供された仮名の{found}を"
        "見破ります（許容値は{limit}）。今期の記録をさらに加工（商品・日付・金額の一般化、疑似レコードの追加、削除）して、"
        "もう一度判定してください。",
    },
    "gate refuses past": {
        "en": "It must not go out: already at {period} the attack {attack}, by an attacker who {attacker}, found {found} "
        "of the pseudonyms, where {limit} are allowed. What went out cannot be called back."
        " Only a higher limit would let this pass.",
        "ja": "提供できません。既に{period}の時点で、{attacker}攻撃者の {attack} が仮名の{found}を見破っています"
        "（許容値は{limit}）。提供済みのデータは取り戻せません。許容値を上げない限り、提供できるという判定にはなりません。",
    },
    "gate disbelieves": {
        "en": "It must not go out: the pseudonym table looks false. For {number} of {links} pseudonyms another customer's "
        "records fit far better than those of the claimed customer, so nothing that is measured by this table is reliable. "
        "The clearest (customer, period, claimed pseudonym, the one that fits): {first}.",
        "ja": "提供できません。仮名表は、実際の対応と異なる疑いがあります。{links}個の仮名のうち{number}個では、"
        "仮名表に書かれた顧客よりも別の顧客の記録のほうがはるかによく合うため、この表に基づく測定値は信頼できません。"
        "最も明らかな例（顧客、期間、仮名表の仮名、よく合う仮名）：{first}。",
    },
    "gate chart": {"en": "Risk at each release", "ja": "提供ごとのリスク"},
    "gate chart text": {
        "en": "The dashed line is the limit.",
        "ja": "破線は許容値です。",
    },
    "gate table": {"en": "In numbers", "ja": "数値"},
    "study all agree": {
        "en": "All {total} printed figures come out as printed, within the tolerance.",
        "ja": "論文の数値{total}個は、すべて許容範囲内で再現されました。",
    },
    "study some agree": {
        "en": "{agrees} of {total} printed figures come out as printed; {explained} deviate, and the study says why.",
        "ja": "論文の数値{total}個のうち{agrees}個が再現されました。{explained}個は異なり、その理由を示しています。",
    },
    "study unexplained": {
        "en": "{differs} of {total} printed figures deviate, and nobody has explained why.",
        "ja": "論文の数値{total}個のうち{differs}個が異なり、理由は分かっていません。",
    },
    "study nothing expected": {
        "en": "Nothing was printed to compare with: these figures are our own.",
        "ja": "比べる論文の数値はありません。ここにある数値は icefire によるものです。",
    },
    "study small": {
        "en": "Tried out with little data: these figures show that the study runs, and nothing else.",
        "ja": "少量のデータによる試行です。数値は動作の確認用で、意味はありません。",
    },
    "study alike": {"en": "{where} (agrees: {count})", "ja": "{where}（一致：{count}）"},
    "study agrees": {"en": "agrees", "ja": "一致"},
    "study explained": {"en": "deviates, explained", "ja": "相違（理由あり）"},
    "study differs": {"en": "deviates", "ja": "相違"},
    "study absent": {"en": "not computed", "ja": "未計算"},
    "study tile agrees": {"en": "figures as printed", "ja": "一致した数値"},
    "study tile explained": {"en": "deviate, explained", "ja": "相違（理由あり）"},
    "study tile differs": {"en": "deviate", "ja": "相違（理由不明）"},
    "study tile time": {"en": "processor time", "ja": "CPU 時間"},
    "study beside": {"en": "Printed, and ours", "ja": "論文の数値との比較"},
    "study beside text": {
        "en": "± is the standard deviation over repetitions. The deviation is relative to the printed figure where it is in "
        "per cent, otherwise the difference.",
        "ja": "± は繰り返しによる標準偏差です。差は、% の場合は論文の数値に対する相対誤差、それ以外は差そのものです。",
    },
    "study printed": {"en": "printed", "ja": "論文"},
    "study ours": {"en": "ours", "ja": "icefire"},
    "study deviation": {"en": "deviation", "ja": "差"},
    "study verdict": {"en": "verdict", "ja": "判定"},
    "study why": {"en": "Why some figures deviate", "ja": "数値が異なる理由"},
    "study missing": {"en": "What cannot be computed", "ja": "計算できない数値"},
    "study missing text": {
        "en": "Printed figures that data or programs at hand do not give.",
        "ja": "手元のデータやプログラムからは得られない、論文の数値です。",
    },
    "study what": {"en": "figure", "ja": "数値"},
    "study absent data": {"en": "Not run, since data are missing", "ja": "データがないため実行しなかったもの"},
    "study run": {"en": "run", "ja": "実行"},
    "study failed": {"en": "Without a value", "ja": "値が得られなかったもの"},
    "study where": {"en": "where", "ja": "条件"},
    "study paper": {"en": "Source: {paper}.", "ja": "出典：{paper}。"},
    "study environment": {"en": "Environment", "ja": "実行環境"},
    "why WHO history records": {
        "en": "Somebody who knows {known} names the owner of {share} of the records; the limit is {limit}.",
        "ja": "{known}を知る攻撃者により、レコードの{share}で本人が特定されます（許容値は{limit}）。",
    },
    "why WHO synthetic release": {
        "en": "Of the descriptions that somebody finds in {known}, {share} more than by chance fit one member and nobody else; "
        "the limit is {limit}.",
        "ja": "{known}から見つけた条件のうち、偶然を超えて{share}が、元データの一人だけに当てはまります（許容値は{limit}）。",
    },
    "why WHO synthetic halves": {
        "en": "Somebody who holds {known} finds out for {share} of the members, beyond chance, which rows belong together; the "
        "limit is {limit}.",
        "ja": "{known}を持つ攻撃者により、偶然を超えて{share}の人で、同じ人の行が結び付けられます（許容値は{limit}）。",
    },
    "utility sales": {
        "en": "monthly sales within {error} on average",
        "ja": "月別売上の誤差は平均{error}",
    },
    "utility baskets": {
        "en": "{error} of the baskets have another size",
        "ja": "大きさの変わる買い物は{error}",
    },
    "utility rules": {
        "en": "{lost} of the strongest pairs of items are lost",
        "ja": "併売の多い商品の組の{lost}が失われる",
    },
    "utility places": {
        "en": "{lost} of the visits are counted elsewhere",
        "ja": "訪問の{lost}が別の地域に数えられる",
    },
    "utility trips": {
        "en": "{lost} of the trips go from or to another region",
        "ja": "移動の{lost}で出発地か到着地が変わる",
    },
    "utility distance": {
        "en": "distances travelled are off by {lost}",
        "ja": "移動距離の誤差は{lost}",
    },
    "utility marginals": {
        "en": "{lost} of the people differ in single columns",
        "ja": "各列の分布で{lost}の人が異なる",
    },
    "utility pairs": {
        "en": "{lost} in cross tables of two columns",
        "ja": "2列のクロス集計では{lost}",
    },
    "utility models": {
        "en": "models lose {lost} of their accuracy",
        "ja": "モデルの正解率の{lost}が失われる",
    },
}
WORDS |= synthetic_words.WORDS


class Phrases:
    """Looks words up in one language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language

    def __call__(self, key: str, **values: object) -> str:
        text = WORDS[key][self.language]
        return text.format(**values) if values else text

    def sentence(self, method: Method | type[Method]) -> str:
        """What a method does, in a sentence. The name in a paper, with which some begin, is left out."""
        text = self.translated(method.summary())
        name, colon, rest = text.partition("：" if self.language == "ja" else ": ")
        return rest[:1].upper() + rest[1:] if colon and name in method.title() else text

    def translated(self, text: str) -> str:
        """A text that was written in English elsewhere."""
        return translated(text, self.language)

    def or_else(self, key: str, text: str, **values: object) -> str:
        """A phrase, or this text where there is none."""
        return self(key, **values) if key in WORDS else text
