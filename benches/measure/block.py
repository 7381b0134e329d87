"""A block of `docs/benchmarks.md` that a script writes."""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/benchmarks.md"


def put_block(name, script, text):
    """Puts a text between the marks of a block."""
    start, end = f"<!-- {name}: written by {script} -->\n\n", "\n<!-- end -->"
    page = PAGE.read_text()
    block = re.escape(start) + ".*?" + re.escape(end)
    if not re.search(block, page, re.S):
        sys.exit(f"{PAGE} has no block {name}")
    PAGE.write_text(re.sub(block, lambda _: start + text + end, page, count=1, flags=re.S))
