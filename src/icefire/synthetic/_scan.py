"""A search for rows that fulfil predicates alone, in numba. It ends at the second row."""

from __future__ import annotations

import numba
import numpy as np

from icefire.synthetic.data import Floats, Ints


@numba.njit(cache=True, nogil=True)
def alone(cells: Floats, starts: Ints, columns: Ints, comparisons: Ints, values: Floats) -> Ints:
    """[predicate]: the row that fulfils it alone, otherwise -1; `cells` is [column, row]."""
    found = np.full(starts.size - 1, -1, np.int64)
    for predicate in range(found.size):
        number = 0
        for row in range(cells.shape[1]):
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
