"""What a call over `callpact-nats` costs beside plain NATS and beside MCP over HTTP."""

import json
import time

from .command import ROOT, TARGET, cargo, output, say


def measure():
    """Times in microseconds and calls a second: by ways, by workers, by tools of a list."""
    server = output(ROOT / "scripts/nats_server", "--install").strip()
    cargo("build", "-q", "--release", "--locked", "-p", "callpact-bench-workers")
    start = time.monotonic()
    found = json.loads(output(TARGET / "release/bench-workers", server))
    found["seconds"] = round(time.monotonic() - start)
    say(f"workers, in {found['seconds']} s: {json.dumps(found)}")
    return found
