"""A table as an office has it, with all that must not go out."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl

from icefire.frames.patterns import check_my_number

SURNAMES = [
    "佐藤",
    "鈴木",
    "高橋",
    "田中",
    "伊藤",
    "渡辺",
    "山本",
    "中村",
    "小林",
    "加藤",
    "吉田",
    "山田",
    "佐々木",
    "山口",
    "松本",
    "井上",
    "木村",
    "林",
    "斎藤",
    "清水",
]
GIVEN = [
    "蓮",
    "陽葵",
    "湊",
    "凛",
    "蒼",
    "芽依",
    "律",
    "葵",
    "樹",
    "紬",
    "大翔",
    "莉子",
    "颯",
    "美咲",
    "悠真",
    "結衣",
    "太郎",
    "花子",
    "一郎",
    "健",
]


def people(rows: int = 400, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, rows)
    born = [date(2026 - int(a), 1, 1) + timedelta(int(rng.integers(0, 365))) for a in age]
    stems = [str(rng.integers(10**10, 10**11)) for _ in range(rows)]
    return pl.DataFrame(
        {
            "氏名": [f"{SURNAMES[i % 20]}{GIVEN[i // 20]}" for i in range(rows)],
            "contact": [f"p{i}@example.org" for i in range(rows)],
            "number": [next(s + str(d) for d in range(10) if check_my_number(s + str(d))) for s in stems],
            "birth_date": born,
            "age": age,
            "label": [f"{a // 5 * 5}-{a // 5 * 5 + 4}" for a in age],
            "file": [f"{rng.integers(10, 99)}-CF-{i:05d}" for i in range(rows)],
            "prefecture": rng.choice(["東京都", "大阪府", "北海道", "福岡県", "青森県", "沖縄県"], rows),
            "sex": rng.choice(["f", "m"], rows),
            "disease": rng.choice(["flu", "cold", "cancer", "none"], rows),
            "cost": rng.lognormal(8, 1, rows).round(2),
        }
    )
