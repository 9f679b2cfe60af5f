"""A self-signed certificate: browsers allow the live camera and installing the page only over HTTPS.

It is created once and kept beside the database. Browsers warn until the person trusts it; `fanlens serve --https`
explains how.
"""

import contextlib
import datetime
import hashlib
import ipaddress
import os
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = datetime.timedelta(days=397)  # the longest lifetime that browsers accept
RENEW_BEFORE = datetime.timedelta(days=14)


@dataclass(frozen=True)
class Certificate:
    """A certificate and its key in PEM files; `fingerprint` is the SHA-256 that browsers show."""

    path: Path
    key_path: Path
    fingerprint: str

    def context(self) -> ssl.SSLContext:
        """The TLS settings of a server that uses this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.path, self.key_path)
        return context


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _still_good(certificate: x509.Certificate, hosts: list[str]) -> bool:
    now = datetime.datetime.now(datetime.UTC)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    covered = all(_alternative(host) in list(names) for host in hosts)
    return covered and certificate.not_valid_after_utc - RENEW_BEFORE > now


def _describe(path: Path, key_path: Path, certificate: x509.Certificate) -> Certificate:
    digest = hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    fingerprint = ":".join(digest[place : place + 2] for place in range(0, len(digest), 2))
    return Certificate(path, key_path, fingerprint)


def certificate_for(hosts: list[str], folder: Path) -> Certificate:
    """The certificate in `folder` if it covers `hosts` (names or addresses) and is not about to expire; else a new one.

    Only the owner can read the key. Raises OSError when `folder` cannot be written.
    """
    path, key_path = folder / "fanlens-certificate.pem", folder / "fanlens-key.pem"
    if path.exists() and key_path.exists():
        # An incomplete file, or a key of another certificate, is replaced.
        with contextlib.suppress(ValueError, x509.ExtensionNotFound, ssl.SSLError):
            certificate = x509.load_pem_x509_certificate(path.read_bytes())
            kept = _describe(path, key_path, certificate)
            kept.context()
            if _still_good(certificate, hosts):
                return kept
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fanlens on this computer")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now - datetime.timedelta(days=1) + LIFETIME)
        .add_extension(x509.SubjectAlternativeName([_alternative(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return _describe(path, key_path, certificate)
