"""The `serve` command."""

import contextlib
import os
import signal
import sys
from pathlib import Path

import click
import segno

from scorer import profile_named
from scorer.errors import FanlensError
from webapp.app import close, create_app
from webapp.certificate import Certificate, certificate_for
from webapp.health import examined, verify_networks
from webapp.ledger import Ledger
from webapp.ledger.database import default_database
from webapp.ledger.opening import database_option
from webapp.network import addresses, is_everywhere, names_of
from webapp.request_log import to_stderr
from webapp.serving import Serving, ServingError


@click.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")  # noqa: S104
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes any free port.",
)
@database_option
@click.option(
    "--https",
    is_flag=True,
    help="Serve over HTTPS with a self-signed certificate (for the live camera and installing the page).",
)
@click.option(
    "--profile",
    "profiles",
    metavar="FILE",
    multiple=True,
    help="Offer the rules of this TOML file too; may be repeated.",
)
@click.option(
    "--name",
    "names",
    metavar="NAME",
    multiple=True,
    help="Also answer to this name, e.g. of your router or proxy; may be repeated.",
)
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="Address of a reverse proxy whose X-Forwarded- headers count; may be repeated.",
)
@click.option(
    "--operator-key",
    envvar="FANLENS_OPERATOR_KEY",
    show_envvar=True,
    help="Key that opens /metrics from other computers.",
)
@click.option("--log-json", is_flag=True, help="Log every request to standard error as JSON lines.")
def serve(
    *,
    host: str,
    port: int,
    database: str | None,
    https: bool,
    profiles: tuple[str, ...],
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    operator_key: str | None,
    log_json: bool,
) -> None:
    """Serve the scoring page on your network."""
    if log_json:
        to_stderr()
    with contextlib.ExitStack() as open_things:
        try:
            verify_networks()
            app = create_app(
                {
                    "DATABASE": database or default_database(),
                    "PROFILES": tuple(map(profile_named, profiles)),
                    "HOSTS": (*names, *(() if is_everywhere(host) else (host,))),
                    "OPERATOR_KEY": operator_key,
                }
            )
        except FanlensError as error:
            raise click.ClickException(error.message) from error
        open_things.callback(close, app)
        ledger: Ledger = app.extensions["ledger"]
        certificate = _certificate(host, names, _own_folder(ledger)) if https else None
        try:
            serving = open_things.enter_context(Serving(app, host, port, certificate, proxies=proxies))
        except (OSError, UnicodeError) as error:
            raise click.ClickException(
                f"cannot listen on {host}, port {port} ({_reason(error)}): choose another --host or --port"
            ) from error
        app.extensions["photo_service"].start()
        open_things.callback(app.extensions["photo_service"].close)  # first: requests may wait for it
        # Service managers and containers stop a program with SIGTERM; treat it like Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            _announce(addresses(host, serving.port, "https" if https else "http"), certificate)
            click.echo(f"Confirmed hands are kept in {ledger.database.name}. Ctrl-C stops.")
            sys.stdout.flush()
            serving.wait()
        except KeyboardInterrupt:
            click.echo("Stopped.")
        except ServingError as error:
            raise click.ClickException(error.message) from error


def _own_folder(ledger: Ledger) -> Path:
    """Where the certificate is kept: beside an SQLite file, or in the application folder."""
    return (ledger.database.path or default_database()).parent


def _reason(error: OSError | UnicodeError) -> str:
    """The reason the system gives, without the address that `socket` and `asyncio` add to it."""
    if isinstance(error, UnicodeError):
        return "this is not an address"
    if error.errno and error.errno > 0:
        return os.strerror(error.errno)
    # Python 3.13 puts the reason elsewhere than 3.11.
    return str(error.strerror or error).partition(" (while")[0]


def _certificate(host: str, names: tuple[str, ...], folder: Path) -> Certificate:
    try:
        return certificate_for(names_of(host, *names), folder)
    except OSError as error:
        raise click.ClickException(
            f"the certificate cannot be kept in {folder} ({error.strerror}): "
            "give a --database in a folder that you can write, or leave out --https"
        ) from error


def _announce(open_at: list[str], certificate: Certificate | None) -> None:
    click.echo("Fanlens is ready. Open it on this computer or on a phone on the same network:")
    for address in open_at:
        click.echo(f"  {address}")
    segno.make(open_at[0], error="m").terminal(out=sys.stdout, compact=True)
    if certificate:
        click.echo(
            f"Browsers warn about this certificate once, because nobody else vouches for it. Its SHA-256:\n"
            f"  {certificate.fingerprint}\nTo trust it on a phone, send\n  {certificate.authority_path}\n"
            "to the phone and install it as a trusted authority: it can vouch for this server only."
        )


@click.command()
@database_option
def doctor(database: str | None) -> None:
    """Check that this installation can work.

    Each line says what is so, or what to do. Exit status: 0 everything is well, 1 something is not.
    """
    address = database or default_database()
    path = None if isinstance(address, str) and "://" in address else Path(address)
    folder = (path or default_database()).parent
    well = True
    for finding in examined(lambda: Ledger(address), folder):
        well &= finding.ok
        click.echo(f"{'ok ' if finding.ok else 'NOT'}  {finding.name}: {finding.message}")
    if not well:
        sys.exit(1)


COMMANDS: tuple[click.Command, ...] = (serve, doctor)
