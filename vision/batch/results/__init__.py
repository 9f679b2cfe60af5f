"""What a batch run writes: result rows, tables, Parquet files and the report."""
