"""The engine: the search for the reading of the highest value, on packed integers and tables."""
