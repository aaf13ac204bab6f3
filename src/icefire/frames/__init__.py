"""Where DataFrame engines meet: the only place that knows them apart."""
