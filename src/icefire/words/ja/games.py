"""Contests from 2020 on: rules and messages of their games."""

TEXTS: dict[str, str] = {
    "the mean over the sets of (mean utility + what the strongest attack has left) / 2, 0 for a missing release; the largest "
    "wins": "（有用性の平均＋最強の攻撃の後に残った安全性）/ 2 の、データセットについての平均。未提出は 0（大きいほど上位）",
    "utility, 40 points for its first metric and 20 for each other, + anonymity: 100 x the share of members whom the best "
    "attacker has not found, less 1 for each further attacker who has found the same member; the largest wins": (
        "有用性（最初の指標が 40 点、他は各 20 点）＋匿名性（100 ×最強の攻撃者に見つからなかったメンバーの割合から、"
        "同じメンバーを見つけた攻撃者が一人増えるごとに 1 を引く）（大きいほど上位）"
    ),
    "the least of the metrics of utility and of what the strongest attacks have left; the largest wins": (
        "有用性の各指標と、最強の攻撃の後に残った安全性のうち、最も小さい値（大きいほど上位）"
    ),
    "the rule {!r} is for a single set with metrics of utility": (
        "規則 {} は、有用性の指標を持つデータセットが一つの場合に使います"
    ),
    "published.csv has {} rows: {} to {} are allowed": "published.csv は {} 行です。{} 行から {} 行までが認められます",
    "{} is missing": "{} がありません",
    "{}, line 1: the heading must be {}, not {}": "{} の 1 行目：見出しは {} でなければなりません（{} ではありません）",
    "{} has {} rows: {} are expected": "{} は {} 行です。{} 行が必要です",
    "{}, line {}: {} is outside of {}..{}": "{} の {} 行目：{} は {} から {} までの範囲にありません",
    "{}, line {}, {}: a whole number is expected": "{} の {} 行目、{}：整数が必要です",
    "the game {!r} is about synthetic tables: write kind = {!r}": (
        "競技 {} は合成データの競技です。kind = {} と書いてください"
    ),
    "the data lack the columns {}, which the game {!r} is about": "データに、競技 {1} に必要な列 {0} がありません",
    "{} has no value on this release, and {} is required": "{} はこのデータでは値がありません。{} が必要です",
    "{} has no value on this release, and it counts": "{} はこのデータでは値がなく、得点を計算できません",
    "attackers of the game {!r} all know the same: leave it out": (
        "競技 {} では攻撃者の知識は全員同じです。この項目は書かないでください"
    ),
    "Mean over columns of 1 minus the total variation distance, numbers in ten bins.": (
        "列ごとの分布の一致度（1－全変動距離）の平均。数値は 10 区間に分けます。"
    ),
    "1 minus the relative distance of the covariance matrices, texts as a column for each value.": (
        "1－共分散行列の相対的な差。文字列は値ごとの列に展開します。"
    ),
    "Share of the members for whom decision trees trained on the release and on the members agree, for the target on which "
    "they agree least.": (
        "匿名化データと元データで学習した決定木の予測が一致する人の割合。最も一致しない目的変数についての値です。"
    ),
    "Share of the rows named by the attacker that were in the sample.": "攻撃者が挙げた行のうち、標本に含まれていた割合。",
    "{} names a row twice: name {} different ones": "{} に同じ行が二度あります。異なる {} 行を挙げてください",
    "Largest difference of a share in the cross tables of each column with the diagnosis.": (
        "各列と診断とのクロス集計における割合の差の最大値。"
    ),
    "Mean difference of the odds ratios of a logistic regression of the diagnosis.": (
        "診断のロジスティック回帰のオッズ比の差の平均。"
    ),
    "Largest difference of two correlations, texts as a column for each value.": (
        "相関係数の差の最大値。文字列は値ごとの列に展開します。"
    ),
    "The most that a row was changed: years, BMI or number of other cells.": (
        "行の変更の最大値：年齢の差、BMI の差、他の変更セル数のうち最大のもの。"
    ),
    "Share of the rows that were deleted.": "削除された行の割合。",
    "Share of the original rows that are left and unique, numbers in tens.": (
        "元の行のうち、削除されずに残り、かつ一意な行の割合。数値は 10 単位で丸めます。"
    ),
    "Recall times precision of who is still there, times the share of those whose row is among three named.": (
        "残っている人の推定の再現率×適合率×挙げた三行に本人の行が含まれる割合。"
    ),
    "deleted.csv is missing: list the rows that were deleted under the heading row": (
        "deleted.csv がありません。削除した行の番号を、見出し row の下に書いてください"
    ),
    "deleted.csv lists a row twice": "deleted.csv に同じ行が二度あります",
    "published.csv has {} rows, and deleted.csv leaves {}: publish what is left, in its order": (
        "published.csv は {} 行ですが、deleted.csv によれば {} 行が残ります。残った行を元の順に書いてください"
    ),
    "published.csv has empty cells": "published.csv に空のセルがあります",
    "{} names row 0: rows count from 1, and -1 means that somebody's row was deleted": (
        "{} に 0 行目があります。行は 1 から数え、-1 はその人の行が削除されたことを表します"
    ),
    "1 minus the mean, over columns, of the total variation distance of their values.": "1－各列の分布の全変動距離の平均。",
    "1 minus the largest difference of two correlations, texts as a column for each value.": (
        "1－相関係数の差の最大値。文字列は値ごとの列に展開します。"
    ),
    "1 minus the largest difference of an odds ratio of the diagnosis, at least 0.": (
        "1－診断のオッズ比の差の最大値（0 を下回らない）。"
    ),
    "1 minus the mean difference of the odds ratios of the diagnosis, at least 0.": (
        "1－診断のオッズ比の差の平均（0 を下回らない）。"
    ),
    "Points for naming those who are there: (2X - Z) / X of Z people named, X of them rightly, at least 0.": (
        "含まれる知人を挙げた得点：Z 人を挙げて X 人が正しいとき (2X－Z) / X（0 を下回らない）。"
    ),
    "commands.csv, line {}: there is no operator {!r}: choose among {}": (
        "commands.csv の {} 行目：{} という操作はありません。次から選んでください：{}"
    ),
    "commands.csv, line {}: {} needs a number, not {!r}": (
        "commands.csv の {} 行目：{} には数が必要です（{} は数ではありません）"
    ),
    "no row is left after these commands": "これらの操作の後には一行も残りません",
    "commands.csv is missing": "commands.csv がありません",
    "commands.csv, line 1: the heading must be {}, not {}": (
        "commands.csv の 1 行目：見出しは {} でなければなりません（{} ではありません）"
    ),
    "commands.csv has {} commands: 1 to {} are allowed": "commands.csv の操作は {} 個です。1 個から {} 個までが認められます",
    "{} of {} rows are left: at least half of them are needed": "残る行は {} 行（全 {} 行）です。半分以上を残してください",
    "commands.csv: there is no column {!r}": "commands.csv：{} という列はありません",
    "commands.csv: {} works on columns of numbers: {}": "commands.csv：{} は数値の列に使います：{}",
    "commands.csv: the epsilon of noise has to be above 0": "commands.csv：ノイズの ε は 0 より大きい数にしてください",
    "Share of all cells, public and secret, that are published as they are.": (
        "公開部分と秘密部分のセルのうち、そのまま公開された割合。"
    ),
    "Share of the secret digits that the attacker says rightly.": "秘密の数字のうち、攻撃者が正しく答えた割合。",
    "seed.txt must hold the seed alone, a whole number of at most {} digits: the judge checks it": (
        "seed.txt には、シードとして {} 桁以内の整数だけを書いてください。審判が確認します"
    ),
    "seed.txt: versions of Ruby draw different digits from {}: choose a seed below {} or from {} on": (
        "seed.txt：シード {} から作られる数字は、Ruby のバージョンによって異なります。"
        "{} 未満または {} 以上のシードを選んでください"
    ),
    "{} has {} lines: {} are expected, without a heading": "{} は {} 行です。見出しなしで {} 行が必要です",
    "{}, line {}: {} digits with commas between are expected, found {!r}": (
        "{} の {} 行目：コンマ区切りの数字 {} 個が必要ですが、{} がありました"
    ),
    "1 minus the mean difference of the counts of two columns over twice the rows, for the worst two of the worst part.": (
        "1－二列のクロス集計の度数の差の平均÷（2×行数）。最も悪い部分の、最も悪い二列についての値です。"
    ),
    "Share of right answers to 100 questions: 50 names and 50 ratings.": "100 問（名前 50 問、評価 50 問）の正解率。",
    "part{}.csv has {} rows: {} are expected": "part{}.csv は {} 行です。{} 行が必要です",
    "1 minus the largest difference of a statistic of numbers, a share of texts or a correlation.": (
        "1－数値の統計量、文字列の割合、相関係数の差の最大値。"
    ),
    "How far the intervals of the coefficients of the regression of asthma overlap, on the mean.": (
        "喘息の回帰係数の信頼区間が重なる割合の平均。"
    ),
    "Share of the rank tests of numbers by groups that say the same of the release.": (
        "群ごとの数値の順位検定のうち、匿名化データでも同じ結論になる割合。"
    ),
    "Share of the members whose stroke the model predicts rightly.": "モデルが脳卒中の有無を正しく予測したメンバーの割合。",
    "Share of the members who are found.": "見つけられたメンバーの割合。",
    "model.json must predict {}, not {}": "model.json は {} を予測するモデルでなければなりません（{} ではありません）",
    "{} has {} ones: exactly {} are expected": "{} の 1 は {} 個です。ちょうど {} 個が必要です",
    "The lesser of two: 1 minus the mean distance of distributions, and of correlations.": (
        "分布の一致度の平均と、相関係数の一致度の平均のうち、小さいほう。"
    ),
    "The lesser of two: agreement of the survival curves, and of the intervals of hazard ratios.": (
        "生存曲線の一致度と、ハザード比の信頼区間の一致度のうち、小さいほう。"
    ),
    "The same people of the rare type: their share, and the distributions of their values.": (
        "希少な型の人の再現度：その割合の一致度と、値の分布の一致度のうち、小さいほう。"
    ),
    "Share of the rows that are no copies: neither of each other nor of somebody in the cohort.": (
        "重複していない行の割合。他の行とも、元のコホートの人とも一致しない行を数えます。"
    ),
    "Share of the cohort found while 1 in 100 of the others is accused.": (
        "含まれない人の 100 人に 1 人を誤って挙げるときに、見つけられるメンバーの割合。"
    ),
    "The same among people of the rare type.": "希少な型の人についての同じ割合。",
    "Share of the event times that are right to half a year.": "発症・死亡の時期のうち、誤差が半年以内の割合。",
    "{} must have {} rows under the heading {}; found {} rows": "{} は、{} 行と見出し {} が必要です（{} 行でした）",
    "{}, line {}: a number is expected": "{} の {} 行目：数が必要です",
    "an answer is {}, {} or both": "回答は {}、{}、またはその両方です",
    "there is nobody of this type to find": "この型の人がいないため、値がありません",
    "no event happens in the release": "匿名化データに発症も死亡もありません",
    "{} has {} people: draw fewer than that, so that some are no members": (
        "{} には {} 人しかいません。含まれない人が残るよう、それより少ない人数を抽出してください"
    ),
    "People of one's own for synthetic tables: a folder with original.csv (and control.csv), or a file with its schema.": (
        "手元の人のデータ（合成データ用）：original.csv（と control.csv）のフォルダ、またはファイルとそのスキーマ。"
    ),
    "Patients of a region, with encounters, treatments and diagnoses, of whom a share is sampled.": (
        "ある地域の患者（受診、処置、診断）。その一部を標本とする。"
    ),
    "A population as of a census, of which a share is sampled.": "国勢調査のような母集団。その一部を標本とする。",
    "Health check-ups of adults, with a diagnosis of diabetes that depends on the other columns.": (
        "成人の健康診断。糖尿病の診断は他の列に依存する。"
    ),
    "Ratings of 46 films, 1 to 5 and 0 for those not seen, with name, gender, age, occupation and postal code of people.": (
        "46 本の映画の評価（1 から 5、見ていないものは 0）と、各人の名前、性別、年齢、職業、郵便番号。"
    ),
    "Rows of random digits, of which the first columns are public and the last ones secret.": (
        "乱数の数字の行。前の列は公開、後の列は秘密である。"
    ),
    "A cohort followed for ten years: tests at the beginning, onset of diabetes or death, and when; few have a rare type.": (
        "十年間追跡したコホート：初回の検査値、糖尿病の発症または死亡とその時期。少数の人は希少な型である。"
    ),
}
