"""Run every attack and print its figures: `python -m tests.attack`, or `make attack`."""

import time

from tests.attack import archives, connections, names, photos, two_servers

for module in (names, connections, photos, archives, two_servers):
    print(f"== {module.__name__}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
    begun = time.monotonic()
    module.main()
    print(f"   {time.monotonic() - begun:.0f} s", flush=True)
