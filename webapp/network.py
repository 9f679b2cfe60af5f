"""The addresses at which a phone on the same network reaches this server."""

import ipaddress
import socket


def lan_address() -> str | None:
    """This machine's address in the local network, or None.

    This sends no packet: connecting a datagram socket only looks up the routing table.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def is_everywhere(host: str) -> bool:
    """Whether a server on `host` listens on every address of this machine."""
    return host in {"0.0.0.0", "::", ""}  # noqa: S104


def names_of(host: str, *more: str) -> list[str]:
    """The names and addresses by which a browser may open a server on `host`; its certificate must list them."""
    here = socket.gethostname()
    own = "" if is_everywhere(host) else host.partition("%")[0]
    names = map(_in_ascii, (own, lan_address() or "", "127.0.0.1", "localhost", here, f"{here}.local", *more))
    return list(dict.fromkeys(name for name in names if name))


def _in_ascii(name: str) -> str:
    """A name as certificates write it (`xn--…`), or an empty string if no certificate can hold it."""
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def addresses(host: str, port: int, scheme: str) -> list[str]:
    """The addresses to open for a server on `host`; the one for other devices comes first."""
    default = {"http": 80, "https": 443}[scheme]
    tail = "" if port == default else f":{port}"
    if is_everywhere(host):
        lan = lan_address()
        hosts = [lan] if lan else []
        hosts.append("localhost")
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"{scheme}://{name}{tail}/" for name in hosts]


def network_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that name a network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
