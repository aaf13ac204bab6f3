"""Messages of contests and of their web server."""

TEXTS: dict[str, str] = {
    "{} uploads of this team wait for the judge: try again when one of them is done": (
        "このチームの {} 件が採点待ちです。採点が終わってからもう一度提出してください"
    ),
    "all {} tries are used up for {!r}": "{1} への提出回数の上限（{0} 回）に達しました",
    "all {} tries are used up": "提出回数の上限（{} 回）に達しました",
    "this team joined after the defence had closed: there are no questions for it": (
        "このチームは匿名化フェーズの終了後に参加したため、課題がありません"
    ),
    "the contest is paused: try again when it goes on": "コンテストは一時停止中です。再開後にもう一度お試しください",
    "the defence phase has closed at {}": "匿名化フェーズは {} に終了しました",
    "the attack phase has closed at {}": "攻撃フェーズは {} に終了しました",
    "there is no set {!r}: the sets are {}": "データセット {} はありません。あるのは {} です",
    "a {} can be sent during the defence phase, and that is not open now": (
        "{} は匿名化フェーズに提出できます。今は匿名化フェーズではありません"
    ),
    "a {} can be sent during the attack phase, and that is not open now": (
        "{} は攻撃フェーズに提出できます。今は攻撃フェーズではありません"
    ),
    "a team does not attack its own release": "自チームの匿名化データは攻撃できません",
    "there is no published release of {!r} in the set {!r}": (
        "データセット {1} で配布された {0} の匿名化データはありません"
    ),
    "the file is larger than {} MB": "ファイルが {} MB を超えています",
    "the file is empty": "ファイルが空です",
    "the data are not dealt yet: try again in a moment": (
        "データはまだ配布されていません。少し待ってからもう一度お試しください"
    ),
    "{} cannot be written: name a file in an existing folder": (
        "{} に書き込めません。既存のフォルダの中のファイルを指定してください"
    ),
    "{} cannot be written: {}": "{} に書き込めません：{!m}",
    "{} is damaged: {} is missing": "{} は壊れています：{} がありません",
    "{} is damaged: {} is not part of it": "{} は壊れています：{} が余分に含まれています",
    "{} is damaged: {} is not what was packed": "{} は壊れています：{} の内容が保存時と異なります",
    "the seeds in the vault are not those of the log": "保管庫の乱数シードがログのものと一致しません",
    "the problem of {!r} is missing in the vault": "{} の配布データが保管庫にありません",
    "the truth of the release of {!r} is missing in the vault": "{} の匿名化データの正解が保管庫にありません",
    "this database has a table {!r} already: restore into an empty one": (
        "このデータベースには既に表 {} があります。空のデータベースに復元してください"
    ),
    "the table {!r} cannot be backed up: it has more than columns and a key": (
        "表 {} はバックアップできません：列と主キー以外の定義があります"
    ),
    "the table {!r} cannot be backed up: {} is of a type unknown here": (
        "表 {} はバックアップできません：{} の型に対応していません"
    ),
    "{} is not empty: restore into an empty folder": "{} は空ではありません。空のフォルダに復元してください",
    "{} is not a back-up of a contest": "{} はコンテストのバックアップではありません",
    "{} is not a back-up: {}": "{} はバックアップではありません：{!m}",
    "{} is not a back-up of a contest: it holds {!r}": (
        "{} はコンテストのバックアップではありません：{} が含まれています"
    ),
    "{} becomes more than {} times as large when it is unpacked": "{} は展開すると {} 倍を超える大きさになります",
    "{} has no zone: write {}+09:00, or Z for UTC": (
        "{} に時間帯がありません。{}+09:00、または UTC なら Z を付けてください"
    ),
    "the phase closes at {}, before it opens at {}": "フェーズの終了 {} が開始 {} より前です",
    "the attack opens before the defence closes: attackers would see releases that still change (together = true lets them)": (
        "匿名化フェーズの終了前に攻撃フェーズが始まります。攻撃者が、まだ変わる匿名化データを見ることになります"
        "（together = true とすれば認められます）"
    ),
    "with together = true, the attack opens during the defence, and closes with it or later": (
        "together = true では、攻撃フェーズは匿名化フェーズの間に始まり、それと同時か後に終わります"
    ),
    "the operator chooses who wins this prize, not a task": "この賞の受賞者は運営者が選びます。task は指定できません",
    "{!r} has not told this method": "{} はこの手法を公開していません",
    "there is no prize {!r} to be given away: {}": "運営者が選ぶ賞 {} はありません。あるのは {} です",
    "there is no prize {!r} to be given away: there are none": "運営者が選ぶ賞 {} はありません（一つもありません）",
    "teams need all their data to make a release of {}: leave it out": (
        "{} の匿名化にはすべてのデータが必要です。この項目を外してください"
    ),
    "{!r} is an entry of the committee, which nobody plays": "{} は委員会の匿名化データで、操作できません",
    "there is no release {!r} of {!r} in the set {!r}": "データセット {2} に {1} の匿名化データ {0} はありません",
    "the freeze lies outside the round": "凍結の時刻がラウンドの外にあります",
    "(found {!r})": "（値：{}）",
    "{}\n({} more)": "{!m}\n（ほか {!m} 件）",
    "{} is {} for the unchanged data and for the releases of all bots: it may not tell teams apart": (
        "{} は、元のままのデータでも、すべてのボットの加工データでも {} です：チームの差がつかない可能性があります"
    ),
    "a name consists of the letters a to z, digits, - and _, at most 40 of them": (
        "名前には英小文字、数字、- 、_ を使い、40 文字以内にしてください"
    ),
    "{}, line {}: {}: {}": "{}、{} 行目：{}：{!m}",
    "the key {!r} is missing": "キー {} がありません",
    "file or contest": "ファイルまたはコンテスト",
    "the name {!r} is used twice": "名前 {} が二度使われています",
    "this round begins before the previous one has ended": "このラウンドは前のラウンドが終わる前に始まります",
    "the weights add up to {}, not to 1": "重みの合計が 1 ではなく {} です",
    "the rule {!r} takes no weights": "ルール {} では重みを指定できません",
    "the results are final": "結果は確定しています",
    "give a reason: it goes into the log": "理由を入力してください（ログに記録されます）",
    "the alarm {!r} is resolved already": "アラート {} は解決済みです",
    "not all phases have closed": "まだ終わっていないフェーズがあります",
    "the judge is not done: {} jobs are still to do": "採点が終わっていません：残り {} 件です",
    "there is no alarm {!r}": "アラート {} はありません",
    "the board is not frozen: there is nothing to unveil": (
        "スコアボードは凍結されていないため、発表するものがありません"
    ),
    "all defenders are unveiled": "匿名化の順位はすべて発表しました",
    "all attackers are unveiled": "攻撃の順位はすべて発表しました",
    "the database cannot be used: {}": "データベースを使用できません：{!m}",
    "the method is a line of text for the audience, at most {} characters": (
        "手法の説明は {} 文字以内の 1 行で入力してください"
    ),
    "the results are final already": "結果は既に確定しています",
    "{!r} has no release of {!r} in round {}": "{0} にはラウンド {2} の {1} の匿名化データがありません",
    "no such problem": "その配布データはありません",
    "no such release": "その匿名化データはありません",
    "there is no kit": "サンプルコードはありません",
    "this database holds a contest already: give the new one a database of its own": (
        "このデータベースには既にコンテストがあります。新しいコンテストには別のデータベースを使ってください"
    ),
    "{} holds no contest: make one with icefire contest new": (
        "{} にコンテストはありません。icefire contest new で作成してください"
    ),
    "{} is not empty: a contest needs a folder of its own": (
        "{} は空ではありません。コンテストには専用のフォルダが必要です"
    ),
    "{} of {} holds no contest": "{1} の {0} にコンテストはありません",
    "{} holds another contest than {}: its seeds are not those of this vault": (
        "{} には {} とは別のコンテストがあります。乱数シードがこの保管庫のものと一致しません"
    ),
    "unknown event {!r}; was it written by a later version?": (
        "不明なイベント {} です。新しいバージョンで書かれたものかもしれません"
    ),
    "the data of the event {!r} cannot be read: {}": "イベント {} のデータを読めません：{!m}",
    "all rounds": "全ラウンド",
    "event {} cannot follow event {}": "イベント {} はイベント {} に続きません",
    "this job cannot be given up: try it again": "このジョブは打ち切れません。再試行してください",
    "it failed; reference {}": "失敗しました（照会番号 {}）",
    "the judge could not process this file; reference {}": "このファイルを採点できませんでした（照会番号 {}）",
    "the upload": "提出物",
    "the log is broken at event {}: expected number {}, an event is missing": (
        "ログがイベント {} で壊れています：{} 番のイベントが欠けています"
    ),
    "the log is broken at event {}: it does not follow from event {}": (
        "ログがイベント {} で壊れています：イベント {} から続いていません"
    ),
    "the log is broken at event {}: its content was changed after it was written": (
        "ログがイベント {} で壊れています：記録後に内容が変更されました"
    ),
    "this is not the log of a contest: {}": "コンテストのログではありません：{!m}",
    "{!r} is not a score": "{} はスコアではありません",
    "the end of the rehearsal": "リハーサルの終了",
    "{}: expected {!r}, found {!r}": "{!p}：期待値 {}、実際の値 {}",
    "a rehearsal needs bots: add [[bots]] with name, defend and attack to the contest's file": (
        "リハーサルにはボットが必要です。コンテストの設定ファイルに、name、defend、attack を持つ [[bots]] を追加"
        "してください"
    ),
    "the judge failed in {}": "{!m} で採点に失敗しました",
    "{} is {}, and {} is required": "{} は {} ですが、{} が必要です",
    "{} guesses were sent, in files named {}: expected one": (
        "{1} というファイルで {0} 件の回答が提出されました。1 件だけ提出してください"
    ),
    "no guess from {} was sent": "{} の知識による回答が提出されていません",
    "no guess from everything was sent": "すべての知識による回答が提出されていません",
    "{} has no value on this release: {}": "{} の値が、この匿名化データでは求められません：{!m}",
    "{}: several guesses are called by what they know: {}": (
        "{}：回答が複数ある場合は、ファイル名に知識の範囲を付けてください：{}"
    ),
    "the game {} deals all columns: leave them out": (
        "ゲーム {} はすべての列を配布します。columns を指定しないでください"
    ),
    "the columns of {} cannot be chosen: leave them out": "{} の列は選べません。columns を指定しないでください",
    "attackers must not know the original, so every team needs its own data: write per_team = true": (
        "攻撃者が元データを知ってはならないため、チームごとのデータが必要です。per_team = true と書いてください"
    ),
    "{} needs a guess, and there is none yet": "{} には回答が必要ですが、まだありません",
    "{} needs no guess, so it cannot score an attack": "{} は回答を必要としないため、攻撃の採点に使えません",
    "{} has no range, so it cannot be scored as a share: choose a metric with a best and a worst value": (
        "{} は値の範囲が決まっていないため、割合として採点できません。最良値と最悪値のある指標を選んでください"
    ),
    "event {}: {} gives {}, the log has {}": "イベント {}：{} の結果は {} ですが、ログでは {} です",
    "event {}: no job was due that leads to {!r}": "イベント {}：{} につながるジョブはありませんでした",
    "with the rule {!r} the smallest total wins: teams without a release come last anyway": (
        "ルール {} では合計が最小のチームが勝ちます。匿名化データのないチームは常に最下位です"
    ),
    "the rule {!r} is for a single set": "ルール {} はデータセットが一つの場合のものです",
    "the rule {!r} needs at least one metric of utility": "ルール {} には一つ以上の有用性の指標が必要です",
    "rule for attackers": "攻撃側の採点ルール",
    "its process ended with code {}; memory is limited to {} MB": (
        "プロセスがコード {} で終了しました（メモリの上限は {} MB です）"
    ),
    "it took more than {} s": "{} 秒を超えました",
    "it took more than {} s of processor time": "CPU 時間が {} 秒を超えました",
    "{}\n\nThe first try: {}": "{!m}\n\n1 回目：{!m}",
    "the disk of the server is nearly full: nothing was accepted, tell the operator": (
        "サーバーのディスクの空きがほとんどありません。受け付けられませんでした。運営者にお知らせください"
    ),
    "the disk of the server is full: nothing was accepted, tell the operator": (
        "サーバーのディスクがいっぱいです。受け付けられませんでした。運営者にお知らせください"
    ),
    "the database is away: {}": "データベースに接続できません：{!m}",
    "the database is away: it does not answer": "データベースに接続できません：応答がありません",
    "the database is away: nothing is lost, try again in a moment": (
        "データベースに接続できません。失われたデータはありません。少し待ってからもう一度お試しください"
    ),
    "the disk is nearly full: {} MB are left": "ディスクの空きがほとんどありません：残り {} MB です",
    "no worker is alive: nothing is judged, and no phase opens or closes": (
        "採点プロセスが動いていません。採点もフェーズの開始・終了も行われません"
    ),
    "no worker is alive, the last one {} s ago: nothing is judged, and no phase opens or closes": (
        "採点プロセスが動いていません（最後の応答は {} 秒前）。採点もフェーズの開始・終了も行われません"
    ),
    "the clock is {} s behind the last event": "時計が最後のイベントより {} 秒遅れています",
    "the clock of this machine has jumped by {} s": "このマシンの時計が {} 秒ずれました",
    "the contest was paused by itself: {}": "コンテストは自動的に一時停止されました：{!m}",
    "the clock of {} has jumped by {} s: check the time, then resume": (
        "{} の時計が {} 秒ずれました。時刻を確認してから再開してください"
    ),
    "{} has been running for {} s; its limit is {} s of processor time": (
        "{} の実行が {} 秒続いています（上限は CPU 時間 {} 秒）"
    ),
    "the stored file {} of the upload {} is missing": "提出物 {1} のファイル {0} がありません",
    "the stored file {} is missing: put it back from a back-up": (
        "保存されたファイル {} がありません。バックアップから戻してください"
    ),
    "the stored file {} is not what it was: put it back from a back-up": (
        "保存されたファイル {} の内容が変わっています。バックアップから戻してください"
    ),
    "its process ended": "プロセスが終了しました",
    "the contest is paused already": "コンテストは既に一時停止中です",
    "the contest is paused: resume it first": "コンテストは一時停止中です。先に再開してください",
    "a phase is open: close it first": "フェーズが開いています。先に終了してください",
    "there is no phase left to open": "これから始まるフェーズはありません",
    "{} is an operator": "{} が運営者になりました",
    "{} has a new password": "{} のパスワードが変更されました",
    "{!r} mixes {} letters, which look alike: write it in one script": (
        "{0} には、形の似た文字を持つ文字体系（{1}）が混ざっています。一つの文字体系で書いてください"
    ),
    "{!r} looks like the team {!r}: choose a name that cannot be mistaken": (
        "{} はチーム {} と見分けがつきません。紛らわしくない名前にしてください"
    ),
    "an id consists of lower-case letters, digits, - and _, at most 40 of them": (
        "ID には英小文字、数字、- 、_ を使い、40 文字以内にしてください"
    ),
    "there is a team with the id {!r} already": "ID が {} のチームは既にあります",
    "{} questions of this team wait for an answer": "このチームの質問 {} 件が回答待ちです",
    "there is no question {!r}": "質問 {} はありません",
    "this question is answered already: announce the rest": "この質問には回答済みです。補足はお知らせで伝えてください",
    "a message has 1 to {} characters": "メッセージは 1〜{} 文字にしてください",
    "a message has no control characters": "メッセージに制御文字は使えません",
    "a phase can be extended by more than 0 minutes": "延長する時間は 0 分より長くしてください",
    "a contest can be delayed by more than 0 minutes": "延期する時間は 0 分より長くしてください",
    "the board is frozen already": "スコアボードは既に凍結されています",
    "the board is not frozen": "スコアボードは凍結されていません",
    "the contest is not paused": "コンテストは一時停止していません",
    "the phase opened late": "フェーズの開始が遅れました",
    "the ceremony": "表彰式",
    "a contest lives in SQLite or in PostgreSQL, not in {}": (
        "コンテストの保存先は SQLite か PostgreSQL です（{} は使えません）"
    ),
    "the log is broken after event {}: {} were written": (
        "ログがイベント {} の後で壊れています：{} 件書き込まれていました"
    ),
    "{!r} is not the address of a database: write sqlite:///FILE or postgresql://USER@HOST/NAME": (
        "{} はデータベースのアドレスではありません。sqlite:///FILE または postgresql://USER@HOST/NAME と書いてください"
    ),
    "this database holds a contest already: restore into an empty one": (
        "このデータベースには既にコンテストがあります。空のデータベースに復元してください"
    ),
    "the log is broken at event {}: it was changed after it was written": (
        "ログがイベント {} で壊れています：記録後に変更されました"
    ),
    "the team {!r} has withdrawn": "チーム {} は棄権しました",
    "there is no team {!r}": "チーム {} はありません",
    "a team's name has 1 to 40 characters, a letter or a digit, and no control characters": (
        "チーム名は 1〜40 文字で、文字か数字を含み、制御文字を含まないものにしてください"
    ),
    "there is a team named {!r} already": "{} というチームは既にあります",
    "the zip file is empty: it should hold {}": "zip ファイルが空です。{} を入れてください",
    "the zip file holds {} files: it should hold {}": "zip ファイルに {} 個のファイルがあります。{} を入れてください",
    "the zip file holds {!r}, which is not the name of a plain file": (
        "zip ファイルの中の {} は通常のファイル名ではありません"
    ),
    "the zip file is encrypted: send it without a password": (
        "zip ファイルが暗号化されています。パスワードなしで提出してください"
    ),
    "the zip file is compressed in an unusual way: make it with the ordinary method (deflate)": (
        "zip ファイルの圧縮方式が特殊です。通常の方式（deflate）で作成してください"
    ),
    "the zip file holds a name of {} characters: at most {} will do": (
        "zip ファイルの中に {} 文字の名前があります。{} 文字以内にしてください"
    ),
    "the zip file holds {!r}: it should hold {} and nothing else": (
        "zip ファイルに {} があります。{} だけを入れてください"
    ),
    "this is not a zip file: pack {} into one": "zip ファイルではありません。{} を zip ファイルにまとめてください",
    "the zip file cannot be read: {}": "zip ファイルを読めません：{!m}",
    "the zip file holds {!r} twice": "zip ファイルに {} が二つあります",
    "{} in the zip file cannot be read: {}": "zip ファイルの中の {} を読めません：{!m}",
    "{} becomes more than {} times as large when it is unpacked: that is not data": (
        "{} は展開すると {} 倍を超える大きさになります。データとは認められません"
    ),
    "{}, line {}: there is a NUL byte. Save the file as plain CSV in UTF-8.": (
        "{}、{} 行目：NUL バイトがあります。UTF-8 の通常の CSV として保存してください。"
    ),
    "{}, line {}: a cell begins with {!r}, which spreadsheets take for a formula": (
        "{}、{} 行目：{} で始まるセルがあり、表計算ソフトが数式とみなします"
    ),
    "{} has more than {} rows": "{} が {} 行を超えています",
    "{}, line {} is longer than a million bytes": "{} の {} 行目が 100 万バイトを超えています",
    "{} has more than {} columns": "{} が {} 列を超えています",
    "the zip file holds a name of {} bytes in UTF-8: at most {} will do": (
        "zip ファイルに、UTF-8 で {} バイトの名前があります。{} バイトまでにしてください"
    ),
    "the stored file {} was changed after it was stored": "保存されたファイル {} が、保存後に変更されています",
    "the file could not be stored ({}); nothing was accepted, try again later": (
        "ファイルを保存できませんでした（{!m}）。受け付けていませんので、後でもう一度提出してください"
    ),
    "{} was lost with its worker {} times": "{!m} は、採点プロセスの停止により {} 回中断されました",
    "{} failed": "{!m} が失敗しました",
    "this invitation is unknown, used or too old: ask the operator for another one": (
        "この招待は無効か、使用済みか、期限切れです。運営者に再発行を依頼してください"
    ),
    "this login is taken: choose another one": "このログイン名は使われています。別の名前にしてください",
    "a login has 1 to 60 printable characters": "ログイン名は、制御文字を除く 1〜60 文字にしてください",
    "a password has {} to {} characters": "パスワードは {}〜{} 文字にしてください",
    "the request: {}": "リクエスト：{!m}",
    "something went wrong here; reference {}": "サーバーで問題が発生しました（照会番号 {}）",
    "this was sent from another site": "別のサイトから送信されました",
    "the body is larger than {} bytes": "リクエストの本文が {} バイトを超えています",
    "the request took more than {} s": "リクエストが {} 秒を超えました",
    "{} is invited": "{} を招待しました",
    "give the number of minutes": "時間を分単位で入力してください",
    "log in first": "先にログインしてください",
    "this token is unknown, too old, or replaced by a newer one: make a new one on your page": (
        "このトークンは存在しないか、期限切れか、新しいトークンに置き換えられています。ページで新しく発行してください"
    ),
    "this is for teams": "チーム用のページです",
    "this team has withdrawn": "このチームは棄権しました",
    "this is for the operator": "運営者用のページです",
    "TLS needs both: --certificate and --key": "TLS には --certificate と --key の両方が必要です",
    "{} has joined": "{} が参加しました",
    "{} has made a token": "{} がトークンを発行しました",
    "login or password is wrong": "ログイン名またはパスワードが違います",
    "log in with a password to make a token": "トークンを発行するには、パスワードでログインしてください",
    "no such upload": "その提出物はありません",
    "one upload of a team at a time: try again in a moment": (
        "提出は 1 チーム 1 件ずつです。少し待ってからもう一度お試しください"
    ),
    "the file took more than {} s": "ファイルの送信が {} 秒を超えました",
    "{} has no value in any release of {!r}: the standings say nothing": (
        "{} の値が、{} のどの匿名化データでも求められません。この順位には意味がありません"
    ),
    "two plugins are called {}: rename one of them": (
        "{} という名前のプラグインが 2 つあります。どちらかの名前を変えてください"
    ),
    "it gives all teams the same people, whom attackers must not know: write people=N for a draw of each": (
        "全チームに同じ人々のデータが渡り、攻撃者がそれを知ることになります。people=N と書いて、チームごとに抽出"
        "してください"
    ),
    "{} cannot be copied into the contest: {}": "{} をコンテストに複製できません：{!m}",
    "{} has no value on these data: {}": "{} の値が、このデータでは求められません：{!m}",
    "none of them has a value on these data: {}": "どの値も、このデータでは求められません：{!m}",
    "no file or folder {}": "ファイルまたはフォルダ {} がありません",
    "no file {}, which says what the columns of {} are: icefire init writes one": (
        "ファイル {} がありません。{} の列の説明が必要です（icefire init で作れます）"
    ),
    "{} is a folder, which has a {} of its own: leave the schema out": (
        "{} はフォルダで、その中に {} があります。schema を外してください"
    ),
    "{} is no folder: traces need original.csv, reference.csv and {} in one": (
        "{} はフォルダではありません。移動データには original.csv、reference.csv、{} を入れたフォルダが必要です"
    ),
    "{} and {} are both guesses from {}: send one of them": (
        "{} と {} は、どちらも {} の知識による回答です。一方だけを提出してください"
    ),
    "{} has no value on this release, and it counts: {}": "採点に使う {} の値が、この匿名化データでは求められません：{!m}",
    "the connection was lost": "接続が切れました",
    "too many attempts for this login: wait {} s": "このログイン名での試行回数が多すぎます。{} 秒待ってください",
    "too many people are logging in: try again in a few seconds": "ログインが集中しています。数秒後にもう一度お試しください",
}
