"""What methods for microdata do, in a line."""

TEXTS: dict[str, str] = {
    "k-concealment: each person may be behind at least k published rows, without groups.": (
        "k-秘匿：グループを作らずに、各人が提供データの k 行以上の候補になる。"
    ),
    "Leave out whole columns.": "列を丸ごと除く。",
    "Leave out the rows of small QI classes, or those with the most extreme amounts, or both.": (
        "準識別子の小さいクラスの行、または数値が最も極端な行、あるいはその両方を除く。"
    ),
    "Replace the values of columns by a level of a hierarchy.": "列の値を階層のあるレベルに置き換える。",
    "Choose one level of each column's hierarchy for the whole table, and drop the rows that stay too rare.": (
        "列ごとに階層のレベルを一つ選んで表全体に適用し、なお少数の行を除く。"
    ),
    "k-member clustering: clusters of k rows, each row joining where the cluster's cells grow least.": (
        "k-member クラスタリング：k 行のクラスタを作り、各行をセルの広がりが最小のクラスタに加える。"
    ),
    "MDAV: form groups of k similar rows and replace amounts by their group's mean.": (
        "MDAV：似た k 行のグループを作り、数値をグループの平均に置き換える。"
    ),
    "Cut the table in two along its widest column until no part can be cut any more (local recoding).": (
        "最も幅の広い列で表を二つに切ることを、切れなくなるまで繰り返す（局所的再符号化）。"
    ),
    "Add a random error to amounts, or multiply them by a random factor.": (
        "数値に無作為な誤差を加えるか、無作為な係数を掛ける。"
    ),
    "Post-randomization: each value is kept with some probability and otherwise redrawn from its column.": (
        "PRAM（事後ランダム化）：値をある確率で残し、それ以外は列の分布から引き直す。"
    ),
    "Draw rows at random: some people vanish and, with replacement, some appear more than once.": (
        "行を無作為に抽出する。消える人がいて、復元抽出では二度以上現れる人もいる。"
    ),
    "Round amounts to the nearest multiple of a base.": "数値を、ある単位の最も近い倍数に丸める。",
    "Exchange values between people of similar rank, column by column.": (
        "列ごとに、順位の近い人どうしで値を入れ替える。"
    ),
    "Replace amounts beyond a bound by the bound.": "限度を超える数値を限度に置き換える。",
    "Use published columns that are not known: learn from the release how they go with those that are.": (
        "提供データの、攻撃者の知らない列を使う。既知の列との関係を提供データ自体から学習する。"
    ),
    "Take the nearest original row: Euclidean over standardized numbers, 0 or 1 for each category.": (
        "最も近い元の行を選ぶ。標準化した数値のユークリッド距離と、カテゴリごとの 0 または 1。"
    ),
    "Pick at random among the original rows that agree on all QI (that lie in its cells, where they are "
    "generalized).": "準識別子がすべて一致する（一般化されていればセルに含まれる）元の行から無作為に選ぶ。",
    "Among the original rows that agree on all QI take the one nearest in one amount.": (
        "準識別子がすべて一致する元の行のうち、一つの数値が最も近い行を選ぶ。"
    ),
    "Take the row that makes the published one most likely, given the steps of the release and their "
    "parameters.": "加工のステップとパラメータから見て、提供データの行になった可能性が最も高い元の行を選ぶ。",
    "Among the rows that fit the QI cells best take the one nearest in all sensitive columns together.": (
        "準識別子のセルに最もよく合う行のうち、すべての機微属性が全体として最も近い行を選ぶ。"
    ),
    "Learn which columns the defender hardly touched, and let those decide.": (
        "加工がほとんど及んでいない列を学習し、その列で判断する。"
    ),
    "Probability of each person being behind each row that covers them, if all assignments to rows are "
    "equally likely.": "行へのすべての割り当てが等確率のとき、各人が、自分を覆う各行の本人である確率。",
    "Ask which people's values can become exactly the published bits.": (
        "どの人の値なら提供データの数値と最後のビットまで一致しうるかを調べる。"
    ),
    "Compare ranks instead of amounts: each number becomes its rank within its own table.": (
        "数値の代わりに、それぞれの表の中での順位を比べる。"
    ),
    "Repeat the random steps of a release on the known people, and take whose repeated rows are most like "
    "the published one.": (
        "乱数を使う加工のステップを既知の人のデータで繰り返し、得られた行が提供データの行に最も似ている人を選ぶ。"
    ),
    "Rank both tables by one amount, and stretch the ranks where rows were dropped.": (
        "両方の表を一つの数値で順位付けし、行が除かれた分だけ順位を引き延ばす。"
    ),
    "Make releases of the known rows with the known steps and seeds of one's own, and learn from those who "
    "is who.": "既知のステップと攻撃者自身の乱数シードで、既知の行から提供データを作り、誰が誰かを学習する。",
    "Rank both tables by the sum of their sensitive amounts; equal ranks are taken for the same person.": (
        "両方の表を機微属性の数値の合計で順位付けし、同じ順位を同じ人とみなす。"
    ),
    "Households with 14 quasi-identifiers and 11 amounts (income and ten kinds of spending), or 183 in detail.": (
        "準識別子 14 列と金額 11 列（収入と 10 種類の支出。詳細版は 183 列）を持つ世帯データ。"
    ),
    "icefire's own folder: original.*, published.*, secret.csv, guess-*.csv and schema.toml.": (
        "icefire の作業フォルダ：original.*、published.*、secret.csv、guess-*.csv、schema.toml。"
    ),
    "(alpha, k)-anonymity: the largest share of one sensitive value in a class, which is what can be said of "
    "its people.": (
        "(alpha, k)-匿名性：クラス内で一つの機微属性値が占める割合の最大値。そのクラスの人の値を推定できる確率。"
    ),
    "What a release tells about a sensitive value of the people in it, beyond what it tells about people who "
    "are not.": "提供データから、その中の人の機微属性値がどれだけ分かるか。含まれない人についても分かる分は差し引く。",
    "Beta-likeness: by how much a sensitive value is at most more frequent in a class than in the whole "
    "table, relatively.": (
        "Beta-likeness：機微属性値の頻度が、表全体に比べてクラス内で最大どれだけ（相対的に）高いか。"
    ),
    "Delta-disclosure: the largest |log(share in a class / share in the whole table)| of a sensitive value.": (
        "Delta-disclosure：機微属性値の |log(クラス内の割合 / 表全体の割合)| の最大値。"
    ),
    "Delta-presence: the largest probability of being in the release, of a person of the population whose QI "
    "are known.": "Delta-presence：準識別子の知られた母集団の人が、提供データに含まれている確率の最大値。",
    "Distinct l-diversity: the smallest number of different sensitive values in a class.": (
        "Distinct l-多様性：クラス内の機微属性値の種類の最小数。"
    ),
    "Entropy l-diversity: exp of the smallest entropy of sensitive values in a class.": (
        "Entropy l-多様性：クラス内の機微属性値のエントロピーの最小値の exp。"
    ),
    "Share of rows with a household risk above a threshold: the probability that some member of it is "
    "re-identified.": "世帯リスク（世帯の誰かが再識別される確率）がしきい値を超える行の割合。",
    "Share of rows with an individual risk above a threshold: the expectation of 1/F, estimated by sampling "
    "weights.": "個人リスク（標本の重みで推定した 1/F の期待値）がしきい値を超える行の割合。",
    "Share of rows with a journalist risk above a threshold: 1/F, F being the number of people in the "
    "population who fit.": "ジャーナリストリスク 1/F（F は母集団の該当者数）がしきい値を超える行の割合。",
    "S1: the smallest number of published rows that share one combination of QI. A missing value is a value.": (
        "S1：提供データで準識別子の組み合わせが同じ行の数の最小値。欠損も一つの値とする。"
    ),
    "S2: number of published rows / number of different combinations of QI.": (
        "S2：提供データの行数 / 準識別子の組み合わせの種類数。"
    ),
    "The least number of matches: published rows that a person may be behind in some assignment of all "
    "persons.": "候補数（全員の割り当てのいずれかで、その人のものでありうる提供データの行の数）の最小値。",
    "k-map: the smallest number of people of the population who fit the QI cells of a published row.": (
        "k-map：提供データの各行の準識別子に該当する母集団の人数の最小値。"
    ),
    "Estimated share of people whose QI are unique in the population of which the table is a sample.": (
        "表が標本である場合に、準識別子が母集団で一意な人の割合の推定値。"
    ),
    "Share of rows with a prosecutor risk above a threshold: 1/f, f being the number of rows with the same "
    "QI.": "プロセキューターリスク 1/f（f は準識別子が同じ行数）がしきい値を超える行の割合。",
    "re-id: share of published rows whose original row the guess names. `found` is the number of rows.": (
        "re-id：元の行を正しく推定された、提供データの行の割合。`found` は行数。"
    ),
    "Recursive (c, l)-diversity: the largest r_1 / (r_l + ... + r_m) of a class; the release has it for any "
    "larger c.": (
        "Recursive (c, l)-多様性：クラスの r_1 / (r_l + ... + r_m) の最大値。これより大きい c で満たされる。"
    ),
    "Share of rows that are unique on a few QI columns: special uniques, which stay risky if only some QI are known.": (
        "少数の準識別子の列だけで一意になる行の割合（特殊一意）。準識別子の一部しか知られなくても危険が残る。"
    ),
    "t-closeness: the largest earth mover's distance between a class' sensitive values and the whole table's.": (
        "t-近接性：クラスの機微属性値と表全体の分布の、earth mover 距離の最大値。"
    ),
    "Share of published rows whose combination of QI is unique; the detail has the original's share.": (
        "提供データで準識別子の組み合わせが一意な行の割合。詳細に元データの割合を示す。"
    ),
    "Estimated share of rows whose declared owner is false: the cheat that leaves the table as it is and "
    "lies about it.": (
        "行番号対応表が別人を指していると推定される行の割合。ほとんど加工せずに対応表を偽る、"
        "コンテストでの不正を検知する。"
    ),
    "U4: how far the correlations of sensitive amounts have moved, on average over all pairs.": (
        "U4：機微属性の数値どうしの相関が、平均してどれだけ変わったか。"
    ),
    "How much is unknown of a QI value (entropy in bits), given its published cell, on average.": (
        "提供データのセルから元の準識別子の値を知るのに、平均して何ビット足りないか（エントロピー）。"
    ),
    "LM: how wide QI cells are, relative to the range of their column, on average.": (
        "LM：準識別子のセルの平均の広さ（列の範囲に対する比）。"
    ),
    "U1: how far the averages of the sensitive amounts have moved, on average.": (
        "U1：機微属性の数値の平均が、平均してどれだけ変わったか。"
    ),
    "Relative error of the odds ratio: odds of a case among the exposed / odds among the others.": (
        "オッズ比の相対誤差：曝露群の症例のオッズ / 非曝露群のオッズ。"
    ),
    "Relative error of the relative risk: P(case given exposed) / P(case given not exposed).": (
        "相対リスクの相対誤差：P(症例 | 曝露) / P(症例 | 非曝露)。"
    ),
    "U6: by how much the number of rows differs.": "U6：行数がどれだけ違うか。",
    "Replace as few QI cells as possible by `*` so that at least k rows share every combination of QI cells.": (
        "準識別子の組み合わせが k 行以上で共通になるように、できるだけ少ないセルを `*` に置き換える。"
    ),
    "U3: how far the number of rows of a group has moved, on average over the groups of the original.": (
        "U3：グループの行数が、平均してどれだけ変わったか。"
    ),
    "U2: how far the average of an amount in a group has moved, on average over the groups of the original.": (
        "U2：グループごとの数値の平均が、平均してどれだけ変わったか。"
    ),
    "U5: how far cells are from the original ones, relative to the range of their column, on average.": (
        "U5：セルが元の値から平均してどれだけ離れたか（列の範囲に対する比）。"
    ),
    "A table of one's own: a folder as `icefire init` makes it, or a file with its schema.": (
        "自分の表：`icefire init` が作るフォルダ、またはファイルとそのスキーマ。"
    ),
    "Expected share of rows that are found by guessing within their class: number of QI combinations / "
    "number of rows.": (
        "同値類の中から無作為に推測したときに特定される行の割合の期待値：準識別子の組み合わせの数 / 行数。"
    ),
    "Chance that a recipient knows somebody in the data and singles that person out: the Dunbar-number attacker.": (
        "提供先の人がデータ中の誰かの知人であり、その人を特定する確率（ダンバー数モデルの攻撃者）。"
    ),
    "Cost of a design of k-concealment: the sum of the distances of its edges, which join rows with "
    "people they may belong to.": ("k-秘匿の設計図のコスト：行と、その行に対応しうる人とを結ぶ辺の距離の総和。"),
    "Read the hidden columns of all rows, weighted by how likely each is a person's, and of rows that are like them.": (
        "各行がその人のものである確率と、その人との類似度で重み付けした行から、隠された列の値を推定する。"
    ),
    "Share of the values of hidden sensitive columns that are guessed right; the mean over the columns.": (
        "隠された機微属性の値を正しく推定できた割合（列ごとの割合の平均）。"
    ),
    "Share of hidden sensitive values that are guessed right, each by 1 over the number of people who have it.": (
        "隠された機微属性の値を正しく推定できた割合。各値をそれを持つ人数の逆数で重み付けする。"
    ),
    "How much of what each column says of a person is left in its published cells, on average.": (
        "各列が本人について持つ情報のうち、提供されるセルに残っている割合の平均。"
    ),
    "Share of the holders of a value of whom it becomes certain by the release; the worst value of all hidden columns.": (
        "ある値を持つ人のうち、提供データによってその値であると確実に分かる人の割合。すべての列の中で最も悪い値。"
    ),
    "How far the mean of an amount in a group has moved, relative to the mean of all people.": (
        "グループ別の平均が、全体の平均に対してどれだけ変わったか。"
    ),
    "Read the hidden columns of the rows that a person is likely to be, given the steps of the release.": (
        "加工のステップから本人のものと考えられる行を求め、その行の知らない列を読みます。"
    ),
    "Share of the people who stand in another cell of a table of two columns, on average.": (
        "二つの列のクロス集計で、別のセルに数えられる人の割合の平均。"
    ),
    "Read the hidden columns of the published rows that may be a person's.": (
        "本人の可能性がある行の、知らない列を読みます。"
    ),
    "Share of the coefficients of a regression that stay within their interval of 95%.": (
        "回帰係数のうち、元の 95% 信頼区間に収まるものの割合。"
    ),
    "Name the person who is most likely behind each row, going by all releases of the same people together.": (
        "同じ人々の加工データをすべて合わせ、各行に最も当てはまる人を答える。"
    ),
}
