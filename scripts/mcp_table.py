"""Six clients at the example `asking`, each with the same six calls: prints a table, and fails at the first cell that is
not as expected. A client whose packages are not there is left out.

    mcp_table.py URL HOST_URL PYTHON AGENTS_PYTHON NODE_FOLDER     an absent one is `-`
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp_inspector import Inspector

HERE = Path(__file__).resolve().parent
APPROVED, REFUSED = "paid 90 EUR", "refused the call of 'pay'"
WAITS = "waits for a decision under the id"
STEPS = [[1, 3], [2, 3], [3, 3]]
EXPECTED = {
    "read": '"count":7',
    "write": APPROVED,
    "refused": REFUSED,
    "progress": STEPS,
    "structured": {"item": "lamp", "count": 7},
    "bad": "- euros: expected",
}
# It has no way for questions and none for progress: its own confirmation counts, and a call without it is a result.
NOT_ASKED = EXPECTED | {"refused": WAITS, "progress": "three"}
NO_PROGRESS = EXPECTED | {"progress": "three"}
WORDS = {"write": "approved", "refused": "refused", "bad": "named"}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"clients: failed: {words[1:]}: {done.stdout} {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def of_inspector(programs, url):
    with tempfile.TemporaryDirectory() as home:
        inspector = Inspector(str(programs), home)
        try:
            do = inspector.connect(url, "modern")

            def text(answer):
                found = answer.get("result", answer)
                return found["content"][0]["text"]

            def answered(decision):
                pending = do("tools/call", "pay", "euros:=90")["elicitationPending"]
                return do("elicitation/respond", pending["elicitationId"], f"decision:={decision}")

            read = do("tools/call", "stock", "item:=lamp")
            return {
                "read": text(read),
                "write": text(answered("approve")),
                "refused": text(answered("refuse")),
                "progress": text(do("tools/call", "count")),
                "structured": read.get("result", read)["structuredContent"],
                "bad": text(do("tools/call", "pay", "euros:=-1")),
            }
        finally:
            inspector.run("mcpdo", "daemon", "stop")


def shown(cell, got):
    if cell in WORDS:
        return WORDS[cell] if got != WAITS else "waits"
    return {"read": "read", "progress": "3 steps" if got == STEPS else "not shown", "structured": "an object"}[cell]


def check(name, row, expected):
    cells = []
    for cell, wanted in expected.items():
        got = row[cell]
        fits = wanted in got if isinstance(wanted, str) else got == wanted
        if not fits:
            raise SystemExit(f"clients: failed: {name}: {cell}: {got!r}, expected {wanted!r}")
        cells.append(shown(cell, wanted))
    return [name, *cells]


def main(url, host, python, agents, node):
    rows = [["client", *EXPECTED]]
    script = HERE / "mcp_clients.py"
    if python != "-":
        for name in ("python", "fastmcp"):
            rows.append(check(name, run(python, script, name, url, host), EXPECTED))
    if agents != "-":
        rows.append(check("langchain", run(agents, script, "langchain", url, host), EXPECTED))
        rows.append(check("agents", run(agents, script, "agents", url, host), NOT_ASKED))
    if node != "-":
        sdk = Path(node) / "@modelcontextprotocol/sdk"
        rows.append(check("typescript", run("node", HERE / "mcp_clients.mjs", sdk, url), EXPECTED))
        rows.append(check("inspector", of_inspector(Path(node) / ".bin", url), NO_PROGRESS))
    for row in rows:
        print("".join(f"{cell:<12}" for cell in row).rstrip())
    print(f"clients: {len(rows) - 1} clients, {(len(rows) - 1) * len(EXPECTED)} cells passed, 0 failed")


main(*sys.argv[1:])
