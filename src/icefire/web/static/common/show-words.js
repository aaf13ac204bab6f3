// Texts of the show: moments, scenes, lessons and teams' stories, in both languages. {x} is filled
// in.

const EN = {
  screen: "Big screen",
  judge: "The judge",
  "judge.attack": "Judge: {method}",
  "steps.and": " + ",
  prizes: "Prizes",
  "prize.leading": "in front: {teams}",
  "prize.winner": "winner: {teams}",
  "prize.many": "open: {n} teams are level",
  "prize.open": "open",
  "and others": "{text} (and {n} more)",
  "story.lowered.with":
    "{attacker} lowered {team}'s safety from {before} to {safety} with {method}",
  "story.lowered.first.with": "{attacker} lowered {team}'s safety to {safety} with {method}",
  "story.held.with":
    "{team} held against {attacker}'s {method}: {left} left, safety stays {safety}",
  "story.struck.with": "{attacker} left {team} with {left} by {method}; the lowest stays {safety}",
  "story.answered.with": "{attacker} has answered {team}'s release with {method}",
  "story.released.with": "{team} has a new release of {set} ({metric} {worth}): {method}",
  "story.released.unmeasured.with": "{team} has a new release of {set}: {method}",
  "story.unveiled.defence": "Defenders, place {place}: {team}",
  "story.unveiled.attack": "Attackers, place {place}: {team}",
  "story.awarded": "{team} wins: {prize}",

  // Moments
  "moment.entrance": "On stage: {team}",
  "moment.again": "{team} comes back with a new release",
  "moment.first_blood": "First blood for {attacker}!",
  "moment.fall": "{team} falls!",
  "moment.streak": "{attacker}: {n} hits in a row!",
  "moment.blow": "A heavy blow by {attacker}!",
  "moment.hit": "{attacker} hits {team}",
  "moment.held": "{team} holds",
  "moment.struck": "{attacker} gets through to {team}, too",
  "moment.weaker": "{attacker} finds less than others did",
  "moment.fortress": "{team} holds: {n} attacks in a row!",
  "moment.answered": "{attacker} challenges {team}",
  "moment.lead": "A new leader: {team}",
  "moment.lead.before": "{team} had the lead",
  "moment.phase.defence": "Defence: hide the people, keep the worth",
  "moment.phase.attack": "Attack: who is behind these rows?",

  // Scenes
  "scene.opening": "How it works",
  "scene.lineup": "On stage",
  "scene.lesson": "Good to know",
  "scene.freeze": "The scoreboard is frozen",
  "scene.ceremony": "The ceremony",
  "scene.podium.defence": "The best defence",
  "scene.podium.attack": "The best attack",
  "opening.ice": "Ice: defenders publish true data about people, without telling who is who.",
  "opening.fire": "Fire: attackers who know the original data say who is behind each row.",
  "opening.judge":
    "The judge measures both: what a release is still worth, and how much attackers find out.",
  "lineup.waiting": "no release yet",
  "lineup.count": "{n} of {of} on stage",
  "freeze.text": "Attacks go on, but nobody sees them land. This is how it stood:",
  "freeze.end": "The last attacks are in. The places are unveiled next.",
  "map.best": "safe and useful",
  "map.exposed": "useful, but exposed",
  "map.worthless": "safe, but of little use",
  "gauge.safety": "Safety {safety}",
  "gauge.before": "before {before}",
  "gauge.left": "This attack leaves {left}",
  "gauge.lowest": "lowest so far {safety}",
  "page of": "{page} of {pages}",
  "place of": "Place {place}",
  "total of": "Total {total}",

  // A team's story
  "tale.method": "Release: {method}",
  "tale.worth": "Utility {worth}, safety {safety}",
  "tale.held": "{held} of {of} attacks left more than half of its safety",
  "tale.attacked": "Attacks on it: {of}",
  "tale.hurt": "Hardest hit by {attacker}: {left} left",
  "tale.hurt.with": "Hardest hit by {attacker} with {method}: {left} left",
  "tale.hits": "{hits} of {of} attacks left less than half",
  "tale.attacks": "Attacks: {of}",
  "tale.best": "Strongest attack: {team}, {left} left",
  "tale.best.with": "Strongest attack: {team}, {left} left, with {method}",
  "tale.first": "Drew first blood",
  "tale.none": "Has not been seen so far",

  // What anonymization can and cannot do
  "lesson.names":
    "Removing names is not enough. Age, family and spending together point to one household.",
  "lesson.noise":
    "Noise on the amounts alone does not help: the other columns still tell whose row it is.",
  "lesson.classes":
    "k-anonymity hides you in a group. Whoever knows the columns it left alone still finds you.",
  "lesson.conceal":
    "k-concealment: each person may be behind k rows. It loses less than groups do.",
  "lesson.random":
    "Values changed at random: no row can be trusted any more, but shares and means stay near.",
  "lesson.average":
    "Averages of similar people take exact amounts away, which are the best fingerprints.",
  "lesson.ranks": "Noise moves amounts, but hardly their order: who spends most still spends most.",
  "lesson.nearest":
    "The nearest row is often the right one: small traits in many columns are a fingerprint.",
  "lesson.cells":
    "Ranges hide a value, but not a row: whoever knows all amounts finds the rows that fit.",
  "lesson.keys": "Age, job and home are known to neighbours. Together they name most households.",
  "lesson.learned": "Attackers learn which columns a method left intact, and trust those most.",
  "lesson.mixed":
    "Strong releases treat all columns: one untouched column can give everybody away.",
  "lesson.worst": "The strongest attack counts. To hold against nine of ten is not to hold.",
  "lesson.cost":
    "Safety has a price: the data tell less. Good releases lie to the upper right of the map.",
  "lesson.secret": "Assume that the attacker knows your method. Only chance may be secret.",
  "lesson.tomorrow":
    "Nobody knows tomorrow's attack: a release is as safe as the attacks that were tried.",

  // Controls
  hold: "Hold",
  "go on": "Go on",
  "next scene": "Next scene",
  "full screen": "Full screen",
};

const JA = {
  screen: "大画面",
  judge: "審判",
  "judge.attack": "審判：{method}",
  "steps.and": "＋",
  prizes: "表彰",
  "prize.leading": "現在の首位：{teams}",
  "prize.winner": "受賞：{teams}",
  "prize.many": "{n} チームが並ぶ",
  "prize.open": "未定",
  "and others": "{text}（ほか {n} 件）",
  "story.lowered.with":
    "{attacker} が「{method}」で {team} の安全性を {before} から {safety} に下げました",
  "story.lowered.first.with": "{attacker} が「{method}」で {team} の安全性を {safety} に下げました",
  "story.held.with":
    "{team} が {attacker} の「{method}」に耐えました（この攻撃後 {left}、安全性は {safety} のまま）",
  "story.struck.with": "{attacker} の「{method}」で {team} は {left}（最低値は {safety} のまま）",
  "story.answered.with": "{attacker} が「{method}」で {team} への回答を提出しました",
  "story.released.with":
    "{team} が {set} の匿名化データを提出しました（{metric} {worth}）：{method}",
  "story.released.unmeasured.with": "{team} が {set} の匿名化データを提出しました：{method}",
  "story.unveiled.defence": "匿名化 {place} 位：{team}",
  "story.unveiled.attack": "攻撃 {place} 位：{team}",
  "story.awarded": "{team} が「{prize}」を受賞しました",

  // Moments
  "moment.entrance": "{team} 登場",
  "moment.again": "{team} が匿名化データを差し替え",
  "moment.first_blood": "{attacker} が最初の一撃！",
  "moment.fall": "{team} 陥落！",
  "moment.streak": "{attacker} が {n} 連続成功！",
  "moment.blow": "{attacker} の大打撃！",
  "moment.hit": "{attacker} が {team} に命中",
  "moment.held": "{team} が耐えた",
  "moment.struck": "{attacker} も {team} を突破",
  "moment.weaker": "{attacker} の攻撃は及ばず",
  "moment.fortress": "{team} が {n} 回連続で防御！",
  "moment.answered": "{attacker} が {team} に挑戦",
  "moment.lead": "首位交代：{team}",
  "moment.lead.before": "前の首位：{team}",
  "moment.phase.defence": "匿名化フェーズ：個人を隠し、価値を残す",
  "moment.phase.attack": "攻撃フェーズ：この行は誰のものか",

  // Scenes
  "scene.opening": "ルール",
  "scene.lineup": "出場チーム",
  "scene.lesson": "豆知識",
  "scene.freeze": "スコアボード凍結",
  "scene.ceremony": "結果発表",
  "scene.podium.defence": "匿名化部門",
  "scene.podium.attack": "攻撃部門",
  "opening.ice": "Ice（匿名化）：誰のデータか分からないように、できるだけ正確なまま公開します。",
  "opening.fire": "Fire（攻撃）：元のデータを知る攻撃者が、各行が誰のものかを当てます。",
  "opening.judge":
    "審判が両方を測ります。データの価値がどれだけ残ったか、どれだけ見破られなかったか。",
  "lineup.waiting": "未提出",
  "lineup.count": "{of} チーム中 {n} チームが登場",
  "freeze.text": "攻撃は続いていますが、結果は最後まで公開しません。凍結時点の順位：",
  "freeze.end": "すべての攻撃が終わりました。まもなく順位を発表します。",
  "map.best": "安全で有用",
  "map.exposed": "有用だが見破られる",
  "map.worthless": "安全だが有用でない",
  "gauge.safety": "安全性 {safety}",
  "gauge.before": "攻撃前 {before}",
  "gauge.left": "この攻撃後 {left}",
  "gauge.lowest": "これまでの最低 {safety}",
  "page of": "{page} / {pages}",
  "place of": "第 {place} 位",
  "total of": "合計 {total}",

  // A team's story
  "tale.method": "加工：{method}",
  "tale.worth": "有用性 {worth}、安全性 {safety}",
  "tale.held": "{of} 回の攻撃のうち {held} 回は安全性を半分以上残して防御",
  "tale.attacked": "{of} 回攻撃を受けた",
  "tale.hurt": "最大の被害：{attacker} により残り {left}",
  "tale.hurt.with": "最大の被害：{attacker} の「{method}」により残り {left}",
  "tale.hits": "{of} 回の攻撃のうち {hits} 回で相手の安全性を半分未満に",
  "tale.attacks": "攻撃 {of} 回",
  "tale.best": "最大の戦果：{team} を残り {left} に",
  "tale.best.with": "最大の戦果：「{method}」で {team} を残り {left} に",
  "tale.first": "最初の一撃を決めた",
  "tale.none": "まだ記録がありません",

  // What anonymization can and cannot do
  "lesson.names":
    "名前を消すだけでは足りません。年齢・家族構成・支出を組み合わせると、一つの世帯に絞られます。",
  "lesson.noise": "数値にノイズを加えるだけでは守れません。ほかの列から誰の行かが分かります。",
  "lesson.classes":
    "k-匿名化は、対象の列しか知らない相手には k 人の中に隠れます。残りの列も知る相手には見破られます。",
  "lesson.conceal":
    "k-秘匿：一人ひとりに k 行の可能性を残します。グループ化より損失は小さいものの、守れるのは対象の列だけです。",
  "lesson.random":
    "値を無作為に変えると、個々の行は信用できなくなりますが、割合や平均は真の値に近いままです。",
  "lesson.average": "似た人どうしの平均に置き換えると、指紋のように人を示す正確な数値が消えます。",
  "lesson.ranks":
    "ノイズで金額は動きますが、順位はほとんど動きません。一番多く使う人は、加工後も一番のままです。",
  "lesson.nearest":
    "最も近い行は、たいてい本人です。多くの列のわずかな特徴が、合わせて指紋になります。",
  "lesson.cells":
    "グループや範囲は値を隠しても、行は隠しません。金額をすべて知る相手は、合う行を見つけます。",
  "lesson.keys":
    "年齢・職業・住まいは近所の人も知っています。組み合わせれば、ほとんどの世帯が特定されます。",
  "lesson.learned": "攻撃者は、加工でそのまま残った列を学び、それを最も信用します。",
  "lesson.mixed":
    "強い匿名化はすべての列を加工します。手つかずの列が一つあれば、全員が特定されかねません。",
  "lesson.worst":
    "評価は最も強い攻撃で決まります。10 回のうち 9 回防いでも、守れたことにはなりません。",
  "lesson.cost":
    "安全性には代償があり、データの価値が下がります。良い匿名化データは図の右上にあります。",
  "lesson.secret": "攻撃者は加工方法を知っていると考えましょう。秘密にできるのは乱数だけです。",
  "lesson.tomorrow": "明日の攻撃は誰にも分かりません。安全性は、試した攻撃に対するものです。",

  // Controls
  hold: "停止",
  "go on": "再開",
  "next scene": "次の場面",
  "full screen": "全画面",
};

export const SHOW = { en: EN, ja: JA };
