"""What methods for history do, in a line."""

TEXTS: dict[str, str] = {
    "k-concealment: each customer may have k pseudonyms in each period, and each record be behind k published ones.": (
        "k-秘匿：各顧客が期間ごとに k 個の仮名を取りえて、各レコードが提供データの k 件のレコードに対応しうる。"
    ),
    "Publish attributes of the master table, too, one row for each pseudonym: M' of 2016.": (
        "マスタ表の属性も、仮名ごとに一行で提供する（2016 年の M'）。"
    ),
    "What is published of the master table: the customer with the same attributes; among several, the most "
    "alike by items.": "提供されたマスタ表：属性が同じ顧客。複数いれば、商品が最も似た顧客。",
    "Delete a share of the records: at random, or the rarest items first.": (
        "レコードの一部を、無作為に、または珍しい商品から順に削除する。"
    ),
    "Generalize items to categories, dates to weeks or periods, times to hours, prices and quantities to "
    "bands.": "商品を分類に、日付を週や期間に、時刻を時間帯に、価格と数量を階級に一般化する。",
    "Dummy records for clusters by k-means: cosine of TF-IDF weighted item sets, of any size.": (
        "k-means によるクラスタ（大きさは任意）に疑似レコードを加える。TF-IDF で重み付けした商品集合のコサイン類"
        "似度を使う。"
    ),
    "Dummy records for clusters of a least size: Method 1, then small clusters take similar customers from "
    "the largest.": (
        "一定の大きさ以上のクラスタに疑似レコードを加える。方式1の後、小さいクラスタが最大のクラスタから似た顧客"
        "を受け取る。"
    ),
    "Multiply prices and quantities by random factors around 1.": "価格と数量に、1 前後の無作為な係数を掛ける。",
    "Pseudonyms for customers: kept for a number of periods, then replaced; by default a new one in every "
    "period.": "顧客の仮名：いくつかの期間使った後に取り替える。既定では期間ごとに新しくする。",
    "Move every date by up to some number of days, within its period.": (
        "日付を、期間の中で、ある日数まで無作為にずらす。"
    ),
    "Dummy records for clusters of a least size that were searched for the fewest dummies.": (
        "疑似レコードが最も少なくなるように探した、一定の大きさ以上のクラスタに疑似レコードを加える。"
    ),
    "Evidence of items, dates, times, prices, quantities and their combinations, weighed by how far each can "
    "be trusted.": "商品、日付、時刻、価格、数量とその組み合わせの証拠を、どれだけ信頼できるかで重み付けする。",
    "Jaccard similarity weighted by rarity: a shared item counts log(n / customers who have it) + 1.": (
        "希少さで重み付けした Jaccard 係数：共通の商品を log(n / それを持つ顧客数) + 1 で数える。"
    ),
    "Record matching by somebody who knows the steps of the release and their parameters, so that nothing is "
    "learned.": "加工のステップとパラメータを知る攻撃者によるレコード照合（学習は不要）。",
    "Items in common, as a share of the customer's items of the period; names the best pseudonyms, ranked.": (
        "その期間の顧客の商品のうち共通する商品の割合。最も合う仮名を順位付きで答える。"
    ),
    "Jaccard similarity of item sets: each pseudonym is the customer whose items overlap most with its own.": (
        "商品集合の Jaccard 係数：各仮名を、商品の重なりが最も大きい顧客とする。"
    ),
    "One minus the Jensen-Shannon divergence between the distributions of purchases over items.": (
        "1 - 商品別の購買分布の Jensen-Shannon 情報量。"
    ),
    "The contest's sample attacks S1 to S6: a customer has the pseudonym of a published record with the same "
    "key.": "コンテストのサンプル攻撃 S1〜S6：提供データでキーが同じレコードの仮名を、その顧客の仮名とする。",
    "Log-likelihood ratio: how much more likely the pseudonym's purchases are from this customer than from "
    "the population.": "対数尤度比：仮名の購買が、母集団に比べてその顧客からどれだけ生じやすいか。",
    "Mean unit price of the period: the pseudonym whose mean price is nearest by ratio.": (
        "期間の平均単価：平均価格の比が最も近い仮名を選ぶ。"
    ),
    "Probability of each pseudonym of a period being a customer's, given which published records cover each "
    "known one.": "既知の各レコードを覆う提供データのレコードから求めた、期間の各仮名がその顧客のものである確率。",
    "Number of records of the period: the pseudonym whose number is nearest by ratio.": (
        "期間のレコード数：件数の比が最も近い仮名を選ぶ。"
    ),
    "Likelihood that the records of a customer, changed and partly deleted, became those of a pseudonym.": (
        "顧客のレコードが変更・一部削除されて、その仮名のレコードになった尤度。"
    ),
    "Repeat the steps of a release on the known records, and take the pseudonym whose records are most like "
    "the repeated ones.": (
        "加工のステップを既知のレコードで繰り返し、得られたレコードに最も似たレコードの仮名を選ぶ。"
    ),
    "Scoreboard: 1 / log(customers who have it) for every shared item; no answer where no customer stands "
    "out.": "スコアボード：共通の商品ごとに 1 / log(それを持つ顧客数) を加える。突出した顧客がいなければ答えない。",
    "Make releases of the known records with the known steps and seeds of one's own, and learn from those "
    "who is who.": "既知のステップと攻撃者自身の乱数シードで、既知のレコードから提供データを作り、誰が誰かを学習する。",
    "Cosine of TF-IDF vectors: how often items were bought, items that few customers have counting more.": (
        "TF-IDF ベクトルのコサイン類似度：商品の購入回数。少数の顧客しか買わない商品を重く見る。"
    ),
    "Tversky index of item sets: with little weight on what only the release has, added records hardly matter.": (
        "商品集合の Tversky 指数：提供データだけにある商品の重みを小さくし、追加されたレコードの影響を抑える。"
    ),
    "Online Retail of the UCI repository, read from a CSV or Parquet file: sales with a customer and a "
    "country.": "UCI リポジトリの Online Retail（CSV または Parquet ファイル）：顧客と国の分かる売り上げ。",
    "Synthetic purchases of wholesale customers over a year, with baskets, repeated purchases, seasonality "
    "and heavy tails.": "卸売の顧客の一年間の合成購買データ。買い物かご、繰り返し購入、季節性、裾の重い分布を持つ。",
    "icefire's own folder: original.*, master.*, published.*, secret*.csv, guess-*.csv, owners-*.csv and "
    "schema.toml.": (
        "icefire の作業フォルダ：original.*、master.*、published.*、secret*.csv、guess-*.csv、owners-*.csv、schem"
        "a.toml。"
    ),
    "The official files of 2017: M, T, AT, S, F, Fh (guesses) and the attackers' tables T25 to T100, without "
    "headers.": "2017 年の公式ファイル：M、T、AT、S、F、Fh（推定）と、攻撃者用の表 T25〜T100。見出し行なし。",
    "The official files of 2018: T, A, A' (as A1) and F' (guesses, as F1), without headers.": (
        "2018 年の公式ファイル：T、A、A'（A1）、F'（推定、F1）。見出し行なし。"
    ),
    "Share of all cells (customer and period) that were guessed right, DEL included: match / (d n).": (
        "正しく推定されたセル（顧客と期間、DEL を含む）の割合：match / (d n)。"
    ),
    "Share of existing pseudonyms (by customer and period) that were guessed right, whatever is guessed "
    "elsewhere.": "正しく推定された実在の仮名（顧客と期間）の割合。他のセルの推定は問わない。",
    "Extended month matching EMM: the largest MM(l), all cut from one guess made with all months.": (
        "拡張月別一致 EMM：全期間のデータによる一つの推定から計算した、最初の l か月の MM(l) の最大値。"
    ),
    "Share of pseudonyms whose claimed customer looks false: with owners exchanged, the records fit far "
    "better.": "申告された顧客が偽りと思われる仮名の割合。持ち主を入れ替えると、記録がはるかによく合う。",
    "Existing pseudonyms found, graded by the place of the right one: 1, 2/3, 1/3 for the first three.": (
        "正解の順位に応じて採点した、見破られた仮名の割合（1〜3 位：1、2/3、1/3）。"
    ),
    "Right answers divided by the number that makes a release unsafe: 1 or more means unsafe.": (
        "正解数 / 安全でないとみなす数。1 以上なら安全でない。"
    ),
    "The least number of pseudonyms that a customer may have in a period, and of published records a record "
    "may be behind.": "顧客が一つの期間に取りうる仮名の数と、レコードに対応しうる提供データのレコードの数の最小値。",
    "Month matching MM: max((match - del) / (d n - del), 0), with match and del counted over all cells.": (
        "月別一致 MM：max((match - del) / (d n - del), 0)。match と del は全セルで数える。"
    ),
    "Share of pseudonyms whose customer was named: the rate of PWSCUP 2016.": (
        "顧客を正しく推定された仮名の割合：PWSCUP 2016 の再識別率。"
    ),
    "Share of pseudonyms whose set of items is unique in the release: knowing the items is enough to find "
    "them.": "商品集合が提供データの中で一意な仮名の割合。商品が分かれば特定できる。",
    "User matching UM: share of customers whose cells are all right, DEL included: the contest of 2017.": (
        "利用者一致 UM：すべてのセル（DEL を含む）が正しい顧客の割合。2017 年のコンテスト。"
    ),
    "Share of the strongest pairs of items bought together that are not among the release's strongest.": (
        "一緒に買われる商品の最も強い組のうち、提供データの最も強い組に入らないものの割合。"
    ),
    "Total variation distance (0 to 1) between the distributions of basket sizes before and after.": (
        "加工前後の買い物かごの大きさの分布の全変動距離（0〜1）。"
    ),
    "Cell loss: 1 for a deletion, less for sets, intervals and false values; mean over date, item, price and "
    "quantity.": "セル損失：削除は 1、集合・区間・誤った値はそれより小さい値。日付・商品・価格・数量の平均。",
    "cMAE: mean price per customer, averaged by birth decade and country; mean absolute difference over "
    "those groups.": "cMAE：顧客ごとの平均価格を生年代と国で平均し、グループでの平均絶対差を求める。",
    "E4: days by which dates were moved, over 31 times the number of original records; of a span, its middle "
    "counts.": "E4：日付がずれた日数の合計 / (31 × 元のレコード数)。期間は中央で数える。",
    "Number of dummy records added, divided by the number of original records.": (
        "追加された疑似レコード数 / 元のレコード数。"
    ),
    "Item similarity: cosines of the top items' records by customer; mean absolute difference over pairs of "
    "items.": "商品の類似度：上位商品の顧客別レコードのコサイン類似度。商品の組での平均絶対差。",
    "Mean relative error of the sales (price times quantity) of each period; without prices, of the number "
    "of records.": "期間ごとの売り上げ（価格 × 数量）の平均相対誤差。価格がなければレコード数。",
    "E3 (items): share of the most popular items, by distinct users, that are not among the release's most "
    "popular.": "E3（商品）：利用者数で見た人気商品のうち、提供データの人気商品に入らないものの割合。",
    "E3 (similarity): how much the similarity of the most popular items has changed, going by who bought "
    "them at all.": "E3（類似度）：購入の有無で見た人気商品の類似度がどれだけ変わったか。",
    "E5: one minus the ratio of the smaller to the larger price, added up over kept records, per original "
    "record.": "E5：残ったレコードの 1 - (小さい価格 / 大きい価格) の合計を、元のレコード数で割った値。",
    "E1: how much the similarity of items by who buys many of them has changed.": (
        "E1：多く買う人から見た商品の類似度がどれだけ変わったか。"
    ),
    "RFM: recency (days), frequency (invoices) and monetary value per customer, averaged by birth decade and "
    "country.": "RFM：顧客ごとの最終購買日（日数）、頻度（伝票数）、金額を、生年代と国ごとに平均する。",
    "E6: share of the original records that were deleted.": "E6：削除された元のレコードの割合。",
    "E2: how much the similarity of items by who buys few of them has changed: total quantities up to 11.": (
        "E2：少なく買う人（合計数量 11 以下）から見た商品の類似度がどれだけ変わったか。"
    ),
    "Subsets: mean price among the customers who share an attribute of the master table; mean relative "
    "difference.": "部分集合：マスター表の属性が同じ顧客の平均価格。相対差の平均。",
    "Share of the top items, by sales, that are not among the release's top items.": (
        "売り上げ上位の商品のうち、提供データの上位に入らないものの割合。"
    ),
    "ut-il: 1 for a deletion, less for sets and intervals, 0 for any single value; mean over date, item, "
    "price and quantity.": (
        "ut-il：削除は 1、集合と区間はそれより小さい値、単一の値は 0。日付・商品・価格・数量の平均。"
    ),
    "UTL: the largest of the seven numbers E1 to E6, the loss by which the contest of 2017 ranked releases.": (
        "UTL：E1〜E6 の七つの値の最大値。2017 年のコンテストで順位を決めた損失。"
    ),
    "Histories of one's own: a folder with original.csv (and master.csv), or a file with its schema.": (
        "自分の履歴データ：original.csv（と master.csv）のあるフォルダ、またはファイルとそのスキーマ。"
    ),
    "Dummy records for clusters by k-means on the Jaccard or Euclidean distance of item sets, without weights.": (
        "重み付けしない商品集合の Jaccard 距離またはユークリッド距離による k-means のクラスタに、疑似レコードを加える。"
    ),
    "Make the item sets of a cluster alike by deleting or rewriting records, where Methods 1 and 2 add dummies.": (
        "クラスタ内の商品集合を、疑似レコードの追加（方式1、2）ではなく、レコードの削除や書き換えによって統一する。"
    ),
    "Mean Jaccard similarity of each customer's set of items before and after.": (
        "各顧客の加工前後の商品集合の Jaccard 係数の平均。"
    ),
    "Number of records that were added, deleted or given another item, divided by the number of original records.": (
        "追加、削除、商品の書き換えが行われたレコード数を、元のレコード数で割った値。"
    ),
    "The largest MM over windows of adjacent periods: the risk if a recipient uses those alone.": (
        "連続する期間の MM の最大値：提供先がその期間のデータだけを使う場合のリスク。"
    ),
    "Synthetic records of transport IC cards: rides by station, purchases by shop and amount, and charges.": (
        "交通 IC カードの人工データ：駅ごとの乗降、店舗と金額による購買、チャージ。"
    ),
    "Name the owner of each single record, by what it stands under and by what it says.": (
        "レコード一件ごとの持ち主を、付けられた仮名（またはその集合）とレコードの内容から推定する。"
    ),
    "Owners of records by somebody who knows the steps of the release and their parameters, so that nothing is learned.": (
        "加工のステップとパラメータを知る攻撃者が、学習をせずにレコードの持ち主を推定する。"
    ),
    "Share of a customer's other records that become theirs with certainty, for somebody who knows some of their records.": (
        "一部のレコードを知る攻撃者に、その顧客のものと確実に分かる他のレコードの割合。"
    ),
    "Share of the published records whose owner is named rightly.": (
        "提供されたレコードのうち、持ち主を正しく推定されたものの割合。"
    ),
}
