"""k-concealment (Tassa, Mazza, Gionis 2012): every record has at least k matches, without equivalence classes."""
