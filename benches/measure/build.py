"""What a program of tool structs costs to build and to carry, and what a dependency brings."""

import re
import shutil
import tempfile
from pathlib import Path

from . import structs
from .command import ROOT, TARGET, cargo, output, say

# The number of structs at which rustc's check is counted: counting takes fifty times as long.
CHECKED = 40

# A small program of the same structs. Both programs contain the fixed cost, so the difference is per struct.
FEW = 10

# The cost of evaluating constants does not depend on the profile.
WAYS = {"debug": structs.WAYS, "release": ("callpact", "serde-schemars")}

COLD = {
    "callpact": f'callpact = {{ path = "{ROOT}/crates/callpact" }}',
    "schemars-serde": 'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\nschemars = "1"',
    "rmcp": 'rmcp = "3.9"',
    "rig-core": 'rig-core = "0.44"',
    "autoagents": 'autoagents = "0.4"',
}


def count_crates(folder):
    """The crates of the normal tree, macros and what they are built from included."""
    tree = output("cargo", "tree", "-e", "normal", "--prefix", "none", folder=folder)
    # The name and the version; the first line is the program that depends.
    return len({" ".join(line.split()[:2]) for line in tree.splitlines()[1:] if line.strip()})


def text_of(program):
    """The size of the machine code, and of the stripped file."""
    for line in output("size", "-A", program).splitlines():
        if line.startswith(".text "):
            return int(line.split()[1]), Path(program).stat().st_size
    raise ValueError(f"{program} has no text section")


def measure(count, rounds):
    """Programs of `count` and of a few structs, in each way and profile."""
    found = {"count": count, "few": FEW}
    folder = TARGET / "bench-structs"
    folder.mkdir(parents=True, exist_ok=True)
    for profile in ("debug", "release"):
        words = ("build", "-q", "--target-dir", TARGET / "bench-structs-target")
        words += ("--release",) if profile == "release" else ("--config", "profile.dev.strip=true")
        ways = found.setdefault(profile, {})
        for way in WAYS[profile]:
            cost = ways.setdefault(way, {})
            sizes = (("few", FEW), ("all", count))
            crates_of = {size: folder / structs.write_crate(folder, number, way, ROOT) for size, number in sizes}
            # Builds the dependencies, whose cost is another row.
            cargo(*words, folder=crates_of["few"])
            for _ in range(rounds):
                for size, crate in crates_of.items():
                    (crate / "src/main.rs").touch()
                    seconds = cargo(*words, folder=crate)
                    least = min(seconds, cost.get(size, {}).get("seconds", seconds))
                    cost[size] = {"seconds": round(least, 2)}
            for size, crate in crates_of.items():
                program = TARGET / "bench-structs-target" / profile / crate.name
                cost[size]["text"], cost[size]["file"] = text_of(program)
            say(f"{count} structs, {profile}, {way}: {cost}")
    return found


def measure_checks():
    """Instructions of rustc over programs of a few structs and of more, in each way; the same on a busy machine."""
    found = {"count": CHECKED, "few": FEW}
    folder = TARGET / "bench-structs"
    folder.mkdir(parents=True, exist_ok=True)
    counter = Path(__file__).with_name("counted_rustc")
    words = ("check", "-q", "--target-dir", TARGET / "bench-structs-target")
    for way in structs.WAYS:
        cost = found.setdefault(way, {})
        for size, number in (("few", FEW), ("all", CHECKED)):
            crate = folder / structs.write_crate(folder, number, way, ROOT)
            cargo(*words, folder=crate)
            (crate / "src/main.rs").touch()
            with tempfile.TemporaryDirectory() as counts:
                cargo(*words, folder=crate, RUSTC_WORKSPACE_WRAPPER=counter, COUNTS=counts)
                # One process compiles. The others only print their version for cargo.
                totals = [re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.M) for file in Path(counts).iterdir()]
                cost[size] = {"instructions": max(int(total.group(1)) for total in totals if total)}
        say(f"check, {way}: {cost}")
    return found


def measure_cold(names, without_build):
    """Each dependency alone: its crates, and one build from nothing."""
    found = {}
    for name in names:
        with tempfile.TemporaryDirectory(dir=TARGET) as folder:
            folder = Path(folder)
            (folder / "src").mkdir()
            (folder / "src/main.rs").write_text("fn main() {}\n")
            (folder / "Cargo.toml").write_text(
                '[package]\nname = "cold"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
                f"[dependencies]\n{COLD[name]}\n"
            )
            found[name] = {"crates": count_crates(folder)}
            if name not in without_build:
                seconds = cargo("build", "-q", folder=folder, CARGO_TARGET_DIR=folder / "target")
                found[name]["seconds"] = round(seconds, 1)
                shutil.rmtree(folder / "target")
        say(f"{name}: {found[name]}")
    return found


def versions():
    """The versions in the lock file of the peers' workspace."""
    lock = (ROOT / "benches/peers/Cargo.lock").read_text()
    wanted = "autoagents-core jsonschema rig-agent rig-core rmcp schemars serde serde_json sonic-rs".split()
    pairs = re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', lock)
    # Of several versions of a crate, the last one counts, which is the newest.
    return {name: version for name, version in pairs if name in wanted}
