"""Which photos a batch run reads: folders, lists, archives and addresses."""
