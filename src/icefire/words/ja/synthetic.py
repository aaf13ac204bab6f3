"""What the package synthetic says."""

TEXTS: dict[str, str] = {
    "{}, [columns.{}]: accepted must be the reason in words, not {!r}": (
        "{}、[columns.{}]：accepted には {} ではなく理由を文章で書いてください"
    ),
    "Left out, since they identify people: {}": "個人を特定するため除いた列：{}",
    "Differential privacy needs to know what may be in each column, whether or not somebody in the table has it.": (
        "差分プライバシーには、各列が取りうる値（表に現れるかどうかによらない）が必要です。"
    ),
    "This is what the table holds: widen it to what could be there, and remove the signs in front.": (
        "以下は表に現れる値です。取りうる値の範囲まで広げ、行頭の # を外してください。"
    ),
    "these columns of {} look as if they identified people: leave them out (icefire init --synthetic), or name them under "
    "[columns] in schema.toml{}": (
        "{} の次の列は個人を特定するように見えます。除くか（icefire init --synthetic）、"
        "schema.toml の [columns] に列名を書いてください{!m}"
    ),
    "there is no reference sample: give further people of the population in reference.csv": (
        "参照標本がありません。同じ母集団の他の人を reference.csv に書いてください"
    ),
    "the reference sample": "参照標本",
    "no model was handed out": "モデルは提供されていません",
    "{} is not a number of JSON": "{} は JSON の数ではありません",
    "{}: a model has at most {} bytes, and this file {}": "{}：モデルは {} バイトまでですが、このファイルは {} バイトです",
    "{}: nested too deeply for a model": "{}：モデルとしては入れ子が深すぎます",
    "{}: not a model as JSON: {}": "{}：JSON のモデルではありません：{!m}",
    "a model is an object with target, classes, base and trees, and nothing else": (
        "モデルは target、classes、base、trees だけを持つオブジェクトです"
    ),
    "classes must be a list of texts": "classes は文字列の一覧でなければなりません",
    "classes must be none for a number, or two or more that differ": (
        "classes は、数なら空、文字列なら互いに異なる二つ以上でなければなりません"
    ),
    "the column {!r} and classes do not fit: texts have classes, and numbers have none": (
        "列 {} と classes が合いません。文字列の列には classes があり、数の列にはありません"
    ),
    "trees must be a list of trees, and each of those a list of nodes": (
        "trees は木の一覧、木は節点の一覧でなければなりません"
    ),
    "a model has at most {} trees and {} nodes": "モデルは木 {} 本、節点 {} 個までです",
    "there is no column {!r} in the table": "表に列 {} はありません",
    "base and values must be lists of {} numbers, one for each class": (
        "base と values は、classes ごとに一つ、{} 個の数の一覧でなければなりません"
    ),
    "a number of the model is not finite, or beyond all measure": "モデルに、有限でない数または大きすぎる数があります",
    "{}: a split has column, yes, no, and at_most for numbers or among for texts": (
        "{!p}：分岐は column、yes、no と、数なら at_most、文字列なら among を持ちます"
    ),
    "{}: among must be a list of texts": "{!p}：among は文字列の一覧でなければなりません",
    "tree {}, node {}: a node is an object": "木 {}、節点 {}：節点はオブジェクトでなければなりません",
    "tree {}, node {}: no node before it leads here": "木 {}、節点 {}：前の節点からここへ至る枝がありません",
    "tree {}, node {}: the model asks for its own target": "木 {}、節点 {}：モデルが自身の予測対象の列を使っています",
    "tree {}, node {}: {} must be the place of a node after it, below {}": (
        "木 {}、節点 {}：{} は後の節点の番号（{} 未満）でなければなりません"
    ),
    "tree {}, node {}: two nodes lead to node {}, and a tree has no such ways or circles": (
        "木 {}、節点 {}：節点 {} に至る枝が二つあります。木では枝の合流や循環は許されません"
    ),
    "tree {}, node {}: a tree has at most {} splits above a leaf": "木 {}、節点 {}：葉までの分岐は {} 回までです",
    "these steps drop the column {!r}, and a synthetic table has all columns": (
        "これらのステップは列 {} を削除しますが、合成データにはすべての列が必要です"
    ),
    "at least one step, such as 'mondrian(k=5)'": "'mondrian(k=5)' のような一つ以上のステップ",
    "column of the members": "元データの列",
    "rarest tenth": "最も珍しい1割の人",
    "interval of the rarest tenth": "最も珍しい1割の人の信頼区間",
    "the chances of {!r} must be numbers from 0 on, and at most 1 together": (
        "{} の確率は 0 以上の数で、合計は 1 以下でなければなりません"
    ),
    "no event times: name their columns under [survival] in schema.toml": (
        "イベント時間がありません。schema.toml の [survival] に列名を書いてください"
    ),
    "the column {!r} holds texts, where times are numbers": "列 {} は文字列ですが、時間は数でなければなりません",
    "no event happens": "イベントが一つも起きていません",
    "all events happen at time 0 or before": "すべてのイベントが時刻 0 以前に起きています",
    "{}: [survival] must be a table with time, event and cases": (
        "{}：[survival] は time、event、cases を持つ表でなければなりません"
    ),
    '{}, [survival]: time and event are names of columns, and cases a list such as ["yes"]': (
        '{}、[survival]：time と event は列名、cases は ["yes"] のような一覧です'
    ),
    "there are fewer rows without missing cells than terms of the regression": (
        "欠損のない行が回帰の項の数より少ないため、推定できません"
    ),
    "every row lacks a cell that the regression needs": "回帰に必要なセルがすべての行で欠けています",
    "there is no column whose dependence on the others could be estimated": "他の列との関係を推定できる列がありません",
    "there are no two text columns with values frequent enough for an odds ratio": (
        "オッズ比を求められるほど頻度の高い値を持つ文字列の列が二つありません"
    ),
    "there is no column whose hazard ratio could be estimated": "ハザード比を推定できる列がありません",
    "there is one column alone, which cannot lie in two data sets": "列が一つしかなく、二つのデータに分けられません",
    "there are {} candidates, too few to make releases of halves of them": (
        "候補者が {} 人しかおらず、その半数の提供データを作れません"
    ),
    "the release": "提供データ",
    "the control group": "対照群",
    "{} lacks the column {!r}: it must have the columns of the original, {}": (
        "{!p} に列 {} がありません。元データと同じ列が必要です：{}"
    ),
    "{} has a column {!r} of its own: it must have the columns of the original, {}": (
        "{!p} に元データにない列 {} があります。元データと同じ列が必要です：{}"
    ),
    "{} has {} rows, too few to hold some out: give others of the same population in control.csv": (
        "{!p} は {} 行しかなく、対照群を取り分けられません。同じ母集団の他の人を control.csv に書いてください"
    ),
    "{} has {} rows and {} columns: there is nobody to protect": "{!p} は {} 行 {} 列です。保護する対象の人がいません",
    "the control group is empty: risk is measured against people who are not in the data": (
        "対照群が空です。リスクは、元データに含まれない人との比較で測ります"
    ),
    "the release has 0 rows": "提供データが 0 行です",
    "the guess has {} confidences for {} candidates": "推定の確信度は {} 個、候補者は {} 人です",
    "a confidence of the guess is not a finite number": "推定の確信度に、有限の数でないものがあります",
    "a predicate of the guess has no condition": "推定の述語に条件のないものがあります",
    "the guess has {} values for {} candidates": "推定の値は {} 個、候補者は {} 人です",
    "column in the release": "提供データの列",
    "the guess is empty": "推定が空です",
    "the guess links {} people, and there are {} candidates": "推定が結び付けているのは {} 人、候補者は {} 人です",
    "the guess names a row outside 1..{}": "推定に 1〜{} の範囲外の行番号があります",
    "the column {!r} has no bounds: write low and high under [columns.{}] in schema.toml, and decimals unless it has whole "
    "numbers. Taken from the data, they would give away the extreme people, and differential privacy would not hold": (
        "列 {} に上下限がありません。schema.toml の [columns.{}] に low と high を書いてください。"
        "整数でない列には decimals も書いてください。"
        "データから求めると極端な値の人が知られ、差分プライバシーが成り立ちません"
    ),
    "the column {!r} must have between 1 and {} numbers: change low, high or decimals under [columns.{}] in schema.toml": (
        "列 {0} の取りうる数は 1 個以上 {1} 個以下にしてください。"
        "schema.toml の [columns.{2}] の low、high、decimals を変えてください"
    ),
    "{} cells of the column {!r} are outside its domain in schema.toml, and were moved into it. Tell nobody of it, since it "
    "comes from the data; correct the schema by what was known without them alone": (
        "列 {1} の {0} 個のセルは schema.toml の定義域の外にあったため、定義域の中の値に移しました。"
        "データから分かることなので、誰にも知らせないでください。スキーマは、データなしで分かることだけで直してください"
    ),
    "{}, [columns.{}]: decimals must be a whole number, not {!r}": (
        "{}、[columns.{}]：decimals は整数で指定してください（指定：{}）"
    ),
    "decimals must be 0 or more, not {}": "decimals は 0 以上で指定してください（指定：{}）",
    "a column of texts has no decimals": "文字の列に decimals は指定できません",
    "the column {!r} has no list of values: write values = [...] under [columns.{}] in schema.toml. Taken from the data, it "
    "would give away rare people, and differential privacy would not hold": (
        "列 {} に値の一覧がありません。schema.toml の [columns.{}] に values = [...] を書いてください。"
        "データから求めると珍しい値の人が知られ、差分プライバシーが成り立ちません"
    ),
    "{}: the heading must be confidence (who is a member), left,right (links), predicate,column,comparison,value (singling "
    "out) or hidden columns ({}); found {}": (
        "{0}：見出しは confidence（所属）、left,right（連結）、predicate,column,comparison,value（一人だけの特定）、"
        "または隠された列（{1}）のいずれかです（実際：{2}）"
    ),
    "{}: {} must hold the same number of row numbers in each line, with spaces between": (
        "{}：{} には、各行に同じ個数の行番号を空白で区切って書いてください"
    ),
    "line {}: {!r} is not a number, and the column {!r} holds numbers": "{0} 行目：列 {2} は数ですが、{1} は数ではありません",
    "line {}: the comparison must be one of {}, not {!r}": "{} 行目：比較は {} のいずれかです（実際：{}）",
    "the guess does not say what {!r} is": "推定に {} の値がありません",
    "the guess links no rows": "推定に行の連結がありません",
    "the guess has no predicates": "推定に述語がありません",
    "no predicate singles out a row of the release": "提供データの一行だけに当てはまる述語がありません",
    "a predicate compares the column {!r} by {} with {!r}: numbers are compared by =, <= and >= with numbers, texts by = with "
    "texts": "述語が列 {} を {} で {} と比べています。数は =、<=、>= で数と、文字列は = で文字列と比べます",
    "there are no members or no others among the candidates": (
        "候補者の中に、元データに含まれる人、または含まれない人がいません"
    ),
    "no column is hidden: name one under hidden in schema.toml": (
        "隠された列がありません。schema.toml の hidden に列名を書いてください"
    ),
    "the guess does not say who is a member": "推定に、誰が元データに含まれるかがありません",
    '{}: hidden must be a list of column names, such as ["diagnosis"]': (
        '{}：hidden は ["diagnosis"] のような列名の一覧でなければなりません'
    ),
    "{}: columns must be tables, such as [columns.age]": "{}：columns は [columns.age] のような表でなければなりません",
    "{}, [columns.{}]: must be a table with {}": "{}、[columns.{}]：{} を持つ表でなければなりません",
    '{}, [columns.{}]: type must be "numeric" or "categorical", not {!r}': (
        '{}、[columns.{}]：type は "numeric" か "categorical" です（実際：{}）'
    ),
    '{}, [columns.{}]: values must be a list of texts, such as ["f", "m"]': (
        '{}、[columns.{}]：values は ["f", "m"] のような文字列の一覧でなければなりません'
    ),
    "{}, [columns.{}]: missing must be true or false, not {!r}": "{}、[columns.{}]：missing は true か false です（実際：{}）",
    "low must be below high; got {} and {}": "low は high より小さくなければなりません（実際：{} と {}）",
    "a numeric column has low and high, not values": "数の列には values ではなく low と high を書きます",
    "all columns of {} are hidden: leave one that attackers know": (
        "{!p} のすべての列が隠されています。攻撃者の知る列を少なくとも一つ残してください"
    ),
    "key under [columns.{}] in {}": "{1} の [columns.{0}] のキー",
    "{}, [columns.{}]: {} must be a number, not {!r}": "{}、[columns.{}]：{} は数でなければなりません（実際：{}）",
    "{}, [columns.{}] is wrong: {}": "{}、[columns.{}] の誤り：{!m}",
    "there are fewer than two numeric columns": "数の列が二つ以上ありません",
    "there is one column alone, and no pair of columns": "列が一つしかなく、列の組がありません",
    "no released row has a value in common with anybody": ("候補者と共通の値を持つ行が提供データにありません"),
    "the guess says nothing of hidden values": ("推定に隠された列の値がありません"),
    "another release": "他の加工データ",
}
