"""What help pages say."""

TEXTS: dict[str, str] = {
    "Make a history: the rows are what people did, and when.": "履歴として扱います（各行は、誰がいつ何をしたかの記録）。",
    "With --records, the column of what somebody bought, visited or did.": (
        "--records のとき、購入品や訪問先など、行為を表す列。"
    ),
    "Keep the first row of each person, by this column.": "この列で人を区別し、一人につき最初の行だけを残します。",
    "Minutes of the search, roughly. Then the best so far are verified, which takes a while longer.": (
        "探索にかける時間のおおよその上限（分）。その後、それまでの最良のものを検証するため、もう少しかかります。"
    ),
    "Ctrl-C shows what was measured before.": "Ctrl-C で中断すると、それまでに測った値を表示します。",
    "Ctrl-C shows the best so far, not verified.": "Ctrl-C で中断すると、それまでの最良のものを検証せずに表示します。",
    "0 if the judge runs elsewhere.": "採点を別の場所で行う場合は 0。",
    "A step that made the release, if they know it.": "提供データを作ったステップ（攻撃者が知っている場合）。",
    "A team, or NAME=ID to choose its id; may be given several times.": (
        "チーム名。NAME=ID で ID も指定できます。複数回指定できます。"
    ),
    "A zip file is sent as it is; a folder is packed, with what `icefire anonymize` or `icefire attack` has written.": (
        "zip ファイルはそのまま提出します。フォルダは `icefire anonymize` や `icefire attack` が書き出したものを "
        "zip にして提出します。"
    ),
    "Add an operator with this LOGIN; the password is asked for, or read from ICEFIRE_PASSWORD.": (
        "ログイン名 LOGIN の運営者を追加します。パスワードは入力を求めるか、ICEFIRE_PASSWORD から読みます。"
    ),
    "Set a new password for a LOGIN, of an operator or a team. It ends all sessions and tokens of the login.": (
        "LOGIN（運営またはチーム）の新しいパスワードを設定します。そのログインのセッションとトークンはすべて"
        "無効になります。"
    ),
    "Add an operator of this name, unless there is one; the password is asked for, or read from ICEFIRE_PASSWORD.": (
        "この名前の運営者がいなければ追加します。パスワードは入力を求めるか、ICEFIRE_PASSWORD から読みます。"
    ),
    "Address of the arena, or ICEFIRE_SERVER.": "アリーナのアドレス。ICEFIRE_SERVER でも指定できます。",
    "Addresses of reverse proxies that terminate TLS, such as 127.0.0.1.": (
        "TLS を終端するリバースプロキシのアドレス。例：127.0.0.1。"
    ),
    "Also identification by 0, 1, ... so many records (needs --user).": (
        "0、1、… 件のレコードを知られたときの識別確率も、この件数まで表示します（--user が必要）。"
    ),
    "Also list so many of the most dangerous values.": "最も危険な値をこの数だけ表示します。",
    "Also list so many of the most exposed users.": "最も特定されやすい人をこの数だけ表示します。",
    "An outcome to compare with; exit code 1 if it differs.": (
        "比較する結果のファイル。異なれば終了コード 1 を返します。"
    ),
    "Anonymize a working folder. A STEP is a name, or a name with parameters: 'mondrian(k=5, columns=[age, sex])'.": (
        "作業フォルダのデータを匿名化します。STEP は手法の名前、またはパラメータ付きの名前です：'mondrian(k=5, co"
        "lumns=[age, sex])'。"
    ),
    "Attack a release: one guess file per attack. Runs every attack in every setting when none is named.": (
        "提供データを攻撃し、攻撃ごとに推定結果のファイルを書き出します。名前を指定しなければ、すべての攻撃をすべ"
        "ての設定で行います。"
    ),
    "Attackers are taken to know the method. Of all releases where they find at most --max-risk, it names "
    "the most useful one, the safest one, and between them the one after which more safety becomes dear.": (
        "攻撃者は加工方法を知っているとみなします。特定される割合が --max-risk 以下の提供データのうち、最も有用な"
        "もの、最も安全なもの、そして、それ以上の安全性が割高になる手前のものを挙げます。"
    ),
    "Average identification probability of columns: the chance that one known fact singles a person out.": (
        "列ごとの平均識別確率（一つの情報を知られたときに個人が識別される確率）を求めます。"
    ),
    "Ctrl-C ends the attacks; guesses made before are written.": (
        "Ctrl-C で攻撃を打ち切ると、それまでの推定結果を書き出します。"
    ),
    "Check a contest's FILE: every key, name, time and weight, and every metric on the data that it names.": (
        "コンテストの設定ファイル FILE（キー、名前、日時、重み）と、そこに書かれたデータでの全指標を検査します。"
    ),
    "Clusters of customers to look alike.": "見分けをつかなくする顧客のクラスタの数。",
    "Column that says whose record it is; without it every row is its own user.": (
        "誰のレコードかを示す列。省略すると各行を別の人とみなします。"
    ),
    "Columns known together, comma separated; may be repeated.": (
        "同時に知られる列の組（カンマ区切り）。複数回指定できます。"
    ),
    "Columns to look at, comma separated; all if left out.": "調べる列（カンマ区切り）。省略するとすべて調べます。",
    "Cost models of dummy records in purchase histories.": "購買履歴の疑似レコードの費用を見積もるモデルです。",
    "Customers to make.": "生成する顧客の数。",
    "Customers.": "顧客の数。",
    "Different items of a customer.": "一人の顧客が買う商品の種類の数。",
    "Different items, equally likely.": "商品の種類の数（どれも同じ確率）。",
    "Different items.": "商品の種類の数。",
    "Do not read the row map: any perfect matching tells the matches. Leaks are left out. For microdata.": (
        "行番号対応表を読みません。完全マッチングがあれば候補が分かります。漏えいの試行は省きます。microdata 用。"
    ),
    "Draw who is behind a row (the default), or leave it to the person it was built around, whom `replay` finds.": (
        "行の本人を抽選で決めます（既定）。--no-randomized では、行を作るもとになった人のままとし、`replay` に見"
        "破られます。"
    ),
    "Enter the release into the ledger if it may go out.": "提供できる場合、提供データを台帳に記録します。",
    "Exit code 1 below k. Matches need not be equally likely, so the effective number of matches is given as "
    "well: if all assignments are equally likely and, if the release has its recipe, for whoever repeats the "
    "method with other seeds.": (
        "k 未満なら終了コード 1 を返します。候補の起こりやすさは同じとは限らないため、実効的な候補数も示します。"
        "すべての割り当てが等確率の場合と、提供データに recipe があれば、別の乱数シードで同じ加工を繰り返す攻撃者の場"
        "合です。"
    ),
    "Expected number of dummy records that make the customers of each cluster look alike.": (
        "各クラスタの顧客を見分けられなくするために必要な疑似レコード数の期待値を求めます。"
    ),
    "File format, such as pwscup2017, pwscup2018 or pwscup2019; icefire's own if left out.": (
        "ファイル形式。例：pwscup2017、pwscup2018、pwscup2019。省略すると icefire の形式とします。"
    ),
    "Folder for gate.html; the release's if left out.": (
        "gate.html を書き出すフォルダ。省略すると提供データのフォルダに書き出します。"
    ),
    "Folder for report.html; the working folder if left out.": (
        "report.html を書き出すフォルダ。省略すると作業フォルダに書き出します。"
    ),
    "Folder for the files.": "ファイルを書き出すフォルダ。",
    "Folder for the guesses.": "推定結果を書き出すフォルダ。",
    "Folder for the release that was found.": "見つかった提供データを書き出すフォルダ。",
    "Folder of past releases.": "過去の提供データのフォルダ（台帳）。",
    "Folder of the new contest.": "新しいコンテストのフォルダ。",
    "Take the smaller data that the file names.": "ファイルにある小さい方のデータを使います。",
    "For TLS: the certificate, with its chain.": "TLS 用：証明書（中間証明書を含む）。",
    "For TLS: the private key.": "TLS 用：秘密鍵。",
    "For microdata, with greedy: take back widening that k matches of people, or of people and rows, do not "
    "need.": "microdata 用（greedy のみ）：人の候補数 k、または人と行の候補数 k に不要な一般化を元に戻します。",
    "For microdata; exchange if left out.": "microdata 用。省略すると exchange を使います。",
    "Gigabytes of memory: attacks and metrics that need more are ended, and say so. Half of the machine's if "
    "left out.": (
        "使用するメモリ（ギガバイト）。超える攻撃と指標は打ち切り、その旨を表示します。省略するとマシンのメモリの"
        "半分とします。"
    ),
    "Guess file; all guesses in the folder if left out.": (
        "推定結果のファイル。省略するとフォルダ内のすべてを評価します。"
    ),
    "Households to make.": "生成する世帯の数。",
    "How long it lasts.": "実施時間。",
    "How many different items a customer with so many records has.": (
        "ある件数のレコードを持つ顧客が、何種類の商品を買っているかを求めます。"
    ),
    "How much attackers know of the people; as usual for the kind if left out.": (
        "攻撃者が本人について知っている範囲。省略すると、データの種類ごとの標準とします。"
    ),
    "How much attackers know of the people; every level if left out.": (
        "攻撃者が本人について知っている範囲。省略するとすべての範囲を試します。"
    ),
    "How much attackers know of the people; the least of the kind if left out.": (
        "攻撃者が本人について知っている範囲。省略すると、データの種類ごとに最も少ない範囲とします。"
    ),
    "How much they know of the people; as usual for the kind if left out.": (
        "攻撃者が本人について知っている範囲。省略すると、データの種類ごとの標準とします。"
    ),
    "How the text is encoded, such as cp932; recognized if left out.": (
        "文字コード。例：cp932。省略すると自動で判別します。"
    ),
    "Is this personal data safe to hand out, and is it still worth having?": (
        "この個人データは提供しても安全か。提供した後も、分析に使えるか。"
    ),
    "Jobs that run at a time.": "同時に実行するジョブの数。",
    "KIND is microdata or history.": "KIND は microdata または history です。",
    "Keep a contest going: open and close its phases, and judge uploads. Several machines may do so at once.": (
        "コンテストを進行します。フェーズの開始と終了、提出物の採点を行います。複数台で同時に実行できます。"
    ),
    "Keep the contest in this folder.": "コンテストをこのフォルダに残します。",
    "Language of messages, tables and reports; by LC_ALL, LC_MESSAGES or LANG if left out. It may stand anywhere.": (
        "メッセージ、表、レポートの言語。省略すると LC_ALL、LC_MESSAGES、LANG に従います。どの位置にも書けます。"
    ),
    "Largest share that may be found.": "見破られてよい割合の上限。",
    "Let bots play the demonstration in real time, with a live page for the audience.": (
        "ボットによる実演を実時間で行い、観客用のライブページを表示します。"
    ),
    "Let the bots of a contest's FILE play it from beginning to end, in fast time.": (
        "設定ファイル FILE のボットに、コンテストを最初から最後まで早送りで行わせます。"
    ),
    "Lines above the header; recognized if left out.": "見出し行より上の行数。省略すると自動で判別します。",
    "List every anonymizer, attack, metric, data set and file format with its parameters; explain the one "
    "that is named.": (
        "匿名化手法、攻撃、指標、データセット、ファイル形式をパラメータとともに一覧表示します。名前を指定すると、"
        "その説明を表示します。"
    ),
    "Look at a table, suggest what its columns are, and make a working folder of it.": (
        "表を調べて列の役割の案を示し、作業フォルダを作成します。"
    ),
    "Make a contest from its FILE. Its secret seeds are drawn now, and their hashes begin its log.": (
        "設定ファイル FILE からコンテストを作成します。秘密の乱数シードはここで決まり、そのハッシュ値がログの先頭"
        "に記録されます。"
    ),
    "Make a contest from its back-up SOURCE in an empty FOLDER, ready to go on.": (
        "バックアップ SOURCE から空の FOLDER にコンテストを復元し、続けられるようにします。"
    ),
    "Make a release and verify it.": "提供データを作成し、検証します。",
    "Make data of each kind, anonymize it several ways, attack it with everything, and write a report.": (
        "各種類のデータを生成し、何通りにも匿名化し、すべての攻撃を行って、レポートを書き出します。"
    ),
    "Make synthetic data. The data set's own parameters are options too: icefire data microdata --n 500 --out DIR.": (
        "合成データを生成します。データセットのパラメータもオプションとして指定できます：icefire data microdata -"
        "-n 500 --out DIR。"
    ),
    "Matches that each person needs.": "一人あたりに必要な候補の数。",
    "May this release of a history go out, given all that went out before? Exit code 1 if not.": (
        "これまでの提供をふまえて、この履歴データを提供してよいかを判定します。提供できなければ終了コード 1 を返"
        "します。"
    ),
    "Mean Jaccard similarity of two customers.": "二人の顧客の Jaccard 係数の平均。",
    "Measure a release and the guesses made at it. This reads the secret: it is the judge's command.": (
        "提供データと、それに対する推定結果を評価します。秘密情報を読むため、審判用のコマンドです。"
    ),
    "Measure the guesses of attackers who know this of the people; all if left out.": (
        "本人についてこの範囲を知る攻撃者の推定結果だけを評価します。省略するとすべて評価します。"
    ),
    "Metric to measure, with parameters if it takes any; all if left out.": (
        "測定する指標（必要ならパラメータ付き）。省略するとすべて測定します。"
    ),
    "Minutes of processor time for one attack on a table, a history or traces, roughly. Where comparing "
    "everybody with everybody takes longer, some published rows (of histories and traces: pseudonyms and "
    "people) are sampled, and each is searched among all.": (
        "表、履歴または移動データへの攻撃 1 件にかける処理時間（分）の目安。全員どうしの比較がこれを超える場"
        "合は、提供"
        "データの一部の行（履歴と移動データでは一部の仮名と人）を抽出し、それぞれを全体の中から探します。"
    ),
    "Name of this machine among others; its own if left out.": (
        "複数台で動かすときのこのマシンの名前。省略するとホスト名を使います。"
    ),
    "Name or number of a sheet; the first one if left out.": (
        "シートの名前または番号。省略すると最初のシートを読みます。"
    ),
    "Names of the columns, comma separated, for a file without a header.": (
        "見出し行のないファイルの列名（カンマ区切り）。"
    ),
    "Of a history: how many pseudonyms each person could have, and how many published records each record "
    "could be behind.": (
        "履歴データでは、各人が取りうる仮名の数と、各レコードに対応しうる提供データのレコードの数を求めます。"
    ),
    "People to make traces of.": "移動データを生成する人数。",
    "Print one JSON document and nothing else.": "JSON 文書を一つだけ出力します。",
    "Python file with methods of your own.": "独自の手法を書いた Python ファイル。",
    "Records of a customer.": "一人の顧客のレコード数。",
    "Records.": "レコードの数。",
    "SOURCE is a file (CSV and other texts in any encoding, Excel, JSON lines, Parquet, zip), a folder or "
    "glob of such files, a database (shop.sqlite, sqlite:///shop.db#table, postgresql://...), or a working "
    "folder that has an original already.": (
        "SOURCE はファイル（任意の文字コードの CSV などのテキスト、Excel、JSON lines、Parquet、zip）、そのフォル"
        "ダやワイルドカード、データベース（shop.sqlite、sqlite:///shop.db#table、postgresql://...）、または元デー"
        "タのある作業フォルダです。"
    ),
    "Search for releases that may go out, and name the two or three that are worth looking at.": (
        "提供できる加工を探し、検討に値するものを二つか三つ挙げます。"
    ),
    'Search for the release with the best worst case that meets the requirements, such as "utility>=0.7".': (
        '"utility>=0.7" のような条件を満たし、最悪の場合の安全性が最も高い提供データを探します。'
    ),
    "Seed for drawing.": "抽出の乱数シード。",
    "Seed of all randomness, of the release, too. Drawn from the system if left out.": (
        "提供データの生成を含む、すべての乱数のシード。省略するとシステムから生成します。"
    ),
    "Seed of all randomness, of the releases, too. Drawn from the system if left out.": (
        "提供データの生成を含む、すべての乱数のシード。省略するとシステムから生成します。"
    ),
    "Seed of all randomness.": "すべての乱数のシード。",
    "Seed of all randomness. It is part of the secret; drawn from the system if left out.": (
        "すべての乱数のシード。秘密情報の一部です。省略するとシステムから生成します。"
    ),
    "Seed of everything random.": "すべての乱数のシード。",
    "Seed of the bots; an exciting one if left out.": "ボットの乱数シード。省略時は見ごたえのある展開になるものを使います。",
    "Seed of the generator.": "データ生成の乱数シード。",
    "Seed of the leaks that are tried.": "試行する漏えいを選ぶ乱数のシード。",
    "Serve a contest on the web: for the audience, the teams and the operator.": (
        "コンテストを Web で公開します。観客、チーム、運営者用のページがあります。"
    ),
    "Show the version and exit.": "バージョンを表示して終了します。",
    "Show what is going on: phase, standings, queue, alarms, and what is wrong.": (
        "現在の状況（フェーズ、順位、採点待ち、アラート、至急の問題）を表示します。"
    ),
    "Size of the sample of people that synthetic tables are searched on; 300 if left out.": (
        "合成データの探索に使う人数。省略すると 300 人とします。"
    ),
    "Stop when the contest is final or nothing is left to do.": (
        "結果が確定するか、することがなくなったら終了します。"
    ),
    "For synthetic tables, which have no row for each person.": "合成データ（実在の人の行がない表）を作る。",
    "Table to read, where the source is a database.": "読み込む表（データベースの場合）。",
    "Tables, histories and traces are anonymized as a whole. Attacks that compare everybody with everybody "
    "are made on a sample of what is published if they take longer than a twentieth of --budget, and steps "
    "that take longer than --budget are not tried. The best release is then attacked with everything, each "
    "attack within --budget. Attackers are taken to know the method: the steps and their parameters, not the seed.": (
        "表、履歴、移動データは全体を匿名化します。全員どうしを比べる攻撃は、--budget の 20 分の 1 を超える場合は提供"
        "データの一部で行い、--budget を超える加工は試しません。最後に、最良の提供データに対して、すべての攻撃を"
        "（1 件あたり --budget 以内で）行います。攻撃者は加工方法（ステップとパラメータ。乱数シードを除く）を"
        "知っている"
        "とみなします。"
    ),
    "Take all suggestions without asking.": "確認せずに、すべての案を採用します。",
    "Take part in a contest: send a release or a guess, and fetch your problem or a target.": (
        "コンテストに参加します。匿名化データや攻撃の回答を提出し、配布データや攻撃対象を取得します。"
    ),
    "The contest platform: defenders, attackers, a judge and an audience.": (
        "匿名化する側、攻撃する側、審判、観客のためのコンテストの基盤です。"
    ),
    "The gate attacks everything released so far with the whole suite, with maximum and with less knowledge "
    "of the people. Its attackers do not know the method: see redteam.": (
        "これまでに提供したすべてのデータに対して、人について最大の知識を持つ攻撃者と、より知識の少ない攻撃者の立"
        "場で、すべての攻撃を行います。攻撃者は加工方法を知らないものとします（知っている場合は redteam）。"
    ),
    "The largest share of the people who may be re-identified.": "再識別されてよい人の割合の上限。",
    "The number of clusters that weighs dummy records against re-identification best.": (
        "疑似レコード数と再識別率の釣り合いが最も良いクラスタの数を求めます。"
    ),
    "The set of data; may be left out if there is one.": "データセット。一つしかなければ省略できます。",
    "The team whose release is attacked, by its name or its id.": "攻撃対象のチーム。名前または ID。",
    "The organizer's own certificate authority, a PEM file, or ICEFIRE_CA; the system's if left out.": (
        "主催者独自の認証局（PEM ファイル）。ICEFIRE_CA でも指定できます。省略するとシステムのもの。"
    ),
    "Values to draw, for --model sampling.": "抽出する値の数（--model sampling 用）。",
    "Verify a release: who may be behind how many rows, what that is worth, and what one leaked link gives away.": (
        "提供データを検証します。誰が何行の候補になるか、それがどれだけ有効か、対応が一つ漏れると何が分かるかを示"
        "します。"
    ),
    "Verify the log, judge everything again from the uploads, and compare. Exit code 1 if anything differs.": (
        "ログを検証し、提出物をすべて採点し直して比較します。異なるものがあれば終了コード 1 を返します。"
    ),
    "What reads and counts; duckdb for a database and polars for files if left out.": (
        "読み込みと集計に使うエンジン。省略するとデータベースには duckdb、ファイルには polars を使います。"
    ),
    "What separates columns, such as ';' or 'tab'; recognized if left out.": (
        "列の区切り文字。例：';' や 'tab'。省略すると自動で判別します。"
    ),
    "What the attacker knows, if not the whole original.": "攻撃者が知っている情報（元データ全体でない場合）。",
    "What the release has to reach.": "提供データが満たすべき条件。",
    "What to send; where to write what is fetched.": "提出するファイル。取得の場合は書き出し先。",
    "A few words about your method, which the audience is told at once.": "手法の簡単な説明（観客に直ちに公開されます）。",
    "Where the log is stored: sqlite:///FILE in the contest's folder, or postgresql://USER@HOST/NAME.": (
        "ログの保存先。コンテストのフォルダ内の sqlite:///FILE、または postgresql://USER@HOST/NAME。"
    ),
    "Which data set, if the kind has several.": "データセットの名前（複数ある場合）。",
    "Working folder to judge.": "判定する作業フォルダ。",
    "Working folder to read.": "読み込む作業フォルダ。",
    "Working folder to write.": "書き出す作業フォルダ。",
    "Working folder to write; by the name of the file if left out.": (
        "書き出す作業フォルダ。省略するとファイル名から決めます。"
    ),
    "Write a schema anew that is there already.": "既にあるスキーマを書き直します。",
    "Write everything into one file TARGET, while the contest goes on. It holds the secrets: keep it safe.": (
        "コンテストを続けたまま、すべてを一つのファイル TARGET に保存します。秘密情報が含まれるため、安全に保管し"
        "てください。"
    ),
    "Write over a release in the folder, whose secret is lost then.": (
        "フォルダにある提供データを上書きします。その秘密情報は失われます。"
    ),
    "Write the log, the standings and the attack matrix as files.": (
        "ログ、順位表、攻撃の結果表をファイルに書き出します。"
    ),
    "Write the outcome, to compare with it later.": "後で比較できるように結果を書き出します。",
    "Your team's token, or ICEFIRE_TOKEN.": "チームのトークン。ICEFIRE_TOKEN でも指定できます。",
    "k-concealment: each person could be behind at least k published rows, or have k pseudonyms.": (
        "k-秘匿：各人が提供データの k 行以上の候補になるか、k 個以上の仮名を取りうるようにします。"
    ),
    "public, operator or team:ID.": "public、operator、team:ID のいずれか。",
    "Identifying column to publish as keyed pseudonyms.": ("鍵付きの仮名として提供する識別子の列。"),
    "File with the key of the pseudonyms; icefire key makes one.": ("仮名の鍵のファイル（icefire key で作成）。"),
    "Working folder of the persons.": ("個人の作業フォルダ。"),
    "Working folder of the households.": ("世帯の作業フォルダ。"),
    "Folder to write both tables to.": ("二つの表を書き込むフォルダ。"),
    "File for the 1,000 people who are found most often, and why (CSV). It holds original values.": (
        "最も特定されやすい 1,000 人とその理由を書き出すファイル（CSV）。元の値を含みます。"
    ),
    "Anonymize persons and their households together, and publish two tables that are linked by new numbers.": (
        "個人とその世帯をまとめて加工し、新しい番号で結び付けた二つの提供データを作ります。"
    ),
    'Both schemas name the column that links, as household = "home". Whole households are made equal, '
    "with all of their members: STEP has to be one that reaches k, such as 'mondrian(k=5)'.": (
        'どちらのスキーマにも、結び付ける列を household = "home" のように指定してください。'
        "世帯を構成員も含めて同じ内容にするため、STEP は 'mondrian(k=5)' のように k を満たすものでなければな"
        "りません。"
    ),
    "Make a key for pseudonyms (icefire anonymize --pseudonym). FILE is readable by you alone, and never replaced.": (
        "仮名（icefire anonymize --pseudonym）の鍵を作ります。FILE は自分だけが読め、上書きされません。"
    ),
    "SOURCE is whatever `icefire init` reads; --engine reads Parquet and CSV files, folders and globs of "
    "them, and databases.": (
        "SOURCE は `icefire init` で読めるものです。--engine を指定すると、Parquet と CSV のファイル、"
        "そのフォルダやグロブ、データベースを読みます。"
    ),
    "Column that says what sort of record it is, for --known; of ride/C07, what stands before the slash.": (
        "レコードの種類を示す列（--known 用）。ride/C07 のような値では、スラッシュの前の部分を種類とみなします。"
    ),
    "Also identification by records of several sorts, such as ride=1,shop=1 (needs --user and --type); "
    "may be repeated.": (
        "複数の種類のレコードを知られたときの識別確率も表示します。例：ride=1,shop=1（--user と --type が必要"
        "）。複数回指定できます。"
    ),
    "Folder of a history to take these numbers from.": "これらの数を求める履歴データのフォルダ。",
    "With --in, also for items and customers as they are (E2, E3, E4), in place of equally likely items "
    "and equal customers.": (
        "--in を指定すると、商品の出現確率と顧客のレコード数が一様という仮定を外した期待値（E2、E3、E4）も求めます。"
    ),
    "Studies: runs that a file declares, with the figures of papers beside what comes out.": (
        "スタディ：ファイルに宣言した実行。論文の数値と結果を並べて示します。"
    ),
    "Run studies: FILES, or names of studies that ship (`icefire study list`).": (
        "スタディを実行します。FILES にはファイル、または付属のスタディの名前（`icefire study list`）を指定します。"
    ),
    "Writes a page, tables as CSV and LaTeX, figures as SVG, and all numbers in results.parquet. What was "
    "computed before is not computed again: after Ctrl-C the same command goes on. Exit code 1 if a "
    "printed figure deviates and nobody says why.": (
        "ページ、CSV と LaTeX の表、SVG の図、全ての数値（results.parquet）を書き出します。計算済みのものは再"
        "計算しません。Ctrl-C で中断した後は、同じコマンドで続きから実行できます。論文の数値との相違に説明が"
        "ない場合、終了コードは 1 です。"
    ),
    "All studies that ship.": "付属の全てのスタディ。",
    "Try studies out with little data, in seconds.": "少量のデータで試します（数秒）。",
    "Folder to write; each study gets a folder in it.": "出力フォルダ。スタディごとにその中にフォルダを作ります。",
    "Folder of data files; ICEFIRE_DATA if left out.": "データファイルのフォルダ。省略時は ICEFIRE_DATA。",
    "Processes at a time; one for each processor if left out.": "同時に実行するプロセス数。省略時はプロセッサの数。",
    "Folder of what was computed before; in your home if left out.": (
        "計算結果のキャッシュのフォルダ。省略時はホームディレクトリの中。"
    ),
    "List the studies that ship.": "付属のスタディの一覧を表示します。",
    "File of the study to write, such as mine.toml.": "書き出すスタディのファイル。例：mine.toml。",
    "Write a commented study of your own data FILE, to change and run.": (
        "自分のデータ FILE のためのスタディを、説明付きで書き出します。編集してから実行してください。"
    ),
    "Compare two folders of a study: which figures changed. Exit code 1 if any did.": (
        "スタディの二つの出力フォルダを比べ、変わった数値を示します。変わったものがあれば終了コードは 1 です。"
    ),
    "The largest share of the people with a value of whom it may become certain, beyond what is known "
    "without the release.": (
        "ある値を持つ人のうち、提供データによってその値であると確実に分かる人の割合の上限（提供データがなくて"
        "も分かる分を除く）。"
    ),
    "Another release of the same people that recipients hold: a folder.": (
        "提供先が持つ、同じ人々についての別の提供データのフォルダ。"
    ),
    "Print every attack as well.": ("すべての攻撃も表示します。"),
    "Say whether a release may go to its recipients: attack it with everything, and write a report.": (
        "提供データを提供してよいかを判定します。すべての攻撃を試し、レポートを書き出します。"
    ),
    "Recipients are those whose background knowledge --attacker names; everybody if it is left out. This "
    "reads the secret to judge; attacks are given the steps, never the seed. Ctrl-C ends the attacks; "
    "then there is no answer yet.": (
        "提供先は、--attacker で指定した背景知識を持つ相手です。省くと、限定のない提供（公開）とみなします。"
        "判定のために秘密情報を読みますが、攻撃に渡すのはステップだけで、乱数シードは渡しません。Ctrl-C で攻"
        "撃を終えると、判定は「まだ判断できません」になります。"
    ),
    "Exit code: 0 release, 1 do not release, 3 cannot say.": (
        "終了コード：0 は許容基準を満たす、1 は超えている、3 は判断できない。"
    ),
    "Record that a release was handed out, so that later ones are attacked together with it.": (
        "提供した加工データを記録し、今後の加工データをそれと合わせて攻撃できるようにします。"
    ),
    "What was published is copied into previous/ of the working folder of the original, and named in its schema.toml.": (
        "提供したファイルを元データの作業フォルダの previous/ に複製し、schema.toml に書き加えます。"
    ),
    "Folder of what was handed out.": "提供した加工データのフォルダ。",
    "What to call it; the name of its folder if left out.": "加工データの名前。省略するとフォルダ名。",
}
