"""Answers the questions of the example `asking` with the official Python client, over stdio and HTTP, in both
revisions: with yes, no, an edit, and not at all, and goes to pages. Changes every byte of a state that the server
gave out. Calls `callpact serve` with tokens that PyJWT signed."""

import asyncio
import base64
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult, ErrorData, InputRequiredResult

CHECKS = 0


def check(that, what):
    global CHECKS
    if not that:
        raise SystemExit(f"python client, asking: failed: {what}")
    CHECKS += 1


async def outcome(client, tool, arguments):
    """The text of a result, or the message of an error."""
    try:
        result = await client.call_tool(tool, arguments)
    except Exception as error:  # noqa: BLE001 every error of the protocol is one
        return True, str(error)
    return result.is_error, result.content[0].text


def user(answer, asked):
    async def answered(_context, params):
        asked.append(params.message)
        return answer

    return answered


def accept(**content):
    return ElicitResult(action="accept", content=content)


PAY = ("pay", {"euros": 90})
# The answer of the user, the call, whether the result is an error, and its text.
ANSWERS = [
    ("yes", accept(decision="approve"), PAY, False, "paid 90 EUR"),
    ("an edit", accept(decision="approve", arguments='{"euros": 80}'), PAY, False, "paid 80 EUR"),
    ("a bad edit", accept(decision="approve", arguments='{"euros": -1}'), PAY, True, "euros: expected"),
    ("no", accept(decision="refuse", reason="too much"), PAY, True, "refused the call of 'pay': too much"),
    ("declined", ElicitResult(action="decline"), PAY, True, "refused the call of 'pay'"),
    ("closed", ElicitResult(action="cancel"), PAY, True, "the call was not approved"),
    ("nothing", accept(), PAY, True, "the call was not approved"),
    ("an error", ErrorData(code=-1, message="the user is away"), PAY, True, ""),
    ("a text", accept(answer="the blue one"), ("ask", {"input": "Which one?"}), False, "the blue one"),
]


async def decisions(target, how, mode):
    for name, answer, (tool, arguments), is_error, said in ANSWERS:
        asked = []
        async with Client(target, mode=mode, elicitation_callback=user(answer, asked)) as client:
            failed, text = await outcome(client, tool, arguments)
            check((failed, said in text) == (is_error, True), f"{how}: {name}: {failed} {text}")
            check(len(asked) == 1, f"{how}: {name}: asked {asked}")
            check(tool == "ask" or '{"euros":90}' in asked[0], f"{how}: {name}: shown {asked}")
            revision = client.protocol_version
    # A client that cannot be asked.
    async with Client(target, mode=mode) as client:
        failed, text = await outcome(client, *PAY)
        check(failed and "waits for a decision under the id" in text, f"{how}: not at all: {text}")
    # A user who never answers: the client gives up, and the server goes on serving.
    async def never(_context, _params):
        await asyncio.sleep(3600)

    async with Client(target, mode=mode, elicitation_callback=never) as client:
        try:
            await asyncio.wait_for(client.call_tool(*PAY), 2)
        except asyncio.TimeoutError:
            pass
        else:
            check(False, f"{how}: a call ended without an answer")
        check((await client.list_tools()).tools, f"{how}: the server is gone")
    print(f"python client over {how}, revision {revision}: {len(ANSWERS) + 2} answers: passed")


PAGE = "https://desk.example/calls/"


async def pages(plain, target, how, mode):
    """Pages that a tool names, and pages where calls are decided about."""
    for action, said in (
        ("accept", "the user went to the bank"), ("decline", "did not go: Refuse"), ("cancel", "did not go: ExitEarly"),
    ):
        asked = []

        async def sent(_context, params, action=action, asked=asked):
            asked.append((params.mode, params.url, params.message))
            return ElicitResult(action=action)

        async with Client(plain, mode=mode, elicitation_callback=sent) as client:
            failed, text = await outcome(client, "sign_in", {})
            check(not failed and said in text, f"{how}: a page, {action}: {failed} {text}")
            page = ("url", "https://bank.example/sign-in", "Sign in to your bank")
            check(asked == [page], f"{how}: a page, {action}: {asked}")
    # The decision at the page, the answer of the client, whether the result is an error, and its text.
    for there, action, is_error, said in (
        (True, "accept", False, "paid 90 EUR"),
        (False, "accept", True, "refused the call of 'pay': too much"),
        (None, "decline", True, "refused the call of 'pay'"),
        (None, "cancel", True, f"waits for a decision at {PAGE}"),
    ):
        asked = []

        async def visited(_context, params, there=there, action=action, asked=asked):
            asked.append(params.url)
            if there is not None:
                done = await client.call_tool("visit", {"page": params.url, "yes": there})
                check(not done.is_error, f"{how}: at the page: {done}")
            return ElicitResult(action=action)

        async with Client(target, mode=mode, elicitation_callback=visited) as client:
            failed, text = await outcome(client, *PAY)
            check((failed, said in text) == (is_error, True), f"{how}: at a page, {action}: {failed} {text}")
            check(len(asked) == 1 and asked[0].startswith(PAGE), f"{how}: at a page, {action}: {asked}")
            revision = client.protocol_version
    # A client that cannot be asked learns where the call waits.
    async with Client(target, mode=mode) as client:
        failed, text = await outcome(client, *PAY)
        check(failed and f"waits for a decision at {PAGE}" in text, f"{how}: not at all: {text}")
    print(f"python client over {how}, revision {revision}: pages: passed")


async def states(url):
    """Every byte of a state, changed."""
    asked = []
    async with Client(url, elicitation_callback=user(accept(decision="approve"), asked)) as client:
        call = client.session.call_tool
        required = await call(*PAY, allow_input_required=True)
        check(isinstance(required, InputRequiredResult), f"not asked: {required}")
        answers = {name: accept(decision="approve") for name in required.input_requests}
        state = required.request_state

        async def refused(state, arguments=PAY[1]):
            try:
                result = await call("pay", arguments, input_responses=answers, request_state=state)
            except Exception as error:  # noqa: BLE001
                return "state" in str(error)
            raise SystemExit(f"python client, asking: failed: a changed state was taken: {result}")

        for at, old in enumerate(state):
            new = "B" if old == "A" else "A"
            check(await refused(state[:at] + new + state[at + 1:]), f"byte {at}")
        for changed in (state[:-1], state + "A", state[1:], state.upper()):
            check(await refused(changed), f"changed as a whole: {changed}")
        check(await refused(state, {"euros": 9000}), "other arguments")
        result = await call(*PAY, input_responses=answers, request_state=state)
        check(result.content[0].text == "paid 90 EUR", f"the state itself: {result}")
    print(f"python client: a state of {len(state)} bytes, each of them changed: refused")


async def tokens(program):
    """Tokens that PyJWT signs, with a key of each kind."""
    keys = {
        "EdDSA": (ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm),
        "ES256": (ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
        "RS256": (rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    }
    public = [
        json.loads(kind.to_jwk(key.public_key())) | {"kid": name, "use": "sig", "alg": name}
        for name, (key, kind) in keys.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "keys.json"
        file.write_text(json.dumps({"keys": public}))
        words = ["--issuer", "https://login.test", "--audience", "here", "--keys", str(file)]
        served = subprocess.Popen(
            [program, "serve", "--http", "127.0.0.1:0", "--root", folder, "--json", *words],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        try:
            url = json.loads(served.stdout.readline())["url"]
            good = {"iss": "https://login.test", "aud": "here", "sub": "ada", "exp": int(time.time()) + 600}

            async def call(token):
                headers = {"Authorization": f"Bearer {token}"}
                async with httpx2.AsyncClient(headers=headers) as http:
                    async with Client(streamable_http_client(url, http_client=http)) as client:
                        result = await client.call_tool("calculator", {"input": "40 + 2"})
                        return result.content[0].text

            for name, (key, _) in keys.items():
                token = jwt.encode(good, key, algorithm=name, headers={"kid": name})
                said = await call(token)
                check("42" in said, f"{name}: {said}")
                ended = jwt.encode(good | {"exp": 1}, key, algorithm=name, headers={"kid": name})
                head, claims, signature = token.split(".")
                more = base64.urlsafe_b64encode(json.dumps(good | {"sub": "root"}).encode()).decode().rstrip("=")
                for bad in (ended, f"{head}.{more}.{signature}", token[:-8]):
                    try:
                        said = await call(bad)
                    except BaseException:  # noqa: BLE001 the client groups its errors
                        check(True, name)
                    else:
                        check(False, f"{name}: a token that is not valid was taken: {said}")
                # The server did not fail.
                check("42" in await call(token), f"{name}: the server is gone")
        finally:
            served.terminate()
            served.wait()
    print(f"python client: tokens of PyJWT with {', '.join(keys)}: passed")


async def waiting(program):
    """Calls to `callpact serve` that wait in a file, and the user of the client who is asked."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "calls.db")
        (Path(folder) / "work").mkdir()
        root = ["--root", str(Path(folder) / "work")]

        def run(*words):
            done = subprocess.run([program, *words, "--store", store], capture_output=True, text=True)
            return done.returncode, done.stdout

        def served(*more):
            return StdioServerParameters(command=program, args=["serve", "--stdio", *root, "--store", store, *more])

        for mode in ("auto", "legacy"):
            write = ("file_write", {"path": f"{mode}.txt", "content": "c"})
            file = Path(folder) / "work" / f"{mode}.txt"
            # Nobody is asked, even if the client could be.
            for client_can in (None, user(accept(decision="approve"), [])):
                async with Client(served(), mode=mode, elicitation_callback=client_can) as client:
                    failed, text = await outcome(client, *write)
                pending = json.loads(run("pending", "--json")[1])["calls"]
                check(failed and len(pending) == 1 and pending[0]["id"] in text, f"waiting, {mode}: {text} {pending}")
                check(not file.exists(), f"waiting, {mode}: it ran")
                check(run("approve", pending[0]["id"])[0] == 0, f"waiting, {mode}: approve")
                check(run("resume", *root)[0] == 0 and file.read_text() == "c", f"waiting, {mode}: resume")
                file.unlink()
            for answer, ran in ((accept(decision="approve"), True), (accept(decision="refuse"), False)):
                asked = []
                async with Client(served("--ask"), mode=mode, elicitation_callback=user(answer, asked)) as client:
                    failed, text = await outcome(client, *write)
                check((failed, file.exists(), len(asked)) == (not ran, ran, 1), f"asked, {mode}: {text} {asked}")
                file.unlink(missing_ok=True)
            asked = []

            async def visited(_context, params, asked=asked):
                asked.append(params.url)
                check(run("approve", params.url.rsplit("/")[-1])[0] == 0, f"at a page, {mode}: {params.url}")
                return ElicitResult(action="accept")

            page = "https://desk.example/"
            async with Client(served("--page", page), mode=mode, elicitation_callback=visited) as client:
                failed, text = await outcome(client, *write)
            check(not failed and file.read_text() == "c", f"at a page, {mode}: {text}")
            check(len(asked) == 1 and asked[0].startswith(f"{page}#waiting/"), f"at a page, {mode}: {asked}")
    print("python client: callpact serve --store, --ask and --page: passed")


async def main(example, url, page_url, program):
    over_stdio = StdioServerParameters(command=example, args=[])
    at_page = StdioServerParameters(command=example, args=["--at-page"])
    for mode in ("auto", "legacy"):
        await decisions(url, "HTTP", mode)
        await decisions(over_stdio, "stdio", mode)
        await pages(url, page_url, "HTTP", mode)
        await pages(over_stdio, at_page, "stdio", mode)
    await states(url)
    await tokens(program)
    await waiting(program)
    print(f"python client, asking: {CHECKS} checks passed, 0 failed")


asyncio.run(main(*sys.argv[1:]))
