"""Instructions of one read of every input of `benches`, from text and from a `Value`.

`python3 -m measure.inputs [--program FILE] [INPUT…]` in `benches` prints them without writing a page.
"""

import argparse
import re
from concurrent.futures import ThreadPoolExecutor

from .command import TARGET, cargo, instructions, output

# The way to be measured and the way that is 1.
PAIRS = {"text": ("callpact-lax", "serde-derive"), "value": ("callpact-from-value", "serde-from-value")}
WAYS = [way for pair in PAIRS.values() for way in pair]


def listed(program, *words):
    """Every input with the length of its text."""
    found = re.findall(r"^(\S+) \((\d+) bytes\)$", output(program, *words), re.MULTILINE)
    return {name: int(length) for name, length in found}


def measure(program=None, chosen=(), crossed=False, sources=tuple(PAIRS)):
    """Instructions of each input in each way; the first turn, which fills caches, is taken off."""
    if program is None:
        cargo("build", "-q", "--release", "--locked", "-p", "callpact-bench")
        program = TARGET / "release/instructions"
    inputs = {name: length for name, length in listed(program, *["crossed"] * crossed).items() if not chosen or name in chosen}

    def cost(job):
        name, way = job
        turns = max(2, min(40, 10_000 // inputs[name]))
        first, more = (instructions(program, name, way, times) for times in (1, 1 + turns))
        return round((more - first) / turns)

    ways = [way for source in sources for way in PAIRS[source]]
    jobs = [(name, way) for name in inputs for way in ways]
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(jobs, pool.map(cost, jobs)))
    return {
        name: {"bytes": length} | {way: found[name, way] for way in ways} for name, length in inputs.items()
    }


def ratio(row, source):
    ours, theirs = PAIRS[source]
    return row[ours] / row[theirs]


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--program")
    words.add_argument("--crossed", action="store_true", help="the set that crosses kinds, orders, absence and size")
    words.add_argument("--source", choices=tuple(PAIRS), action="append", help="all without it")
    words.add_argument("inputs", nargs="*")
    chosen = words.parse_args()
    sources = chosen.source or tuple(PAIRS)
    rows = measure(chosen.program, chosen.inputs, chosen.crossed, sources)
    for name, row in rows.items():
        pairs = (PAIRS[source] for source in sources)
        cells = (f"{row[ours]:>9} / {row[theirs]:>9} {row[ours] / row[theirs]:5.2f}" for ours, theirs in pairs)
        print(f"{name:28}" + " | ".join(cells))
    for source in sources:
        ratios = [ratio(row, source) for row in rows.values()]
        print(f"{source}: mean {sum(ratios) / len(ratios):.2f}, most {max(ratios):.2f}")


if __name__ == "__main__":
    main()
