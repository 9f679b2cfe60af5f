"""Where a phone on the same network finds this server."""

import ipaddress
import socket


def lan_address() -> str | None:
    """This machine's address towards the local network, or None when it has none.

    No packet is sent: connecting a datagram socket only asks the routing table which address would be used.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def addresses(host: str, port: int, scheme: str) -> list[str]:
    """The addresses to open when the server listens on `host`: the one for other devices first."""
    default = {"http": 80, "https": 443}[scheme]
    tail = "" if port == default else f":{port}"
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104
        lan = lan_address()
        hosts = [lan] if lan else []
        hosts.append("localhost")
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"{scheme}://{name}{tail}/" for name in hosts]
