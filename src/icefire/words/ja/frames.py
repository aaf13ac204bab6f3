"""Messages about files and tables."""

TEXTS: dict[str, str] = {
    "postal codes": "郵便番号",
    "degrees of latitude and longitude": "緯度と経度",
    "coordinates on a grid in metres": "平面直角座標などの座標（メートル）",
    "contains {}": "{!m}を含みます",
    "{} that fewer than {} people share in {} of the rows": "{2} の行で、同じ{0!m}の人が {1} 人未満です",
    "{} of the rows are alone with their weight": "重みが一意の行は {}",
    "look like {} together, of places that fewer than {} people share in {} of the rows": (
        "合わせて{0!m}と思われます（{2} の行で、同じ場所の人が {1} 人未満です）"
    ),
    "{} holds {} tables: choose one with --table: {}": "{} には表が {} 個あります。--table で一つ選んでください：{}",
    "table in {}": "{} の表",
    "cannot read {}: {}": "{!p} を読めません：{!m}",
    "cannot read the table: {}": "表を読めません：{!m}",
    "cannot read a {}.{} as a table: give a polars, pandas, Arrow, DuckDB or Spark frame": (
        "{}.{} を表として読めません。polars、pandas、Arrow、DuckDB、Spark のいずれかのデータフレームを渡してください"
    ),
    "cannot read the table: {}. Give each column values of one type.": (
        "表を読めません：{!m}。各列の値の型をそろえてください。"
    ),
    "{}, line {}: byte 0x{} is not UTF-8. Save the file as UTF-8 and try again.": (
        "{}、{} 行目：バイト 0x{} は UTF-8 ではありません。UTF-8 で保存し直してください。"
    ),
    "{}, line {}: the header is repeated. Remove that line.": (
        "{}、{} 行目：見出し行が繰り返されています。この行を削除してください。"
    ),
    "the header": "見出し行",
    "Part of the secret: the seed is enough to undo the release.": (
        "秘密情報の一部です。乱数シードがあれば、提供データから元データに戻せます。"
    ),
    "cannot read {}: the name must end in {}": "{} を読めません：名前は {} で終わる必要があります",
    "a record": "レコード",
    "no folder {}: give an existing working folder": "フォルダ {} がありません。既存の作業フォルダを指定してください",
    "{}.parquet is a folder of files, which an engine reads: name one in --format": (
        "{}.parquet はファイルのフォルダで、エンジンで読みます。--format でエンジンを指定してください"
    ),
    "no file {}{{}} in {}": "{2} にファイル {0}{{1}} がありません",
    "no file {}{{}} in {}: {}": "{2} にファイル {0}{{1}} がありません。{3!m}",
    "icefire init FILE makes a working folder of your table": "icefire init FILE で、表から作業フォルダを作れます",
    "there is no release yet; icefire anonymize makes one": (
        "提供データがまだありません。icefire anonymize で作ってください"
    ),
    "{} holds both {} and {}: keep one of them": "{} に {} と {} の両方があります。どちらか一つにしてください",
    "no file {}.csv or {}.txt in {}": "{2} にファイル {0}.csv も {1}.txt もありません",
    "{}, line 1: {} rows are announced, and {} follow": "{}、1 行目：{} 行と書かれていますが、{} 行あります",
    "{} is empty: expected a header and at least one row": "{!p} は空です。見出し行と一行以上のデータが必要です",
    '{}: kind must be "{}", found {!r}': '{}：kind は "{}" でなければなりません（指定値：{}）',
    "{}, line {}: a quotation mark is opened and not closed, or the other way round": (
        "{}、{} 行目：引用符の始めと終わりが対になっていません"
    ),
    "{}, line 1: the header ends in an unusual way: end lines by LF or CRLF": (
        "{}、1 行目：見出しの行の終わりが普通ではありません。行末は LF か CRLF にしてください"
    ),
    "{}, line {}, column {!r}: {}": "{}、{} 行目、列 {}：{}",
    "a set of {} values, more than {}: write an interval such as [10..20], or *": (
        "集合に {} 個の値があり、{} 個を超えています。[10..20] のような区間か、* と書いてください"
    ),
    "a set within a set means nothing: write one set, an interval such as [10..20], or *": (
        "集合の中の集合には意味がありません。一つの集合か、[10..20] のような区間か、* と書いてください"
    ),
    "{}: its sets list {} values, more than {}: write large ones as intervals such as [10..20], or as *": (
        "{}：集合に書かれた値が全部で {} 個あり、{} 個を超えています。大きな集合は、[10..20] のような区間か、* と書いてください"
    ),
    "{}, line {}, column {!r}: {!r} is neither a number nor a generalization of numbers such as [10..20] or *": (
        "{}、{} 行目、列 {}：{} は数でも、[10..20] や * のような数の一般化でもありません"
    ),
    "{}, row {} (line {} of a CSV file), column {!r}: {!r} is not a number": (
        "{!p}、データ {} 行目（CSV ファイルの {} 行目）、列 {}：{} は数ではありません"
    ),
    "{} has a header but 0 rows": "{!p} には見出し行しかなく、データが 0 行です",
    "{}: codes that begin with 0 stay texts: {}": "{}：0 で始まるコードは文字列のままとします：{}",
    "{}, line 1: {}": "{}、1 行目：{!m}",
    "{}, line 1: the columns are separated by {}s. Separate them by commas.": (
        "{}、1 行目：列が{!t}で区切られています。カンマで区切ってください。"
    ),
    "{}, line {}, column {}: the column has no name": "{!p}、{} 行目、列 {}：列に名前がありません",
    "{}, line {}: the column {!r} occurs twice (columns {} and {})": (
        "{!p}、{} 行目：列 {} が二つあります（{} 列目と {} 列目）"
    ),
    "{}, line {}: {}": "{}、{} 行目：{!m}",
    "{}, line {}: {} is not a row number": "{}、{} 行目：{} は行番号ではありません",
    "key of {}": "{} のキー",
    "{}, row {} (line {} of a CSV file), column {!r}: {} is not an amount. Leave the cell empty if the value "
    "is missing.": (
        "{!p}、データ {} 行目（CSV ファイルの {} 行目）、列 {}：{} は数値ではありません。欠損値は空欄にしてください。"
    ),
    "{} is not a readable Parquet file: {}": "{} は Parquet ファイルとして読めません：{!m}",
    "{}, line {}: {} columns where {} has {}": "{0}、{1} 行目：{2} 列ありますが、{3} は {4} 列です",
    "{}, line {}: {} must have one integer per line, found {!r}": (
        "{}、{} 行目：{!m} には一行に整数を一つ書いてください（値：{}）"
    ),
    "the table": "表",
    "{}, line {}": "{}、{} 行目",
    "{}, row {}": "{}、データ {} 行目",
    "cp932 (Shift_JIS)": "cp932（Shift_JIS）",
    "{} would unpack to {} GB or more: unpack it yourself": (
        "{} は展開すると {} GB 以上になります。手動で展開してください"
    ),
    "sheet in {}": "{!p} のシート",
    "{} is no database: leave --table out": "{} はデータベースではありません。--table を外してください",
    "{} files": "ファイル {} 個",
    "the folder {} holds no files": "フォルダ {} にはファイルがありません",
    "{} holds files of several kinds ({}): name one kind, as *.csv": (
        "{} には複数の種類のファイル（{}）があります。*.csv のように種類を指定してください"
    ),
    "columns separated by {}": "列の区切り：{!t}",
    "{} is no table of texts: no line of it can be split into columns": (
        "{!p} は表形式のテキストではありません。どの行も列に分けられません"
    ),
    "{}: the encoding is not recognized. Say with --encoding what it is, such as cp932.": (
        "{!p}：文字コードを判別できません。--encoding で指定してください（例：cp932）。"
    ),
    "no header: columns are named column1, column2, ... (--names gives names)": (
        "見出し行なし：列名は column1、column2、… とします（--names で指定できます）"
    ),
    "{}: the sheet {!r} is empty; --sheet chooses another": (
        "{!p}：シート {} は空です。--sheet で別のシートを選んでください"
    ),
    "texts, since codes begin with 0: {}": "0 で始まるコードがあるため文字列とする列：{}",
    "dates: {}": "日付の列：{}",
    "{} has 0 rows": "{!p} は 0 行です",
    "{} has other columns than {}": "{} の列が {} と異なります",
    "JSON lines": "JSON lines 形式",
    "--encoding: {!r} is no encoding; try cp932, utf-8 or utf-16": (
        "--encoding：{} という文字コードはありません。cp932、utf-8、utf-16 などを試してください"
    ),
    "{}, line {}: byte 0x{} is not {}.": "{!p}、{} 行目：バイト 0x{} は {} ではありません。",
    "{}, line {}: byte 0x{} is not {}. Say with --encoding what it is.": (
        "{!p}、{} 行目：バイト 0x{} は {} ではありません。--encoding で文字コードを指定してください。"
    ),
    "encoded in {}": "文字コード：{}",
    "--skip {}: {} has no lines after that": "--skip {}：{!p} にはそれより後の行がありません",
    "{} lines above the header left out (--skip 0 keeps them)": "見出し行より上の {} 行を除外（--skip 0 で残せます）",
    "{} line above the header left out (--skip 0 keeps them)": "見出し行より上の {} 行を除外（--skip 0 で残せます）",
    "--names gives {} names, and {} has {} columns": "--names の名前は {} 個ですが、{!p} には {} 列あります",
    "the first of {} sheets, {!r} (--sheet chooses another: {})": "{} 枚のシートの最初の {}（--sheet で選択：{}）",
    "the table {!r}": "表 {}",
    "{} holds {} files ({}): unpack it, and name one": (
        "{} には {} 個のファイル（{}）があります。展開して一つ指定してください"
    ),
    "the table has 0 rows, so it has no equivalence classes": "表が 0 行のため、同値類がありません",
    "the column {!r} begins with two underscores, which icefire reserves for its own columns: rename it": (
        "列 {} は下線二つで始まりますが、これは icefire が使う名前です。名前を変えてください"
    ),
    "Spark numbers the rows of files, not of other tables: store the table first": (
        "Spark が行番号を付けられるのはファイルの行だけです。先に表を保存してください"
    ),
    "{} has 0 rows: there is nobody to protect or to find": "{!p} は 0 行です。保護する人も探す人もいません",
    "rows of the files were left out, so that Spark cannot number them: store the table first": (
        "ファイルの一部の行が除かれているため、Spark が行番号を付けられません。先に表を保存してください"
    ),
    "{}, column {!r}: {} cells are NaN or infinite, which is not an amount. Leave a cell empty if its value "
    "is missing.": "{!p}、列 {}：{} 個のセルが NaN または無限大で、数値ではありません。欠損値は空欄にしてください。",
    "--table names a table of a database ({}), and {} is none": (
        "--table はデータベース（{}）の表を指定するものですが、{} はデータベースではありません"
    ),
    "{} holds Parquet and CSV files: name one of them, as {}/*.parquet": (
        "{} に Parquet と CSV のファイルがあります。{}/*.parquet のように一方を指定してください"
    ),
    "{} is a database, which --engine duckdb reads; {} does not": (
        "{} はデータベースで、--engine duckdb で読めます（{} では読めません）"
    ),
    "DuckDB cannot read {}: {}": "DuckDB が {} を読めません：{!m}",
    '{} is a database of SQLite, for which DuckDB needs an extension: python -c "import duckdb; '
    "duckdb.sql('INSTALL sqlite')\"": (
        "{} は SQLite のデータベースで、DuckDB の拡張機能が必要です：python -c \"import duckdb; duckdb.sql('INSTAL"
        "L sqlite')\""
    ),
    "{} is empty: expected at least one row": ("{} は空です。少なくとも一行が必要です"),
    '{}: expected tables [[previous]] with lines such as name = "2025" and path = "../2025"': (
        '{}：[[previous]] の表に name = "2025" と path = "../2025" のような行を書いてください'
    ),
    "{}: [[previous]] takes name and path, two texts; got {!r}": (
        "{}：[[previous]] に書けるのは name と path（どちらも文字列）です。指定された値：{}"
    ),
    "{}: the previous release {!r} is not there: no folder {}": (
        "{}：以前の加工データ {} が見つかりません。フォルダ {} がありません"
    ),
    "{}: two previous releases have the same name": "{}：以前の加工データの名前が重複しています",
    "{!r} cannot be the name of a release: it is also that of a folder": (
        "{} は加工データの名前にできません。フォルダ名としても使うためです"
    ),
    "{} has a previous release {!r} already: choose another --name": (
        "{} には以前の加工データ {} が既にあります。--name で別の名前を指定してください"
    ),
}
