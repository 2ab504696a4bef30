"""Two small scripts for the day of the change: keys for those who wait, and back."""

REKEY_FILE, UNKEY_FILE = "rekey.sh", "unkey.sh"

_WAITING = "squeue --noheader --states=PENDING --format=%F | sort -u"

REKEY = f"""#!/bin/sh
# Once, after the files are applied: jobs that wait already get their keys, from their submission.
# (Any change of a job without a key gives it one; the note is the change.)
set -eu
{_WAITING} | while read -r job; do
  scontrol update JobId="$job" AdminComment="keyed by zerowait"
done
"""

UNKEY = f"""#!/bin/sh
# Once, after the files are taken back: jobs that wait lose their keys, and are ordered as before.
set -eu
{_WAITING} | while read -r job; do
  scontrol update JobId="$job" SiteFactor=0
done
"""
