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
亀井かめい 梶原かじわら 関根せきね 向井むかい 石塚いしづか 金井かない 金田かねだ 鎌田かまた 北野きたの
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
光子みつこ 昌子まさこ 正子まさこ
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
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald steven
paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan
stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose
henry adam douglas nathan peter zachary kyle walter harold jeremy ethan carl keith roger gerald christian terry sean arthur
austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie gabriel alan juan logan wayne ralph roy eugene
randy vincent russell louis philip bobby johnny bradley liam oliver elijah lucas mason leo theo oscar max hugo felix simon
victor martin ian neil graham stuart colin craig derek barry nigel trevor mary patricia jennifer linda elizabeth barbara
susan jessica sarah karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah
stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine
christine debra rachel carolyn janet maria heather diane olivia julie joyce victoria ruth virginia lauren kelly christina
joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice jean
abigail alice julia judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie brittany
charlotte marie kayla alexis lori chloe ella mia ava lily lucy zoe eva claire clara eve fay ida irene jane rose ellen edith
bob tom jim bill mike dave dan tim sam ben alex nick tony steve chris jeff matt greg fred ted ray ken ron don kate katie
beth liz meg jill sue pam peggy sally molly polly nora fiona moira gillian hazel holly ivy iris joanna lydia naomi phoebe
hans peter klaus jürgen wolfgang dieter uwe günter stefan andreas thomas matthias jens sven lars lukas jonas finn moritz
sabine monika petra ursula renate heike anja katrin anke silke ingrid birgit lena lea marta greta johanna
jean pierre jacques andré michel philippe alain bernard laurent thierry françois guillaume nicolas julien antoine camille
isabelle nathalie sylvie catherine monique brigitte chantal sophie céline aurélie élodie manon chloé inès léa margaux
carlos luis manuel jesús javier miguel antonio francisco pedro alejandro fernando rafael sergio diego pablo jorge ricardo
carmen ana isabel pilar dolores lucía marta elena rosa cristina paula sofía valentina camila gabriela
giuseppe giovanni luigi marco paolo francesco alessandro matteo lorenzo giulia chiara francesca federica silvia paola
ivan dmitri sergei alexei nikolai olga tatiana natalia svetlana irina anastasia jan piotr tomasz katarzyna agnieszka
wei li ming jing hui lei yan xin jun min-jun ji-woo seo-yeon raj amit rahul priya anita sunil deepak sanjay neha pooja
mohammed muhammad ahmed ali omar hassan ibrahim fatima aisha khadija yusuf
"""
_SURNAMES = """
smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson thomas
taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen king
wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell carter roberts gomez phillips
evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper
peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james bennett gray mendoza ruiz
hughes price alvarez castillo sanders patel myers long ross foster jimenez powell jenkins perry russell sullivan bell coleman
butler henderson barnes gonzales fisher vasquez simmons romero jordan patterson alexander hamilton graham reynolds griffin
wallace moreno west cole hayes bryant herrera gibson ellis tran medina aguilar stevens murray ford castro marshall owens
harrison fernandez mcdonald woods washington kennedy wells vargas henry chen freeman webb tucker guzman burns crawford olson
simpson porter hunter gordon mendez silva shaw snyder mason dixon munoz hunt hicks holmes palmer wagner black robertson boyd
rose stone salazar fox warren mills meyer rice schmidt garza daniels ferguson nichols stephens soto weaver ryan gardner payne
grant dunn kelley spencer hawkins arnold pierce hansen peters santos hart bradley knight elliott cunningham duncan armstrong
hudson carroll lane riley andrews alvarado ray delgado berry perkins hoffman johnston matthews pena richards contreras willis
carpenter lawrence sandoval guerrero george chapman rios estrada ortega watkins greene nunez wheeler valdez harper burke
larson santiago maldonado morrison franklin carlson austin dominguez carr lawson jacobs obrien lynch singh vega bishop
montgomery oliver jensen harvey williamson gilbert dean sims espinoza howell li wong reid hanson le mccoy garrett burton
fuller wang weber welch rojas lucas marquez fields park yang little banks padilla day walsh bowman schultz luna fowler mejia
davies evans abel clarke hughes edwards green wood jackson turner cooper ward khan begum patel ahmed hussain ali singh kaur
müller mueller schmidt schneider fischer weber meyer wagner becker schulz hoffmann schäfer koch bauer richter klein wolf
schröder neumann schwarz zimmermann braun krüger hofmann hartmann lange werner krause lehmann köhler maier huber
martin bernard dubois durand leroy moreau laurent simon michel lefebvre lefèvre leroux roux fournier girard bonnet dupont
rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti costa giordano
ivanov smirnov kuznetsov popov petrov volkov novak kowalski nowak johansson andersson karlsson nilsson eriksson larsen
zhang liu chen huang zhao wu zhou xu sun ma zhu hu guo lin luo gao liang kim lee park choi jung kang cho yoon lim
kumar sharma gupta verma reddy mehta shah das bose rao nair iyer joshi silva santos oliveira souza pereira costa
"""
_ENTRY = re.compile(r"(\S*[^\sぁ-ん])([ぁ-んー]+)")
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
    return _spellings(_GIVEN_JA) | frozenset(_GIVEN.split())


def _spellings(listed: str) -> frozenset[str]:
    names: set[str] = set()
    for written, reading in _entries(listed):
        names |= {written, reading, to_katakana(reading)} | to_latin(reading)
    return frozenset(names)
