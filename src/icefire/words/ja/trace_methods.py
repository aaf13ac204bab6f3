"""What methods for trace do, in a line."""

TEXTS: dict[str, str] = {
    "At each time, publish all users in a block of regions at the block's region of least total distance to "
    "them.": "時刻ごとに、ブロック内の利用者全員を、距離の合計が最小の地域として提供する。",
    "Move each trace towards the habits of another user and away from its owner's, as far as the utility "
    "allows.": "有用性の許す限り、各軌跡を本人の習慣から遠ざけ、別の利用者の習慣に近づける。",
    "k-ary randomized response: keep a region with probability e^epsilon / (e^epsilon + m - 1), else take "
    "any other.": "k-ary ランダム応答：確率 e^epsilon / (e^epsilon + m - 1) で地域を残し、それ以外は他の地域を選ぶ。",
    "Group k users who visit similar places, and publish one region for all of them as long as the utility "
    "lasts.": "似た場所を訪れる利用者を k 人ずつまとめ、有用性の許す限り全員に一つの地域を提供する。",
    "Merge blocks of 2^x by 2^y regions into sets, and delete cells with a probability.": (
        "2^x × 2^y の地域のブロックを集合にまとめ、ある確率でセルを削除する。"
    ),
    "Planar Laplace: move each cell by geo-indistinguishable noise of epsilon = level / radius (kilometres).": (
        "平面ラプラス：epsilon = level / radius（キロメートル）の geo-indistinguishability のノイズでセルを動かす。"
    ),
    "Move visits to sensitive regions to a random one of the nearest other regions that are at least some "
    "kilometres away.": "機微な地域への訪問を、一定のキロメートル以上離れた最も近い地域のいずれかに無作為に移す。",
    "Permute whole traces among a share of the users: safe from identification, and not from anything else.": (
        "利用者の一部で軌跡全体を入れ替える。識別には安全だが、それ以外には安全でない。"
    ),
    "Nearest vectors log(1 + visits), reference visits spread over 3 x 3 regions: the winning idea of PWS Cup 2019.": (
        "log(1 + 訪問回数) のベクトルの最近傍。参照の訪問は 3 × 3 の地域に広げる。PWS Cup 2019 の優勝チームの着想。"
    ),
    "Invert `decoys(randomized=false)`: find the users and the places for which the published cells are "
    "optimal.": "`decoys(randomized=false)` を逆算し、提供データのセルが最適になる利用者と場所を求める。",
    "Users who make the published cells most likely, given how `decoys(randomized=true)` draws them; places "
    "by Bayes' rule.": (
        "`decoys(randomized=true)` の選び方のもとで、提供データのセルが最も生じやすい利用者。場所はベイズの定理で求める。"
    ),
    "Posterior decoding over all regions: where a user goes next follows the population's moves and the "
    "user's habits.": "全地域の事後確率による復号：次の場所は、母集団の移動と本人の習慣に従う。",
    "HomeProb: log-likelihood of the first published events of each day (8:00 to 8:59), when people are at "
    "home.": "HomeProb：人が自宅にいる時間帯（各日 8:00〜8:59）のイベントの対数尤度。",
    "Users whose habits, sent through the known steps, make the published cells most likely; places by Bayes' rule.": (
        "既知のステップを通した習慣から、提供データのセルが最も生じやすい利用者。場所はベイズの定理で求める。"
    ),
    "Pair the traces that `merge_similar(k=2)` merged, and find the pairs of users who make both likeliest.": (
        "`merge_similar(k=2)` が統合した軌跡を二つずつ組にし、両方を最も生じやすくする利用者の組を求める。"
    ),
    "One minus the Jensen-Shannon divergence (in bits) between the distributions of visits over regions.": (
        "1 - 地域別の訪問分布の Jensen-Shannon 情報量（ビット）。"
    ),
    "Users whose known points are nearest to the published cells of the same times: for attackers who were "
    "there.": "既知の点が同じ時刻の提供データのセルに最も近い利用者。その場にいた攻撃者用。",
    "A user's usual region of that time of day where it was seen often enough, else the published cell.": (
        "時間帯ごとに、十分に観測されていれば本人のいつもの地域を、そうでなければ提供データのセルを答える。"
    ),
    "Random users, and random regions for each of them: the baseline that every other attack has to beat.": (
        "利用者も地域も無作為に答える。他のすべての攻撃が上回るべき基準。"
    ),
    "Answer with the reference trace of the same time of day, without a look at the release.": (
        "提供データを見ずに、参照用の軌跡の同じ時間帯の地域を答える。"
    ),
    "Expect decoys: leave out the best user and every event that this user explains, and match what remains.": (
        "おとりを想定する。最良の利用者とその利用者で説明できるイベントを除き、残りを照合する。"
    ),
    "Make releases of reference days with the known steps and seeds of one's own, and learn from those who "
    "is who.": "既知のステップと攻撃者自身の乱数シードで、参照用の軌跡から提供データを作り、誰が誰かを学習する。",
    "Log-likelihood ratio of every event against the population, by time of day and with its neighbourhood.": (
        "各イベントの、母集団に対する対数尤度比。時間帯別に、周辺の地域も含めて求める。"
    ),
    "Cosine of TF-IDF vectors: how often regions were visited, regions that few people visit counting more.": (
        "TF-IDF ベクトルのコサイン類似度：地域の訪問回数。少数の人しか訪れない地域を重く見る。"
    ),
    "VisitProb: log-likelihood of the published events under each user's reference visits; a tenth of the "
    "events.": "VisitProb：各利用者の参照の訪問のもとでの、提供データのイベント（10 分の 1）の対数尤度。",
    "GPS points or check-ins (user, timestamp, latitude, longitude) from a file, as traces on a grid.": (
        "ファイルの GPS の点やチェックイン（利用者、時刻、緯度、経度）を、格子上の軌跡とする。"
    ),
    "Synthetic traces in a city, 8:00 to 17:30 every half hour, with homes, work places, favourite places "
    "and busy centres.": (
        "ある都市の合成移動データ。8:00〜17:30 の 30 分ごと。自宅、職場、よく行く場所、繁華街がある。"
    ),
    "icefire's own folder: original.*, reference.*, published.*, secret.csv, guess-*.csv, traces-*.csv and "
    "schema.toml.": (
        "icefire の作業フォルダ：original.*、reference.*、published.*、secret.csv、guess-*.csv、traces-*.csv、sch"
        "ema.toml。"
    ),
    "The official files of 2019: orgtraces, reftraces, anotraces, pubtraces, ptable, etable and etraces.": (
        "2019 年の公式ファイル：orgtraces、reftraces、anotraces、pubtraces、ptable、etable、etraces。"
    ),
    "s_I: one minus the share of pseudonyms whose user was guessed right; a guess may name a user twice.": (
        "s_I：1 - 利用者を正しく推定された仮名の割合。同じ利用者を二度答えてもよい。"
    ),
    "s_T: mean of min(distance / radius, 1) between true and guessed cells; sensitive regions weigh more.": (
        "s_T：本当のセルと推定したセルの min(距離 / radius, 1) の平均。機微な地域を重く見る。"
    ),
    "The smaller of s_I and s_T: a release is as safe as the worse of its two risks.": (
        "s_I と s_T の小さいほう。提供データの安全性は、二つのリスクの悪いほうで決まる。"
    ),
    "s_U as the contest's program has it: mean of 1 - distance / radius, at least 0; a deleted cell counts 0.": (
        "コンテストのプログラムの s_U：1 - 距離 / radius（0 以上）の平均。削除されたセルは 0。"
    ),
    "s_U as the contest's paper has it: for a set the averaged distance is capped, not each member's.": (
        "論文の s_U：集合では、要素ごとの距離ではなく平均した距離に上限を設ける。"
    ),
    "Traces of one's own: a folder with original.csv, reference.csv and schema.toml.": (
        "自分の軌跡データ：original.csv、reference.csv、schema.toml のあるフォルダ。"
    ),
    "How much nearer to their places people are guessed with the release than without it, at times that were not known.": (
        "知られていなかった時刻の居場所の推定が、提供データによってどれだけ正確になるか。"
    ),
    "Relative error of the mean distance from one time to the next of the same day.": (
        "同じ日の次の時刻までの平均移動距離の相対誤差。"
    ),
    "Total variation distance between the origin-destination tables, before and after: the share of trips that changed.": (
        "加工前後の出発地・到着地の表の全変動距離：変わった移動の割合。"
    ),
    "Total variation distance between the shares of visits by region, before and after: the share of visits that moved.": (
        "加工前後の地域別の訪問割合の全変動距離：別の地域に移った訪問の割合。"
    ),
}
