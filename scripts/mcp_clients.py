"""One client at the example `asking`: prints what it gets, as one line of JSON.

    mcp_clients.py CLIENT URL HOST_URL     CLIENT is python, fastmcp, langchain or agents

The server at HOST_URL leaves approval to its clients. For a client that cannot be asked, `write` is a call there.
"""

import asyncio
import json
import sys

READ = ("stock", {"item": "lamp"})
PAY = ("pay", {"euros": 90})
BAD = ("pay", {"euros": -1})


async def of_python(url, _host):
    from mcp import Client
    from mcp_types import ElicitResult

    def text(result):
        return result.content[0].text

    async def call(tool, arguments, answer=None, **more):
        async def answered(_context, _params):
            return answer

        async with Client(url, elicitation_callback=answered if answer else None) as client:
            return await client.call_tool(tool, arguments, **more)

    heard = []

    async def progress(done, total, _message):
        heard.append((done, total))

    read = await call(*READ)
    await call("count", {}, progress_callback=progress)
    return {
        "read": text(read),
        "write": text(await call(*PAY, ElicitResult(action="accept", content={"decision": "approve"}))),
        "refused": text(await call(*PAY, ElicitResult(action="accept", content={"decision": "refuse"}))),
        "progress": heard,
        "structured": read.structured_content,
        "bad": text(await call(*BAD)),
    }


async def of_fastmcp(url, _host):
    from fastmcp import Client

    def text(result):
        return result.content[0].text

    # As the page of FastMCP on elicitation answers: with a value of the type that it made of the form.
    def answer(decision):
        async def answered(_message, response_type, _params, _context):
            return response_type(decision=decision)

        return answered

    async def call(tool, arguments, decision=None, **more):
        handler = answer(decision) if decision else None
        async with Client(url, elicitation_handler=handler) as client:
            return await client.call_tool(tool, arguments, raise_on_error=False, **more)

    heard = []

    async def progress(done, total, _message):
        heard.append((done, total))

    read = await call(*READ)
    await call("count", {}, progress_handler=progress)
    return {
        "read": text(read),
        "write": text(await call(*PAY, "approve")),
        "refused": text(await call(*PAY, "refuse")),
        "progress": heard,
        "structured": read.structured_content,
        "bad": text(await call(*BAD)),
    }


async def of_langchain(url, _host):
    from langchain_mcp_adapters.callbacks import Callbacks
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from mcp.types import ElicitResult

    heard = []

    async def progress(done, total, _message, _context):
        heard.append((done, total))

    async def call(tool, arguments, decision=None):
        async def answered(_mcp, _params, _context):
            return ElicitResult(action="accept", content={"decision": decision})

        callbacks = Callbacks(on_progress=progress, on_elicitation=answered if decision else None)
        connection = {"shop": {"transport": "streamable_http", "url": url}}
        tools = await MultiServerMCPClient(connection, callbacks=callbacks).get_tools()
        named = next(one for one in tools if one.name == tool)
        # As an agent calls it: what fails comes back as a message for the model.
        made = {"name": tool, "args": arguments, "id": "1", "type": "tool_call"}
        return await named.ainvoke(made)

    def text(message):
        content = message.content
        return content if isinstance(content, str) else content[0]["text"]

    read = await call(*READ)
    await call("count", {})
    artifact = read.artifact or {}
    structured = artifact.get("structured_content") if isinstance(artifact, dict) else artifact
    return {
        "read": text(read),
        "write": text(await call(*PAY, "approve")),
        "refused": text(await call(*PAY, "refuse")),
        "progress": heard,
        "structured": structured,
        "bad": text(await call(*BAD)),
    }


async def of_agents(url, host):
    from agents.mcp import MCPServerStreamableHttp, MCPUtil
    from agents.tool_context import ToolContext

    async def call(tool, arguments, at=url):
        async with MCPServerStreamableHttp({"url": at}) as server:
            result = await server.call_tool(tool, arguments)
            # As an agent calls it.
            text = json.dumps(arguments)
            tools = await MCPUtil.get_function_tools(server, False, None, None)
            named = next(one for one in tools if one.name == tool)
            context = ToolContext(context=None, tool_name=tool, tool_call_id="1", tool_arguments=text)
            said = await named.on_invoke_tool(context, text)
            said = said["text"] if isinstance(said, dict) else said
            # The agent reads what the server wrote.
            if not isinstance(said, str) or (tool != "pay" and result.content[0].text not in said):
                raise SystemExit(f"agents: {said!r} in place of {result}")
            return result

    def text(result):
        return result.content[0].text

    read = await call(*READ)
    return {
        "read": text(read),
        "write": text(await call(*PAY, host)),
        "refused": text(await call(*PAY)),
        "progress": text(await call("count", {})),
        "structured": read.structuredContent,
        "bad": text(await call(*BAD)),
    }


CLIENTS = {"python": of_python, "fastmcp": of_fastmcp, "langchain": of_langchain, "agents": of_agents}
print(json.dumps(asyncio.run(CLIENTS[sys.argv[1]](*sys.argv[2:]))))
