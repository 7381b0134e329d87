"""Commands, what they cost, and how many instructions they take."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()


def run(command, folder=ROOT, **variables):
    """The output of a command, and its user and system time in seconds; ends the run if it fails."""
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} in {folder}:\n{done.stderr[-4000:]}")
    cost = (after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime)
    return done, cost


def output(*command, folder=ROOT):
    return run(command, folder)[0].stdout


def cargo(*words, folder=ROOT, **variables):
    """CPU seconds, user and system, of one cargo command: wall time says little on a shared machine."""
    return sum(run(("cargo", *words), folder, CARGO_INCREMENTAL=0, **variables)[1])


def instructions(*command):
    """What callgrind counts of a command."""
    tool = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
    done, _ = run((*tool, *command))
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        sys.exit(f"callgrind says nothing of {command}:\n{done.stderr[-1000:]}")
    return int(found.group(1))


def user_seconds(*command):
    return run(command)[1][0]


def say(text):
    print(text, file=sys.stderr, flush=True)
