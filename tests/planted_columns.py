"""Sixty columns that identify people, as files of offices and shops have them, in English and in Japanese."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl

from icefire.frames.patterns import check_luhn, check_my_number

ROWS = 600
_GIVEN = """
Anna Ruth Mary Jane Eve Oscar Liam Noah Emma Greta Pierre Lucia Marco Ivan Sanjay Amira Yuto Kenji Sakura Bjorn
Tamsin Dmitri Chloe Hannah Peter Walter Siobhan Callum Ingrid Rosalind
"""
GIVEN = _GIVEN.split()
_LAST = """
Clark Hall Young Bell Cole Nakamura Okafor Lindqvist Murphy Weber Rossi Petrov Gupta Haddad Tanaka Fraser Moreau
Silva Novak Jensen Abernathy Whitlock Dunmore Castellanos Brandt Thornbury Evans Wright Baker Sato
"""
LAST = _LAST.split()
_SURNAMES = """
佐藤 鈴木 高橋 田中 渡辺 小笠原 蛯名 長谷川 五十嵐 林 森 大久保 東海林 服部 御子柴 中村 三浦 勅使河原 堀 上野
"""
SURNAMES = _SURNAMES.split()
_READINGS = """
サトウ スズキ タカハシ タナカ ワタナベ オガサワラ エビナ ハセガワ イガラシ ハヤシ モリ オオクボ ショウジ ハットリ
ミコシバ ナカムラ ミウラ テシガワラ ホリ ウエノ
"""
READINGS = _READINGS.split()
_FIRST = """
太郎 花子 健一 美咲 翔太 結衣 大輔 さくら 蓮 陽菜 一真 千鶴 龍之介 明日香 恵 修平 ひかり 弥生 航 沙也加
"""
FIRST = _FIRST.split()
_FIRST_READINGS = """
タロウ ハナコ ケンイチ ミサキ ショウタ ユイ ダイスケ サクラ レン ヒナ カズマ チヅル リュウノスケ アスカ メグミ
シュウヘイ ヒカリ ヤヨイ ワタル サヤカ
"""
FIRST_READINGS = _FIRST_READINGS.split()
_TOWNS = """
札幌市中央区北一条西 仙台市青葉区本町 新宿区西新宿 横浜市西区みなとみらい 名古屋市中区栄 大阪市北区梅田
福岡市博多区博多駅前 那覇市泉崎
"""
TOWNS = _TOWNS.split()
_PREFECTURES = "北海道 宮城県 東京都 神奈川県 愛知県 大阪府 福岡県 沖縄県"
PREFECTURES = _PREFECTURES.split()
_STREETS = "Main Oak Church Station Mill Park Victoria Elm Lake Harbour"
STREETS = _STREETS.split()
FULL_WIDTH = str.maketrans("0123456789-@.", "０１２３４５６７８９－＠．")


class Office:
    """Draws cells of people who do not exist."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def each(self, make: Callable[[], Any]) -> list[Any]:
        return [make() for _ in range(ROWS)]

    def pick(self, among: Sequence[str]) -> str:
        return among[int(self.rng.integers(len(among)))]

    def digits(self, number: int) -> str:
        return "".join(map(str, self.rng.integers(0, 10, number)))

    def between(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high))

    def mobile(self) -> str:
        return f"0{self.pick('789')}0-{self.digits(4)}-{self.digits(4)}"

    def western(self) -> tuple[str, str]:
        return self.pick(GIVEN), self.pick(LAST)

    def japanese(self) -> tuple[int, int]:
        return self.between(0, len(SURNAMES)), self.between(0, len(FIRST))

    def email(self) -> str:
        given, last = self.western()
        return f"{given}.{last}{self.digits(2)}@{self.pick(('example.org', 'mail.example.co.jp', 'test.example.com'))}".lower()

    def my_number(self) -> str:
        stem = self.digits(11)
        return next(stem + str(d) for d in range(10) if check_my_number(stem + str(d)))

    def card(self) -> str:
        stem = "4" + self.digits(14)
        return next(stem + str(d) for d in range(10) if check_luhn(stem + str(d)))

    def day(self) -> date:
        return date(1930, 1, 1) + timedelta(self.between(0, 29_000))

    def moment(self) -> datetime:
        return datetime(2023, 1, 1) + timedelta(seconds=self.between(0, 60_000_000))

    def address(self) -> str:
        town = self.between(0, len(TOWNS))
        place = f"{self.between(1, 9)}丁目{self.between(1, 30)}番{self.between(1, 20)}号"
        return f"{PREFECTURES[town]}{TOWNS[town]}{place}"

    def era(self) -> str:
        day = self.day()
        return (
            f"昭和{day.year - 1925}年{day.month}月{day.day}日"
            if day.year < 1989
            else f"平成{day.year - 1988}年{day.month}月{day.day}日"
        )

    def remark(self, what: Callable[[], str], words: Sequence[str], share: float = 0.6) -> str | None:
        text = self.pick(words)
        return (
            text.format(what())
            if self.rng.random() < share
            else self.pick(("ok", "no reply", "記載なし", "see file", "済"))
        )


def quarters(digits: str) -> list[str]:
    return [digits[place : place + 4] for place in range(0, len(digits), 4)]


def planted(seed: int = 0) -> pl.DataFrame:
    """The sixty columns; their headings say little, and where they say something, many say the wrong thing."""
    o = Office(seed)
    western, japanese = o.each(o.western), o.each(o.japanese)
    latitude, longitude = 35.6 + o.rng.normal(0, 0.05, ROWS), 139.7 + o.rng.normal(0, 0.08, ROWS)
    easting, northing = (
        o.rng.uniform(370_000, 395_000, ROWS).round(1),
        o.rng.uniform(3_940_000, 3_960_000, ROWS).round(1),
    )
    plane = o.rng.normal(-35_000, 4_000, ROWS).round(2), o.rng.normal(-7_000, 5_000, ROWS).round(2)
    columns: dict[str, list[Any]] = {
        # Names.
        "a01": [f"{given} {last}" for given, last in western],
        "a02": [f"{last}, {given}" for given, last in western],
        "a03": [f"{given} {last}".upper() for given, last in western],
        "a04": [last for _, last in western],
        "a05": [f"Mr. {given[0]}. {last}" for given, last in western],
        "a06": [f"{SURNAMES[s]} {FIRST[f]}" for s, f in japanese],
        "a07": [f"{SURNAMES[s]}{FIRST[f]}" for s, f in japanese],
        "a08": [f"{READINGS[s]}　{FIRST_READINGS[f]}" for s, f in japanese],
        "a09": [SURNAMES[s] for s, _ in japanese],
        "a10": [FIRST[f] for _, f in japanese],
        "a11": ["".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in READINGS[s]) for s, _ in japanese],
        "a12": [f"{SURNAMES[s]} {FIRST[f]}様" if i % 3 else None for i, (s, f) in enumerate(japanese)],
        # Phones, e-mail and other addresses of the network.
        "b01": o.each(o.mobile),
        "b02": o.each(lambda: o.mobile().translate(FULL_WIDTH)),
        "b03": o.each(lambda: f"+81 {o.mobile()[1:].replace('-', ' ')}"),
        "b04": o.each(lambda: f"(0{o.between(3, 7)}) {o.digits(4)}‐{o.digits(4)}"),
        "b05": o.each(lambda: int(o.mobile()[1:].replace("-", ""))),
        "b06": o.each(lambda: f"({o.between(201, 989)}) {o.between(200, 999)}-{o.digits(4)}"),
        "b07": o.each(lambda: f"+44 20 7{o.digits(3)} {o.digits(4)}"),
        "b08": o.each(o.email),
        "b09": o.each(lambda: o.email().upper().translate(FULL_WIDTH)),
        "b10": o.each(lambda: o.email() if o.rng.random() < 0.3 else "なし"),
        "b11": o.each(lambda: f"https://people.example.org/~{o.pick(LAST).lower()}{o.digits(3)}"),
        "b12": o.each(lambda: ".".join(str(o.between(1, 250)) for _ in range(4))),
        # Numbers that somebody was given.
        "c01": o.each(o.my_number),
        "c02": o.each(lambda: " ".join(quarters(o.my_number()))),
        "c03": o.each(o.card),
        "c04": o.each(lambda: "-".join(quarters(o.card()))),
        "c05": [f"A-{i:04}" for i in o.rng.permutation(ROWS)],
        "c06": [f"patient {i:05}" for i in o.rng.permutation(9 * ROWS)[:ROWS]],
        "c07": [f"JP-{i:06}" for i in o.rng.permutation(99 * ROWS)[:ROWS]],
        "c08": o.each(lambda: str(uuid.UUID(bytes=o.rng.bytes(16)))),
        "c09": o.each(lambda: o.rng.bytes(16).hex()),
        "c10": o.rng.permutation(ROWS).tolist(),
        "c11": o.each(lambda: int(o.digits(7))),
        "c12": o.each(lambda: f"品川 {o.between(300, 599)} {o.pick('あいうえかき')} {o.digits(2)}-{o.digits(2)}"),
        "c13": o.each(lambda: f"記号{o.digits(4)} 番号{o.digits(6)}"),
        "c14": o.each(lambda: f"{o.digits(3)}-{o.between(10, 99)}-{o.digits(4)}"),
        # Where somebody lives or was.
        "d01": o.each(lambda: f"{o.between(100, 999)}-{o.digits(4)}"),
        "d02": o.each(lambda: f"〒{o.between(100, 999)}-{o.digits(4)}".translate(FULL_WIDTH)),
        "d03": o.each(o.address),
        "d04": o.each(lambda: f"{TOWNS[o.between(0, 8)]}{o.between(1, 9)}-{o.between(1, 30)}-{o.between(1, 20)}"),
        "d05": o.each(lambda: f"{o.between(1, 400)} {o.pick(STREETS)} {o.pick(('Street', 'Ave', 'Rd.'))}"),
        "x": latitude.round(6).tolist(),
        "y": longitude.round(6).tolist(),
        "d06": [f"{a:.5f},{b:.5f}" for a, b in zip(latitude, longitude, strict=True)],
        "d07": (latitude * 1e6).astype(np.int64).tolist(),
        "d08": (longitude * 1e6).astype(np.int64).tolist(),
        "d09": easting.tolist(),
        "d10": northing.tolist(),
        "d11": plane[0].tolist(),
        "d12": plane[1].tolist(),
        # When somebody was born, or came.
        "e01": o.each(o.day),
        "e02": o.each(lambda: int(f"{o.day():%Y%m%d}")),
        "e03": o.each(o.era),
        "e04": o.each(o.moment),
        "e05": o.each(lambda: int(o.moment().timestamp())),
        # Texts.
        "f01": o.each(lambda: o.remark(o.mobile, ("call {} after six", "連絡先 {}", "rang from {}, no answer"))),
        "f02": o.each(
            lambda: o.remark(lambda: f"{o.pick(GIVEN)} {o.pick(LAST)}", ("Spoke with {} today", "asked by {}"), 0.6)
        ),
        # What a row stands for.
        "weight": (o.rng.gamma(9, 120, ROWS)).round(4).tolist(),
    }
    return pl.DataFrame(columns)
