"""Messages about microdata."""

TEXTS: dict[str, str] = {
    "{}: {} rows have {} different values of {}, so some people have several rows, and figures would count rows as "
    "people. Keep one row for each person (icefire init FILE --one-row-per {}), treat the rows as records over time "
    '(icefire init FILE --records), or, if each row is another person, say why: accepted = "..." under [columns.{}] in '
    "schema.toml": (
        "{0!p}：{1} 行に対して {3} の値は {2} 種類しかなく、一人が複数の行を持つようです。"
        "このままでは行を人として数えてしまいます。"
        "一人一行にする（icefire init FILE --one-row-per {4}）か、履歴として扱う（icefire init FILE --records）か、"
        '各行が別の人であれば、schema.toml の [columns.{5}] に理由を accepted = "…" と書いてください'
    ),
    "the column {!r} identifies people by itself ({}): leave it out, or say in schema.toml why it may be published": (
        "列 {} は、それだけで個人を特定できます（{!m}）。この列を除くか、公開してよい理由を schema.toml に書いてください"
    ),
    "accepted: the reason in words": "accepted：理由を文章で",
    "the column {!r} holds the value {!r}, which in a release would stand for several values: rename it": (
        "列 {} に値 {} がありますが、提供データでは複数の値を表す記号になります。値の名前を変えてください"
    ),
    "{} needs at least one QI column; the schema names none": (
        "{} には準識別子（qi）の列が一つ以上必要ですが、スキーマにありません"
    ),
    "The 'k' parameter of {} must be at most the number of rows, {}. Got {} instead.": (
        "{} のパラメータ 'k' は行数 {} 以下でなければなりません（指定値：{}）。"
    ),
    "The 'sensitive' parameter of {} must name an SA column where {!r} is set.": (
        "{1} を指定する場合、{0} のパラメータ 'sensitive' には機微属性（sa）の列を指定してください。"
    ),
    "The 'sensitive' parameter of {} needs 'diversity', 't', 'alpha', 'beta' or 'delta' to say what to protect.": (
        "{} のパラメータ 'sensitive' には、保護の基準として 'diversity'、't'、'alpha'、'beta'、'delta' のいずれか"
        "が必要です。"
    ),
    "more than {} pairs of a person and a row are possible": "人と行の組が {} 組を超えます",
    "The 'trim' parameter of Conceal needs design='greedy'. Got design={!r} instead.": (
        "Conceal のパラメータ 'trim' には design='greedy' が必要です（指定値：design={}）。"
    ),
    "Conceal needs at least one QI column; the schema names none": (
        "Conceal には準識別子（qi）の列が一つ以上必要ですが、スキーマにありません"
    ),
    "The 'k' parameter of Conceal must be at most the number of rows, {}. Got {} instead.": (
        "Conceal のパラメータ 'k' は行数 {} 以下でなければなりません（指定値：{}）。"
    ),
    "a list that leaves at least one column": "一つ以上の列が残るリスト",
    "DropRows(outliers) needs a numeric SA column; the table has none": (
        "DropRows(outliers) には数値の機微属性（sa）の列が必要ですが、表にありません"
    ),
    "DropRows must be told what to drop: give 'smaller_than' or 'outliers'.": (
        "DropRows で何を除くかを 'smaller_than' または 'outliers' で指定してください。"
    ),
    "DropRows would drop every row: lower 'smaller_than' or 'outliers'": (
        "DropRows ではすべての行が除かれます。'smaller_than' または 'outliers' を小さくしてください"
    ),
    "DropRows(smaller_than) needs a QI column; the schema names none": (
        "DropRows(smaller_than) には準識別子（qi）の列が必要ですが、スキーマにありません"
    ),
    "the column {!r} has no hierarchy: add one to the schema, or give Generalize a width, digits, mapping or learned": (
        "列 {} に階層がありません。スキーマに追加するか、Generalize に width、digits、mapping、learned のいずれか"
        "を指定してください"
    ),
    "The 'level' parameter of Generalize must be at most {} for column {!r}. Got {} instead.": (
        "列 {1} では、Generalize のパラメータ 'level' は {0} 以下でなければなりません（指定値：{2}）。"
    ),
    "GlobalRecode cannot reach this: no combination of levels satisfies it with at most {} of the rows "
    "dropped. Raise 'suppression' or ask for less.": (
        "GlobalRecode では達成できません：除く行を {} 以下にして条件を満たすレベルの組み合わせがありません。'supp"
        "ression' を上げるか、条件を緩めてください。"
    ),
    "GlobalRecode would look at {} combinations of levels of {} columns, which takes {} GB of memory: name fewer "
    "'columns', give them fewer levels, or use mondrian": (
        "GlobalRecode は {1} 列のレベルの組み合わせ {0} 通りを調べることになり、{2} GB のメモリが必要です。'columns' の"
        "列を減らすか、階層のレベルを減らすか、mondrian を使ってください"
    ),
    "GlobalRecode would drop every row: lower k or refine the hierarchies": (
        "GlobalRecode ではすべての行が除かれます。k を下げるか、階層を細かくしてください"
    ),
    "KMember makes clusters by size alone: use mondrian for l-diversity and t-closeness": (
        "KMember は大きさだけでクラスタを作ります。l-多様性と t-近接性には mondrian を使ってください"
    ),
    "Microaggregate needs a numeric column; the table has none": (
        "Microaggregate には数値の列が必要ですが、表にありません"
    ),
    "The 'k' parameter of Microaggregate must be at most the number of rows, {}. Got {} instead.": (
        "Microaggregate のパラメータ 'k' は行数 {} 以下でなければなりません（指定値：{}）。"
    ),
    "Microaggregate needs complete amounts: drop or fill the missing ones first": (
        "Microaggregate には欠損のない数値が必要です。先に欠損値を除くか補ってください"
    ),
    "Mondrian cannot reach this: even the table as one class fails it. Column {!r} has {} different values; "
    "ask for less.": (
        "Mondrian では達成できません：表全体を一つのクラスにしても条件を満たしません。列 {} の値は {} 種類です。"
        "条件を緩めてください。"
    ),
    "Resample cannot draw {} of {} rows: choose another share": (
        "Resample では {1} 行から {0} 行を抽出できません。割合を変えてください"
    ),
    "TopBottomCode: the lower bound {} of {!r} lies above the upper one {}.": (
        "TopBottomCode：{1} の下限 {0} が上限 {2} を上回っています。"
    ),
    "the column {!r} was not published": "列 {} は提供データにありません",
    "the column {!r} holds no amounts": "列 {} には数値がありません",
    "no sensitive amount is both published and known": "提供データにあり、攻撃者も知っている機微属性の数値がありません",
    "the column {!r} is changed by {} and then by {}": "列 {} は {} の後に {} でも変更されています",
    "the published table shares no column with what is known": "提供データに、攻撃者の知る列がありません",
    "more than {} pairs of a row and a person are too many to compare with repeated rows": (
        "行と人の組が {} 組を超え、加工を繰り返した行と比べるには多すぎます"
    ),
    "`informed` knows how likely each step of the release makes what was published": (
        "各ステップの結果が生じる確率を計算できるため、`informed` が攻撃します"
    ),
    "the steps have no randomness: `informed` repeats them": (
        "乱数を使うステップがないため、`informed` が同じ加工を繰り返して攻撃します"
    ),
    "the table has no quasi-identifiers for anybody to know: name some, or choose another attacker": (
        "準識別子がないため、それを知る攻撃者を想定できません。準識別子を指定するか、別の攻撃者を選んでください"
    ),
    "the release has no QI columns: every row covers every record": (
        "提供データに準識別子の列がなく、どの行も全レコードを覆います"
    ),
    "the release does not hold every record exactly once: matches are not defined": (
        "提供データにすべてのレコードがちょうど一度ずつ含まれていないため、候補数は定義されません"
    ),
    "published row {}: {!r} in column {!r} stands for no value of the original: k-concealment needs a "
    "release that generalizes values and does not change them": (
        "提供データの行 {0}：列 {2} の {1} は元データのどの値も表しません。k-秘匿には、値を変えずに一般化した提供データが"
        "必要です"
    ),
    "no quasi-identifier was published: every row covers everybody": (
        "提供データに準識別子がなく、どの行も全員を覆います"
    ),
    "the cells are so coarse that there are more than {} pairs of a class and people whom it covers": (
        "セルが粗く、クラスと該当者の組が {} 組を超えます"
    ),
    "the column {!r} of {} holds {}: give numbers, texts or dates": (
        "{1!p} の列 {0} の型は {2} です。数、文字列、日付のいずれかにしてください"
    ),
    "the column {!r} of {} holds integers beyond 64 bits: store them as texts": (
        "{1!p} の列 {0} に 64 ビットを超える整数があります。文字列として保存してください"
    ),
    "a release on an engine has no row map in memory: write it and read it again, or leave the engine out": (
        "エンジン上の提供データの行番号対応表は、メモリにありません。書き出して読み直すか、エンジンを使わないでください"
    ),
    "{} is too short: {} numbers for {} published rows": "{0!m} が短すぎます：提供データは {2} 行ですが、{1} 個しかありません",
    "{} is too long: {} numbers for {} published rows": "{0!m} が長すぎます：提供データは {2} 行ですが、{1} 個あります",
    "{} points outside the original table at row {}: {} is not in 1..{}": (
        "{!m} の {} 行目が元の表の範囲外を指しています：{} は 1〜{} にありません"
    ),
    "the column {!r} of {} has no role: name it in qi, sa, other or identifying": (
        "{1!p} の列 {0} に役割がありません。qi、sa、other、identifying のいずれかに加えてください"
    ),
    "this needs the whole table, which stays on its engine. There, the steps drop_columns, generalize, "
    "global_recode and mondrian can be made; leave the engine out to compute in memory": (
        "この処理には表全体が必要ですが、表はエンジン上にあります。エンジン上では drop_columns、generalize、globa"
        "l_recode、mondrian のステップを使えます。メモリ上で計算するには、エンジンを指定しないでください"
    ),
    "the columns {} have more than {} distinct rows, too many to fetch from the engine: name fewer columns, "
    "or make them coarser first, as with generalize(width=5, columns=[age])": (
        "列 {} の値の組み合わせが {} 通りを超え、エンジンから取り出すには多すぎます。列を減らすか、generalize(wid"
        "th=5, columns=[age]) のように先に粗くしてください"
    ),
    "the published rows that the guess was asked for are not rows of the table": (
        "推定の対象とされた行が提供データにありません"
    ),
    "the chances of the guess are for {} published and {} original rows: there are {} and {}": (
        "推定の確率が提供データ {} 行、元データ {} 行についてのものですが、実際は {} 行と {} 行です"
    ),
    "the chances of the guess must be positive and add up to 1 in every published row": (
        "推定の確率は正で、提供データの行ごとの合計が 1 でなければなりません"
    ),
    "column for {}": "{} の列",
    "value in the order of column {!r}": "列 {} の順序に含まれる値",
    "original column for the published": "提供データの列に対応する元の列",
    "the published table shares no column with the original": "提供データと元の表に共通の列がありません",
    "the original of a release on an engine is read from a folder: write it to one first": (
        "エンジン上の提供データの元データはフォルダから読みます。先にフォルダに書き出してください"
    ),
    "{}: {} counts rows from 0; files count them from 1. Add 1 to every number.": (
        "{}：{!m} は行を 0 から数えていますが、ファイルでは 1 から数えます。すべての番号に 1 を加えてください。"
    ),
    "no file {}: {}": "ファイルがありません: {}: {!m}",
    "the guess is for {} sampled rows only: a file needs an answer for every row": (
        "推定は抽出した {} 行だけのものです。ファイルにはすべての行の答えが必要です"
    ),
    "table, widths, digits or learned": "table、widths、digits、learned のいずれか",
    "given exactly once": "ちょうど一度だけ指定された値",
    "a finite number": "有限の数",
    "an integer from 1 to 30": "1 以上 30 以下の整数",
    "descending numbers of characters": "降順の文字数",
    "the hierarchy of column {!r} gives {!r} {} labels, but others {}": (
        "列 {} の階層で、{} のラベルは {} 個ですが、他の値は {} 個です"
    ),
    "column {!r} has the value {!r}; a hierarchy of interval widths needs numbers": (
        "列 {} に値 {} があります。区間幅の階層には数が必要です"
    ),
    "ascending positive numbers": "昇順の正の数",
    "multiples of each other, so that levels nest": "レベルが入れ子になるように互いの倍数である値",
    "the value {!r} of column {!r} is missing from its hierarchy: add a row for it": (
        "列 {1} の値 {0} が階層にありません。行を追加してください"
    ),
    "the hierarchy of column {!r} has the group {!r} of {!r}, which is also a value: rename it": (
        "列 {0} の階層で、{2} のグループ {1} は値としても使われています。名前を変えてください"
    ),
    "the hierarchy of column {!r} uses the label {!r} for two different groups": (
        "列 {} の階層で、ラベル {} が異なる二つのグループに使われています"
    ),
    "the hierarchy of column {!r} is not a tree: {!r} of level {} lies in both {!r} and {!r}": (
        "列 {0} の階層が木になっていません：レベル {2} の {1} が {3} と {4} の両方に属しています"
    ),
    "Never published.": "識別子：氏名や番号など、本人を直接指し示す情報です。提供しません。",
    "Quasi-identifiers: what others may know about people. They are generalized.": (
        "準識別子：他人が知りうる情報で、組み合わせると本人を特定できます。一般化して提供します。"
    ),
    "Sensitive: what nobody is to learn about a person.": "機微属性：本人について知られてはならない情報です。",
    "Published as it is, neither of them.": "その他：上のいずれでもない情報です。そのまま提供します。",
    "How many people of the population a row stands for.": "重み：一行が母集団の何人を代表するかを示します。",
    "Who lives together. Not published.": "世帯：同居している人を示します。提供しません。",
    "stopped: it is not said yet what these columns are:{}\nName each of them in "
    "identifying, qi, sa or other of {}; `icefire init {} --replace` suggests a schema.": (
        "中止しました。次の列の役割がまだ決まっていません：{!m}\nそれぞれを {} の identifying、qi、sa、other のいず"
        "れかに加えてください。`icefire init {} --replace` でスキーマの案を作成できます。"
    ),
    "nothing is left to publish: all columns of {} identify people": (
        "公開できる列がありません。{} のすべての列が個人を識別します"
    ),
    "quasi-identifiers follow from {}, whatever was done to them: generalize or leave out those, too, or have a look at "
    "what redteam says": (
        "{} から準識別子が推測できます。これらも一般化するか除くかして、redteam の結果を確かめてください"
    ),
    "it is empty, and left out": "空の列のため除きます",
    "every row has the same value": "すべての行が同じ値です",
    "{} different values": "{} 種類の値",
    "one tells the other: {}": "一方が分かれば他方も分かる列：{}",
    "Suggested for {}: {} rows. Change what you know better.": (
        "{} のスキーマの案（{} 行）。必要に応じて直してください。"
    ),
    "{} different values in {} rows": "{1} 行に {0} 種類の値",
    "{} of the rows are alone with their text": "文章が一意の行は {}",
    "free text": "自由記述",
    "which is the day and which the month is not clear: write them as 1980-01-31, and they can be made coarser": (
        "日と月の区別がつきません。1980-01-31 のように書けば、粗くして提供できます"
    ),
    "{} rows have {} different values": "{} 行に {} 種類の値",
    "some people have several rows": "一人が複数の行を持っています",
    "people who live together share it": "同居している人が共有する値です",
    "nothing says what it is: on the safe side, others may know it": (
        "内容を判断できないため、安全側に倒し、他人が知りうるものとします"
    ),
    "{} values": "値は {} 種類",
    "{} missing": "欠損 {}",
    "{} of the rows are alone with theirs": "値が一意の行は {}",
    "{} together with the columns above": "上の列との組み合わせで一意の行は {}",
    "looks like {}": "{!m}と思われます",
    "its heading suggests {}": "見出しから{!m}と思われます",
    "its heading suggests weights": "見出しから重みと思われます",
    "its heading suggests households": "見出しから世帯と思われます",
    "others may know it": "他人が知りうる情報です",
    "its heading suggests something that people keep to themselves": "見出しから、人に知られたくない情報と思われます",
    "as well: {}": "ほかに：{}",
    "attacker of microdata": "microdata の攻撃者",
    "{} columns have too many subsets of up to {} for {} different rows: look at smaller subsets or at fewer columns": (
        "{} 列では、{} 列までの部分集合が {} 種類の行に対して多すぎます。部分集合を小さくするか、列を減らしてください"
    ),
    "every row is unique: Pitman's model has no likeliest parameters": (
        "すべての行が一意のため、Pitman モデルの最尤パラメータがありません"
    ),
    "no class has two rows: the slide negative binomial model cannot be fitted": (
        "2 行のクラスがないため、SNB（slide negative binomial）モデルを当てはめられません"
    ),
    "the slide negative binomial model has no parameters that fit the classes of one and two rows": (
        "1 行と 2 行のクラスに合う SNB（slide negative binomial）モデルのパラメータがありません"
    ),
    "the population of {} people is smaller than the table of {} rows": (
        "母集団 {} 人が表の {} 行より少なくなっています"
    ),
    "{} = missing": "{} = 欠損",
    "{} does not say how likely a published cell is": "{} は提供データの値が生じる確率を示していません",
    "the release holds everybody of the original: name a file with the QI of the population, as in "
    "{}(population='people.csv')": (
        "提供データには元データの全員が含まれます。{}(population='people.csv') のように、母集団の準識別子のファイ"
        "ルを指定してください"
    ),
    "no quasi-identifier was published: all rows are alike": "提供データに準識別子がなく、すべての行が同じです",
    "column of the original": "元データの列",
    "the column {!r} holds no sampling weights: give one with a positive number in every row": (
        "列 {} は標本の重みではありません。すべての行が正の数である列を指定してください"
    ),
    "no sensitive column was published": "提供データに機微属性の列がありません",
    "some class has too few values of {!r} for this to be defined": "{} の値が少なすぎるクラスがあり、定義できません",
    "the values of {!r} were changed: keep some people out of the release and name their file, as in "
    "attribute_inference(control='others.csv')": (
        "{} の値が変更されています。一部の人を提供データから除き、attribute_inference(control='others.csv') のよ"
        "うにそのファイルを指定してください"
    ),
    'there are no households: name their column in the schema, as household = "home"': (
        '世帯が分かりません。household = "home" のように、スキーマに列を指定してください'
    ),
    "the column {!r} does not name the household of every row": "列 {} に、世帯の分からない行があります",
    'there are no sampling weights: name their column in the schema, as weight = "weight"': (
        '標本の重みがありません。weight = "weight" のように、スキーマに列を指定してください'
    ),
    "the population is not known: give its size or a file, as in journalist_risk(population=1000000)": (
        "母集団が分かりません。journalist_risk(population=1000000) のように、人数またはファイルを指定してください"
    ),
    "the population is not known: give its size, as in population_uniques(population=1000000)": (
        "母集団が分かりません。population_uniques(population=1000000) のように人数を指定してください"
    ),
    "re-identification is measured on a guess: give one": (
        "再識別率は推定結果について測ります。推定結果を指定してください"
    ),
    "{}: expected {}; got {!r}": "{!p}：{!m} が必要です（指定値：{}）",
    "key of {}, column {!r}": "{}、列 {} のキー",
    "key of the hierarchy of {}": "{!p} の階層のキー",
    'no file {}: write one with a line such as qi = ["{}"]': (
        'ファイル {} がありません。qi = ["{}"] のような行を書いたファイルを作成してください'
    ),
    "columns: tables such as [columns.age]": "columns：[columns.age] のような表",
    '{}: qi must be a list of column names, such as qi = ["{}"]': (
        '{}：qi は列名のリストでなければなりません。例：qi = ["{}"]'
    ),
    '{}: {} must be a list of column names, such as {} = ["age", "sex"]': (
        '{}：{} は列名のリストでなければなりません。例：{} = ["age", "sex"]'
    ),
    '{}: {} must be the name of a column, such as {} = "{}"': '{}：{} は列名でなければなりません。例：{} = "{}"',
    'a table, such as [columns.{}] with a line type = "ordered"': (
        '[columns.{}] のような表（例：type = "ordered" の行）'
    ),
    "type: one of {}": "type：{} のいずれか",
    'order: a list, such as ["low", "high"]': 'order：["low", "high"] のようなリスト',
    'order: a list, such as ["low", "high"], for an ordered column': (
        'order：順序のある列の、["low", "high"] のようなリスト'
    ),
    'labels: a table, such as { "1" = "male" }': 'labels：{ "1" = "male" } のような表',
    'published: a table of labels with their cells, such as { north = ["1", "2"] }': (
        'published：{ north = ["1", "2"] } のような、ラベルとその値の表'
    ),
    "published: labels that do not stand for themselves": "published：それ自身を表さないラベル",
    "hierarchy: a file name, or a table such as { widths = [5, 10] }": (
        "hierarchy：ファイル名、または { widths = [5, 10] } のような表"
    ),
    "widths: a list of numbers, such as [5, 10]": "widths：[5, 10] のような数のリスト",
    "digits: a list of integers, such as [3, 2]": "digits：[3, 2] のような整数のリスト",
    "learned: a number of levels": "learned：レベルの数",
    "origin: a number": "origin：数",
    'mapping: a table, such as { clerk = "staff" }': 'mapping：{ clerk = "staff" } のような表',
    'table: a table of lists, such as { clerk = ["staff", "all"] }': (
        'table：{ clerk = ["staff", "all"] } のようなリストの表'
    ),
    "hierarchy with {}": "{!m} を持つ階層",
    "{}, line {}: a value or a label is missing": "{}、{} 行目：値またはラベルがありません",
    "{}, line {}: the value {!r} is listed twice": "{}、{} 行目：値 {} が二度書かれています",
    '{} must be a list of column names, such as ["age"]; got {!r}': (
        '{} は ["age"] のような列名のリストでなければなりません（指定値：{}）'
    ),
    "the column {!r} is listed twice in the {}": "列 {} が {} に二度書かれています",
    "column with a role": "役割のある列",
    "the column {!r} is both {} and {}: a column is one or the other": (
        "列 {} が {} と {} の両方にあります。どちらか一方にしてください"
    ),
    "the table has no sensitive amounts": "表に機微属性の数値がありません",
    "the column {!r} holds no amount at all": "列 {} には数値が一つもありません",
    "the table has no QI columns to cross by": "表に、クロス集計に使う準識別子の列がありません",
    "a cell of the exposure-outcome table is empty ({})": "曝露と結果の表に空のセルがあります（{}）",
    "{}: {!r} does not occur in column {!r}": "{0}：列 {2} に {1} はありません",
    "the release has no QI columns": "提供データに準識別子の列がありません",
    "the table has no QI columns": "表に準識別子の列がありません",
    "more than {} pairs of equal rows are possible": ("等しくなりうる行の組が {} 組を超えます"),
    "LocalSuppression needs at least one QI column; the schema names none": (
        "LocalSuppression には準識別子（qi）の列が一つ以上必要ですが、スキーマにありません"
    ),
    "The 'k' parameter of LocalSuppression must be at most the number of rows, {}. Got {} instead.": (
        "LocalSuppression のパラメータ 'k' は行数 {} 以下でなければなりません（指定値：{}）。"
    ),
    "The 'invariant' parameter of Pram needs a matrix: without one, it is invariant anyway.": (
        "Pram のパラメータ 'invariant' には行列が必要です。行列がなければ、もともと不変です。"
    ),
    "The 'matrix' parameter of Pram needs 'columns': name the columns that it is for.": (
        "Pram のパラメータ 'matrix' には 'columns' が必要です。対象の列を指定してください。"
    ),
    "The 'strata' parameter of Pram changes nothing with a matrix: leave it out, or set invariant=true.": (
        "行列を指定した場合、Pram のパラメータ 'strata' は効果がありません。省くか、invariant=true を指定してください。"
    ),
    "The 'strata' parameter of Pram must not name columns that are randomized. Got {!r}.": (
        "Pram のパラメータ 'strata' には、ランダム化する列を指定できません（指定値：{}）。"
    ),
    "{} strata of Pram have a single row, whose values could not change, such as {}: name fewer strata, or make them coarser": (
        "Pram の層のうち {} 個は一行だけで、値が変わりません（例：{}）。層の列を減らすか、粗くしてください"
    ),
    "{} goes by the column {!r}, which {} has changed": (
        "{0} は列 {1} に基づきますが、この列は {2} で変更されています"
    ),
    "pseudonyms are not made on an engine: leave the engine out": (
        "エンジン上では仮名を作れません。エンジンの指定を省いてください"
    ),
    "{} has no column {!r}: the folder of a release does not keep what identifies": (
        "{} に列 {} がありません。提供データのフォルダには識別子を残しません"
    ),
    "both tables have a column {!r}: leave it out of one of them, or rename it": (
        "列 {} が両方の表にあります。一方から除くか、名前を変えてください"
    ),
    "the household {!r} is listed twice": ("世帯 {} が二度あります"),
    "is not in the table of households": ("は世帯の表にありません"),
    "has no persons": ("には個人がいません"),
    "linked tables need a step that makes k households equal: mondrian, global_recode or local_suppression": (
        "結び付いた表には、k 世帯ずつ同じ内容にするステップ（mondrian、global_recode、local_suppression）が必要です"
    ),
    "there are fewer than {} households of every size: lower k": (
        "どの人数の世帯も {} 世帯に足りません。k を下げてください"
    ),
    'the schema of the {} must name the column that links: household = "..."': (
        '{!m} のスキーマに、結び付ける列を household = "..." として指定してください'
    ),
    "the column {!r} of the {} has missing values": ("{1!m} の列 {0} に欠損値があります"),
    "the household {!r} {}": ("世帯 {} {!m}"),
    "after these steps, some households of {} are equal to {} others, not to {}: what comes after a step "
    "that makes them equal must not change quasi-identifiers": (
        "これらのステップの後、{0} 人の世帯に、同じ内容の世帯が {2} ではなく {1} しかないものがあります。"
        "世帯を同じ内容にするステップの後では、準識別子を変えないでください"
    ),
    "no key {}: make one with icefire key {}": ("鍵 {} がありません。icefire key {} で作成してください"),
    "the key {} can be read by others: chmod 600 {}, or make a new one with icefire key": (
        "鍵 {} は他の人にも読めます。chmod 600 {} とするか、icefire key で新しく作ってください"
    ),
    "{} is no key: it must hold {} hexadecimal digits, as icefire key writes them": (
        "{} は鍵ではありません。icefire key が書き出す {} 桁の 16 進数が必要です"
    ),
    "two values of the column {!r} have the same pseudonym: make another key": (
        "列 {} の二つの値が同じ仮名になります。別の鍵を作ってください"
    ),
    "{} exists already: with a new key, the pseudonyms of earlier releases would be lost": (
        "{} は既にあります。新しい鍵にすると、以前の提供データの仮名と対応しなくなります"
    ),
    "the column {!r} has {} rows whose value is in an earlier row, too: pseudonyms would tell which rows "
    "are of the same person, which k-anonymity does not count. Publish one row per person, or treat the "
    "table as a history": (
        "列 {} には、前の行と同じ値の行が {} 行あります。仮名によって同じ人の行だと分かりますが、"
        "k-匿名性では数えられません。一人一行にするか、履歴として扱ってください"
    ),
    "importance: a number above 0, such as 2 or 0.5": ("importance：0 より大きい数（2 や 0.5 など）"),
    "decimals: a whole number, such as 2": ("decimals：0 以上の整数（2 など）"),
    "no numbers were computed and published with all their bits": (
        "計算された数値で、全ビットのまま提供されたものはありません"
    ),
    "the published numbers vary less than the known ones: no error was added to them": (
        "提供データの数値のばらつきは元の数値より小さく、ノイズは加えられていません"
    ),
    "the bits of the published numbers are not those of values with errors of one scale and distribution": (
        "提供データの数値のビットは、一つの大きさと分布のノイズを元の値に加えたものではありません"
    ),
    "{} has no rows: give one for each value": ("{!p} に行がありません。値ごとに一行が必要です"),
    "{}: {!r} is no probability between 0 and 1": ("{!p}：{} は 0 以上 1 以下の確率ではありません"),
    "{}, line {}: the value {!r} is missing or listed twice": ("{!p}、{} 行目：値 {} が空か、二度あります"),
    "{}, line {}, column {!r}": ("{!p}、{} 行目、列 {}"),
    "{}: the row of {!r} must be a table such as {}; got {!r}": (
        "{!p}：{} の行は {} のような表でなければなりません（指定値：{}）"
    ),
    "{}: row {!r}, column {!r}": ("{!p}：行 {}、列 {}"),
    "the matrix {}: the row of {!r} adds up to {}, not to 1": ("行列 {}：{} の行の合計が 1 ではなく {} です"),
    "the matrix: the row of {!r} adds up to {}, not to 1": ("行列：{} の行の合計が 1 ではなく {} です"),
    "{} has no row for the value {!r} of column {!r}": ("{0!p} に、列 {2} の値 {1} の行がありません"),
    "the matrix {}: {!r} may become {!r}, for which there is no row": (
        "行列 {}：{} から変わりうる {} の行がありません"
    ),
    "the matrix: {!r} may become {!r}, for which there is no row": ("行列：{} から変わりうる {} の行がありません"),
    "every published column is known: there is none to learn about": (
        "提供データの列はすべて知られているため、新たに学ぶものがありません"
    ),
    "reconstruction is measured on inferred values: give an inference": (
        "再構成の精度は推定した値について測ります。推定結果を指定してください"
    ),
    "The 'sensitive' parameter of {} may be '*' where 'alpha' is set alone. Got {!r}.": (
        "{} のパラメータ 'sensitive' に '*' を指定できるのは、'alpha' だけを指定する場合です（指定：{}）。"
    ),
    "every published column is known: there is nothing to infer": (
        "提供する列はすべて知られているため、推定するものがありません"
    ),
    "takes more comparisons than its budget allows, and fewer would infer less: --budget allows more": (
        "必要な比較の回数が上限を超えます。減らすと推定が弱くなるため、--budget で上限を増やしてください"
    ),
    "the column {!r} is known to the attacker: there is nothing to infer": (
        "列 {} は攻撃者に知られているため、推定するものがありません"
    ),
    "the column {!r} has {} answers for {} people": ("列 {0} の答えの数が {1} で、人数 {2} と一致しません"),
    "rare values": ("頻度の低い値"),
    "attribute disclosure is measured on inferred values: give an inference": (
        "属性推定のリスクは、推定した値について測ります。推定の結果を指定してください"
    ),
    "no sensitive column was published that the attacker does not know": (
        "提供する機微属性は、すべて攻撃者に知られています"
    ),
    "nobody has a value in the hidden columns": ("推定の対象となる列に、値を持つ人がいません"),
    "tolerance: a share of at least 0 and below 1, such as 0.05": ("tolerance：0 以上 1 未満の割合（例：0.05）"),
    'protect: a list of values, such as ["HIV"]': ('protect：値のリスト（例：["HIV"]）'),
    "means by group need a quasi-identifier and a sensitive amount": (
        "グループ別平均には、準識別子と機微属性の金額（数値）が必要です"
    ),
    "a cross table needs a quasi-identifier and another column": ("クロス集計には、準識別子ともう一つの列が必要です"),
    "no sensitive amount has a mean other than 0": ("平均が 0 でない機微属性の数値がありません"),
    "every column holds the same value in all rows": ("どの列も、すべての行が同じ値です"),
    "the regression needs a quasi-identifier and a sensitive amount": ("回帰には、準識別子と機微属性の数値が必要です"),
    "there are too few people for a regression": ("回帰には人数が足りません"),
    "{} has no column of the original: nothing says how they belong together": (
        "{} に元データの列がないため、対応を調べられません"
    ),
    "{} shares no column with the release": "{} と加工データに共通の列がありません",
    "nobody fits some rows: their cells were changed, not generalized": (
        "値が一般化以外の方法で変更され、誰にも当てはまらない行があります"
    ),
    "the releases leave too many ways in which people fit rows: name fewer of them": (
        "人と行の組み合わせが多すぎます。他の加工データの数を減らしてください"
    ),
    "the releases changed {} at random, and no attack weighs all of them by likelihood": (
        "複数の加工データで {} が確率的に変更されていますが、すべてを尤度で合わせる攻撃はまだありません"
    ),
    "it is for releases in which known columns were changed at random, and hidden ones were not": (
        "知られた列が無作為に変えられ、知られていない列は変えられていない提供データのための攻撃です"
    ),
}
