"""Words shared by all kinds of data. Imports nothing of icefire's own."""
