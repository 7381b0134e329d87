"""Lists the tools of `callpact serve` over HTTP with the tokens of two people whose scopes differ, with the official
Python client: each gets another list, in both revisions.

  python scripts/mcp_lists.py URL WRITER READER
"""

import asyncio
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def names(url, token, mode):
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            return {tool.name for tool in (await client.list_tools()).tools}


async def main(url, writer, reader):
    for mode in ("legacy", "auto"):
        all_of_them, fewer = await names(url, writer, mode), await names(url, reader, mode)
        if not ("file_write" in all_of_them and "file_read" in fewer and "file_write" not in fewer and fewer < all_of_them):
            raise SystemExit(f"python client, lists: failed: {mode}: {sorted(all_of_them)} and {sorted(fewer)}")
    print(f"python client: {len(all_of_them)} tools for a writer, {len(fewer)} for a reader: passed")


asyncio.run(main(*sys.argv[1:]))
