"""Messages of the core, of the Python front door, of knowledge, concealment and data sets."""

TEXTS: dict[str, str] = {
    "made elsewhere": "他のツールで作成",
    "it is not made for attackers who know {!r}": "{} を知る攻撃者のための攻撃ではありません",
    "a table made elsewhere can be judged if it has no row for each person: use icefire.members": (
        "他のツールで作った表は、実在の人の行がない合成データに限り評価できます。icefire.members を使ってください"
    ),
    "The {!r} parameter of {} must be {}. Got {!r} instead.": (
        "{1} のパラメータ {0} は {2!m} でなければなりません（指定値：{3}）。"
    ),
    "no {} {!r}; did you mean {!r}? Valid: {}, ... ({})": (
        "{0!m} {1} はありません。{2} のことですか？ 指定できるもの：{3}, …（{4!m}）"
    ),
    "no {} {!r}; did you mean {!r}? Valid: {}, ...": (
        "{0!m} {1} はありません。{2} のことですか？ 指定できるもの：{3}, …"
    ),
    "no {} {!r}; did you mean {!r}? Valid: {} ({})": (
        "{0!m} {1} はありません。{2} のことですか？ 指定できるもの：{3}（{4!m}）"
    ),
    "no {} {!r}; did you mean {!r}? Valid: {}": "{0!m} {1} はありません。{2} のことですか？ 指定できるもの：{3}",
    "no {} {!r}; did you mean {!r}? ({})": "{0!m} {1} はありません。{2} のことですか？（{3!m}）",
    "no {} {!r}; did you mean {!r}?": "{0!m} {1} はありません。{2} のことですか？",
    "no {} {!r}. Valid: {}, ... ({})": "{0!m} {1} はありません。指定できるもの：{2}, …（{3!m}）",
    "no {} {!r}. Valid: {}, ...": "{0!m} {1} はありません。指定できるもの：{2}, …",
    "no {} {!r}. Valid: {} ({})": "{0!m} {1} はありません。指定できるもの：{2}（{3!m}）",
    "no {} {!r}. Valid: {}": "{0!m} {1} はありません。指定できるもの：{2}",
    "no {} {!r}. ({})": "{0!m} {1} はありません。（{2!m}）",
    "no {} {!r}.": "{0!m} {1} はありません。",
    "this needs {!r}, which is not installed: pip install 'icefire[{}]'": (
        "{} が必要ですが、インストールされていません：pip install 'icefire[{}]'"
    ),
    "what attackers of {} know lies in the working folder: leave --knowledge out": (
        "{} の攻撃者の知識は作業フォルダにあります。--knowledge を外してください"
    ),
    "an integer of at least 1": "1 以上の整数",
    "at least 2 values": "2 個以上の値",
    "attacker of {}": "{} の攻撃者",
    "more than {} GB of memory needed: --memory allows more": "{} GB を超えるメモリが必要です。--memory で増やせます",
    "--memory: how much memory a process takes cannot be watched on this system": (
        "--memory：このシステムではプロセスのメモリ使用量を監視できません"
    ),
    "an integer": "整数",
    "a number": "数",
    "true or false": "true または false",
    "a text": "文字列",
    "of at least {}": "{} 以上",
    "above {}": "{} より大きい値",
    "between {} and {}": "{} 以上 {} 以下",
    "one of {}": "{} のいずれか",
    "a list, each {}": "リスト（各要素は{!m}）",
    "a mapping": "対応表",
    "parameter of {}": "{} のパラメータ",
    "The {!r} parameter of {} must be given: {}.": "{1} のパラメータ {0} を指定してください：{2!m}。",
    "parameters are given by name": "パラメータは名前を付けて指定してください",
    "each parameter is given once, by name": "各パラメータは名前を付けて一度だけ指定してください",
    "cannot read the step {!r}: it is not a value. Write name or name(parameter=value, columns=[a, b]), and "
    "put names with hyphens or spaces in quotes.": (
        "ステップ {} を読めません：値ではありません。name または name(parameter=value, columns=[a, b]) の形で書き"
        "、ハイフンや空白を含む名前は引用符で囲んでください。"
    ),
    "cannot read the step {!r}: {}. Write name or name(parameter=value, columns=[a, b]), and put names with "
    "hyphens or spaces in quotes.": (
        "ステップ {} を読めません：{!m}。name または name(parameter=value, columns=[a, b]) の形で書き、ハイフンや空"
        "白を含む名前は引用符で囲んでください。"
    ),
    "utility metric": "有用性指標",
    "safety metric": "安全性指標",
    "file format": "ファイル形式",
    "no plugin file {}: give the path of a Python file that holds a method": (
        "プラグインのファイル {} がありません。手法を書いた Python ファイルのパスを指定してください"
    ),
    "{} is not a Python file: a plugin's name ends in .py": (
        "{} は Python ファイルではありません。プラグインの名前は .py で終わります"
    ),
    "{} holds no method: derive a class from a role such as icefire.microdata.roles.Attack": (
        "{} に手法がありません。icefire.microdata.roles.Attack などの役割からクラスを派生させてください"
    ),
    "kind of data": "データの種類",
    "cannot load the plugin {}: {}: {}": "プラグイン {} を読み込めません：{}: {!m}",
    "{} in {} declares no scale: see icefire.core.values, for example scale: ClassVar[Scale] = GOOD_SHARE": (
        "{1} の {0} に scale がありません。icefire.core.values を参照してください（例：scale: ClassVar[Scale] = G"
        "OOD_SHARE）"
    ),
    "{} in {} does not define {}": "{1} の {0} に {2} が定義されていません",
    "the steps that made the release are not known: give them with --method": (
        "提供データを作ったステップが分かりません。--method で指定してください"
    ),
    "an integer of at least 0": "0 以上の整数",
    "known of the people: {}; method known": "本人についての知識：{!t}；加工方法を知っている",
    "known of the people: {}; method unknown": "本人についての知識：{!t}；加工方法を知らない",
    "the metric {} returned {!r}: a metric returns self.score(value)": (
        "指標 {} が {} を返しました。指標は self.score(value) を返してください"
    ),
    "cannot read the requirement {!r}: write a metric and a bound, like utility>=0.7": (
        "条件 {} を読めません。utility>=0.7 のように、指標と範囲を書いてください"
    ),
    "beaten by {}": "{} に劣ります",
    "{} could not be measured against any attack": "{} はどの攻撃に対しても測定できませんでした",
    "{} is best, {} is worst": "{} が最良、{} が最悪",
    "the value is {}, not a finite number": "値が {} で、有限の数ではありません",
    "this is not a score: {}": "評価値ではありません：{}",
    "the frame": "データフレーム",
    "the reference and the original traces are not of the same users": "参照用の軌跡と元の軌跡の利用者が一致しません",
    "{} rows for {} users and {} times: one each is needed": (
        "利用者 {1} 人、時刻 {2} 個に対して {0} 行あります。各利用者の各時刻に 1 行ずつ必要です"
    ),
    "the column {!r} must hold regions 1 to {}": "列 {} の値は 1〜{} の地域でなければなりません",
    "say what these columns are, in qi, sa, other or identifying:{}": (
        "次の列の役割を qi、sa、other、identifying のいずれかで指定してください：{!m}"
    ),
    "the frame has no column {!r}; its columns are {}": "データフレームに列 {} がありません。列は {} です",
    'give at least one step, such as "mondrian(k=5)"': 'ステップを一つ以上指定してください。例："mondrian(k=5)"',
    "{} holds a release, whose secret would be lost: choose a new folder": (
        "{} には提供データがあり、その秘密情報が失われます。新しいフォルダを選んでください"
    ),
    "cannot coarsen column {!r} by {!r} on this engine: give 1s, 1m, 1h, 1d, 1mo, 1q or 1y": (
        "このエンジンでは列 {} を {} 単位に粗くできません。1s、1m、1h、1d、1mo、1q、1y のいずれかを指定してください"
    ),
    "cannot coarsen column {!r} ({}) by {!r}: give a band width for numbers, a number of leading characters "
    'for strings, or a string such as "1h" for times': (
        '列 {}（{}）を {} で粗くできません。数には幅、文字列には先頭の文字数、時刻には "1h" のような文字列を指定'
        "してください"
    ),
    "the table has 0 rows, so there are no users to identify": "表が 0 行のため、識別する対象がいません",
    "numbers of at least 0": "0 以上の数",
    "no user has {} records, so that curve point has no value": (
        "{} 件のレコードを持つ人がいないため、この点の値はありません"
    ),
    "given to select records of type {!r}": "種類 {} のレコードを選ぶために指定された値",
    "the table has 0 rows, so there are no facts to know": "表が 0 行のため、知られる情報がありません",
    "at least one column": "一つ以上の列",
    "the method is not known": "加工方法が分かりません",
    "The release is {}-concealed.": "この提供データは {}-秘匿を満たします。",
    "The release is not {}-concealed: {} of {} records have fewer than {} matches; the least is {}.": (
        "この提供データは {0}-秘匿を満たしません：{2} レコード中 {1} レコードの候補が {3} 未満です（最小 {4}）。"
    ),
    "matches, least": "候補数の最小",
    "matches, mean": "候補数の平均",
    "records with fewer than {} matches": "候補が {} 未満のレコード",
    "rows that cover a record, least": "一つのレコードを覆う行の数の最小",
    "records that a row covers, least": "一つの行が覆うレコードの数の最小",
    "complete (the same number of matches for all)": "完全（候補数が全員同じ）",
    "components within which records can be exchanged": "レコードを入れ替えられる連結成分の数",
    "records in the largest component": "最大の連結成分のレコード数",
    "possible assignments of records to rows": "レコードと行の可能な割り当ての数",
    "effective matches of a row, all assignments equally likely: mean": (
        "行の実効候補数（すべての割り当てが等確率）：平均"
    ),
    "effective matches of a row, all assignments equally likely: least": (
        "行の実効候補数（すべての割り当てが等確率）：最小"
    ),
    "effective matches of a row for whoever repeats the method: mean": "行の実効候補数（同じ加工を繰り返す攻撃者）：平均",
    "effective matches of a row for whoever repeats the method: least": (
        "行の実効候補数（同じ加工を繰り返す攻撃者）：最小"
    ),
    "other records exposed by a leaked link, mean of {}": (
        "対応が一つ漏れたときに判明する他のレコード数の平均（試行 {} 回）"
    ),
    "other records exposed by a leaked link, most": "対応が一つ漏れたときに判明する他のレコード数の最大",
    "the row map names original record {} {} times and record {} {} times: k-concealment needs a release "
    "with every record exactly once": (
        "行番号対応表に元のレコード {} が {} 回、レコード {} が {} 回現れます。k-秘匿では、すべてのレコードがちょ"
        "うど一度ずつ含まれる必要があります"
    ),
    "released record {} does not cover the original record {} it was made from ({} in all): either the row "
    "map is wrong, or the release does more than generalize": (
        "提供データのレコード {} が、対応する元のレコード {} を覆っていません（全部で {} 件）。行番号対応表が誤ってい"
        "るか、一般化以外の加工がされています"
    ),
    "the graph has no perfect matching: no record is left for released record {} ({} in all). Either a "
    "record is missing, or a released record does not cover its original": (
        "完全マッチングがありません：提供データのレコード {} に対応するレコードが残っていません（全部で {} 件）。レコード"
        "が欠けているか、提供データのレコードが元のレコードを覆っていません"
    ),
    "{} released records for {} original ones: k-concealment needs a release with every record exactly once": (
        "元のレコードは {1} 件ですが、提供データのレコードは {0} 件です。k-秘匿では、すべてのレコードがちょうど一度ずつ含ま"
        "れる必要があります"
    ),
    "{} pairs of a record and a row that covers it are too many to compute a matching: give the row map": (
        "レコードとそれを覆う行の組が {} 組あり、多すぎてマッチングを計算できません。行番号対応表を使ってください"
    ),
    "10^{} to 10^{}": "10^{} 〜 10^{}",
    "about 10^{}": "約 10^{}",
    "{!r} is not a time such as 2019-10-01 08:30:00": (
        "{} は時刻ではありません。2019-10-01 08:30:00 のように書いてください"
    ),
    "{} has points of one day only: reference and original traces need at least two days": (
        "{} には一日分の点しかありません。参照用と元の軌跡には二日以上必要です"
    ),
    "no time slot of {} minutes fits between {} and {} o'clock": (
        "{1} 時から {2} 時の間に {0} 分の時間帯が一つも入りません"
    ),
    "{}: no user has points in both halves of the days": "{}：期間の前半と後半の両方に点がある利用者がいません",
    "{} has no column {}; it has {}": "{} に列 {} がありません。あるのは {} です",
    "{} is not a {}": "{} は {} ではありません",
    "{}: cannot read the date {!r}: expected 2010-12-01 08:26:00 or 12/1/2010 8:26": (
        "{}：日付 {} を読めません。2010-12-01 08:26:00 または 12/1/2010 8:26 の形で書いてください"
    ),
    "{} has no sale with a customer and a country": "{} には、顧客と国の分かる売り上げがありません",
    "column in {}": "{!p} の列",
    "keyed pseudonyms are for microdata in icefire's own format, not for {}": (
        "鍵付きの仮名は、icefire 独自の形式の microdata でのみ使えます（{} では使えません）"
    ),
    "failed: {}: {} ({}, line {})": ("失敗：{}：{!m}（{}、{} 行目）"),
    "This happened in the metric {}.": "指標 {} で発生しました。",
    "more memory would be needed than there is": "メモリが足りません",
    "{} failed, and the others go on:\n{}": "{} が内部エラーで失敗しました。ほかは続行します:\n{}",
    "releases of {} cannot be combined yet": ("{} の提供データを組み合わせた攻撃は、まだできません"),
    "attackers who know how it was made were not tried": ("加工方法を知る攻撃者を試していません"),
}
