"""A search for rows that fulfil predicates alone, in numba.

Rows that fulfil the narrowest condition of a predicate are looked at, until the second one fulfils all.
"""

from __future__ import annotations

import numba
import numpy as np

from icefire.synthetic.data import Floats, Ints


@numba.njit(cache=True, nogil=True)
def alone(
    cells: Floats,
    order: Ints,
    begins: Ints,
    ends: Ints,
    starts: Ints,
    columns: Ints,
    comparisons: Ints,
    values: Floats,
) -> Ints:
    """[predicate]: the row that fulfils it alone, otherwise -1; `cells` is [column, row], and so is `order`, the rows sorted by
    the column, of which those from begins[i] to ends[i] fulfil condition i."""
    found = np.full(starts.size - 1, -1, np.int64)
    for predicate in range(found.size):
        number, narrow = 0, starts[predicate]
        for place in range(starts[predicate], starts[predicate + 1]):
            if ends[place] - begins[place] < ends[narrow] - begins[narrow]:
                narrow = place
        for row in order[columns[narrow], begins[narrow] : ends[narrow]]:
            met = True
            for place in range(starts[predicate], starts[predicate + 1]):
                cell, value, comparison = cells[columns[place], row], values[place], comparisons[place]
                if comparison == 0:
                    met = cell == value
                elif comparison == 1:
                    met = cell <= value
                elif comparison == 2:
                    met = cell >= value
                else:
                    met = np.isnan(cell)
                if not met:
                    break
            if met:
                number += 1
                if number > 1:
                    found[predicate] = -1
                    break
                found[predicate] = row
    return found
