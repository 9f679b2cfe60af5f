"""`fanlens batch`: a folder of photos, or millions, read and scored with nothing lost on the way.

`sources` lists the photos and reads their bytes, `circumstances` knows how each hand was won, `worker` makes one
row of one photo, `pool` keeps worker processes busy and survives their deaths, `record` holds the results on
disk, `run` ties them together, `progress` tells how far it is, `tables` and `report` show the results.
"""
