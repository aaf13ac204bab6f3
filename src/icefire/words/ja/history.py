"""Messages about histories."""

TEXTS: dict[str, str] = {
    "publish_master needs a master table with attributes, and one pseudonym for each customer": (
        "publish_master には、属性のあるマスタ表と、顧客ごとに一つの仮名が必要です"
    ),
    "publish_master has to come after the step that gives customers several pseudonyms": (
        "publish_master は、顧客に複数の仮名を付けるステップより後にしてください"
    ),
    "attribute of the master table": "マスタ表の属性",
    "nothing of the master table is published that the attacker knows": (
        "攻撃者の知るマスタ表の属性が、何も提供されていません"
    ),
    "there are too many people to compare the attributes of all with those of all": (
        "人数が多すぎて、全員の属性を互いに比べられません"
    ),
    "{}: the master table of the original has no column {!r}": "{}：元データのマスタ表に列 {} がありません",
    "the pseudonym {!r} has no published record": "仮名 {} には提供されたレコードがありません",
    "{} lacks {} published pseudonyms, the first is {!r}": "{} に、提供された仮名が {} 個ありません（最初は {}）",
    "this needs the records in memory: leave the engine out": (
        "これにはメモリ上のレコードが必要です。エンジンの指定を外してください"
    ),
    "{}: the {} is missing. Every record has one.": "{!p}：{} が欠けています。すべてのレコードに必要です。",
    "{}: some dates are outside the periods of the original": "{!p}：元データの期間から外れた日付があります",
    "{} has records under several pseudonyms: read it in memory, without an engine": (
        "{!p} には複数の仮名を持つレコードがあります。エンジンを指定せず、メモリ上で読み込んでください"
    ),
    "{}: the customer {!r} is not among the known ones (master table)": "{!p}：顧客 {} は既知の顧客（マスタ表）にありません",
    "{}: the engine cannot read the column {!r}: {}": "{!p}：エンジンが列 {} を読み込めません：{!m}",
    "releases of records are judged in memory: leave the engine out": (
        "履歴の提供データの評価はメモリ上で行います。エンジンの指定を外してください"
    ),
    "between 1 and the {} customers": "1 以上、顧客数 {} 以下",
    "at most {} with {} clusters of {} customers": "{1} 個のクラスタと顧客 {2} 人では {0} 以下",
    "{} depends on the dummies of an earlier step": "{} は、前のステップの疑似レコードに依存します",
    "the {} is generalized already: conceal works on exact records, alone": (
        "{} は既に一般化されています。conceal は一般化していないレコードに単独で使ってください"
    ),
    "{} customers have records in {}, too few for {} pseudonyms each: lower k, or choose longer periods in "
    "the schema": (
        "{1} にレコードのある顧客は {0} 人で、一人あたり {2} 個の仮名には足りません。k を下げるか、スキーマで期間"
        "を長くしてください"
    ),
    "deleting {} of {} records would leave none": "レコード {1} 件の {0} を削除すると、レコードが残りません",
    "generalize: say what, as in generalize(item=2, date=week, time=drop, price=5, quantity=4)": (
        "generalize：generalize(item=2, date=week, time=drop, price=5, quantity=4) のように、何を一般化するかを指"
        "定してください"
    ),
    "no item is longer than {} characters: nothing would be generalized": (
        "{} 文字より長い商品名がないため、何も一般化されません"
    ),
    "the records have no {}, so it cannot be generalized: leave {} out": (
        "レコードに {} がないため、一般化できません。{} を外してください"
    ),
    "the {} is generalized already: give all bands in one step": (
        "{} は既に一般化されています。階級は一つのステップでまとめて指定してください"
    ),
    "0 where the records have no exact values of it": "レコードに正確な値がない場合は 0",
    "the dates are generalized already: shift them before they are": (
        "日付は既に一般化されています。一般化する前にずらしてください"
    ),
    "{} cannot be repeated: {}": "{} を繰り返せません：{!m}",
    "the steps cannot be repeated: {}": "加工のステップを再現できません：{!m}",
    "{} pairs of records of {} have compatible items, too many to compare: sample people, or choose shorter "
    "periods in the schema": (
        "商品が矛盾しないレコードの組が {1} に {0} 組あり、多すぎて比較できません。人を抽出するか、スキーマで期間"
        "を短くしてください"
    ),
    "{} compares {}, which these records do not all have": "{} は {} を比べますが、それを持たないレコードがあります",
    "these records have no prices": "レコードに価格がありません",
    "only some of the records are known: the steps cannot be repeated on them": (
        "一部のレコードしか知られていないため、ステップを繰り返せません"
    ),
    "made for releases of `conceal`, and none of the steps is": (
        "`conceal` の提供データ用ですが、ステップに `conceal` がありません"
    ),
    "shadow releases need all records of the customers, and some are not known": (
        "疑似的な提供データを作るには顧客の全レコードが必要ですが、一部しか知られていません"
    ),
    "there are more than {} pairs of a pseudonym and a customer to compare": (
        "比較する仮名と顧客の組が {} 組を超えます"
    ),
    "the steps cannot be taken with what is known: {}": "知られている情報ではステップを実行できません：{!m}",
    "among {}": "{} のいずれか",
    "{} published records of {}, {} of them dummies: k-concealment needs a release with every record exactly once": (
        "元のレコードは {1} 件ですが、提供データのレコードは {0} 件（うち疑似レコード {2} 件）です。"
        "k-秘匿では、すべてのレコードがちょうど一度ずつ含まれる必要があります"
    ),
    "about {} pairs of a record and a published record that covers it are too many to verify": (
        "レコードとそれを覆う提供データのレコードの組が約 {} 組あり、多すぎて検証できません"
    ),
    "{} distinct cells and {} values of the column {!r} are too many to compare": (
        "列 {2} のセル {0} 種類と値 {1} 種類は多すぎて比較できません"
    ),
    "published record {} does not cover the original record {} it was made from ({} in all): either the row "
    "map is wrong, or the release does more than generalize": (
        "提供データのレコード {} が、対応する元のレコード {} を覆っていません（全部で {} 件）。行番号対応表が誤ってい"
        "るか、一般化以外の加工がされています"
    ),
    "published record {} has the pseudonyms {!r}, and that of its customer is not among them: add it": (
        "提供データのレコード {} の仮名 {} に、その顧客の仮名が含まれていません。追加してください"
    ),
    "the customer {!r} is not among the known ones (master table)": "顧客 {} は既知の顧客（マスター表）にありません",
    "the date {} is outside the periods {}": "日付 {} が期間 {} の外にあります",
    "the date {} is outside the periods {} to {}": "日付 {} が期間 {}〜{} の外にあります",
    "the dates of one record lie in two periods (up to {})": (
        "一つのレコードの日付が二つの期間にまたがっています（{} まで）"
    ),
    "the records": "レコード",
    "{} has 0 records: there is nobody to protect or to find": (
        "{!p} のレコードは 0 件です。保護する人も探す人もいません"
    ),
    "{} spans {} periods, {} to {}: mend the dates, or choose longer periods in the schema": (
        "{} は {} 期間（{}〜{}）にわたります。日付を直すか、スキーマで期間を長くしてください"
    ),
    "some records stand under several pseudonyms, so they are nobody's for certain: conceal has to be the "
    "last step": "複数の仮名に属するレコードがあり、誰のものか確定しません。conceal は最後のステップにしてください",
    "the pseudonym table has the shape {}, not {} (users, periods)": (
        "仮名表の形が {} です（{} が必要：利用者、期間）"
    ),
    "the row map has {} entries for {} published records": "提供データのレコードは {1} 件ですが、行番号対応表は {0} 件です",
    "the row map points outside the {} original records": "行番号対応表が元のレコード {} 件の範囲外を指しています",
    "the row map names one original record for two published ones": (
        "行番号対応表で、一つの元のレコードが提供データの二つのレコードに対応しています"
    ),
    "published record {} was made from a record of {!r} and stands under {!r}, but the pseudonym table gives "
    "that customer DEL in {} ({} such records)": (
        "提供データのレコード {0} は {1} のレコードから作られ、仮名は {2} ですが、仮名表では {3} のその顧客は DEL です（"
        "同様のレコード {4} 件）"
    ),
    "published record {} was made from a record of {!r} and stands under {!r}, but the pseudonym table gives "
    "that customer {} in {} ({} such records)": (
        "提供データのレコード {0} は {1} のレコードから作られ、仮名は {2} ですが、仮名表では {4} のその顧客は {3} です（"
        "同様のレコード {5} 件）"
    ),
    "the pseudonym {!r} stands for two customers in {}: {!r} and {!r}": (
        "仮名 {} は {} に二人の顧客 {} と {} を表しています"
    ),
    "the pseudonym {!r} has records in {} but no customer in the pseudonym table": (
        "仮名 {} は {} にレコードがありますが、仮名表に顧客がありません"
    ),
    "the pseudonym table gives {!r} to {!r} in {}, where it has no record: write DEL there": (
        "仮名表で {2} の {1} の仮名は {0} ですが、そこにレコードがありません。DEL と書いてください"
    ),
    "a pseudonym stands for several customers in a period": "一つの期間で、一つの仮名が複数の顧客を表しています",
    "a customer has several pseudonyms in a period": "一つの期間で、一人の顧客に複数の仮名があります",
    "the guess has the shape {}, not {} (users, periods)": "推定結果の形が {} です（{} が必要：利用者、期間）",
    "the guess names {} owners for {} pseudonyms": "仮名 {1} 個に対して、推定結果の持ち主が {0} 人です",
    "the guess names a {} that does not exist": "推定結果に存在しない {!m} があります",
    "the customer has no id": "顧客の ID がありません",
    "the customer {!r} is listed twice": "顧客 {} が二度書かれています",
    "the pseudonym table": "仮名表",
    "the guess": "推定結果",
    "column of customers in {}: [master] user =": "{} の顧客の列（[master] user =）",
    "{}: {} entries for {} published records": "{0}：提供データのレコードは {2} 件ですが、{1} 件書かれています",
    "{} points outside the {} original records": "{} が元のレコード {} 件の範囲外を指しています",
    "{} holds another original table: choose an empty folder, or clear this one": (
        "{} には別の元データがあります。空のフォルダを選ぶか、このフォルダを空にしてください"
    ),
    "the row map": "行番号対応表",
    "a deleted row has no other values: write {}": "削除された行には他の値を書けません。{} と書いてください",
    "the pseudonym {!r} is an original customer id": "仮名 {} は元の顧客 ID です",
    "the item {!r} is unknown to T": "商品 {} は T にありません",
    "the price {!r} has more than 5 digits or 2 decimals": "価格 {} は 5 桁または小数 2 桁を超えています",
    "the quantity {!r} is not of 1 to 6 digits": "数量 {} は 1〜6 桁ではありません",
    "the date {} has left its month": "日付 {} が元の月の外にあります",
    "{} has no M: the guess is about the {} customers of {} alone": (
        "{0} に M がありません。推定は {2} の顧客 {1} 人だけについてのものです"
    ),
    "{} has {} rows, T {}: deleted rows are {}": "{} は {} 行、T は {} 行です。削除された行は {} と書きます",
    "{} stands in the column {}: only a whole row is deleted": "{} が列 {} にあります。削除は行全体でしかできません",
    "{} keeps {} of {} rows: at least half have to stay": (
        "{0} には {2} 行中 {1} 行しか残っていません。半分以上を残す必要があります"
    ),
    "{}: {!r} is not the pseudonym that {!r} has in {}, {}: a customer has one pseudonym a month": (
        "{!p}：{} は、{} の {} の仮名 {} と異なります。一人の顧客の仮名は一か月に一つです"
    ),
    "{}: {!r} has {!r} in {}, but no record there: write {}": (
        "{0!p}：{3} の {1} の仮名は {2} ですが、そこにレコードがありません。{4} と書いてください"
    ),
    "{}: {!r} stands for two customers in {}, {!r} and {!r}; the contest accepted that": (
        "{}：{} は {} に二人の顧客 {} と {} を表しています（コンテストでは認められていました）"
    ),
    "{} holds {}: say which of them is known, --knowledge {}": (
        "{} には {} があります。知られているものを --knowledge {} で指定してください"
    ),
    "{} does not hold the rows of {} without the deleted ones": (
        "{} に、削除された行を除いた {} の行がそろっていません"
    ),
    "the files of 2017 have no place for dummy records: write the release in our own format": (
        "2017 年の形式では疑似レコードを表せません。icefire の形式で書き出してください"
    ),
    "the files of 2017 have no place for intervals: write the release in our own format": (
        "2017 年の形式では区間を表せません。icefire の形式で書き出してください"
    ),
    "{!r} is not an item of T, a set {a;b} of them, or *": (
        "{} は T の商品でも、その集合 {a;b} でも、* でもありません"
    ),
    "the record has values and no pseudonym: delete all of its cells, or none": (
        "値があるのに仮名がありません。すべてのセルを削除するか、一つも削除しないでください"
    ),
    "the price {!r} is not a number of at most 2 decimals": "価格 {} は小数 2 桁以内の数ではありません",
    "{} has {} lines, T {}: a deleted record is {}": (
        "{} は {} 行、T は {} 行です。削除されたレコードは {} と書きます"
    ),
    "the interval {} ends before it begins": "区間 {} の終わりが始まりより前です",
    "the item {!r} cannot be written into the files of 2018, which separate items by ;": (
        "商品 {} は、商品を ; で区切る 2018 年の形式では書けません"
    ),
    "{} does not hold the records of {} without the deleted ones": (
        "{} に、削除されたレコードを除いた {} のレコードがそろっていません"
    ),
    "invoices and times": "伝票番号と時刻",
    "sets of pseudonyms": "仮名の集合",
    "the files of 2018 have no place for {}: write the release in our own format": (
        "2018 年の形式では{!m}を表せません。icefire の形式で書き出してください"
    ),
    "{}: attacker who knows {}": "{}：{} を知る攻撃者",
    "attacker of history": "history の攻撃者",
    "releases with periods of different lengths cannot be combined: {}": (
        "期間の長さが異なる提供データは組み合わせられません：{}"
    ),
    "{} is not later than {}, which has been released already: a release may only add later periods": (
        "{} は、既に提供した {} より後ではありません。追加できるのは、より後の期間だけです"
    ),
    "{} is not a ledger: it is not empty and has no {}": "{} は台帳ではありません。空ではなく、{} がありません",
    "{} is damaged: it is not a list of releases as icefire writes it": (
        "{} が壊れています。icefire の書き出した提供データの一覧ではありません"
    ),
    "the ledger {} is damaged: its release {} is missing": "台帳 {} が壊れています：提供データ {} がありません",
    "the quantity {} is negative. Leave returns and cancellations out.": (
        "数量 {} が負です。返品と取り消しを除いてください。"
    ),
    "{}: the column {!r} has no meaning in a history. Drop it, or rename it.": (
        "{}：列 {} は履歴データでは使いません。削除するか、名前を変えてください。"
    ),
    "the {} is missing. Every record has one.": "{} がありません。すべてのレコードに必要です。",
    "the {} is empty. Every record has one.": "{} が空です。すべてのレコードに必要です。",
    "{!r} is not a time such as 9:30": "{} は時刻ではありません。9:30 のように書いてください",
    "{} has no column {!r}: a history has at least {}": (
        "{} に列 {} がありません。履歴データには少なくとも {} が必要です"
    ),
    "{} is not a price": "{} は価格ではありません",
    "the price {} is negative. Leave returns and refunds out.": "価格 {} が負です。返品と返金を除いてください。",
    "{} does not say what becomes of a record": "{} は、レコードがどう変わるかを示していません",
    "no customer has a pseudonym in any period": "どの期間にも仮名のある顧客がいません",
    "no record was published": "提供データにレコードがありません",
    "there is no pseudonym in a period of which customers have records": (
        "顧客のレコードがある期間に、仮名がありません"
    ),
    "the guess names the pseudonyms of sampled people, not the people behind pseudonyms": (
        "推定結果にあるのは抽出した人の仮名だけで、仮名の持ち主はありません"
    ),
    "the guess names no customer": "推定結果に顧客がありません",
    "effective customers of a pseudonym for whoever repeats the method": (
        "仮名の実効的な顧客数（同じ加工を繰り返す攻撃者）"
    ),
    "The release is not {}-concealed: {} of {} customers (by period) may have fewer pseudonyms, the first is "
    "{!r} in {} with {}; {} of {} records may be behind fewer published ones.": (
        "この提供データは {0}-秘匿を満たしません：期間ごとの顧客 {2} 人中 {1} 人の取りうる仮名が足りません（最初"
        "は {4} の {3}、{5} 個）。レコード {7} 件中 {6} 件に対応しうる提供データのレコードが足りません。"
    ),
    "The release is {}-concealed, people and records.": (
        "この提供データは、人とレコードの両方で {}-秘匿を満たします。"
    ),
    "the worlds of a history are searched from the truth on: leave --without-secret out": (
        "履歴データの候補は正解から探します。--without-secret を外してください"
    ),
    "not measured: the method is not known": "測定なし：加工方法が分かりません",
    "not measured: {}": "測定なし：{!m}",
    "no pseudonym was published": "提供データに仮名がありません",
    "period length in {}": "{} の期間の長さ",
    '{}: [{}] must hold lines such as user = "customer_id"': (
        '{}：[{}] には user = "customer_id" のような行を書いてください'
    ),
    "{}: a column of the file is named twice under [{}]": "{}：[{}] で、ファイルの列が二度使われています",
    "{} has no column for the {}. Its columns are {}. Name it in {}, under [columns]: {}": (
        "{!p} に {} の列がありません。列は {} です。{} の [columns] に書いてください：{}"
    ),
    "{} has unknown columns: {}. Name them in {}, under [columns], as one of {}, or drop them": (
        "{!p} に不明な列があります：{}。{} の [columns] で {} のいずれかとするか、削除してください"
    ),
    "{}: {} = ... must stand under [columns]": "{}：{} = ... は [columns] の中に書いてください",
    "column under [{}] in {}": "{1} の [{0}] の列",
    '{} = "name in the file"': '{} = "ファイルでの列名"',
    "{!r} is not a {}": "{} は {!m} ではありません",
    "{} names the unknown customer {!r}": "{!m} に不明な顧客 {} があります",
    "{} names the customer {!r} twice": "{!m} に顧客 {} が二度現れます",
    "{} names the pseudonym {!r}, which was not published": "{!m} の仮名 {} は提供データにありません",
    "the guess names the pseudonym {!r}, which was not published": "推定結果の仮名 {} は提供データにありません",
    "the guess names the pseudonym {!r} twice": "推定結果に仮名 {} が二度現れます",
    "the guess names the unknown customer {!r}": "推定結果に不明な顧客 {} があります",
    "date such as 2011-02-17 (put the time of day into a column of its own)": (
        "2011-02-17 のような日付（時刻は別の列に入れてください）"
    ),
    "whole number": "整数",
    "{}: {} has {} periods, the data {} ({} to {})": (
        "{}：{!m} の期間は {} 個ですが、データの期間は {} 個（{}〜{}）です"
    ),
    "{}: {} lacks {} customers, the first is {!r}": "{}：{!m} に顧客が {} 人足りません（最初は {}）",
    "{}: {} names pseudonyms that were not published ({} cells): they count as wrong": (
        "{!p}：{!m} に、提供データにない仮名があります（{} セル）。不正解として数えます"
    ),
    "{}: expected the columns pseudonym and user, found {}": (
        "{}：列は pseudonym と user でなければなりません（実際の列：{}）"
    ),
    "{}: {!r} is not a date such as 2011-02-17": "{!p}：{} は日付ではありません。2011-02-17 のように書いてください",
    "the pseudonym {!r} stands for two customers in {}": "仮名 {} は {} に二人の顧客を表しています",
    "a number above 0": "0 より大きい数",
    "a number between 0 and 1": "0 以上 1 以下の数",
    "an integer of at least 2": "2 以上の整数",
    "a number of at least 0": "0 以上の数",
    "positive numbers, one for each item": "商品ごとに一つの正の数",
    "a number from 1 to the number of users, {}": "1 以上、人数 {} 以下の数",
    "noise is added to the {} twice, and the sum of both is not stated": (
        "{} に二度ノイズが加えられており、合計の分布が分かりません"
    ),
    "dates are shifted twice, and the sum of both shifts is not stated": (
        "日付が二度ずらされており、合計の分布が分かりません"
    ),
    "{} depends on which records earlier steps have deleted or added at random": (
        "{} は、前のステップが無作為に削除または追加したレコードに依存します"
    ),
    "there is no master table with birth and country": "生年月日と国のあるマスター表がありません",
    "these records have no {}": "レコードに {} がありません",
    "no two items of the original have a customer in common": "元データで、共通の顧客を持つ商品の組がありません",
    "these records have no quantities": "レコードに数量がありません",
    "no basket holds two items": "二つの商品を含む買い物がありません",
    "a column with one value only has been changed: its loss has no scale": (
        "値が一種類しかない列が変更されており、損失の基準がありません"
    ),
    "no cell has customers with prices before and after": "加工の前後ともに価格のある顧客がいるセルがありません",
    "there is only one item": "商品が一種類しかありません",
    "nothing was sold in any period": "どの期間にも売り上げがありません",
    "no cell has customers before and after": "加工の前後ともに顧客がいるセルがありません",
    "there is no master table with attributes": "属性のあるマスター表がありません",
    "all prices are 0": "すべての価格が 0 です",
    "these records have no {}: top_items(by=records) counts records": (
        "レコードに {} がありません。top_items(by=records) でレコード数を数えられます"
    ),
    "no cluster has an item that all of its customers have: nothing is left. Choose more clusters, or mixed.": (
        "全員に共通する商品のあるクラスタがないため、何も残りません。クラスタを増やすか、mixed を選んでください。"
    ),
    "releases of histories are judged together by icefire gate, whose ledger has the earlier ones with their secrets": (
        "履歴の加工データをまとめて判定するには icefire gate を使ってください（台帳が過去の加工データと対応表を保持します）"
    ),
    "the guess names {} owners for {} published records": (
        "提供されたレコード {1} 件に対し、推定された持ち主は {0} 件です"
    ),
    "no record of the original was published": ("元データのレコードが一件も提供されていません"),
    "the guess names pseudonyms and not the owners of records": (
        "この推定は仮名を推定するもので、レコードの持ち主を推定していません"
    ),
    "every record is known already: there is nothing to learn": (
        "すべてのレコードが既に知られているため、新たに分かることがありません"
    ),
}
