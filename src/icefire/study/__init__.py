"""Studies: declared, cached, reproducible runs, with what papers print beside what comes out."""
