"""Names of teams: which are allowed, which look like another one, and an id that people can read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator

from icefire.core.errors import DataError

LONGEST = 40
INVISIBLE = {*"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800", *map(chr, range(0xFE00, 0xFE10))}
"""Invisible characters that are not control characters."""
JOINER = "\u200d"
"""Joins emoji to one picture, such as a family."""
MODIFIERS = {"\ufe0f", *map(chr, range(0x1F3FB, 0x1F400))}
"""Presentation and skin colour of the emoji before."""
ALIKE = {
    # Cyrillic, Greek and Armenian letters that look like Latin ones.
    **dict(zip("аеорсухіјѕһԁԛԝѵӏгАВЕКМНОРСТУХЅІЈԜѴҮ", "aeopcyxijshdqwvlrABEKMHOPCTYXSlJWVY", strict=True)),
    **dict(zip("αγικνορσυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ayikvopouxABEZHlKMNOPTYX", strict=True)),
    **dict(zip("օսոհցզյՕՏԼՍ", "ounhgqjOSLU", strict=True)),
    **dict(zip("ıɑɡ01I|", "iagOlll", strict=True)),
    "m": "rn",
    "w": "vv",
    # Kana that look like Chinese characters, or like the other kind of kana.
    **dict(zip("口力工夕卜八二才へり千丿三", "ロカエタトハニオヘリチノミ", strict=True)),
    **dict.fromkeys("一―—─", "ー"),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("’‘`´", "'"),
    "·": "・",
}
"""Characters and what they look like: the common ones of the table of Unicode's UTS 39."""
MIXED = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts with letters that look alike: a word is in one of them."""


def checked(name: str) -> str:
    """A name as it is shown; DataError if it is not allowed."""
    shown = unicodedata.normalize("NFC", name).strip()
    visible = any(unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "So" for c in _seen(shown))
    controls = any(unicodedata.category(c)[0] == "C" for c in _without_families(shown))
    if not 1 <= len(shown) <= LONGEST or not visible or controls:
        raise DataError("a team's name has 1 to 40 characters, a letter or a digit, and no control characters")
    for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", shown)):
        scripts = {_script(letter) for letter in word} & {*MIXED}
        if len(scripts) > 1:
            listed = " and ".join(sorted(script.capitalize() for script in scripts))
            raise DataError(f"{word!r} mixes {listed} letters, which look alike: write it in one script")
    return shown


def same(first: str, second: str) -> bool:
    """Whether two names are the same, however they are written: in spaces, case, width and invisible characters.

    >>> same("Ｔｅａｍ  Aoi", "team aoi")
    True
    """
    return _folded(first) == _folded(second)


def look_alike(first: str, second: str) -> bool:
    """Whether people take two names for the same one.

    >>> look_alike("Аoi", "Aoi"), look_alike("Team 1", "Team l"), look_alike("ロボ", "口ボ"), look_alike("Aoi", "Kaede")
    (True, True, True, False)
    """
    return _skeleton(first) == _skeleton(second)


def free_id(name: str, taken: Container[str], number: int) -> str:
    """An id for a new team: its name in Latin letters where that can be read off, else team-NUMBER.

    >>> free_id("チームあおい", {"team"}, 3), free_id("東京", {}, 3), free_id("Aoi", {"aoi"}, 3)
    ('chiimuaoi', 'team-3', 'aoi-2')
    """
    base = re.sub(r"[^a-z0-9]+", "-", _romanized(_folded(name))).strip("-")[:30].strip("-")
    if not base or any(unicodedata.name(c, "").startswith("CJK") for c in name):
        return next(id_ for id_ in (f"team-{at}" for at in range(number, 10_000)) if id_ not in taken)
    return next(id_ for id_ in (base, *(f"{base}-{at}" for at in range(2, 10_000))) if id_ not in taken)


def _seen(name: str) -> Iterator[str]:
    return (c for c in name if c not in INVISIBLE)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _without_families(name: str) -> str:
    """A name without the joiners between emoji."""
    emoji = [unicodedata.category(c) == "So" or c in MODIFIERS for c in name]
    return "".join(
        c
        for at, c in enumerate(name)
        if not (c == JOINER and 0 < at < len(name) - 1 and emoji[at - 1] and emoji[at + 1])
    )


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(_seen(folded)).split())


def _skeleton(name: str) -> str:
    """What a name looks like: two names with the same skeleton are confusable (UTS 39)."""
    parts = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", "".join(_seen(name))))
    alike = "".join(ALIKE.get(c, c) for c in parts)
    # Letters of the other case may look alike, too.
    return _folded("".join(ALIKE.get(c, c) for c in alike.casefold()))


SYLLABLES = {
    kana: consonant + vowel
    for consonant, row in {
        "": "あいうえお",
        "k": "かきくけこ",
        "g": "がぎぐげご",
        "s": "さしすせそ",
        "z": "ざじずぜぞ",
        "t": "たちつてと",
        "d": "だぢづでど",
        "n": "なにぬねの",
        "h": "はひふへほ",
        "b": "ばびぶべぼ",
        "p": "ぱぴぷぺぽ",
        "m": "まみむめも",
        "r": "らりるれろ",
        "y": "や ゆ よ",
        "w": "わ   を",
    }.items()
    for kana, vowel in zip(row, "aiueo", strict=True)
    if kana != " "
}
SYLLABLES |= {
    "し": "shi",
    "ち": "chi",
    "つ": "tsu",
    "ふ": "fu",
    "じ": "ji",
    "ぢ": "ji",
    "づ": "zu",
    "を": "o",
    "ん": "n",
    "ゔ": "vu",
}
SMALL = dict(zip("ぁぃぅぇぉゃゅょゎ", ("a", "i", "u", "e", "o", "ya", "yu", "yo", "wa"), strict=True))


def _romanized(name: str) -> str:
    """Kana in Latin letters (Hepburn); everything else as it is.

    >>> _romanized("キャット"), _romanized("がっこう"), _romanized("ファイヤー"), _romanized("しんじゅく")
    ('kyatto', 'gakkou', 'faiyaa', 'shinjuku')
    """
    made: list[str] = []
    for c in name:
        kana = chr(ord(c) - 0x60) if "ァ" <= c <= "ヴ" else c
        last = made[-1] if made else ""
        if kana in SMALL and last[-1:] in "aiueo" and last:
            made[-1] = _contracted(last, SMALL[kana])
        elif kana == "ー":
            made.append(last[-1:] if last[-1:] in "aiueo" else "")
        else:
            made.append(SYLLABLES.get(kana, "っ" if kana == "っ" else c))
    return re.sub("っ([a-z])", r"\1\1", "".join(made)).replace("cch", "tch").replace("っ", "tsu")


def _contracted(syllable: str, small: str) -> str:
    """A syllable and a small kana: ki and ya are kya, shi and ya are sha, fu and a are fa."""
    start = syllable[:-1] or ("w" if syllable == "u" else "y")
    return start + (small[1:] if small[0] == "y" and start.endswith(("sh", "ch", "j")) else small)
