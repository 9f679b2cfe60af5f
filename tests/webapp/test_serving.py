"""The real server on real sockets, plain and over TLS."""

import http.client
import json
import re
import socket
import ssl
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from flask import Flask

from webapp import certificate
from webapp.certificate import certificate_for
from webapp.network import addresses, names_of
from webapp.serving import Serving


def ask(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_answers_over_plain_http(app: Flask) -> None:
    with Serving(app, "127.0.0.1", 0) as serving:
        status, body = ask(http.client.HTTPConnection("127.0.0.1", serving.port, timeout=20), "/healthz")
    assert status == 200
    assert json.loads(body)["status"] == "ok"


def test_answers_over_tls_with_its_own_certificate(app: Flask, tmp_path: Path) -> None:
    own = certificate_for(["127.0.0.1", "localhost"], tmp_path)
    trusting = ssl.create_default_context(cafile=own.authority_path)
    with Serving(app, "127.0.0.1", 0, own) as serving:
        secure = http.client.HTTPSConnection("localhost", serving.port, timeout=20, context=trusting)
        status, body = ask(secure, "/")
        secure.request(
            "POST",
            "/api/v1/notation",
            json.dumps({"text": "123456789m12sCC3s"}),
            {"Content-Type": "application/json", "Origin": f"https://localhost:{serving.port}"},
        )
        assert secure.getresponse().status == 200
        secure.close()
        with pytest.raises(ssl.SSLCertVerificationError):
            ask(http.client.HTTPSConnection("127.0.0.1", serving.port, timeout=20), "/")
    assert status == 200
    assert b"Fanlens" in body


def test_certificate_is_kept_until_it_no_longer_fits(tmp_path: Path) -> None:
    first = certificate_for(["127.0.0.1"], tmp_path)
    assert certificate_for(["127.0.0.1"], tmp_path) == first
    assert certificate_for(["127.0.0.1", "192.168.7.7"], tmp_path).fingerprint != first.fingerprint
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", first.fingerprint)
    assert first.key_path.stat().st_mode & 0o077 == 0
    first.key_path.write_text("torn")
    whole = certificate_for(["127.0.0.1"], tmp_path)
    assert whole.context()
    assert whole.fingerprint != first.fingerprint
    first.path.write_text("torn")
    assert certificate_for(["127.0.0.1"], tmp_path).path.read_text().startswith("-----BEGIN CERTIFICATE")


def test_its_authority_vouches_for_this_server_alone_and_has_no_key(tmp_path: Path) -> None:
    made = certificate_for(["127.0.0.1", "tisch.local"], tmp_path)
    authority = x509.load_pem_x509_certificate(made.authority_path.read_bytes())
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    allowed = [str(one.value) for one in constraints.value.permitted_subtrees or []]
    assert allowed == ["127.0.0.1/32", "tisch.local"]
    server = x509.load_pem_x509_certificate(made.path.read_bytes())
    assert not server.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    server.verify_directly_issued_by(authority)
    key = load_pem_private_key(made.key_path.read_bytes(), None)
    assert key.public_key() == server.public_key() != authority.public_key()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fanlens-authority.pem",
        "fanlens-certificate.pem",
        "fanlens-key.pem",
    ]


def test_openssl_refuses_another_site_that_the_authority_would_sign(tmp_path: Path) -> None:
    """The key is gone, so the test makes an authority by the same function and keeps its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    authority = certificate._authority(key, ["127.0.0.1", "localhost"])
    (tmp_path / "authority.pem").write_bytes(authority.public_bytes(Encoding.PEM))
    verdicts, options = {}, ["verify", "-x509_strict", "-CAfile"]
    for host in ("localhost", "127.0.0.1", "bank.example", "192.0.2.9"):
        leaf = certificate._server_certificate(ec.generate_private_key(ec.SECP256R1()), key, [host])
        (tmp_path / "leaf.pem").write_bytes(leaf.public_bytes(Encoding.PEM))
        run = subprocess.run(
            ["/usr/bin/openssl", *options, tmp_path / "authority.pem", tmp_path / "leaf.pem"],
            capture_output=True,
            check=False,
            text=True,
        )
        verdicts[host] = (run.returncode, "permitted subtree violation" in run.stderr)
    assert verdicts == {
        "localhost": (0, False),
        "127.0.0.1": (0, False),
        "bank.example": (2, True),
        "192.0.2.9": (2, True),
    }


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("tisch.local", "tisch.local"),
        ("büro.local", "xn--bro-hoa.local"),
        ("fe80::1%eth0", "fe80::1"),
        ("0.0.0.0", "localhost"),
    ],
)
def test_certificate_names_what_it_is_opened_by(tmp_path: Path, host: str, named: str) -> None:
    names = names_of(host)
    assert {named, "127.0.0.1", "localhost", socket.gethostname()} <= set(names)
    assert not {"0.0.0.0", "::", ""} & set(names)
    path = certificate_for(names, tmp_path).path
    held = x509.load_pem_x509_certificate(path.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    text = [str(one.value) for one in held.value]
    assert named in text
    # What no certificate can hold is left out; listening there fails with a reason of its own.
    assert names_of("x" * 300) == names_of("")


def test_a_taken_port_is_an_oserror(app: Flask, tmp_path: Path) -> None:
    with Serving(app, "127.0.0.1", 0) as serving:
        for own in (None, certificate_for(["127.0.0.1"], tmp_path)):
            with pytest.raises(OSError, match="in use"):
                Serving(app, "127.0.0.1", serving.port, own)


@pytest.mark.parametrize(
    ("host", "port", "scheme", "last"),
    [
        ("127.0.0.1", 8000, "http", "http://127.0.0.1:8000/"),
        ("0.0.0.0", 80, "http", "http://localhost/"),
        ("::1", 443, "https", "https://[::1]/"),
    ],
)
def test_addresses_to_open(host: str, port: int, scheme: str, last: str) -> None:
    assert addresses(host, port, scheme)[-1] == last
