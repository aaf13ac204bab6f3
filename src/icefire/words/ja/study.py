"""What studies say."""

TEXTS: dict[str, str] = {
    "(at least: {})": "（これ以上：{!m}）",
    "{} (at least: {})": "{}（これ以上：{!m}）",
    "found.rarest tenth": "最も珍しい1割の人のリスク",
    "file or study": "ファイルまたはスタディ",
    "give a generator, a file, a folder or rows (inline), and only one of them": (
        "generator、file、folder、inline（行）のうち一つだけを指定してください"
    ),
    "every row has {} values, for qi and sa, and may have a count": (
        "各行には qi と sa の値 {} 個を書き、その後に件数を書けます"
    ),
    "every row of values has {} entries: {}": "values の各行には {} 個の値が必要です：{}",
    "what was printed is a number": "論文の値は数でなければなりません",
    "give either a relative or an absolute tolerance": (
        "許容誤差は relative と absolute のどちらか一方を指定してください"
    ),
    "the measure {} takes no data": "measure {} はデータを使いません",
    "the measure {} takes data of the kind {}, not {}": "measure {} が扱うデータの種類は {} で、{} ではありません",
    "nothing says what {!r} is: name it in sweep, or in every case": (
        "{} の値が定められていません。sweep に書くか、全ての case に書いてください"
    ),
    "an anonymizer that adds dummies to clusters": "クラスタに疑似レコードを加える加工方法",
    "the model does not hold for so few clusters": "このクラスタ数ではモデルが成り立ちません",
    "two releases or more": "二つ以上の加工データ",
    "Dummies needs data, or users, records and items.": (
        "Dummies には、データ、または users、records、items が必要です。"
    ),
    "The 'strongest' parameter of Release makes every attack: leave 'attacks' out.": (
        "Release のパラメータ 'strongest' は全ての攻撃を行います。'attacks' は指定しないでください。"
    ),
    "{} holds no study that has run: there is no {}": "{} に実行済みのスタディがありません（{} がありません）",
    "one of them is the same everywhere": "一方の値が全て同じです",
    "no folder {}: name the one in which it is with --data or {}": (
        "フォルダ {} がありません。その親フォルダを --data または {} で指定してください"
    ),
    "no file {} ({}): name its folder with --data or {}": (
        "ファイル {} がありません（{}）。--data または {} でフォルダを指定してください"
    ),
    "no file {}: name its folder with --data or {}": (
        "ファイル {} がありません。--data または {} でフォルダを指定してください"
    ),
    "{} is not the file of this study: its SHA-256 is {}, not {}": (
        "{} はこのスタディのファイルではありません。SHA-256 は {} で、{} ではありません"
    ),
    "setting of {}": "{} の設定",
    "quantity of the run {}": "実行 {} の数量",
    "the run {} has no {} at {}: look at what it sweeps": (
        "実行 {0} には、{2} の {1} がありません。sweep と cases を確かめてください"
    ),
}
