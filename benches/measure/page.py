"""Results as the tables of `docs/benchmarks.md` and as its plot."""

import re

from . import plot
from .inputs import PAIRS, ratio

NAMES = {
    "callpact": "callpact",
    "serde": "serde's derive",
    "sonic-rs": "serde's derive on sonic-rs",
    "rig-tool": "rig, a tool's call",
    "rig-agent": "rig, as its agent calls",
    "rmcp": "rmcp, Parameters",
    "autoagents": "AutoAgents, a tool's call",
    "autoagents-agent": "AutoAgents, as its agent calls",
    "jsonschema": "jsonschema + from_value",
}
# The names in rows that do not measure reading alone.
LISTS = NAMES | {"serde": "schemars", "rig-tool": "rig", "rmcp": "rmcp", "autoagents": "AutoAgents"}
ROWS = {
    "nested-200B": "200 bytes, nested",
    "string-200kB": "a string of 200 kB",
    "items-2000": "2,000 items, 203 kB",
    "faults-7": "seven faults, 200 bytes",
    "schema-1000": "1,000 schemas as text",
    "list-1000": "a list of 1,000 tools",
    "dispatch-10": "among 10 tools",
    "dispatch-1000": "among 1,000",
    "dispatch-10000": "among 10,000",
}
STRUCTS = {
    "callpact": "callpact",
    "callpact-const": "callpact, schema_json!",
    "serde-schemars": "serde + schemars",
}
COLD = {
    "callpact": "callpact",
    "schemars-serde": "schemars + serde + serde_json",
    "rmcp": "rmcp",
    "rig-core": "rig-core",
    "autoagents": "autoagents",
}

WAYS = {
    "process": "a `Toolset` in the process",
    "plain": "async-nats, request and reply",
    "mcp": "MCP over HTTP",
    "worker": "a worker",
}


def nanoseconds(value):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:,.3g} {unit}" if value < size * 1000 else f"{value / size:,.0f} {unit}"
    return f"{value:.0f} ns"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def work(rows, names, base, names_of=NAMES):
    """One table: a line for each library, instructions, their ratio to `base`, and the time."""
    ways = [way for way in NAMES if any(way in rows[name] for name in names)]
    lines = []
    for way in ways:
        line = [names_of[way]]
        for name in names:
            cost = rows[name].get(way)
            if cost is None:
                line.append("")
                continue
            ratio = cost["instructions"] / rows[name][base]["instructions"]
            line.append(f"{cost['instructions']:,} · {ratio:.2f} · {nanoseconds(cost['nanoseconds'])}")
        lines.append(line)
    return table(["", *(ROWS[name] for name in names)], lines)


def inputs(rows):
    """Every input: instructions from text and from a value, each with its ratio to serde's derive."""
    lines = []
    for name, row in rows.items():
        cells = [name, f"{row['bytes']:,}"]
        for source, (ours, theirs) in PAIRS.items():
            cells += [f"{row[theirs]:,}", f"{row[ours]:,}", f"{ratio(row, source):.2f}"]
        lines.append(cells)
    means = {source: sum(ratio(row, source) for row in rows.values()) / len(rows) for source in PAIRS}
    lines.append(["mean", "", "", "", f"{means['text']:.2f}", "", "", f"{means['value']:.2f}"])
    return table(["input", "bytes", "serde", "callpact", "ratio", "serde, `&Value`", "callpact, `&Value`", "ratio"], lines)


def report(rows):
    """The same for the faults, and how much more each does than for a good text of the same size."""
    lines = work(rows, ["faults-7"], "serde").splitlines()
    ways = [way for way in NAMES if way in rows["faults-7"]]
    ratios = [rows["faults-7"][way]["instructions"] / rows["nested-200B"][way]["instructions"] for way in ways]
    more = [" of its good read |", " --- |", *(f" {ratio:.2f} |" for ratio in ratios)]
    return "\n".join(line + cell for line, cell in zip(lines, more))


def faults(told):
    return table(
        ["", "faults told of", "in the words"],
        [
            [NAMES[way], said["count"], "<br>".join(f"`{line}`" for line in said["told"].splitlines())]
            for way, said in sorted(told.items(), key=lambda pair: list(NAMES).index(pair[0]))
        ],
    )


def per_struct(found, profile, way, key):
    return each(found, found[profile][way], key)


def each(found, cost, key):
    return (cost["all"][key] - cost["few"][key]) / (found["count"] - found["few"])


def structs(found):
    lines = []
    for profile in ("debug", "release"):
        if profile not in found:
            continue
        base = {key: per_struct(found, profile, "serde-schemars", key) for key in ("seconds", "text", "file")}
        for way in (way for way in STRUCTS if way in found[profile]):
            cells = [profile, STRUCTS[way], f"{found[profile][way]['all']['seconds']:.1f} s"]
            for key, scale, unit in (("seconds", 1000, "ms"), ("text", 0.001, "kB"), ("file", 0.001, "kB")):
                value = per_struct(found, profile, way, key)
                cells.append(f"{value * scale:.1f} {unit}, {value / base[key]:.2f}")
            lines.append(cells)
    return table(
        ["profile", "", f"crate of {found['count']}", "CPU per struct", "machine code per struct", "file per struct"],
        lines,
    )


def checks(found):
    ways = {way: each(found, found[way], "instructions") / 1e6 for way in STRUCTS}
    return table(
        ["", "instructions of `rustc` per struct"],
        [[STRUCTS[way], f"{cost:.0f} M, {cost / ways['serde-schemars']:.2f}"] for way, cost in ways.items()],
    )


def cold(found):
    return table(
        ["", "crates", "CPU of one cold build"],
        [
            [COLD[name], cost["crates"], f"{cost['seconds']:.0f} s" if "seconds" in cost else "not built"]
            for name, cost in found.items()
        ],
    )


def store(found):
    """The steps of the store, each with its ratio to rusqlite alone."""
    plain = found["plain"]
    lines = [
        [name, *(f"{found[way][step]:,} · {found[way][step] / plain[step]:.2f}" for step in ("put", "take")),
         f"{found[way]['list']:.1f} ms"]
        for way, name in (("plain", "rusqlite alone"), ("store", "`SqliteStore`"))
    ]
    head = ["", "put, instructions", "take, instructions", "list of 10,000 waiting calls"]
    return f"{table(head, lines)}\n\n{measured(found['machine'])}."


def measured(machine):
    return f"Measured on {machine['day']}: {machine['processor']}, {machine['compiler']}"


def workers(found):
    """Ways to make a call, one to three workers, and lists of more and more tools."""
    def times(cost):
        return [nanoseconds(cost[key] * 1e3) for key in ("least", "half")]

    head = ["the least time", "half of the calls within"]
    ways = [[name, *times(found["ways"][way]), f"{found['ways'][way]['rate']:,}"] for way, name in WAYS.items()]
    rates = [
        # A call of 5 ms can be made 200 times a second.
        [in_flight, *(f"{rate:,} of {workers * int(in_flight) * 200:,}" for workers, rate in enumerate(rates_of, 1))]
        for in_flight, rates_of in sorted(found["workers"].items(), key=lambda pair: int(pair[0]))
    ]
    lists = [
        [f"{int(count):,}", *times(cost), nanoseconds(cost["ready"] * 1e3)] for count, cost in found["lists"].items()
    ]
    machine = found["machine"]
    return "\n\n".join((
        table(["", *head, "calls a second, 64 at once"], ways),
        table(["calls that a worker runs at once", "1 worker", "2 workers", "3 workers"], rates),
        table(["tools in the list", *head, "the host has the list after"], lists),
        f"{measured(machine)}, {found['server']}, load {machine['load while it ran']}.",
    ))


def targets(results):
    """What was aimed at, and what was found."""
    rows, found = results["rows"], results["structs"]

    def ratios(way):
        reads = [rows[name] for name in ("nested-200B", "string-200kB", "items-2000")]
        return [row["callpact"]["instructions"] / row[way]["instructions"] for row in reads]

    def machine_code():
        profiles = [profile for profile in ("debug", "release") if profile in found]
        ways = ("callpact", "serde-schemars")
        pairs = [[per_struct(found, profile, way, "text") for way in ways] for profile in profiles]
        return [ours / theirs for ours, theirs in pairs]

    def checked(way):
        ways = [results["checks"][name] for name in (way, "serde-schemars")]
        ours, theirs = (each(results["checks"], cost, "instructions") for cost in ways)
        return [ours / theirs]

    ours = {name: ways["callpact"]["instructions"] for name, ways in rows.items()}
    lines = [
        ("reading, of serde's derive", 1.0, ratios("serde")),
        ("reading, of rig as its agent calls", 0.33, ratios("rig-agent")),
        ("reading, of rig's tool alone", 0.33, ratios("rig-tool")),
        ("reading, of rmcp", 0.33, ratios("rmcp")),
        ("report of seven faults, of a good read", 2.5, [ours["faults-7"] / ours["nested-200B"]]),
        ("dispatch among 10,000, of that among 10", 1.05, [ours["dispatch-10000"] / ours["dispatch-10"]]),
        ("a call through a list, of rmcp", 1.0, [ours["dispatch-10"] / rows["dispatch-10"]["rmcp"]["instructions"]]),
        ("a check per struct, of serde + schemars", 0.36, checked("callpact")),
        ("a check per struct with schema_json!, of serde + schemars", 0.55, checked("callpact-const")),
        ("machine code per struct, debug and release, of serde + schemars", 0.3, machine_code()),
    ]
    return table(
        ["", "at most", "found", ""],
        [
            [name, most, ", ".join(f"{value:.2f}" for value in values), "met" if max(values) <= most else "missed"]
            for name, most, values in lines
        ],
    )


def panels(results):
    rows = results["rows"]

    def bars(name, base):
        one = rows[name][base]["instructions"]
        ways = [way for way in NAMES if way in rows[name]]
        ratios = [(NAMES[way], rows[name][way]["instructions"] / one) for way in ways]
        return ROWS[name], [(label, ratio, f"{ratio:.2f}") for label, ratio in ratios]

    found = results["structs"]
    built = []
    for profile in (p for p in ("debug", "release") if p in found):
        for key, words in (("seconds", "CPU to compile"), ("text", "machine code")):
            base = per_struct(found, profile, "serde-schemars", key)
            built.append((
                f"{words}, {profile}",
                [
                    (STRUCTS[way], per_struct(found, profile, way, key) / base, "{:.2f}".format(
                        per_struct(found, profile, way, key) / base))
                    for way in STRUCTS if way in found[profile]
                ],
            ))
    return [
        (
            "Reading, instructions, serde's derive = 1",
            [bars(name, "serde") for name in ("nested-200B", "string-200kB", "items-2000", "faults-7")],
            None,
        ),
        (
            "Calling a tool by name, instructions, callpact among 10 = 1",
            [
                (ROWS[name], [
                    (LISTS[way], cost["instructions"] / rows["dispatch-10"]["callpact"]["instructions"],
                     "{:.2f}".format(cost["instructions"] / rows["dispatch-10"]["callpact"]["instructions"]))
                    for way, cost in rows[name].items()
                ])
                for name in ("dispatch-10", "dispatch-10000")
            ],
            10,
        ),
        ("One tool struct, serde + schemars = 1", built, None),
        (
            "Crates in the dependency's tree",
            [("", [(COLD[name], cost["crates"], str(cost["crates"])) for name, cost in results["cold"].items()])],
            None,
        ),
    ]


def write(root, results):
    """The tables between their markers, and the plot beside the page."""
    rows = results["rows"]
    parts = {
        "inputs": inputs(results["inputs"]),
        "targets": targets(results),
        "reading": work(rows, ["nested-200B", "string-200kB", "items-2000"], "serde"),
        "report": report(rows) + "\n\n" + faults(results["faults"]),
        "schema": "\n\n".join(work(rows, [name], "callpact", LISTS) for name in ("schema-1000", "list-1000")),
        "dispatch": work(rows, ["dispatch-10", "dispatch-1000", "dispatch-10000"], "callpact", LISTS),
        "structs": structs(results["structs"]),
        "checks": checks(results["checks"]),
        "cold": cold(results["cold"]),
        "machine": "\n".join(f"- {name}: {value}" for name, value in results["machine"].items()),
    }
    put_parts(root / "docs/benchmarks.md", parts)
    put_parts(root / "docs/waiting.md", {"store": store(results["store"])})
    put_parts(root / "docs/workers.md", {"workers": workers(results["workers"])})
    (root / "docs/benchmarks.svg").write_text(plot.svg(panels(results)))


def put_parts(page, parts):
    words = page.read_text()
    for name, part in parts.items():
        marked = re.compile(f"(<!-- {name}: written by scripts/bench -->\n).*?(<!-- end -->)", re.DOTALL)
        if not marked.search(words):
            raise ValueError(f"{page} has no place for {name}")
        words = marked.sub(lambda found: f"{found.group(1)}\n{part}\n\n{found.group(2)}", words)
    page.write_text(words)
