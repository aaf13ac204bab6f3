"""What hiding people will cost, before doing it."""
