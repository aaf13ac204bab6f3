"""What methods for synthetic tables do, in a line."""

TEXTS: dict[str, str] = {
    "Infer the hidden value that the model which was handed out predicts.": (
        "提供されたモデルの予測を、隠された値と推定する。"
    ),
    "Name those whom the model that was handed out fits better than a model of others does: it was trained on the members.": (
        "他の人で学習したモデルより、提供されたモデルがよく当てはまる人を名指しする（モデルは元データで学習されている）。"
    ),
    "Anonymize the members' rows by steps for microdata, and throw away whose row is whose.": (
        "元データの行をミクロデータ用のステップで加工し、どの行が誰のものかの対応を捨てる。"
    ),
    "Infer how probable each hidden value is: its share among the released rows that have the same known values (CAP).": (
        "知っている値が同じ提供データの行に占める割合から、隠された各値の確率を推定する（CAP）。"
    ),
    "Share of the confidence intervals of regression coefficients that the members and the release do not have in common.": (
        "元データと提供データの回帰係数の信頼区間が重ならない割合。"
    ),
    "Share of the confidence intervals of odds ratios that the members and the release do not have in common.": (
        "元データと提供データのオッズ比の信頼区間が重ならない割合。"
    ),
    "Share of the confidence intervals of hazard ratios (Cox) that the members and the release do not have in common.": (
        "元データと提供データのハザード比（Cox 回帰）の信頼区間が重ならない割合。"
    ),
    "Mean absolute gap between the survival curves (Kaplan-Meier) of the members and the release, up to the last event.": (
        "元データと提供データの生存曲線（カプラン・マイヤー法）の差の絶対値の、最後のイベントまでの平均。"
    ),
    "Draw one column after the other: each by a decision tree of those before it, from members in the same leaf (synthpop).": (
        "一列ずつ順に生成する。前の列による決定木で、同じ葉に入る元データの人の値を選ぶ（synthpop と同様）。"
    ),
    "Infer hidden values by gradient-boosted trees that were trained on the release.": (
        "提供データで学習した勾配ブースティング木で、隠された値を推定する。"
    ),
    "icefire's own folder: original.* (the members), control.*, population.*, published.*, guess-*.csv and schema.toml.": (
        "icefire 独自のフォルダ：original.*（元データに含まれる人）、control.*、population.*、published.*、guess-*.csv、"
        "schema.toml。"
    ),
    "Draw rows from a multivariate normal distribution with the members' rank correlations, and take their values by rank.": (
        "元データの順位相関を持つ多変量正規分布から行を生成し、順位に応じた値を与える（ガウスコピュラ）。"
    ),
    "Predicates of one column that one released row fulfils: a value that occurs once, the least, the greatest, a gap.": (
        "提供データの一行だけに当てはまる、一つの列の述語：一度だけ現れる値、最小値、最大値、欠損。"
    ),
    "Name those whose rare values, exactly as they are, stand in the release: the sum of the log likelihood ratios.": (
        "珍しい値がそのまま提供データに現れる人を名指しする（対数尤度比の和）。"
    ),
    "Name those whose values, in sets of a few columns, are over-represented in the release: the sum of the log ratios.": (
        "数列の値の組み合わせが提供データに多く現れる人を名指しする（対数比の和）。"
    ),
    "Infer the hidden value that the nearest released rows have, by the columns that are known.": (
        "知っている列で最も近い提供データの行の値を、隠された値と推定する。"
    ),
    "Draw rows from a Bayesian network in which each column depends on one other, the tree that tells most.": (
        "各列が他の一列に依存するベイジアンネットワーク（相互情報量が最大の木）から行を生成する。"
    ),
    "Mean, over pairs of numeric columns, of the absolute difference between the correlations of the members and the "
    "release.": "元データと提供データの相関係数の差の絶対値の、数の列の組についての平均。",
    "How much more often a predicate is fulfilled by one member alone than by one of as many others, of what is left.": (
        "述語に当てはまる人が元データで一人だけである割合が、同数の対照群での割合をどれだけ上回るか（残りに対する比）。"
    ),
    "How often a member is more suspicious than somebody who is none (area under the ROC curve); 0.5 is chance.": (
        "元データに含まれる人が、含まれない人より疑わしいとされる割合（ROC 曲線の下の面積）。0.5 は偶然と同じ。"
    ),
    "Link rows of two data sets, each with one half of the columns, if they are nearest to the same released row.": (
        "列を半分ずつ持つ二つのデータの行を、同じ提供データの行に最も近ければ結び付ける。"
    ),
    "Draw rows of the members with replacement: they are no synthetic people, and everybody who is drawn is found.": (
        "元データの行を復元抽出する。実在の人の行であり、選ばれた人は全員特定される。"
    ),
    "Draw every column by itself from counts with Laplace noise (differential privacy).": (
        "ラプラスノイズを加えた度数から、列ごとに独立に生成する（差分プライバシー）。"
    ),
    "Draw every column by itself from the members' values: distributions stay, and no relation of columns does.": (
        "元データの値から列ごとに独立に抽出する。分布は残り、列の間の関係は残らない。"
    ),
    "Infer the most probable hidden value by Bayes' rule, from how often it goes with each known value in the release.": (
        "提供データで知っている値と共に現れる頻度から、ベイズの定理で最も確からしい隠された値を推定する。"
    ),
    "Keep each cell with a probability, else take any other value of its domain (local differential privacy).": (
        "ある確率でセルを残し、それ以外は定義域の他の値を選ぶ（局所差分プライバシー）。"
    ),
    "Name those who are more likely under the release than among all candidates (DOMIAS), both as trees of columns.": (
        "候補者全体より提供データでの尤度が高い人を名指しする（DOMIAS）。どちらも列の木で表す。"
    ),
    "Name candidates at random: what chance finds.": "候補者を無作為に名指しする。偶然の結果を示す。",
    "Predicates of several columns, drawn from released rows, that one released row alone fulfils.": (
        "提供データの行から作った、一行だけに当てはまる複数の列の述語。"
    ),
    "How much accuracy a classifier loses on the control group if it is trained on the release instead of the members.": (
        "元データの代わりに提供データで学習した分類器が、対照群で失う正解率。"
    ),
    "Share of the members who are named while hardly any of the others is: by default, at most 1 in 100.": (
        "元データに含まれない人をほとんど名指しせずに（既定では100人に1人まで）、含まれる人を名指しできた割合。"
    ),
    "Share of the members minus share of the others among the most suspicious, of whom as many are named as there are "
    "members.": "最も疑わしい人を元データの人数だけ名指ししたときの、元データの人が含まれる割合と他の人が含まれる割合の差。",
    "Name those who are nearest to a released row (Gower's distance).": (
        "提供データの行に最も近い人を名指しする（Gower の距離）。"
    ),
    "Draw rows from a tree of columns chosen and counted with differential privacy (as MST does).": (
        "差分プライバシーの下で選び、数えた列の木から行を生成する（MST と同様）。"
    ),
    "Mean, over pairs of columns, of the total variation distance between the cross tables of the members and the release.": (
        "元データと提供データのクロス集計の全変動距離の、列の組についての平均。"
    ),
    "How much more often two data sets about members are linked through the release than about others, of what is left.": (
        "二つのデータが提供データを通じて結び付く割合が、元データの人では他の人よりどれだけ高いか（残りに対する比）。"
    ),
    "Mean, over columns, of the total variation distance between the distributions of the members and the release.": (
        "元データと提供データの分布の全変動距離の、列についての平均。"
    ),
    "Make releases of random halves of the candidates with the known steps, and learn from them how members stand out.": (
        "候補者の無作為な半数から既知のステップで提供データを作り、含まれる人がどう目立つかを学習する。"
    ),
    "Synthetic patients of one population: members of a study, others as control, and a few who differ from all.": (
        "一つの母集団の架空の患者：研究の対象者、対照群、そして誰とも異なる少数の人。"
    ),
    "How much more often hidden values of members are inferred than those of others, of what is left to infer.": (
        "隠された値を正しく推定できる割合が、元データの人では他の人よりどれだけ高いか（残りに対する比）。"
    ),
    "Share of the members with a value of whom it becomes certain, beyond the others with that value; the worst value.": (
        "ある値を持つ人のうち、その値が確実に分かる人の割合が、元データにない人での割合をどれだけ上回るか（最悪の値）。"
    ),
    "Read the hidden columns of the released rows that are like a person, weighted by how much they are.": (
        "その人と似た提供データの行を類似度で重み付けし、隠された列の値を推定する。"
    ),
    "Share of the hidden values of members that are guessed right; the mean over the columns.": (
        "元データの人の隠された値を正しく推定できた割合（列ごとの割合の平均）。"
    ),
    "Share of the hidden values of members that are guessed right, each by 1 over the number of members who have it.": (
        "元データの人の隠された値を正しく推定できた割合。各値をそれを持つ人数の逆数で重み付けする。"
    ),
}
