"""Self-contained HTML reports that open offline."""
