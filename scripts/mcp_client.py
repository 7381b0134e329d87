"""Lists and calls the fixture with the official Python client, over stdio and HTTP."""

import asyncio
import sys

from mcp import Client, StdioServerParameters

CHECKS = 0


def check(that, what):
    global CHECKS
    if not that:
        raise SystemExit(f"python client: failed: {what}")
    CHECKS += 1


def text(result):
    return result.content[0].text


async def go(target, how, **options):
    async with Client(target, **options) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        add = tools["test_add"]
        check(set(add.input_schema["required"]) == {"a", "b"}, f"{how}: schema {add.input_schema}")
        check(add.annotations.read_only_hint is True, f"{how}: annotations {add.annotations}")
        again = [tool.name for tool in (await client.list_tools()).tools]
        check(again == list(tools), f"{how}: order of the list")

        result = await client.call_tool("test_add", {"a": 2, "b": 3})
        check(not result.is_error and text(result) == "5", f"{how}: {result}")

        result = await client.call_tool("test_add", {"a": "two", "b": -1})
        said = text(result)
        check(result.is_error, f"{how}: not an error: {said}")
        check("\n- a: " in said and "\n- b: " in said, f"{how}: no parameter named: {said}")
        check("i32" not in said, f"{how}: a Rust type: {said}")

        result = await client.call_tool("test_add", {"a": 1})
        check(result.is_error and "- b: missing" in text(result), f"{how}: {result}")

        result = await client.call_tool("test_error_handling", {})
        expected = "Error: This tool intentionally returns an error for testing"
        check(result.is_error and text(result) == expected, f"{how}: {result}")

        result = await client.call_tool("test_simple_text", {})
        expected = "This is a simple text response for testing."
        check(text(result) == expected, f"{how}: {result}")

        kinds = [block.type for block in (await client.call_tool("test_multiple_content_types", {})).content]
        check(kinds == ["text", "image", "resource"], f"{how}: blocks {kinds}")

        heard = []

        async def progress(done, total, message):
            heard.append((done, total, message))

        await client.call_tool("test_tool_with_progress", {}, progress_callback=progress)
        check([done for done, _, _ in heard] == [0, 50, 100], f"{how}: progress {heard}")

        try:
            await client.call_tool("no_such_tool", {})
        except Exception as error:
            check("Unknown tool 'no_such_tool'" in str(error), f"{how}: {error!r}")
        else:
            check(False, f"{how}: an unknown tool was called")
        print(f"python client over {how}, revision {client.protocol_version}: passed")


async def outputs(program, mode):
    """Takes every result of every tool; the client refuses what does not fit the schema of the tool."""
    async with Client(StdioServerParameters(command=program, args=[]), mode=mode) as client:
        tools = (await client.list_tools()).tools
        check(len(tools) >= 40, f"outputs: {len(tools)} tools")
        for tool in tools:
            check(tool.output_schema is not None, f"outputs: {tool.name} has no schema")
            for number in range(50):
                result = await client.call_tool(tool.name, {"input": str(number)})
                check(not result.is_error, f"outputs: {tool.name} {number}: {result}")
                check(result.structured_content is not None, f"outputs: {tool.name} {number}: no structured content")
    print(f"python client, {mode}: {len(tools)} tools, 50 results each: all taken")


async def main(program, url, served_outputs):
    for mode in ("auto", "legacy"):
        await outputs(served_outputs, mode)
        await go(url, "HTTP", mode=mode)
        await go(StdioServerParameters(command=program, args=[]), "stdio", mode=mode)
    print(f"python client: {CHECKS} checks passed, 0 failed")


asyncio.run(main(*sys.argv[1:]))
