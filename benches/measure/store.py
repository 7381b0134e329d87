"""What `callpact-store` costs beside the same steps written with rusqlite alone."""

from .command import TARGET, cargo, instructions, output, say

TURNS = 200
LISTED = 10_000
WAYS = ("store", "plain")


def measure():
    """Instructions of one put and one take, and the least milliseconds of listing."""
    cargo("build", "-q", "--release", "--locked", "-p", "callpact-store", "--example", "cost")
    program = TARGET / "release/examples/cost"

    def turn(step, way):
        # The first turn opens the file; it is taken off.
        first, more = (instructions(program, step, way, turns) for turns in (1, 1 + TURNS))
        return (more - first) / TURNS

    found = {}
    for way in WAYS:
        put = turn("put", way)
        # A take needs a call that waits.
        take = turn("take", way) - put
        listing = float(output(program, "list", way, LISTED))
        found[way] = {"put": round(put), "take": round(take), "list": listing}
        say(f"{way}: {found[way]}")
    return found
