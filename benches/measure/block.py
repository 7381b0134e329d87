"""A block of a page in `docs` that a script writes."""

import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def put_block(name, script, text, page="benchmarks.md"):
    """Puts a text between the marks of a block."""
    start, end = f"<!-- {name}: written by {script} -->\n\n", "\n<!-- end -->"
    path = DOCS / page
    page = path.read_text()
    block = re.escape(start) + ".*?" + re.escape(end)
    if not re.search(block, page, re.S):
        sys.exit(f"{path} has no block {name}")
    path.write_text(re.sub(block, lambda _: start + text + end, page, count=1, flags=re.S))
