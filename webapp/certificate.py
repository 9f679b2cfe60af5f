"""A certificate of our own: browsers allow the live camera and installing the page only over HTTPS.

Phones install only certificates of authorities as trusted, so there is an authority for this one server: its name
constraints, which are critical, allow it the names and addresses of this server and no others, and its key is thrown
away as soon as it has signed the server's certificate. Both are kept beside the database. Browsers warn until the
person trusts the authority; `fanlens serve --https` explains how.
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
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = datetime.timedelta(days=397)  # the longest lifetime that browsers accept
AUTHORITY = "Fanlens, for this computer only"
RENEW_BEFORE = datetime.timedelta(days=14)


@dataclass(frozen=True)
class Certificate:
    """A certificate and its key in PEM files; `fingerprint` is the SHA-256 that browsers show.

    authority_path: the certificate that people install as trusted.
    """

    path: Path
    key_path: Path
    authority_path: Path
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


def _allowed(host: str) -> x509.GeneralName:
    """A host as name constraints write it: an address is a network of one."""
    try:
        return x509.IPAddress(ipaddress.ip_network(host))
    except ValueError:
        return x509.DNSName(host)


def _still_good(certificate: x509.Certificate, authority: x509.Certificate, hosts: list[str]) -> bool:
    now = datetime.datetime.now(datetime.UTC)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    covered = all(_alternative(host) in list(names) for host in hosts)
    # Certificates of version 0.4 were authorities without constraints.
    constrained = authority.extensions.get_extension_for_class(x509.NameConstraints).critical
    certificate.verify_directly_issued_by(authority)
    return covered and constrained and certificate.not_valid_after_utc - RENEW_BEFORE > now


def _paths(folder: Path) -> tuple[Path, Path, Path]:
    names = ("fanlens-certificate.pem", "fanlens-key.pem", "fanlens-authority.pem")
    return folder / names[0], folder / names[1], folder / names[2]


def _describe(folder: Path, certificate: x509.Certificate) -> Certificate:
    digest = hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    fingerprint = ":".join(digest[place : place + 2] for place in range(0, len(digest), 2))
    return Certificate(*_paths(folder), fingerprint)


def certificate_for(hosts: list[str], folder: Path) -> Certificate:
    """The certificate in `folder` if it covers `hosts` (names or addresses) and is not about to expire; else a new one.

    Only the owner can read the key. Raises OSError when `folder` cannot be written.
    """
    path, key_path, authority_path = _paths(folder)
    if path.exists() and key_path.exists() and authority_path.exists():
        # An incomplete file, or a key of another certificate, is replaced.
        with contextlib.suppress(
            ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound, ssl.SSLError
        ):
            certificate, authority = (
                x509.load_pem_x509_certificate(each.read_bytes()) for each in (path, authority_path)
            )
            kept = _describe(folder, certificate)
            kept.context()
            if _still_good(certificate, authority, hosts):
                return kept
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = _authority(authority_key, hosts)
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _server_certificate(key, authority_key, hosts)
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
    pem = authority.public_bytes(serialization.Encoding.PEM)
    authority_path.write_bytes(pem)
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + pem)
    return _describe(folder, certificate)


def _builder(subject: str, issuer: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    subject_name, issuer_name = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in (subject, issuer)
    )
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject_name)
        .issuer_name(issuer_name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )


def _usage(**used: bool) -> x509.KeyUsage:
    every = (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
    )
    more = ("key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**(dict.fromkeys((*every, *more), False) | used))


def _authority(key: ec.EllipticCurvePrivateKey, hosts: list[str]) -> x509.Certificate:
    """The authority, which may vouch for `hosts` and for nothing else."""
    allowed = [_allowed(host) for host in hosts]
    return (
        _builder(AUTHORITY, AUTHORITY, key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True), critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .sign(key, hashes.SHA256())
    )


def _server_certificate(
    key: ec.EllipticCurvePrivateKey, authority_key: ec.EllipticCurvePrivateKey, hosts: list[str]
) -> x509.Certificate:
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return (
        _builder("Fanlens on this computer", AUTHORITY, key)
        .add_extension(x509.SubjectAlternativeName([_alternative(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(identifier, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
