#!/usr/bin/env python3
"""Does what docs/start.md says in a new directory, and compares the answers with the page."""

import json
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent


def block(page, language):
    return re.search(rf"^```{re.escape(language)}\n(.*?)^```$", page, re.S | re.M)[1]


def session(page):
    """The messages sent and the answers, in order."""
    messages = {">": [], "<": []}
    for way, text in re.findall(r"^([<>]) (.*?)(?=^[<>] |\Z)", block(page, "text"), re.S | re.M):
        messages[way].append(json.loads(text))
    return messages[">"], messages["<"]


def main():
    page = (HERE / "docs/start.md").read_text(encoding="utf-8")
    sent, expected = session(page)
    with tempfile.TemporaryDirectory() as new:
        new = pathlib.Path(new)
        (new / "callpact").symlink_to(HERE, target_is_directory=True)
        subprocess.run(["sh", "-ec", block(page, "sh")], cwd=new, check=True)
        crate = new / "adder"
        (crate / "src/main.rs").write_text(block(page, "rust,no_run"), encoding="utf-8")
        subprocess.run(["cargo", "build", "--quiet"], cwd=crate, check=True)
        server = subprocess.Popen(
            ["cargo", "run", "--quiet"], cwd=crate, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        answers = iter(expected)
        for message in sent:
            print(">", json.dumps(message))
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            if "id" in message:
                line = server.stdout.readline()
                print("<", line, end="")
                if json.loads(line) != next(answers):
                    raise SystemExit("the page says something else")
        server.stdin.close()
        if server.wait(timeout=60) != 0:
            raise SystemExit("the server did not end well")
    print("as docs/start.md says")


if __name__ == "__main__":
    main()
