"""The engine finds the reading with the highest value, working on packed integers and tables.

``search`` walks the readings of a hand, ``tables`` remembers what the fans say about each part of a reading,
``linking`` decides which combinations of sets count and ``honours`` which pungs do. ``reading`` writes the
result out in tiles, and ``witnesses`` says which tiles make each fan.
"""
