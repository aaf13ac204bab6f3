"""Frequent surnames and given names, Japanese and Western, by which columns of names are recognized.

The lists are short on purpose: a column of names is known by some of its cells, not by all. Japanese names are listed
with their reading, from which kana and Latin spellings follow.
"""

from __future__ import annotations

import re
from functools import cache

_SURNAMES_JA = """
佐藤さとう 鈴木すずき 高橋たかはし 田中たなか 伊藤いとう 渡辺わたなべ 渡邉わたなべ 渡邊わたなべ 山本やまもと
中村なかむら 小林こばやし 加藤かとう 吉田よしだ 山田やまだ 佐々木ささき 山口やまぐち 松本まつもと 井上いのうえ
木村きむら 林はやし 斎藤さいとう 斉藤さいとう 齋藤さいとう 齊藤さいとう 清水しみず 山崎やまざき 森もり 池田いけだ
橋本はしもと 阿部あべ 石川いしかわ 山下やました 中島なかじま 石井いしい 小川おがわ 前田まえだ 岡田おかだ
長谷川はせがわ 藤田ふじた 後藤ごとう 近藤こんどう 村上むらかみ 遠藤えんどう 青木あおき 坂本さかもと 福田ふくだ
太田おおた 西村にしむら 藤井ふじい 金子かねこ 岡本おかもと 藤原ふじわら 三浦みうら 中野なかの 中川なかがわ
原田はらだ 松田まつだ 竹内たけうち 小野おの 田村たむら 中山なかやま 和田わだ 石田いしだ 森田もりた 上田うえだ 原はら
内田うちだ 柴田しばた 酒井さかい 宮崎みやざき 横山よこやま 高木たかぎ 安藤あんどう 宮本みやもと 大野おおの
小島こじま 谷口たにぐち 今井いまい 工藤くどう 高田たかだ 増田ますだ 丸山まるやま 杉山すぎやま 村田むらた
大塚おおつか 新井あらい 小山こやま 平野ひらの 藤本ふじもと 河野こうの 上野うえの 武田たけだ 野口のぐち 松井まつい
千葉ちば 菅原すがわら 岩崎いわさき 久保くぼ 木下きのした 佐野さの 野村のむら 松尾まつお 菊地きくち 菊池きくち
市川いちかわ 杉本すぎもと 古川ふるかわ 大西おおにし 島田しまだ 水野みずの 桜井さくらい 櫻井さくらい 高野たかの
渡部わたなべ 吉川よしかわ 山内やまうち 西田にしだ 飯田いいだ 西川にしかわ 小松こまつ 北村きたむら 安田やすだ
五十嵐いがらし 川口かわぐち 平田ひらた 関せき 中田なかた 久保田くぼた 東ひがし 服部はっとり 川崎かわさき 岩田いわた
土屋つちや 福島ふくしま 本田ほんだ 樋口ひぐち 秋山あきやま 田口たぐち 永井ながい 山中やまなか 中西なかにし
吉村よしむら 川上かわかみ 石原いしはら 大橋おおはし 松岡まつおか 馬場ばば 浜田はまだ 森本もりもと 星野ほしの
矢野やの 浅野あさの 大島おおしま 吉岡よしおか 小池こいけ 野田のだ 荒木あらき 松村まつむら 熊谷くまがい
大久保おおくぼ 尾崎おざき 今村いまむら 望月もちづき 片山かたやま 菅野かんの 辻つじ 大谷おおたに 岡崎おかざき
田辺たなべ 田邊たなべ 富田とみた 内藤ないとう 松下まつした 川村かわむら 早川はやかわ 本間ほんま 上原うえはら
須藤すどう 河合かわい 堀ほり 堀内ほりうち 森下もりした 小田おだ 小西こにし 小沢おざわ 小澤おざわ 白石しらいし
石橋いしばし 三宅みやけ 松原まつばら 岩本いわもと 篠原しのはら 西山にしやま 黒田くろだ 関口せきぐち 栗原くりはら
成田なりた 荒井あらい 伊東いとう 平井ひらい 広瀬ひろせ 廣瀬ひろせ 横田よこた 岡おか 松浦まつうら 児玉こだま
大石おおいし 中井なかい 宮田みやた 奥村おくむら 川島かわしま 大川おおかわ 西尾にしお 高山たかやま 堤つつみ
坂井さかい 福井ふくい 榎本えのもと 牧野まきの 桑原くわばら 吉野よしの 宮川みやがわ 岸本きしもと 岩井いわい
沢田さわだ 澤田さわだ 大森おおもり 八木やぎ 足立あだち 植田うえだ 安部あべ 堀江ほりえ 津田つだ 川田かわた
片岡かたおか 小倉おぐら 田島たじま 藤川ふじかわ 大田おおた 根本ねもと 細川ほそかわ 大木おおき 宮下みやした
黒木くろき 土井どい 徳永とくなが 村山むらやま 村井むらい 川本かわもと 奥田おくだ 滝沢たきざわ 古田ふるた
大山おおやま 南みなみ 北川きたがわ 稲垣いながき 平山ひらやま 水谷みずたに 竹田たけだ 森川もりかわ 塚本つかもと
甲斐かい 島崎しまざき 天野あまの 米田よねだ 松山まつやま 久米くめ 相沢あいざわ 堀田ほった 三上みかみ 三好みよし
泉いずみ 西にし 谷たに 柳やなぎ 星ほし 原口はらぐち 松永まつなが 永田ながた 落合おちあい 飯塚いいづか 吉原よしはら
下田しもだ 梅田うめだ 武藤むとう 戸田とだ 浅井あさい 大村おおむら 杉浦すぎうら 小野寺おのでら 門脇かどわき
神田かんだ 河村かわむら 藤沢ふじさわ 新田にった 中原なかはら 本多ほんだ 児島こじま 比嘉ひが 金城きんじょう
大城おおしろ 宮城みやぎ 島袋しまぶくろ 佐久間さくま 長野ながの 岩瀬いわせ 長田おさだ 森山もりやま 田代たしろ
平川ひらかわ 畠山はたけやま 宇野うの 倉田くらた 篠崎しのざき 若林わかばやし 日高ひだか 大場おおば 中尾なかお
亀井かめい 梶原かじわら 関根せきね 向井むかい 石塚いしづか 金井かない 金田かねだ 鎌田かまた 北野きたの 村瀬むらせ
榊原さかきばら 奥山おくやま 米山よねやま 江口えぐち 宮沢みやざわ 宮澤みやざわ 浅田あさだ 平松ひらまつ 手塚てづか
根岸ねぎし 桐生きりゅう 綾瀬あやせ 新垣あらがき 喜屋武きゃん 小早川こばやかわ 一ノ瀬いちのせ 神宮寺じんぐうじ
白鳥しらとり 天海あまみ 早乙女さおとめ 相馬そうま 青山あおやま 赤松あかまつ 秋田あきた 秋元あきもと 浅川あさかわ
朝倉あさくら 芦田あしだ 東海林しょうじ 東野ひがしの 荒川あらかわ 有馬ありま 安西あんざい 飯島いいじま 飯野いいの
池上いけがみ 池内いけうち 石垣いしがき 石崎いしざき 石黒いしぐろ 石丸いしまる 磯部いそべ 板倉いたくら 市村いちむら
稲葉いなば 稲田いなだ 井口いぐち 井田いだ 今田いまだ 岩間いわま 岩下いわした 岩永いわなが 植木うえき 上村うえむら
臼井うすい 海野うんの 梅原うめはら 浦田うらた 江藤えとう 江川えがわ 大内おおうち 大井おおい 大沢おおさわ
大澤おおさわ 大矢おおや 大原おおはら 大熊おおくま 大平おおひら 岡村おかむら 岡野おかの 岡部おかべ 荻野おぎの
奥野おくの 尾形おがた 緒方おがた 小笠原おがさわら 小野田おのだ 小原おばら 折田おりた 海老原えびはら 蛯名えびな
加賀かが 柿沼かきぬま 梶かじ 梶田かじた 柏木かしわぎ 片桐かたぎり 勝又かつまた 勝田かつた 加納かのう 神山かみやま
神谷かみや 亀田かめだ 河田かわた 河原かわはら 川端かわばた 川瀬かわせ 川畑かわばた 神崎かんざき 菅すが 木内きうち
岸きし 岸田きしだ 北原きたはら 木原きはら 木戸きど 木田きだ 京極きょうごく 草野くさの 久野くの 倉本くらもと
黒川くろかわ 黒沢くろさわ 黒澤くろさわ 桑田くわた 郡司ぐんじ 小泉こいずみ 小出こいで 小坂こさか 小杉こすぎ
小谷こたに 児嶋こじま 小柳こやなぎ 小森こもり 小宮こみや 近江おうみ 権田ごんだ 西郷さいごう 西條さいじょう
斎木さいき 坂田さかた 坂口さかぐち 坂野さかの 坂上さかうえ 桜田さくらだ 笹川ささがわ 佐川さがわ 佐竹さたけ
里見さとみ 沢村さわむら 塩田しおた 塩谷しおや 志村しむら 下村しもむら 柴崎しばさき 渋谷しぶや 庄司しょうじ
城田しろた 新庄しんじょう 榛葉しんば 末永すえなが 菅沼すがぬま 菅谷すがや 杉田すぎた 杉原すぎはら 鈴村すずむら
須田すだ 砂川すながわ 角田つのだ 瀬戸せと 妹尾せのお 千田ちだ 曽我そが 園田そのだ 染谷そめや 高井たかい 高島たかしま
高瀬たかせ 高松たかまつ 高見たかみ 高岡たかおか 田上たがみ 滝口たきぐち 竹中たけなか 竹本たけもと 竹村たけむら
竹下たけした 立花たちばな 橘たちばな 龍田たつた 田原たはら 玉井たまい 田丸たまる 玉城たましろ 知念ちねん
月岡つきおか 土田つちだ 筒井つつい 椿つばき 坪井つぼい 鶴田つるた 寺田てらだ 寺島てらしま 寺本てらもと 土肥どひ
時田ときた 徳田とくだ 戸塚とつか 富永とみなが 豊田とよだ 鳥居とりい 内海うつみ 長井ながい 長尾ながお 長沢ながさわ
長島ながしま 永野ながの 中沢なかざわ 中澤なかざわ 中谷なかたに 中根なかね 中本なかもと 仲村なかむら 名取なとり
奈良なら 難波なんば 新山にいやま 西岡にしおか 西野にしの 西原にしはら 西本にしもと 根津ねづ 野上のがみ 野崎のざき
野島のじま 野々村ののむら 橋口はしぐち 蓮見はすみ 畑はた 畑中はたなか 羽田はた 花田はなだ 浜口はまぐち 濱田はまだ
早坂はやさか 林田はやしだ 原島はらしま 春日かすが 東山ひがしやま 氷室ひむろ 姫野ひめの 平岡ひらおか 平賀ひらが
広田ひろた 深沢ふかざわ 深田ふかだ 福原ふくはら 福本ふくもと 福永ふくなが 藤岡ふじおか 藤村ふじむら 藤木ふじき
藤崎ふじさき 二宮にのみや 船橋ふなばし 古谷ふるや 別府べっぷ 星川ほしかわ 細田ほそだ 細谷ほそや 堀川ほりかわ
堀越ほりこし 真田さなだ 牧まき 町田まちだ 松川まつかわ 松崎まつざき 松島まつしま 松野まつの 松元まつもと 的場まとば
丸田まるた 御子柴みこしば 三木みき 水上みずかみ 水口みずぐち 水田みずた 溝口みぞぐち 三谷みたに 三井みつい 湊みなと
宮内みやうち 宮島みやじま 宮原みやはら 武者小路むしゃのこうじ 室井むろい 毛利もうり 本山もとやま 桃井ももい
森岡もりおか 森永もりなが 門田かどた 八代やしろ 安井やすい 矢島やじま 矢部やべ 柳田やなぎだ 柳沢やなぎさわ
山岸やまぎし 山根やまね 山村やまむら 山川やまかわ 山西やまにし 山形やまがた 湯浅ゆあさ 横井よこい 横尾よこお
横溝よこみぞ 吉井よしい 吉沢よしざわ 吉澤よしざわ 吉本よしもと 吉永よしなが 米沢よねざわ 若松わかまつ 脇坂わきさか
和久井わくい 鷲尾わしお 綿貫わたぬき 勅使河原てしがわら 仲宗根なかそね 東恩納ひがしおんな 宮里みやざと 新城あらしろ
上地うえち 平良たいら 与那嶺よなみね 渡嘉敷とかしき 大谷おおや 翁長おなが
"""
_GIVEN_JA = """
太郎たろう 次郎じろう 一郎いちろう 三郎さぶろう 健けん 健一けんいち 健太けんた 健太郎けんたろう 誠まこと 浩ひろし
博ひろし 隆たかし 孝たかし 茂しげる 実みのる 清きよし 進すすむ 勝まさる 勇いさむ 正まさ 正雄まさお 和夫かずお
和也かずや 一男かずお 幸男ゆきお 義男よしお 昭あきら 明あきら 章あきら 亮りょう 涼りょう 翔しょう 翔太しょうた
翔平しょうへい 大輔だいすけ 大介だいすけ 大樹だいき 大輝だいき 大翔ひろと 大和やまと 拓也たくや 拓海たくみ 匠たくみ
達也たつや 哲也てつや 直樹なおき 直人なおと 直也なおや 雄一ゆういち 雄太ゆうた 雄介ゆうすけ 裕太ゆうた 裕介ゆうすけ
祐介ゆうすけ 悠斗ゆうと 悠真ゆうま 悠人ゆうと 優斗ゆうと 優太ゆうた 陽翔はると 陽斗はると 陽太ようた 陽介ようすけ
洋介ようすけ 洋平ようへい 蓮れん 湊みなと 樹いつき 律りつ 蒼あおい 颯はやて 颯太そうた 蒼太そうた 奏太そうた
朝陽あさひ 新あらた 暖はる 晴はる 隼人はやと 海斗かいと 海翔かいと 駿しゅん 俊介しゅんすけ 駿介しゅんすけ 智也ともや
智ともき 友也ともや 秀樹ひでき 英樹ひでき 英二えいじ 修おさむ 修一しゅういち 剛つよし 豊ゆたか 学まなぶ 徹とおる
聡さとし 悟さとる 淳じゅん 純じゅん 潤じゅん 仁じん 真まこと 真一しんいち 信一しんいち 慎太郎しんたろう 慎一しんいち
龍之介りゅうのすけ 竜也りゅうや 龍也たつや 圭けい 圭介けいすけ 啓介けいすけ 康平こうへい 康介こうすけ 浩二こうじ
浩一こういち 光一こういち 孝之たかゆき 貴之たかゆき 隆之たかゆき 弘ひろし 博之ひろゆき 裕之ひろゆき 和彦かずひこ
雅彦まさひこ 正彦まさひこ 克彦かつひこ 義明よしあき 良平りょうへい 亮太りょうた 遼りょう 諒りょう 航わたる
瑛太えいた 琉生るい 朔さく 花子はなこ 幸子さちこ 和子かずこ 洋子ようこ 陽子ようこ 恵子けいこ 恵美えみ 恵めぐみ
京子きょうこ 久美子くみこ 由美子ゆみこ 由美ゆみ 裕子ゆうこ 優子ゆうこ 祐子ゆうこ 智子ともこ 直子なおこ 典子のりこ
紀子のりこ 明子あきこ 節子せつこ 文子ふみこ 美智子みちこ 道子みちこ 弘子ひろこ 敏子としこ 悦子えつこ 順子じゅんこ
純子じゅんこ 真由美まゆみ 麻衣まい 舞まい 愛あい 愛美まなみ 愛子あいこ 彩あや 綾あや 綾子あやこ 彩花あやか
綾香あやか 彩香あやか 美咲みさき 美穂みほ 美紀みき 美樹みき 美香みか 美和みわ 美保みほ 美奈みな 美羽みう 美月みつき
美優みゆ 葵あおい 凛りん 凜りん 紬つむぎ 芽依めい 莉子りこ 陽葵ひまり 陽菜ひな 結衣ゆい 結菜ゆいな 結愛ゆあ
優奈ゆうな 優花ゆうか 楓かえで 桜さくら 咲良さくら 咲さき 花はな 華はな 澪みお 莉央りお 琴音ことね 心春こはる 杏あん
杏奈あんな 七海ななみ 菜々子ななこ 奈々なな 奈緒なお 奈美なみ 菜摘なつみ 夏美なつみ 夏希なつき 遥はるか 遥香はるか
春香はるか 千尋ちひろ 千夏ちなつ 千晴ちはる 沙織さおり 早紀さき 紗希さき 里美さとみ 里奈りな 理恵りえ 梨花りか
理沙りさ 真央まお 真理まり 真理子まりこ 麻美あさみ 友美ともみ 朋子ともこ 幸恵ゆきえ 雪ゆき 有紀ゆき 由紀ゆき
由香ゆか 由佳ゆか 亜美あみ 亜希子あきこ 香織かおり 香かおる 薫かおる 光ひかる 瞳ひとみ 泉いずみ 望のぞみ 希のぞみ
静香しずか 静しず 千代子ちよこ 八重子やえこ 貴子たかこ 孝子たかこ 良子よしこ 芳子よしこ 淑子よしこ 照子てるこ
光子みつこ 昌子まさこ 正子まさこ 颯真そうま 紗良さら 琉衣るい 心愛ここあ 晴翔はると 朱莉あかり 慧けい 瑠奈るな
煌こう 康夫やすお 房江ふさえ 善治ぜんじ 辰雄たつお 勲いさお 寛ひろし 修平しゅうへい 弥生やよい 明日香あすか
沙也加さやか 千鶴ちづる 一真かずま 一郎太いちろうた 二郎じろう 四郎しろう 五郎ごろう 吾郎ごろう 史郎しろう
俊郎としろう 和郎かずお 武たけし 猛たけし 武雄たけお 武志たけし 武彦たけひこ 信夫のぶお 信之のぶゆき 伸一しんいち
伸也しんや 晋也しんや 慎吾しんご 真吾しんご 正人まさと 雅人まさと 政男まさお 昌夫まさお 正男まさお 正夫まさお
正之まさゆき 正明まさあき 雅之まさゆき 昌弘まさひろ 政宏まさひろ 英雄ひでお 秀雄ひでお 英夫ひでお 秀夫ひでお
英明ひであき 秀明ひであき 秀一しゅういち 秀幸ひでゆき 英之ひでゆき 文雄ふみお 文男ふみお 文彦ふみひこ 邦夫くにお
邦彦くにひこ 国男くにお 敏夫としお 敏雄としお 俊夫としお 利夫としお 敏之としゆき 俊之としゆき 俊彦としひこ
俊一しゅんいち 俊輔しゅんすけ 忠ただし 忠雄ただお 忠志ただし 貞夫さだお 貞雄さだお 三男みつお 光男みつお 光雄みつお
満みつる 充みつる 守まもる 衛まもる 稔みのる 登のぼる 昇のぼる 功いさお 巌いわお 久ひさし 久雄ひさお 久志ひさし
恒夫つねお 常雄つねお 弘之ひろゆき 弘樹ひろき 弘明ひろあき 広志ひろし 浩司こうじ 浩介こうすけ 耕平こうへい
耕一こういち 幸一こういち 幸司こうじ 幸太郎こうたろう 幸雄ゆきお 行雄ゆきお 之彦ゆきひこ 良一りょういち 良太りょうた
良夫よしお 良雄よしお 義雄よしお 義之よしゆき 義孝よしたか 吉雄よしお 隆志たかし 隆司たかし 隆一りゅういち
隆太りゅうた 孝志たかし 孝雄たかお 貴志たかし 貴史たかし 高志たかし 崇たかし 敬たかし 敬一けいいち 敬介けいすけ
恵一けいいち 恵介けいすけ 恵太けいた 慶太けいた 健二けんじ 健司けんじ 賢一けんいち 賢治けんじ 憲一けんいち
謙一けんいち 研二けんじ 玄げん 元気げんき 淳一じゅんいち 順一じゅんいち 純一じゅんいち 潤一じゅんいち 準じゅん
駿太しゅんた 瞬しゅん 翔吾しょうご 翔也しょうや 祥平しょうへい 省吾しょうご 昌平しょうへい 大地だいち 大智だいち
大悟だいご 大吾だいご 大河たいが 泰介たいすけ 太一たいち 太陽たいよう 匠海たくみ 拓真たくま 拓郎たくろう 卓也たくや
琢磨たくま 巧たくみ 智之ともゆき 智史さとし 智宏ともひろ 友樹ともき 知也ともや 朋也ともや 悠ゆう 悠太ゆうた
悠希ゆうき 優ゆう 優希ゆうき 勇気ゆうき 勇人はやと 勇太ゆうた 雄大ゆうだい 雄二ゆうじ 裕二ゆうじ 裕樹ゆうき
祐樹ゆうき 佑太ゆうた 佑介ゆうすけ 涼太りょうた 涼介りょうすけ 遼太りょうた 瞭りょう 凌りょう 陸りく 陸斗りくと
琉斗りゅうと 龍りゅう 竜りゅう 龍太郎りゅうたろう 蓮斗れんと 怜れい 玲れい 零れい 礼れい 航平こうへい 航太こうた
滉太こうた 昂こう 皓太こうた 晃あきら 彰あきら 暁あきら 旭あさひ 朝日あさひ 新太あらた 歩あゆむ 一輝かずき
和樹かずき 和希かずき 和真かずま 和馬かずま 和哉かずや 和之かずゆき 和弘かずひろ 和宏かずひろ 和博かずひろ
克己かつみ 勝己かつみ 勝彦かつひこ 勝也かつや 要かなめ 奏かなで 楽がく 岳がく 海かい 快斗かいと 魁かい 櫂かい 楷かい
絢斗あやと 綾斗あやと 葵斗あおと 碧あおい 蒼真そうま 蒼士あおし 壮太そうた 聡太そうた 創そう 想そう 奏そう 爽そう
颯介そうすけ 空そら 大空そら 昊そら 天てん 帝みかど 晴人はると 晴斗はると 陽大ようた 陽向ひなた 日向ひなた
光輝こうき 光希みつき 洸太こうた 洸ほのか 巧真たくま 透とおる 亨とおる 融とおる 哲てつ 哲夫てつお 哲郎てつろう
徹也てつや 鉄平てっぺい 直之なおゆき 尚人なおと 尚也なおや 尚樹なおき 典夫のりお 則夫のりお 紀夫のりお 憲夫のりお
倫太郎りんたろう 凛太郎りんたろう 治おさむ 理おさむ 収おさむ 弥やしろ 保たもつ 基もとい 元はじめ 肇はじめ 創太そうた
始はじめ 愛莉あいり 愛梨あいり 愛菜まな 愛奈あいな 葵衣あおい 茜あかね 明音あかね 明美あけみ 朱美あけみ 朝美あさみ
麻里まり 麻里子まりこ 麻由まゆ 麻友まゆ 亜希あき 亜紀あき 亜矢あや 亜弥あや 亜由美あゆみ 歩美あゆみ 鮎美あゆみ
彩乃あやの 彩音あやね 綾乃あやの 文ふみ 文香ふみか 郁いく 郁子いくこ 郁美いくみ 泉美いずみ 伊織いおり 一花いちか
苺いちご 糸いと 詩うた 詠美えいみ 英子えいこ 栄子えいこ 恵里えり 絵里えり 絵里子えりこ 恵理子えりこ 絵美えみ
絵梨えり 緒いと 乙女おとめ 音羽おとは 和美かずみ 一美かずみ 加奈かな 佳奈かな 香奈かな 夏奈かな 可奈子かなこ
加奈子かなこ 佳代かよ 佳代子かよこ 香代子かよこ 和代かずよ 勝子かつこ 加代子かよこ 香澄かすみ 霞かすみ 要子ようこ
環たまき 希美のぞみ 希実のぞみ 君子きみこ 公子きみこ 喜美子きみこ 絹子きぬこ 清子きよこ 清美きよみ 桐子きりこ
久子ひさこ 邦子くにこ 国子くにこ 来美くるみ 胡桃くるみ 敬子けいこ 景子けいこ 啓子けいこ 圭子けいこ 琴美ことみ
琴ことね 小春こはる 心ここ 心結みゆ 心音ここね 心優みゆ 心咲みさき 早苗さなえ 沙羅さら 咲希さき 咲月さつき
五月さつき 皐月さつき 幸さち 幸代さちよ 佐知子さちこ 祥子しょうこ 翔子しょうこ 昭子あきこ 章子あきこ 秋子あきこ
晶子あきこ 静子しずこ 静江しずえ 志保しほ 詩織しおり 栞しおり 栞奈かんな 環奈かんな 志穂しほ 紫乃しの 忍しのぶ
寿子ひさこ 淳子じゅんこ 潤子じゅんこ 鈴すず 涼子りょうこ 凉香すずか 涼香すずか 鈴音すずね 澄子すみこ 純菜じゅんな
星せい 聖子せいこ 誠子せいこ 星奈せな 世奈せな 園子そのこ 多恵子たえこ 妙子たえこ 妙たえ 貴美子きみこ 孝枝たかえ
隆子たかこ 辰子たつこ 珠希たまき 珠美たまみ 千明ちあき 千秋ちあき 千恵ちえ 千恵子ちえこ 千佳ちか 千香ちか 千沙ちさ
千紗ちさ 千紘ちひろ 千裕ちひろ 千穂ちほ 千代ちよ 千里ちさと 司つかさ 月つき 月乃つきの 紡つむぎ 都みやこ 毅子たけこ
照美てるみ 輝子てるこ 冬子ふゆこ 登美子とみこ 富子とみこ 留美るみ 朋美ともみ 智美ともみ 知美ともみ 朋香ともか
友香ともか 友里ゆり 直美なおみ 尚子なおこ 尚美なおみ 奈央なお 菜緒なお 奈保子なおこ 奈津子なつこ 夏子なつこ 夏帆かほ
七菜なな 七瀬ななせ 菜々美ななみ 奈々美ななみ 奈々子ななこ 新菜にいな 仁美ひとみ 乃愛のあ 希空のあ 望美のぞみ
乃々香ののか 暢子のぶこ 信子のぶこ 伸子のぶこ 典代のりよ 法子のりこ 則子のりこ 徳子のりこ 華子はなこ 花音かのん
花梨かりん 華蓮かれん 春菜はるな 春奈はるな 春子はるこ 晴美はるみ 晴菜はるな 遥菜はるな 陽香はるか 悠花ゆうか
久恵ひさえ 久代ひさよ 日菜子ひなこ 日葵ひまり 向日葵ひまわり 妃菜ひな 雛ひな 雛子ひなこ 響ひびき 寛子ひろこ
浩子ひろこ 博美ひろみ 裕美ひろみ 弘美ひろみ 広美ひろみ 芙美ふみ 史子ふみこ 二三子ふみこ 冬美ふゆみ 房子ふさこ
穂香ほのか 穂乃果ほのか 帆乃夏ほのか 星羅せいら 蛍ほたる 舞子まいこ 舞衣まい 麻衣子まいこ 茉莉まり 茉莉花まりか
茉優まゆ 万里子まりこ 万里まり 鞠まり 眞子まこ 真子まこ 真紀まき 真希まき 麻紀まき 真紀子まきこ 雅子まさこ
政子まさこ 昌美まさみ 雅美まさみ 松子まつこ 松江まつえ 真奈まな 真奈美まなみ 真帆まほ 真実まみ 真美まみ 麻美子まみこ
真弓まゆみ 繭まゆ 美愛みあ 美雨みう 美緒みお 美桜みお 美織みおり 未央みお 未来みらい 美加みか 実花みか 三重子みえこ
美恵みえ 美恵子みえこ 美江みえ 美佐子みさこ 美沙みさ 美紗みさ 美里みさと 操みさお 美鈴みすず 美智みち 美千代みちよ
路子みちこ 満里奈まりな 光代みつよ 光江みつえ 緑みどり 翠みどり 碧みどり 美奈子みなこ 美波みなみ 南みなみ 美音みお
峰子みねこ 実里みのり 美帆みほ 美穂子みほこ 都子みやこ 美弥子みやこ 雅みやび 美由紀みゆき 美幸みゆき 深雪みゆき
美雪みゆき 美代みよ 美代子みよこ 実優みゆう 未夢みゆ 睦美むつみ 睦むつみ 芽生めい 芽衣めい 萌もえ 萌々香ももか
桃香ももか 桃子ももこ 桃もも 百花ももか 百恵ももえ 百合ゆり 百合子ゆりこ 八千代やちよ 泰子やすこ 康子やすこ
靖子やすこ 安子やすこ 結ゆい 唯ゆい 由依ゆい 結月ゆづき 柚月ゆづき 柚希ゆずき 柚葉ゆずは 優衣ゆい 優香ゆうか
優月ゆづき 優美ゆみ 夕子ゆうこ 夕美ゆみ 悠子ゆうこ 有香ゆか 有希ゆき 有希子ゆきこ 由紀子ゆきこ 由起子ゆきこ
雪子ゆきこ 雪乃ゆきの 幸奈ゆきな 友紀ゆき 由梨ゆり 由利子ゆりこ 由里子ゆりこ 世津子せつこ 好美よしみ 佳子よしこ
芳江よしえ 美子よしこ 良江よしえ 頼子よりこ 楽々らら 蘭らん 里沙りさ 梨沙りさ 里穂りほ 莉奈りな 梨奈りな 璃子りこ
璃音りおん 莉乃りの 梨乃りの 律子りつこ 瑠美るみ 瑠璃るり 玲奈れいな 麗奈れいな 怜奈れいな 玲子れいこ 礼子れいこ
令子れいこ 恋れん 若菜わかな 和歌子わかこ 和香わか
"""
NAME_KANJI = frozenset(
    "子美太郎一二三介輔夫男雄也之彦樹人斗翔大輝陽葵結衣愛菜奈花香織里理莉梨咲桜楓葉音羽月星海空陸蓮湊颯蒼悠優裕祐由友朋智知真麻舞彩綾沙紗早希紀樹貴"
    "孝隆高浩博弘宏洋広裕寛健賢謙憲剛毅武勇進勝克誠信慎真新伸晋正雅昌政将匠拓卓達哲徹聡悟智俊駿隼瞬純順淳潤準直尚久寿春夏秋冬千万百七八五"
    "清静雪幸恵美佳加歌華菊京恭協玲怜涼亮良遼諒凌綾竜龍律瑠琉璃留流朗明昭章彰晃晶光輝照耀映瑛英栄永詠泰康安和義喜嘉吉佐左右京子乃代世与世"
    "央生成茂実稔豊登昇翼渉航渡亘学文史郁育章哉弥哉己基希季貴樹輝嗣司次治二慈志史士仁忍心芯信紳辰敦篤厚温淳朝旦茜杏梓碧藍緑翠紅桃梅桐柚柑"
    "芽萌若苗菫蘭蕗芙蓉蓬紬絢綺維緒縁縫帆保穂歩圃法典規則功公行幸孔洸滉煌珠珊瑚環珀琥瑞瑶瓜瞳睦穣究端竹笑節範糸絃絵翁聖聡肇臣致興航舜艶芳莞"
    "薫虎蛍衛裟覚親訓誉諭譲豪貞賀路軌迪逸遥遙道達鈴鉄銀鋭鋼錦鎮門開関阿陶隆雁雅零霞霧靖革響須頌風颯飛馨駆騎鯉鳳鳴鶴鷹麗麟黎鼓斎尋優寧暖晴"
)
"""Characters of which Japanese given names are made."""
_GIVEN = """
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald
steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas
eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis
jerry tyler aaron jose henry adam douglas nathan peter zachary kyle walter harold jeremy ethan carl keith roger
gerald christian terry sean arthur austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie
gabriel alan juan logan wayne ralph roy eugene randy vincent russell louis philip bobby johnny bradley liam oliver
elijah lucas mason leo theo oscar max hugo felix simon victor martin ian neil graham stuart colin craig derek barry
nigel trevor mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra
margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon laura cynthia
kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn
janet maria heather diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith megan
andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice
julia judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie brittany
charlotte marie kayla alexis lori chloe ella mia ava lily lucy zoe eva claire clara eve fay ida irene jane rose
ellen edith bob tom jim bill mike dave dan tim sam ben alex nick tony steve chris jeff matt greg fred ted ray ken
ron don kate katie beth liz meg jill sue pam peggy sally molly polly nora fiona moira gillian hazel holly ivy iris
joanna lydia naomi phoebe hans klaus jürgen wolfgang dieter uwe günter stefan andreas matthias jens sven lars
lukas jonas finn moritz sabine monika petra ursula renate heike anja katrin anke silke ingrid birgit lena lea marta
greta johanna pierre jacques andré michel philippe alain bernard laurent thierry françois guillaume nicolas julien
antoine camille isabelle nathalie sylvie catherine monique brigitte chantal sophie céline aurélie élodie manon
chloé inès léa margaux carlos luis manuel jesús javier miguel antonio francisco pedro alejandro fernando rafael
sergio diego pablo jorge ricardo carmen ana isabel pilar dolores lucía elena rosa cristina paula sofía valentina
camila gabriela giuseppe giovanni luigi marco paolo francesco alessandro matteo lorenzo giulia chiara francesca
federica silvia paola ivan dmitri sergei alexei nikolai olga tatiana natalia svetlana irina anastasia jan piotr
tomasz katarzyna agnieszka wei li ming jing hui lei yan xin jun min-jun ji-woo seo-yeon raj amit rahul priya anita
sunil deepak sanjay neha pooja mohammed muhammad ahmed ali omar hassan ibrahim fatima aisha khadija yusuf amira
aarav ishaan diya ananya rohan kavya vivaan meera arjun tara layla noor karim samir zainab tariq salma rami nadia
leila amina khalid minjun seoyeon jiho haeun dohyun jiwoo yejun chaewon hyunwoo subin minho jisoo jimin sora yuna
seojun hana eunji taeyang fang na xiuying min qiang jie yong tao ping gang guiying xia bo hao chao peng mei lan ying
minh duc quang thu linh hung tuan hoa an van thi trang huong nam aino eino helmi onni oskari venla väinö kaarlo iida
mikko juha antti matti anna-liisa liisa kaisa bjorn björn erik nils olof astrid karin elsa freja saga signe sigrid
magnus anders per johan mats zofia antoni jakub hanna szymon zuzanna filip maja wojciech oliwia krzysztof andrzej
paweł michał małgorzata ewa magdalena imogen rupert felicity barnaby clementine jasper arabella beatrix crispin
tamsin siobhan callum rosalind alistair hamish ewan rory finlay isla freya poppy evie harriet matilda amelia
florence georgia aoife niamh sinead saoirse cian eoin declan padraig rhys gareth owen huw bronwyn cerys lowri archie
alfie harvey toby louie freddie reggie albie aiden jayden brayden kayden hunter cameron chase cole cody dustin
travis brett blake derrick malik jamal darnell tyrone latoya keisha ebony destiny savannah autumn brooke paige
taylor morgan addison harper aria aurora luna stella violet penelope skylar paisley everly willow emilia eliana
quinn piper ruby serenity eleanor hailey gianna valeria josefina martina camilo mateo santiago sebastián sebastian
matías nicolás joaquín emiliano thiago lautaro beatriz joão tiago inês maría josé ángel raúl álvaro adrián
óscar rubén iván marcos gonzalo alba nuria rocío raquel begoña concepción amparo gaël enzo léo raphaël jules
gabin maël zoé lina mila juliette louane margot clément maxime mathis théo romain florian quentin elias emil
anton karl frieda mathilda tobias dominik fabian lennart ole bastian torsten heinz gerhard manfred helmut gisela
ingeborg erika hildegard elke bianca lorena simona elisa ilaria davide simone riccardo tommaso edoardo leonardo
mattia filippo stefano luca mikhail andrei maxim artem ilya nikita kirill roman yulia ekaterina daria sofia polina
alina ksenia oksana bohdan taras oleh mehmet mustafa ahmet emre burak elif zeynep ayşe fatma emine kenji sakura yuto
hiroshi
"""
_SURNAMES = """
smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson
thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young
allen king wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell carter
roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers
gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez
wood james bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster jimenez
powell jenkins perry russell sullivan bell coleman butler henderson barnes gonzales fisher vasquez simmons romero
jordan patterson alexander hamilton graham reynolds griffin wallace moreno west cole hayes bryant herrera gibson
ellis tran medina aguilar stevens murray ford castro marshall owens harrison fernandez mcdonald woods washington
kennedy wells vargas henry chen freeman webb tucker guzman burns crawford olson simpson porter hunter gordon mendez
silva shaw snyder mason dixon munoz hunt hicks holmes palmer wagner black robertson boyd rose stone salazar fox
warren mills meyer rice schmidt garza daniels ferguson nichols stephens soto weaver ryan gardner payne grant dunn
kelley spencer hawkins arnold pierce hansen peters santos hart bradley knight elliott cunningham duncan armstrong
hudson carroll lane riley andrews alvarado ray delgado berry perkins hoffman johnston matthews pena richards
contreras willis carpenter lawrence sandoval guerrero george chapman rios estrada ortega watkins greene nunez
wheeler valdez harper burke larson santiago maldonado morrison franklin carlson austin dominguez carr lawson jacobs
obrien lynch singh vega bishop montgomery oliver jensen harvey williamson gilbert dean sims espinoza howell li wong
reid hanson le mccoy garrett burton fuller wang weber welch rojas lucas marquez fields park yang little banks
padilla day walsh bowman schultz luna fowler mejia davies abel clarke khan begum ahmed hussain ali kaur müller
mueller schneider fischer becker schulz hoffmann schäfer koch bauer richter klein wolf schröder neumann schwarz
zimmermann braun krüger hofmann hartmann lange werner krause lehmann köhler maier huber bernard dubois durand leroy
moreau laurent simon michel lefebvre lefèvre leroux roux fournier girard bonnet dupont rossi russo ferrari esposito
bianchi romano colombo ricci marino greco bruno gallo conti costa giordano ivanov smirnov kuznetsov popov petrov
volkov novak kowalski nowak johansson andersson karlsson nilsson eriksson larsen zhang liu huang zhao wu zhou xu sun
ma zhu hu guo lin luo gao liang choi jung kang cho yoon lim kumar sharma gupta verma reddy mehta shah das bose rao
nair iyer joshi oliveira souza pereira korhonen virtanen mäkinen nieminen mäkelä hämäläinen laine heikkinen koskinen
järvinen lehtonen saarinen salminen heinonen niemi turunen kowalska wiśniewski wójcik kowalczyk kamiński
lewandowski zieliński szymański woźniak dąbrowski kozłowski mazur krawczyk hargreaves pemberton ashworth
sutcliffe holloway whitaker barlow fairchild rowntree blackwood whitlock thornbury dunmore abernathy castellanos
brandt okafor lindqvist fraser haddad atkinson booth bradshaw chadwick crossley dawson dobson fairbanks farrell
finch fitzgerald fleming gallagher goodwin hargrove hartley haworth higgins hobbs hodgson holt hopkins horton
hutchinson ingram kavanagh kirby langley lancaster lister lowe maguire mcallister mccarthy mcgrath mckenzie
middleton mortimer nash newton norris northcott o'brien o'connor o'neill ogden osborne parsons pearson pickering
pollard poole preston prescott quinn radcliffe ramsey redmond rhodes rowe rutherford sharpe shelton sheridan
sinclair slater spence stanton sterling sutton swift talbot thornton townsend underwood vaughan wainwright walton
warner waters weston wheatley whitehead wilkinson winter woodward yates pham hoang phan vu vo dang bui do ho ngo
duong jang shin han oh seo kwon hwang ahn song yoo hong zheng tang deng feng cao peng zeng xiao tian dong pan yuan
cai jiang yu du ye cheng wei su lu ding ren shen yao kapoor chatterjee menon chopra malhotra mukherjee banerjee
agarwal pillai naidu rana thakur yadav chauhan desai trivedi al-fayed mansour khalil nasser saleh aziz rahman hakim
darwish hussein ibrahim osman farah abbas bakr sayed qureshi malik sheikh chaudhry iqbal butt nyström lund berg dahl
holm lindberg sandberg hansson bengtsson lindgren christensen rasmussen sørensen andersen pedersen nielsen
jorgensen knudsen olsen kristiansen haugen bakken horváth nagy szabó tóth kovács varga popescu ionescu dumitru
stoica georgiou papadopoulos nikolaidis yılmaz kaya demir şahin çelik öztürk garcía martínez rodríguez lópez
sánchez gonzález pérez gómez fernández díaz hernández álvarez jiménez muñoz alonso gutiérrez navarro
domínguez vázquez blanco molina suárez iglesias cano vidal cabrera campos fuentes carrasco ferreira rodrigues
alves gomes martins ribeiro carvalho almeida lopes soares fernandes vieira monteiro mendes barros petit robert
richard garnier faure rousseau blanc guérin boyer muller roussel mathieu gautier chevalier perrin marchand dumont
bertrand moulin renard morin ritter vogel keller baumann albrecht schuster winkler lorenz busch pohl engel horn
sauer pfeiffer graf krämer seidel heinrich haas schreiber ziegler kuhn
"""
_ENTRY = re.compile(r"(\S*[^\sぁ-ん])([ぁ-んー]+)")
_GIVEN_KANA = "キヨ フミ ミツ トメ ハル ヨシ トヨ シズ スミ ウメ タケ マツ キク ハナ イト ミヨ トシ ツル サト チヨ"
"""Given names of the old that are written in kana."""
_KANA = """
あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほ
まみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだぢづで
どばびぶべぼぱぴぷぺぽ
"""
_LATIN = """
a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya yu yo ra
ri ru re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po
"""
_MORAS = dict(zip("".join(_KANA.split()), _LATIN.split(), strict=True))
_SMALL = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}


def to_katakana(hiragana: str) -> str:
    """
    >>> to_katakana("やまだ")
    'ヤマダ'
    """
    return "".join(chr(ord(letter) + 0x60) if "ぁ" <= letter <= "ん" else letter for letter in hiragana)


def to_latin(hiragana: str) -> set[str]:
    """The usual spellings in Latin letters, with long vowels written and not.

    >>> sorted(to_latin("さとう")), sorted(to_latin("しょう")), sorted(to_latin("はっとり"))
    (['sato', 'satou'], ['sho', 'shou'], ['hattori'])
    """
    text = ""
    for letter in hiragana:
        if letter in _SMALL:
            text = text[:-1] + _SMALL[letter] if text.endswith("i") else text
            # shya, chya, jya are written sha, cha, ja.
            text = re.sub(r"(sh|ch|j)y([auo])$", r"\1\2", text)
        else:
            text += letter if letter == "っ" else _MORAS.get(letter, "")
    text = re.sub("っ(.)", r"\1\1", text)
    return {text, re.sub("ou|oo", "o", text).replace("uu", "u")}


def _entries(listed: str) -> list[tuple[str, str]]:
    return [(written, reading) for written, reading in _ENTRY.findall(listed)]


@cache
def surnames() -> frozenset[str]:
    """Surnames in lower case, in kanji, kana and Latin letters.

    >>> [name in surnames() for name in ("山田", "ヤマダ", "やまだ", "yamada", "smith", "taro")]
    [True, True, True, True, True, False]
    """
    return _spellings(_SURNAMES_JA) | frozenset(_SURNAMES.split())


@cache
def given_names() -> frozenset[str]:
    """Given names in lower case, in kanji, kana and Latin letters.

    >>> [name in given_names() for name in ("花子", "ハナコ", "hanako", "mary", "yamada")]
    [True, True, True, True, False]
    """
    return _spellings(_GIVEN_JA) | frozenset((*_GIVEN.split(), *_GIVEN_KANA.split()))


def _spellings(listed: str) -> frozenset[str]:
    names: set[str] = set()
    for written, reading in _entries(listed):
        names |= {written, reading, to_katakana(reading)} | to_latin(reading)
    return frozenset(names)
