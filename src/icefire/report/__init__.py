"""Self-contained HTML reports that open offline: pages, charts, and the sections that all kinds share."""
