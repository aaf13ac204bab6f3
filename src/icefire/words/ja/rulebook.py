"""The rules of contests, for their teams."""

TEXTS: dict[str, str] = {
    "mean rank in utility + ranks in safety / 4 + rank in re-identification / 2; the smallest wins": (
        "有用性の平均順位＋安全性の順位の和 / 4＋再識別率の順位 / 2（小さいほど上位）"
    ),
    "(mean utility loss + largest re-identification) / 2; the smallest wins": (
        "（有用性の損失の平均＋最大の再識別率）/ 2（小さいほど上位）"
    ),
    "(largest utility loss + SEC) / 2; the smallest wins": "（有用性の損失の最大値＋SEC）/ 2（小さいほど上位）",
    "the loss of a release that no attack has shown to be unsafe; the smallest wins": (
        "どの攻撃でも安全でないと示されなかった匿名化データの損失（小さいほど上位）"
    ),
    "the sum over the sets of what the strongest attack has left; the largest wins": (
        "最強の攻撃の後に残った安全性の、データセットについての和（大きいほど上位）"
    ),
    "the weighted sum of these parts, each the share of what is good, 0 to 1; the largest wins": (
        "次の項目の重み付き和。各項目は良さの割合で、0 から 1 の値を取ります（大きいほど上位）"
    ),
    "attackers: how far they have lowered the safety of others, added up; the largest wins": (
        "攻撃側：他チームの安全性を下げた量の合計（大きいほど上位）"
    ),
    "attackers: how many people they have found in all releases; the largest wins": (
        "攻撃側：すべての匿名化データで再識別した人数の合計（大きいほど上位）"
    ),
    "attackers: what they have lowered, divided among those who have reached as much; the largest wins": (
        "攻撃側：安全性を下げた量を、同じだけ下げたチームで分け合ったものの合計（大きいほど上位）"
    ),
    "attackers: what they have left of others' safety, 1 where they have not attacked; the smallest wins": (
        "攻撃側：他チームに残した安全性の合計（攻撃しなかった相手は 1、小さいほど上位）"
    ),
    "scores of answers are shown when the attack has closed": "回答のスコアは、攻撃フェーズの終了後に表示されます",
    "scores of answers are shown in tenths until the attack has closed": (
        "回答のスコアは、攻撃フェーズの終了まで 0.1 刻みで表示されます"
    ),
    "scores of answers are shown at once": "回答のスコアは、すぐに表示されます",
    "the totals of the rounds are added up by their weights": "ラウンドの合計点を重み付きで合計します",
    "the places in the rounds are added up by their weights; the smallest sum wins": (
        "ラウンドの順位を重み付きで合計します（小さいほど上位）"
    ),
    "for the best defender": "最も優れた防御に贈られます",
    "for the best attacker": "最も優れた攻撃に贈られます",
    "the operator chooses who wins it": "受賞者は運営者が選びます",
    "for the best defender in {}": "{} での最も優れた防御に贈られます",
    "for the best attacker in {}": "{} での最も優れた攻撃に贈られます",
    "Data and files": "データとファイル",
    "What a release has to reach": "匿名化データの条件",
    "How releases are measured": "匿名化データの評価",
    "How attacks are measured": "攻撃の評価",
    "How totals are made": "合計点の決め方",
    "The prizes": "賞",
    "What one may send": "提出の上限",
    "the files of a release": "匿名化データのファイル",
    "the files of an answer": "回答のファイル",
    "accepted releases per set and round; the last one counts": (
        "データセットとラウンドごとに受け付ける匿名化データの数（最後のものが採点対象）"
    ),
    "scored answers per target and round; the strongest counts": (
        "攻撃対象とラウンドごとに採点する回答の数（最も強いものが採点対象）"
    ),
    "uploads of a team that may wait for the judge at the same time": "同時に採点待ちにできる、1 チームの提出の数",
    "megabytes of a file at most": "1 ファイルの最大メガバイト数",
    "rows of a file at most": "1 ファイルの最大行数",
    "values of a set in a cell at most": "セルの集合一つに書ける値の最大数",
    "a file that is refused uses up no try": "受け付けられなかったファイルは、提出回数に数えません",
    "every team gets data of its own": "データはチームごとに異なります",
    "the columns that teams get": "チームに配られる列",
    "of these, the files that may be left out": "そのうち、省略できるファイル",
    "all teams get the same data": "データは全チーム共通です",
    "a release of the committee, which everybody attacks and which is not ranked": (
        "委員会の匿名化データ（全チームが攻撃でき、順位は付きません）"
    ),
    "the total of a team without a valid release": "有効な匿名化データがないチームの合計点",
    "what attackers know is handed out with the releases, not before": "攻撃者の知識は、匿名化データと同時に配布されます",
    "the operator rules on releases that this metric flags": "この指標で要確認となった匿名化データは、運営者が判定します",
    "this round is about {}": "このラウンドのデータセットは {} です",
    "releases may be replaced while they are attacked; answers count against theirs alone": (
        "攻撃を受けている間も匿名化データを差し替えられます。回答は、その対象となった匿名化データに対してだけ数えます"
    ),
    "this round has the weight {}": "このラウンドの重みは {} です",
    "attackers know {}": "攻撃者の知識は {} です",
    "the judge attacks with {}": "審判による攻撃：{}",
    "SEC is the larger of two: the mean over the tables of the best team's re-identification, and the best mean "
    "of a sample attack": (
        "SEC は、各表での最良のチームの再識別率の平均と、サンプル攻撃の再識別率の平均の最大値のうち、大きいほうです"
    ),
}
