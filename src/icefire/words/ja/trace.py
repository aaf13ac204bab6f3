"""Messages about traces."""

TEXTS: dict[str, str] = {
    "{} users cannot be merged by {}: choose a smaller k": (
        "利用者 {} 人を {} 人ずつまとめられません。k を小さくしてください"
    ),
    "no region is marked as sensitive: name them in schema.toml, or leave shift_sensitive out": (
        "機微な地域が指定されていません。schema.toml で指定するか、shift_sensitive を外してください"
    ),
    "every region is marked as sensitive: there is nowhere to move visits to": (
        "すべての地域が機微とされており、訪問の移し先がありません"
    ),
    "no step of the release is decoys": "提供データのステップに decoys がありません",
    "no step of the release is merge_similar": "提供データのステップに merge_similar がありません",
    "merge_similar made groups of more than two, and this attack is made for pairs": (
        "merge_similar が三人以上のグループを作っています。この攻撃は二人組のためのものです"
    ),
    "fewer than three traces: there are no two pairs to tell apart": (
        "軌跡が二つ以下なので、区別すべき二つの組がありません"
    ),
    "later steps move most cells, so that hardly a cell is what decoys chose": (
        "後のステップがほとんどのセルを動かすため、decoys が選んだままのセルがほとんどありません"
    ),
    "there is one user only, who has no decoy": "利用者が一人だけで、おとりがありません",
    "these decoys are drawn at random: decoy_likelihood is made for them": (
        "このおとりは無作為に選ばれています。decoy_likelihood を使ってください"
    ),
    "these decoys are not drawn at random: decoy_inversion undoes them": (
        "このおとりは無作為に選ばれていません。decoy_inversion で取り除けます"
    ),
    "the likelihoods of the steps are not finite": "ステップの尤度が有限ではありません",
    "no points of the published days are known: it is for --attacker points:N or all": (
        "提供対象の日の居場所が知られていません。--attacker points:N または all で使えます"
    ),
    "the steps cannot be taken with reference traces: {}": "参照用の軌跡ではステップを実行できません：{!m}",
    "cells are regions 1..{}, sets of them, or nothing": "セルは地域 1〜{}、その集合、または空です",
    "a set holds a region outside 1..{}": "集合に 1〜{} の範囲外の地域があります",
    "there are no traces: there is nobody to protect or to find": (
        "移動データがありません。保護する人も探す人もいません"
    ),
    "there are no reference traces, which this method needs: choose another one": (
        "この手法に必要な参照用の軌跡がありません。ほかの手法を選んでください"
    ),
    "{} reference traces for {} original ones": "元の軌跡 {1} 本に対して参照用の軌跡が {0} 本です",
    "a reference trace holds a region outside 1..{}": "参照用の軌跡に 1〜{} の範囲外の地域があります",
    "these traces hold sets or deleted cells: put this step before the ones that make them": (
        "軌跡に集合や削除されたセルがあります。このステップを、それらを作るステップより前に置いてください"
    ),
    "anonymized traces of the shape {}, original {}": "匿名化された軌跡の形が {}、元の軌跡の形が {} です",
    "the pseudonym table does not name every user once": "仮名表にすべての利用者が一度ずつ含まれていません",
    "the guess names neither users nor regions": "推定結果に利用者も地域もありません",
    "the guess names {} users for {} pseudonyms": "仮名 {1} 個に対して、推定結果の利用者が {0} 人です",
    "the guessed traces have the shape {}, not {}": "推定された軌跡の形が {} です（{} が必要）",
    "the guess names a user who does not exist": "推定結果に存在しない利用者があります",
    "a guessed trace holds a region outside 1..{}": "推定された軌跡に 1〜{} の範囲外の地域があります",
    "{!r} is not a user's place 1..{}, or 0 for none": "{} は利用者の番号 1〜{}（なければ 0）ではありません",
    "{} and {} do not have the same users in the same order": "{} と {} の利用者またはその順序が一致しません",
    "{} does not list the pseudonyms of the published traces in their order": (
        "{} の仮名が、提供データの軌跡の仮名の順に並んでいません"
    ),
    "{}, line {}: the user {!r} is unknown or stands there a second time": (
        "{}、{} 行目：利用者 {} は不明か、二度目の出現です"
    ),
    "{} holds other original traces: choose an empty folder, or clear this one": (
        "{} には別の元の軌跡があります。空のフォルダを選ぶか、このフォルダを空にしてください"
    ),
    "a guess": "推定結果",
    "a guess of traces": "軌跡の推定結果",
    "this is not the cell that anotraces and ptable give": "anotraces と ptable から得られるセルと一致しません",
    "anonymized traces": "匿名化された軌跡",
    "the estimate names the unknown user {!r}": "推定結果に不明な利用者 {} があります",
    "no file {}*.csv in {}": "{1} にファイル {0}*.csv がありません",
    "{}: expected the columns {}, found {}": "{}：列は {} でなければなりません（実際の列：{}）",
    "{}, line {}: pseudonyms go from {} to {} in order": (
        "{}、{} 行目：仮名は {} から {} までの順でなければなりません"
    ),
    "{}, line {}: the user {!r} is unknown or stands there twice": (
        "{}、{} 行目：利用者 {} は不明か、二度現れています"
    ),
    "{} has other users or times than orgtraces": "{} の利用者または時刻が orgtraces と異なります",
    "an estimated table": "推定された対応表",
    "an estimate of traces": "推定された軌跡",
    "south of north, and west west of east": "南端が北端より南、西端が東端より西にある値",
    "row {}: ({}, {}) lies outside the map": "{} 行目：（{}, {}）は地図の外です",
    "above 0": "0 より大きい値",
    "attacker of trace": "trace の攻撃者",
    "the guess names regions and no users": "推定結果に地域だけがあり、利用者がありません",
    "the guess names users and no regions": "推定結果に利用者だけがあり、地域がありません",
    "{}: day must be the number of times in a day, an integer of at least 1, not {!r}": (
        "{}：day は一日の時刻の数で、1 以上の整数でなければなりません（指定値：{}）"
    ),
    "{}: sensitive must be a list of regions, such as [3, 17], not {!r}": (
        "{}：sensitive は [3, 17] のような地域のリストでなければなりません（指定値：{}）"
    ),
    "{}: sensitive must list regions 1..{}, not {!r}": "{}：sensitive には地域 1〜{} を書いてください（指定値：{}）",
    "{}: grid must be a table, [grid], with rows, columns and so on": (
        "{}：grid は rows、columns などを持つ表 [grid] でなければなりません"
    ),
    "key under [grid] in {}": "{} の [grid] のキー",
    "{!r} is not a time: times are whole numbers": "{} は時刻ではありません。時刻は整数です",
    "{!r} is not a region 1..{}": "{} は地域 1〜{} ではありません",
    "the cell is empty. Write {} for a deleted cell.": "セルが空です。削除されたセルには {} と書いてください。",
    "{}: expected user {} at time {}, found user {} at time {}. {} users and {} times need {} lines by user "
    "and then by time; there are {}.": (
        "{0!p}：時刻 {2} の利用者 {1} が必要ですが、時刻 {4} の利用者 {3} があります。利用者 {5} 人、時刻 {6} 個に"
        "は、利用者順、時刻順に {7} 行必要です（実際は {8} 行）。"
    ),
    "{} has {} lines below its header; {} needs {}": "{} は見出し行の下に {} 行ありますが、{!m} には {} 行必要です",
    "{}: {!r} is not a cell. Write a region 1..{}, several separated by blanks, or {} alone for a deleted cell.": (
        "{!p}：{} はセルではありません。地域 1〜{}（複数なら空白区切り）、または削除されたセルとして {} だけを書い"
        "てください。"
    ),
    "no attack links several releases of traces yet: what they give away together may be far more": (
        "移動履歴の複数の加工データを結び付ける攻撃はまだありません。合わせたときのリスクは、はるかに高い可能性があります"
    ),
    "every place is known already: there is nothing to learn": (
        "すべての場所が既に知られているため、新たに分かることがありません"
    ),
    "nobody is seen at two times in a row": ("続けて二つの時刻に場所が分かる人がいません"),
    "nobody goes anywhere": ("移動した人がいません"),
    "no place is published": ("場所が提供されていません"),
}
