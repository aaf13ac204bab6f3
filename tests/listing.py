"""Group listing: every record as it is, under the pseudonyms of several customers."""

from __future__ import annotations

import numpy as np

from icefire.history.data import History, Release
from icefire.history.sets import set_labels


def list_groups(original: History, size: int, seed: int, own_lists: bool = False) -> Release:
    """Each month, customers with similar items form groups of so many, and each record is published under the whole group.

    With lists of their own, each customer is listed together with those who are most similar, so that lists overlap.
    """
    rng = np.random.default_rng(seed)
    items = original.frame["item"].rank("dense").to_numpy().astype(np.int64) - 1
    records, users = [], []
    for period in range(len(original.periods)):
        rows = np.flatnonzero(original.period_codes == period)
        names, owner = np.unique(original.user_codes[rows], return_inverse=True)
        bought = np.zeros((names.size, items.max() + 1))
        bought[owner, items[rows]] = 1.0
        common = bought @ bought.T + rng.random((names.size, names.size)) * 1e-3
        if own_lists:
            np.fill_diagonal(common, np.inf)
            members = np.argsort(-common, axis=1)[:, :size]
        else:
            left, members = list(range(names.size)), np.zeros((names.size, size), dtype=np.int64)
            groups = []
            while left:
                near = sorted(left, key=lambda other: -common[left[0], other] if other != left[0] else -np.inf)
                groups.append(near[:size])
                left = [name for name in left if name not in near[:size]]
            if len(groups) > 1 and len(groups[-1]) < size:
                last = groups.pop()
                groups[-1] += last
            for group in groups:
                for name in group:
                    records += [rows[owner == name].repeat(len(group))]
                    users += [np.tile(names[group], int((owner == name).sum()))]
            continue
        records.append(rows.repeat(size))
        users.append(names[members[owner]].ravel())
    labels = set_labels(np.concatenate(records), original.users.gather(np.concatenate(users)))
    frame = original.frame.with_columns(user=labels)
    return Release.made(original, frame, np.arange(original.height), rng, window=1)
