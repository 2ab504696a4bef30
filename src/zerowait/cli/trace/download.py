"""`zerowait trace download`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from zerowait.cli.options import Json, output_folder
from zerowait.cli.output import command, note, print_json, progress
from zerowait.report import show


def download(
    name: Annotated[
        str | None, typer.Argument(help="Name of the log, as in SDSC-SP2; none: list them.")
    ] = None,
    folder: Annotated[
        Path | None, output_folder("Where logs are kept [default: the user's cache].")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--from", help="Mirror of the archive [default: itself, or $ZEROWAIT_ARCHIVE]"
        ),
    ] = None,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Take a log whose checksum is not pinned.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Fetch a log of the Parallel Workloads Archive by name, and check it."""
    from zerowait.traces.archive import ARCHIVE, LOGS, find_log

    if name is None:
        rows = [
            {"name": log.name, "file": log.file, "servers": log.servers, "pinned": log.is_pinned}
            for log in LOGS
        ]
        if as_json:
            print_json(rows)
            return
        from zerowait.report.documents.log import ArchiveDocument

        show(ArchiveDocument(LOGS))
        return
    from zerowait.traces.archive import download_log, text_sha256

    wanted = find_log(name)
    mirror = base_url or os.environ.get("ZEROWAIT_ARCHIVE") or ARCHIVE
    with progress(f"fetching {wanted.file}", None) as tick:
        path = download_log(wanted, folder, base_url=mirror, unverified=unverified, progress=tick)
    digest = text_sha256(path)
    if not wanted.is_pinned:
        note(f"{wanted.file}: not checked; SHA-256 of its text is {digest}")
    if as_json:
        print_json(
            {"name": wanted.name, "path": str(path), "text_sha256": digest,
             "checked": wanted.is_pinned, "command": command()}
        )  # fmt: skip
        return
    print(path)
