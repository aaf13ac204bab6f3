"""What commands print."""

TEXTS: dict[str, str] = {
    "{} keeps its original: begin with the file itself and --out for one row per {}": (
        "{0} の元データは書き換えません。{1} ごとに一行とするには、元のファイルと --out を指定してください"
    ),
    "{} holds columns that identify people ({}): begin with the file itself and --out, and they are left out": (
        "{} に個人を特定する列（{}）があります。元のファイルと --out を指定すれば、それらの列は除かれます"
    ),
    "Worth looking at, of {}: whoever knows {} and the method finds at most {} in 100": (
        "検討に値する提供データ（{0} 通り中）：{1!t} と加工方法を知る攻撃者に特定されるのが 100 人中 {2} 人以下"
    ),
    "found by {}": "{} を知る攻撃者",
    "use left": "残る有用性",
    "columns lost": "失われた列",
    "All figures are in 100: people who are found, and what is left of the use (100: all of it).": (
        "値はすべて 100 あたりです：特定される人数と、残る有用性（100 は元のまま）。"
    ),
    "A dash says that it was not measured, not that nobody is found: more --minutes leave time for it.": (
        "「-」は測定していないことを示し、特定される人がいないという意味ではありません。--minutes を増やすと"
        "測定できます。"
    ),
    "The same in every row: {}": "すべての行で同じ値になる列：{}",
    "The first row of each, as it would be published:": "それぞれの公開される表の 1 行目：",
    "Each command draws a seed of its own, which stays secret. The figures of that release are about the same.": (
        "どのコマンドも乱数シードを新たに選び、秘密に保ちます。その提供データの値は、上の値とほぼ同じです。"
    ),
    "{} releases and variations of the best are tried, for at most {} (--minutes). Ctrl-C shows the best so far.": (
        "{} 通りの提供データと、最良のものの変形を、最長 {!m} 試します（--minutes）。Ctrl-C でそれまでの最良"
        "を表示します。"
    ),
    "Given up, since they take too much of the time (--minutes): {}": (
        "時間がかかりすぎるため打ち切ったもの（--minutes）：{}"
    ),
    "The search was ended when its time was up: more --minutes may find better ones.": (
        "制限時間に達したため探索を終えました。--minutes を増やすと、より良いものが見つかる可能性があります。"
    ),
    "Ended by hand, before all was tried and verified: attacks that were not made may find more.": (
        "すべてを試して検証する前に中断されました。まだ行っていない攻撃はより多く見つける可能性があります。"
    ),
    "95% interval": "95%信頼区間",
    "strongest attack": "最強の攻撃",
    "The data as they are pass, and none of {} releases is better: --max-risk asks for less": (
        "加工なしでも条件を満たし、{} 通りの提供データにそれより良いものはありません。--max-risk で許容値を下げられます"
    ),
    "{}, seed {}: written to {}": "{}、乱数シード {}：{} に書き出しました",
    "{}: written to {}": "{}：{} に書き出しました",
    "note: this begins with the original of {}, not with the release in it": (
        "注意：{} の元データから加工します（同じフォルダにある提供データは使いません）"
    ),
    "Guesses in {} (seed {})": "{} の推定結果（乱数シード {}）",
    "{} cannot attack this release: {}": "{} はこの提供データを攻撃できません：{!m}",
    "no phase is open": "開いているフェーズはありません",
    "round {}, {}": "ラウンド {}、{}",
    "{}: made in {}": "{}：{} に作成しました",
    "Stopped.": "停止しました。",
    "Run it with: icefire contest serve {} --operator NAME (without pages: icefire contest run {})": (
        "開始するには：icefire contest serve {} --operator NAME（ウェブページなし：icefire contest run {}）"
    ),
    "{} is valid: {}, {} set(s), {} round(s).": "{} は正しい設定です：{}、データセット {} 個、ラウンド {} 回。",
    "{} is an operator now.": "{} を運営者として登録しました。",
    "{} has a new password; log in again.": "{} のパスワードを変更しました。ログインし直してください。",
    "Add an operator of this name, unless there is one; the password is asked for, or read from {}.": (
        "この名前の運営者がいなければ追加します。パスワードは入力を求めるか、{} から読みます。"
    ),
    "{}: {}; {} events": "{}：{}；イベント {} 件",
    "{} events and all files are in {}. It holds the secrets of the contest.": (
        "{} 件のイベントとすべてのファイルを {} に保存しました。コンテストの秘密情報が含まれています。"
    ),
    "{} events are back in {}. Go on with: icefire contest serve {}": (
        "{} 件のイベントを {} に復元しました。続けるには：icefire contest serve {}"
    ),
    "The seed of {} has the hash {}: publish it now.": (
        "{} の乱数シードのハッシュ値は {} です。今すぐ公開してください。"
    ),
    "{} events in {} s, seed {}; the log is intact.": (
        "{} 件のイベント、{} 秒、乱数シード {}。ログに異常はありません。"
    ),
    "Running {} with {} workers; stop with Ctrl-C, nothing is lost.": (
        "{} を {} 個の採点プロセスで実行しています。Ctrl-C で停止できます（失われるものはありません）。"
    ),
    "The arena is at {}; stop with Ctrl-C.": "アリーナは {} です。Ctrl-C で停止します。",
    "unknown viewer {!r}: write public, operator or team:ID with one of {}": (
        "{} という閲覧者はいません。public、operator、または team:ID（{} のいずれか）を指定してください"
    ),
    "{} events, the log is intact; {} were judged again, {} differ.": (
        "{} 件のイベント、ログに異常はありません。{} 件を採点し直し、{} 件が異なりました。"
    ),
    "written: {}": "書き出しました：{}",
    "Differs: {}": "相違：{!m}",
    "Rejected, {}: {}": "不受理、{}：{!m}",
    "cannot read the expected outcome {}: {}": "期待する結果 {} を読めません：{!m}",
    "Passwords will travel unencrypted: use --certificate and --key, or --proxies (docs/arena.md).": (
        "パスワードが暗号化されずに送られます。--certificate と --key、または --proxies を指定してください（docs/"
        "arena.md）。"
    ),
    "Open {}screen and watch; seed {}. It lasts {} s; stop with Ctrl-C.": (
        "{}screen を開いて観戦してください（乱数シード {}）。{} 秒間続きます。Ctrl-C で停止します。"
    ),
    "The page for phones and desks is {}": "手元の端末用のページは {} です",
    "The operator's page is {}operator, login operator, password {}": (
        "運営者のページは {}operator、ログイン名は operator、パスワードは {} です"
    ),
    "Alarm {}: {} ({})": "アラート {}：{!m}（{}）",
    "Flagged: {}, {}: {}; waits for a ruling": "要確認：{}、{}：{}；判定待ち",
    "data set for {}": "{} のデータセット",
    "unexpected word {!r}: options look like --n 500": (
        "{} は不要な語です。オプションは --n 500 のように書いてください"
    ),
    "the option --{} needs a value": "オプション --{} には値が必要です",
    "{} s. The report is {}": "{} 秒。レポートは {} です",
    "what was done": "加工内容",
    "{}: {}, seed {}": "{}：{}、乱数シード {}",
    "{}: this measures guesses, and there is none: icefire attack {} makes some": (
        "{} は推定結果を測る指標ですが、推定結果がありません。icefire attack {} で作成してください"
    ),
    "known of the people": "本人についての知識",
    "metric for {}": "{} の指標",
    "give a share between 0 and 1": "0 以上 1 以下の割合を指定してください",
    "strongest attack (knows everything)": "最強の攻撃（すべてを知る）",
    "MM at each release (limit {}, seed {})": "提供ごとの MM（許容値 {}、乱数シード {}）",
    "Entered into the ledger as {}.": "台帳に {} として記録しました。",
    "The curve is in {}": "リスクの推移は {} にあります",
    "These attackers do not know the method: whoever does may find more, which redteam shows.": (
        "これらの攻撃者は加工方法を知りません。知っている攻撃者にはさらに見破られる可能性があります（redteam "
        "で確認でき"
        "ます）。"
    ),
    "knows {}": "{} を知る",
    "Suggested roles": "列の役割の案",
    "{} rows have {} different values of {!r}: some people have several rows, and figures would count rows as people. "
    "Begin again with one of these:": (
        "{0} 行に列 {2} の値が {1} 種類しかなく、一人が複数の行を持っています。このままでは行を人として数えてしまいます。"
        "次のいずれかでやり直してください："
    ),
    "no column repeats as numbers of people do, so that the rows are no records of people": (
        "個人の番号のように繰り返される列がないため、履歴として扱えません"
    ),
    "{} keeps its original: begin with the file itself and --out for records": (
        "{} の元データは書き換えません。履歴にするには、元のファイルと --out を指定してください"
    ),
    "records need a date and what somebody did: no column holds dates, or --item names what was done": (
        "履歴には日付と行為の列が必要です。日付の列がないか、行為の列が分かりません（--item で指定できます）"
    ),
    "Columns of the records": "履歴の列",
    "Left out: {}": "除いた列：{}",
    "{} people, {} records. Then, for example:": "{} 人、{} 件の履歴です。次のステップの例：",
    "Look through {}, and change what you know better. Then, for example:": (
        "{} を確認し、必要に応じて直してください。次に進む例："
    ),
    "{}: {} values; {}": "{}：値は {} 種類；{!m}",
    "--separator: {!r} is not one character, such as ';', or the word tab": (
        "--separator：{} は 1 文字（例：';'）でも tab でもありません"
    ),
    "{}: {} rows, {} columns{}": "{}：{} 行、{} 列{}",
    "{} of the rows are alone with their quasi-identifiers (qi).": "準識別子（qi）の組み合わせが一意の行は {} です。",
    "{} is a working folder, whose schema is written into it: leave --out out": (
        "{} は作業フォルダで、スキーマはその中に書き出されます。--out を外してください"
    ),
    "{} is there already: --replace writes it anew, --out chooses another folder": (
        "{} は既にあります。--replace で書き直すか、--out で別のフォルダを選んでください"
    ),
    "{} holds another original table: choose another folder with --out": (
        "{} には別の元データがあります。--out で別のフォルダを選んでください"
    ),
    "Identification probability by one known fact ({} records, {} users)": (
        "一つの情報による平均識別確率（{} レコード、{} 人）"
    ),
    "--users and --curve look at people with several records: say with --user whose record it is": (
        "--users と --curve は一人が複数のレコードを持つ場合のものです。誰のレコードかを示す列を --user で指定し"
        "てください"
    ),
    "records per user": "一人あたりのレコード数",
    "least cost": "最小コスト",
    "90% interval": "90%信頼区間",
    "Most dangerous values of {}": "{} の最も危険な値",
    "Users most exposed by {}": "{} から最も特定されやすい人",
    "records known": "知られたレコード数",
    "bits left": "残りのビット数",
    "Identification by several records: {}": "複数のレコードによる識別：{}",
    "{}: {} (default {})": "{}: {!m}（既定値 {}）",
    "method for {}": "{} の手法",
    "what it does": "内容",
    "{} holds a release, whose secret would be lost: choose a new folder, or give it up with --replace": (
        "{} には提供データがあり、その秘密情報が失われます。新しいフォルダを選ぶか、失ってよければ --replace を指"
        "定してください"
    ),
    "--knowledge says what the attacker knows: leave --attacker out": (
        "攻撃者の知識は --knowledge で決まります。--attacker を外してください"
    ),
    "worst: {} {}": "最悪：{} {}",
    "({} rows sampled)": "（{} 行を抽出）",
    "({} people sampled)": "（{} 人を抽出）",
    "({} pseudonyms sampled)": "（仮名 {} 件を抽出）",
    "takes about {} min, and less would find less: --budget allows more": (
        "約 {} 分かかり、一部だけでは特定数が少なくなります。--budget で増やせます"
    ),
    "{} before, {} after ({} .. {})": "加工前 {}、加工後 {}（{} .. {}）",
    "quasi-identifiers are told by {}": "準識別子が {} から分かります",
    "{} done in {}; now {}": "{} 件完了（{!m}）；実行中：{}",
    "{} tried in {}, at most {} left; now {}": "{} 件試行（{!m}、残り最長 {!m}）；実行中：{}",
    "{} of {} done in {}, about {} left; now {}": "{1} 件中 {0} 件完了（{2!m}、残り約 {3!m}）；実行中：{4}",
    "{} of {} attacks were made, and the others may find more": (
        "{1} 件中 {0} 件の攻撃だけを行いました。残りの攻撃ではさらに特定される可能性があります"
    ),
    "ended by hand after {} of {} metrics and guesses": "{1} 件中 {0} 件の指標と推定結果を評価したところで中断されました",
    "Attacks, the worst case on top (seed {})": "攻撃の一覧（最悪の場合が先頭、乱数シード {}）",
    "about {} of processor time, at most {} (--budget)": "CPU 時間は約 {!m}、最長 {!m}（--budget）",
    "at most about {} of processor time (--budget)": "CPU 時間は最長約 {!m}（--budget）",
    "about {} GB of memory (--memory)": "メモリは約 {} GB（--memory）",
    "{} people, {} attacks; {} makes fewer": "{} 人、攻撃 {} 件。{} で減らせます",
    "about {} of processor time": "CPU 時間は約 {!m}",
    "Error: {}": "エラー：{!m}",
    "Try '{} --help' for help.": "使い方は '{} --help' で表示されます。",
    "{}: no phase is open": "{}：フェーズ外",
    "Releases left, {}: {}": "加工データの残り提出回数、{}：{}",
    "Guesses left, {}, {} ({}): {}": "推定の残り提出回数、{}、{}（{}）：{}",
    "there is no team {!r}, only {}": "チーム {} はありません。あるのは {} です",
    "{} holds no certificates in PEM form: {}": "{} に PEM 形式の証明書がありません：{!m}",
    "the certificate of {} is not trusted ({}): name the organizer's certificate authority with --ca FILE": (
        "{} の証明書を信頼できません（{!m}）：主催者の認証局を --ca FILE で指定してください"
    ),
    "say which team: --target TEAM": "チームを指定してください：--target TEAM",
    "say which file: --file FILE": "ファイルを指定してください：--file FILE",
    "the arena answered {}": "アリーナの応答：{}",
    "say which set: --set, one of {}": "データセットを指定してください：--set（{} のいずれか）",
    "say which set: --set, one of none so far": "データセットを指定してください：--set（まだ一つもありません）",
    "no file {}": "ファイル {} がありません",
    "the judge failed on this file; reference {}": "このファイルの採点中に問題が発生しました（照会番号 {}）",
    "there is no problem of the set {!r} yet": "データセット {} の配布データはまだありません",
    "{!r} is not an address such as https://arena.example.org": (
        "{} はアドレスではありません。https://arena.example.org のように書いてください"
    ),
    "{} is not encrypted, and your token would be readable on the way: use https": (
        "{} は暗号化されていないため、トークンが途中で読み取られます。https を使ってください"
    ),
    "{} holds none of {}": "{} には {} がありません",
    "{} does not answer as an arena does": "{} はアリーナとして応答しません",
    "{} cannot be reached: {}": "{} に接続できません：{!m}",
    "{} customers, {} records, {} items, {} clusters": "顧客 {} 人、レコード {} 件、商品 {} 種類、クラスタ {} 個",
    "Different items among {} records of {} items": "{1} 種類の商品の {0} 件のレコードに含まれる商品の種類",
    "best number of clusters": "最適なクラスタの数",
    "the same by the closed form (an approximation)": "閉形式による値（近似）",
    "dummy records then": "そのときの疑似レコード数",
    "expected re-identification then": "そのときの再識別率の期待値",
    "the model holds from so many clusters on": "モデルが成り立つ最小のクラスタ数",
    "{} customers with {} items each, Jaccard {}": "顧客 {} 人、一人あたり商品 {} 種類、Jaccard 係数 {}",
    "dummy records": "疑似レコード",
    "for each real record": "実レコード 1 件あたり",
    "expected re-identification": "再識別率の期待値",
    "records at which most dummies are needed": "疑似レコードが最も多く必要になるレコード数",
    "most likely": "最頻値",
    "its probability": "その確率",
    "Frontier of {} tries on all {} people (seed {})": "試行 {} 回のフロンティア（全 {} 人、乱数シード {}）",
    "Frontier of {} tries on a sample of {} people (seed {})": (
        "試行 {} 回のフロンティア（抽出した {} 人、乱数シード {}）"
    ),
    "Size of the sample of people that synthetic tables are searched on; {} if left out.": (
        "合成データの探索に使う人数。省略すると {} 人とします。"
    ),
    "Attackers know {} of the people, and the method.": "攻撃者の知識：{!t} と加工方法",
    "{}, worst case": "{!t}、最悪の場合",
    "Best on all {} people against every attack: {} (strongest: {})": (
        "全 {} 人に対する最良（すべての攻撃に対して）：{}（最強：{!m}）"
    ),
    "Make it: {}": "作成するには：{}",
    "The figures hold for this seed, which is part of the secret; another seed gives other noise, groups "
    "and decoys, and "
    "somewhat other figures.": (
        "値はこの乱数シードでのものです。シードは秘密の一部です。シードが変わると、ノイズ、グループ、"
        "おとりが変わり、値も多少変わります。"
    ),
    "{} is searched on all people, since a smaller crowd changes the risk: leave --people out, and see --budget": (
        "{} は、人数が減るとリスクが変わるため、全員で探索します。--people を外してください（--budget も参照）"
    ),
    "Fewer people are easier to tell apart: of all {}, the figures may be better.": (
        "人数が少ないと見分けやすくなります。全 {} 人ではより良い値になる可能性があります。"
    ),
    "Not tried, since it takes about {} to make (--budget, --minutes): {}": (
        "作成に約 {!m} かかるため、試していません（--budget、--minutes）：{}"
    ),
    "Nothing meets the requirements. Closest: {}, {}.": "条件を満たすものはありません。最も近いもの：{!m}、{}。",
    "Nothing meets the requirements.": "条件を満たすものはありません。",
    "Nothing meets the requirements. Nothing could be measured: {}.": (
        "条件を満たすものはありません。何も測定できませんでした：{}。"
    ),
    "That is the data as they are: nothing that was tried and meets the requirements is safer.": (
        "これは元データそのものです。試したもののうち、条件を満たしてこれより安全なものはありません。"
    ),
    "No release was written.": "提供データは書き出していません。",
    "{}: {} {} in the search; when verified: {}": "{!m}：探索では {} {}、検証の結果：{}",
    "{}: {} {} in the search; when verified: {} {}": "{!m}：探索では {} {}、検証の結果：{} {}",
    "Promising in the search, but not verified, since so many were refuted: {}": (
        "探索では有望でしたが、検証で否定されたものが多いため、検証していません：{}"
    ),
    "Of the releases that meet the requirements, none that was verified is safer than the data as they are.": (
        "条件を満たすもののうち、検証の結果、元データより安全なものはありませんでした。"
    ),
    "{}: pseudonyms. Whoever has {} can tell who is who, and other releases with the same key can be "
    "linked to this one.": (
        "{}：仮名に置き換えました。{} を持つ人は本人を特定できます。同じ鍵で作った他の提供データとも照合できます。"
    ),
    "pseudonyms need both: --pseudonym with an identifying column, and --key with the file of the key": (
        "仮名には、識別子の列（--pseudonym）と鍵のファイル（--key）の両方が必要です"
    ),
    "the key {} lies in the folder of the release: keep it apart from what is handed out": (
        "鍵 {} が提供データのフォルダにあります。提供するものとは別に保管してください"
    ),
    "{}: whoever has it can tell who is behind each pseudonym. Keep it apart from what you hand out.": (
        "{}：この鍵を持つ人は仮名の本人を特定できます。提供するものとは別に保管してください。"
    ),
    "By the number of members": ("構成員数別"),
    "Whoever knows the quasi-identifiers of all members of a household, and the method, finds {} in 100 "
    "of {} households. At least {} are equal to each other.": (
        "世帯の全員の準識別子と加工方法を知る攻撃者は、{1} 世帯のうち 100 世帯あたり {0} 世帯を特定します。"
        "同じ内容の世帯が、少なくとも {2} 世帯ずつあります。"
    ),
    "Hand out {} and {} in {} alone. All else links them back: keep it to yourself.": (
        "提供してよいのは {2} の {0} と {1} だけです。それ以外は元データとの対応付けに使えるため、手元に保管"
        "してください。"
    ),
    "{} households were left out: there are too few of their size to make them equal.": (
        "{} 世帯を除きました。同じ人数の世帯が少なく、同じ内容にできないためです。"
    ),
    "{} of {} attacks did not come to their end and may find more ({}: {})": (
        "{1} 個の攻撃のうち {0} 個は最後まで実行できませんでした。さらに特定される可能性があります（{2}：{3!m}）"
    ),
    "--exposed lists people of tables with a row per person, not of {}": (
        "--exposed で一覧にできるのは一人一行の表の人です（{} では使えません）"
    ),
    "pseudonyms need both: the identifying columns, and the file with the key": (
        "仮名には、識別子の列と鍵のファイルの両方が必要です"
    ),
    "identifying column": ("識別子の列"),
    "one of 'refuse', 'keep', 'anonymize'": ("'refuse'、'keep'、'anonymize' のいずれか"),
    "to anonymize further rows is a release of its own, and to leave them as they are protects nobody in "
    "them: say new_rows='anonymize' or new_rows='keep'. The rows of training are anonymized by "
    "fit_transform": (
        "新しい行の加工は別の提供データになり、そのままにすればその行の人は保護されません。"
        "new_rows='anonymize' または new_rows='keep' を指定してください。学習用の行は fit_transform "
        "で加工されます"
    ),
    "columns need names to be anonymized: give a pandas, polars or Arrow table, not an array": (
        "加工するには列に名前が必要です。配列ではなく、pandas、polars、Arrow の表を渡してください"
    ),
    "these steps drop or repeat rows or columns: training needs every row of X once, with its y": (
        "これらのステップは行や列を削除または重複させます。学習には、X のすべての行が y とともに一度ずつ必要です"
    ),
    "parameter of Transformer": ("Transformer のパラメータ"),
    "Nothing is left to publish: all columns identify people, or are empty.": (
        "公開できる列がありません。すべての列が個人を識別するか、空です。"
    ),
    "With {} rows, there are too few people for anybody to hide among.": (
        "{} 行では人数が少なすぎて、誰も紛れられません。"
    ),
    "note: {}": "備考：{!m}",
    "it comes first: icefire COMMAND microdata ...": "最初に指定します：icefire コマンド microdata ...",
    "--known counts records of a person by their sort: give --user and --type": (
        "--known は、一人のレコードを種類ごとに数えます。--user と --type を指定してください"
    ),
    "Identification by records of several sorts: {}": "複数の種類のレコードによる識別：{}",
    "cannot read {!r}: write how many records of each sort are known, such as ride=1,shop=1": (
        "{} を解釈できません。知られているレコードの数を、ride=1,shop=1 のように種類ごとに書いてください"
    ),
    "the same with items as popular as they are (E2)": "商品の実際の頻度による疑似レコード数（E2）",
    "with items and customers as they are (E3)": "商品の頻度と顧客のレコード数がともに実際の値（E3）",
    "with customers who have as many records as they have (E4)": "顧客の実際のレコード数による疑似レコード数（E4）",
    "how many customers, records and items? Give --n, --m and --l, or a folder with --in": (
        "顧客数、レコード数、商品数が分かりません。--n、--m、--l を指定するか、--in でフォルダを指定してください"
    ),
    "--in says how many customers, records and items there are: leave --n, --m and --l out": (
        "--in を指定すると、顧客数、レコード数、商品数はデータから求めます。--n、--m、--l は指定しないでください"
    ),
    "which study? Give its file, the name of one that ships, or --all": (
        "スタディが指定されていません。ファイル、付属のスタディの名前、または --all を指定してください"
    ),
    "{} exists: choose another name": "{} は既にあります。別の名前を選んでください",
    "{}: written. Say what the columns are, then: icefire study run {}": (
        "{} を書き出しました。列の役割を確かめてから実行してください：icefire study run {}"
    ),
    "{} figures changed, {} are gone, {} are new ({} and {})": (
        "変わった数値 {} 個、なくなった数値 {} 個、新しい数値 {} 個（{} と {}）"
    ),
    "Ended. What was computed is kept: the same command goes on.": (
        "中断しました。計算済みの結果は残っているので、同じコマンドで続きから実行できます。"
    ),
    "Publish {} only: all else in {} links it back to people, so keep it private.": (
        "提供してよいのは {} だけです。{} にあるそれ以外のファイルは元データとの対応付けに使えるため、手元に"
        "保管してください。"
    ),
    "None of {} releases passes: accept more with --max-risk or --max-disclosure, or leave out columns "
    "that tell much": (
        "試した {} 通りの提供データに、許容基準を満たすものはありません。--max-risk や --max-disclosure の値"
        "を見直すか、特定につながりやすい列を除いてください"
    ),
    "background knowledge": ("背景知識"),
    "{}: recorded in {}. icefire redteam attacks later releases of {} together with it.": (
        "{}：{} に記録しました。今後 {} から作る加工データは、icefire redteam がこれと合わせて攻撃します。"
    ),
    "releases of histories are recorded by icefire gate --record, which judges them together": (
        "履歴の加工データは icefire gate --record で記録し、まとめて判定します"
    ),
    "{} holds no release: there is nothing to record": "{} に加工データがないため、記録できません",
}
