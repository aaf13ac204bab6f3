"""Texts of the desk."""

TEXTS = {
    "nothing is left to publish: all columns are left out": "すべての列が除かれ、提供できる列が残っていません",
    "Look at your own data, search for releases and decide on one, in a page served on this machine alone.": (
        "手元のデータを調べ、加工方法を探し、提供してよいかを判断します。ページはこのコンピュータの中だけで動きます。"
    ),
    "FILE is anything that icefire init reads. Nothing leaves the machine, and nobody else can open the page: its address has "
    "a token, which is new each time.": (
        "FILE には icefire init が読めるものを指定します。データは外に送られません。"
        "アドレスには毎回新しいトークンが付くので、他の人はページを開けません。"
    ),
    "Folder of the sessions; in your home folder if left out.": "作業を保存するフォルダ（省略時はホームフォルダの中）",
    "Port of the page; any free one if left out.": "ページのポート番号（省略時は空いているもの）",
    "Print the address, and open no browser.": "アドレスを表示するだけで、ブラウザは開かない",
    "The desk is at {}": "デスクのアドレス：{}",
    "It is open on this machine alone, for whoever has this address. Ctrl-C closes it; the sessions stay.": (
        "このコンピュータの中で、このアドレスを知る人だけが開けます。Ctrl-C で終了します（作業は保存されます）。"
    ),
    "nothing is left to publish: all columns identify people": "提供できる列がありません：すべての列が識別子です",
    "only one column can be the {}: {}": "{} に指定できる列は一つだけです：{}",
    "open the address that the desk has printed, with its token": (
        "デスクが表示した、トークン付きのアドレスを開いてください"
    ),
    "this desk is another person's": "このデスクは他の利用者のものです",
    "this desk is reached by its own address alone": "デスクは、表示されたアドレスからだけ開けます",
    "the machine is busy with other jobs: wait for one, or end one": (
        "他の処理が動いています。終わるのを待つか、中止してください"
    ),
    "{} cannot be measured on this table: {}": "この表では {} を測れません：{!m}",
    "there is no such release: search again": "その候補はありません。もう一度探してください",
    "the table or what its columns are was changed since then: search again": (
        "その後、表か列の役割が変更されました。もう一度探してください"
    ),
    "the port {} is taken: choose another one with --port, or none": (
        "ポート {} は使われています。--port で別の番号を指定するか、省略してください"
    ),
    "there is no such session: it was removed, or its folder is another one": (
        "その作業はありません。削除されたか、保存フォルダが違います"
    ),
    "the file is larger than {} GB: `icefire desk FILE` reads it where it is": (
        "ファイルが {} GB を超えています。`icefire desk FILE` なら、置かれた場所から読み込めます"
    ),
    "the disk is too full for this file": "ディスクの空きが足りません",
    "something went wrong here: {} says what": "内部で問題が起きました。詳しくは {} を見てください",
    "more than {} GB of memory needed: try fewer rows or columns": (
        "メモリが {} GB を超えました。行か列を減らしてください"
    ),
    "{} times are less than two days of {}: attackers know the days before the others": (
        "時刻が {} 個では、1日 {} 個として2日分に足りません。前半の日を攻撃者の知識とするためです"
    ),
    "it took more than {} hours": "{} 時間を超えたため中止しました",
}
