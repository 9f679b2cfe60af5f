"""`fanlens batch`: reads and scores a folder of photos, or millions of them, and loses nothing on the way.

The way of a run:

- `commands` is the command line, `run` carries it out, `progress` shows how far it is.
- `listing` finds the photos: `listing.listing` recognises what SOURCE is, `listing.archives` reads zips and tars,
  `listing.addresses` reads buckets and servers. Each photo is a `listing.photo_source.PhotoSource`.
- `circumstances` knows how each hand was won.
- `engines` read the photos. `engines.engine` defines tasks and replies, `engines.worker` is the process that turns one
  task into one row. `engines.pool` keeps such processes busy on this machine and survives their deaths;
  `engines.dask_engine` does the same on a Dask cluster, with `engines.dask_worker` on the cluster's side.
- `results` keeps the rows: `results.result_rows` defines a row, `results.record` stores rows on disk,
  `results.tables` writes CSV and Parquet, `results.report` the page.

Only `engines.worker` imports OpenCV and onnxruntime, so a run starts its processes at once.
"""
