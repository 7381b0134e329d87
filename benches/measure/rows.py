"""The rows of `benches/peers`: instructions and times of each library for the same work."""

from .command import ROOT, TARGET, cargo, instructions, output, say, user_seconds

PEERS = ROOT / "benches/peers"
# How often under callgrind: enough that a single turn does not matter.
TURNS = {"nested": 300, "string": 10, "items": 3, "faults": 100, "schema": 1, "list": 1, "dispatch": 300}
# Instructions of one timed run: a fifth of a second and more, since the system may count user time in steps of 4 ms.
TIMED = 4_000_000_000


def measure(rounds, autoagents):
    """Every row by every library: instructions of one turn, and the least user time in nanoseconds."""
    features = ("--features", "autoagents") if autoagents else ()
    say("building benches/peers")
    cargo("build", "-q", "--release", "--locked", *features, folder=PEERS, CARGO_TARGET_DIR=TARGET)
    program = TARGET / "release/callpact-peers"
    found = [line.split() for line in output(program, "list").splitlines()]
    rows = {}
    for row, way in found:
        turns = TURNS[row.split("-")[0]]
        # The first turn fills caches and lazy values; it is taken off.
        first = instructions(program, row, way, 1)
        more = instructions(program, row, way, 1 + turns)
        rows.setdefault(row, {})[way] = {"instructions": round((more - first) / turns)}
        say(f"{row} {way}: {rows[row][way]['instructions']:,} instructions")
    for row, ways in rows.items():
        times = {way: [] for way in ways}
        # One after the other in each round, so that a busy minute meets all of them.
        for _ in range(rounds):
            for way, cost in ways.items():
                turns = max(1, TIMED // max(1, cost["instructions"]))
                whole = user_seconds(program, row, way, turns + 1)
                setup = user_seconds(program, row, way, 1)
                times[way].append((whole - setup) / turns)
        for way, cost in ways.items():
            cost["nanoseconds"] = round(max(0.0, min(times[way])) * 1e9, 1)
        say(f"{row}: " + ", ".join(f"{way} {ways[way]['nanoseconds']:,} ns" for way in ways))
    return rows, faults(program)


def faults(program):
    """How many of seven faults each library tells of, and its words."""
    told = {}
    for line in output(program, "faults").splitlines():
        way, count, words = line.split("\t", 2)
        told[way] = {"count": int(count), "told": words.replace("\\n", "\n")}
    return told
