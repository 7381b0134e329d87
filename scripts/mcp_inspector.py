"""Answers the questions of the example `asking` with the inspector's `mcpdo`, in both revisions: with yes, no, an edit,
and not at all, and at pages. The inspector's `--cli` says that nobody can be asked, and gets the id of the call."""

import json
import os
import re
import subprocess
import sys
import tempfile

CHECKS = 0


def check(that, what):
    global CHECKS
    if not that:
        raise SystemExit(f"inspector, asking: failed: {what}")
    CHECKS += 1


class Inspector:
    """`mcpdo` with a daemon and a home of its own, so that no other one is disturbed."""

    def __init__(self, programs, home):
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"HOME": home, "PATH": path, "MCP_INSPECTOR_SECRET_STORE": "memory"}
        for name, value in re.findall(r"export (\w+)='([^']*)'", self.run("mcpdo", "private").stdout):
            self.environment[name] = value

    def run(self, *words):
        return subprocess.run(
            words, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
        )

    def do(self, *words):
        done = self.run("mcpdo", "--format", "json", *words)
        try:
            return json.loads(done.stdout or done.stderr)
        except json.JSONDecodeError:
            raise SystemExit(f"inspector, asking: failed: {words}: {done.stdout} {done.stderr}") from None

    def connect(self, url, era):
        name = self.do("connect", url, "--era", era)["name"]
        return lambda *words: self.do("--connection", name, *words)


text = json.dumps

PAY = ("tools/call", "pay", "euros:=90")
# The words of the answer, and the result of the call.
FORMS = [
    (["decision:=approve"], "paid 90 EUR"),
    (['{"decision": "approve", "arguments": "{\\"euros\\": 80}"}'], "paid 80 EUR"),
    (['{"decision": "approve", "arguments": "{\\"euros\\": -1}"}'], "euros: expected"),
    (['{"decision": "refuse", "reason": "too much"}'], "refused the call of 'pay': too much"),
    (["--decline"], "refused the call of 'pay'"),
    (["--cancel"], "the call was not approved"),
]


def ask(inspector, era, url, page_url):
    do = inspector.connect(url, era)
    for words, said in FORMS:
        pending = do(*PAY).get("elicitationPending")
        check(pending and '{"euros":90}' in text(pending).replace("\\", ""), f"{era}: {words}: {pending}")
        result = do("elicitation/respond", pending["elicitationId"], *words)
        check(said in text(result), f"{era}: {words}: {result}")
    pending = do("tools/call", "ask", "input:=Which one?").get("elicitationPending")
    result = do("elicitation/respond", pending["elicitationId"], '{"answer": "the blue one"}')
    check("the blue one" in text(result), f"{era}: a text: {result}")
    # A page that a tool names.
    for words, said in ((["--done"], "the user went to the bank"), (["--cancel"], "did not go: ExitEarly")):
        pending = do("tools/call", "sign_in").get("elicitationPending")
        check("https://bank.example/sign-in" in text(pending), f"{era}: a page: {pending}")
        result = do("elicitation/respond", pending["elicitationId"], *words)
        check(said in text(result), f"{era}: a page, {words}: {result}")
    inspector.do("disconnect", url)
    # A page where a call is decided about. The person goes there with a connection of their own.
    do = inspector.connect(page_url, era)
    for yes, said in (("true", "paid 90 EUR"), ("false", "refused the call of 'pay': too much")):
        pending = do(*PAY).get("elicitationPending")
        page = re.search(r"https://desk\.example/calls/\w+", text(pending))
        check(page, f"{era}: at a page: {pending}")
        visited = inspector.run(
            "inspector", "--cli", page_url, "--method", "tools/call", "--tool-name", "visit",
            "--tool-args-json", f'{{"page": "{page[0]}", "yes": {yes}}}', "--format", "json",
        )
        check(visited.returncode == 0, f"{era}: at the page: {visited.stdout} {visited.stderr}")
        result = do("elicitation/respond", pending["elicitationId"], "--done")
        check(said in text(result), f"{era}: at a page, {yes}: {result}")
    inspector.do("disconnect", page_url)
    print(f"inspector, {era}: {len(FORMS) + 5} answers: passed")


def main(programs, url, page_url):
    with tempfile.TemporaryDirectory() as home:
        inspector = Inspector(programs, home)
        try:
            for era in ("legacy", "modern"):
                ask(inspector, era, url, page_url)
                # Its command line cannot answer, and says so to the server.
                called = inspector.run(
                    "inspector", "--cli", url, "--protocol-era", era, "--method", "tools/call", "--tool-name", "pay",
                    "--tool-args-json", '{"euros": 90}', "--format", "json",
                )
                said = called.stdout + called.stderr
                check("waits for a decision under the id" in said, f"{era}: --cli: {said}")
        finally:
            inspector.run("mcpdo", "daemon", "stop")
    print(f"inspector, asking: {CHECKS} checks passed, 0 failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
