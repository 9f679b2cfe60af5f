"""`fanlens batch`: a folder of photos, or millions, read and scored with nothing lost on the way.

`sources` tells what SOURCE is and lists its photos (`archives` those in a zip or tar, `addresses` those in buckets and
on servers; a photo is a `source`), `circumstances` knows how each hand was won, `worker` makes one row of one photo.
`pool` keeps worker processes busy and survives their deaths; `cluster` does the same on Dask, with `shards` on the
workers' side; `tasks` is what goes to workers and comes back. `record` holds the results on disk, `run` ties them
together, `progress` and `bar` tell how far it is, `tables`, `parquet` and `report` show the results.

OpenCV and onnxruntime are imported by `worker` alone, so that the run starts its workers at once.
"""
