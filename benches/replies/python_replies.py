"""What pydantic, pydantic-ai and FastMCP say of each call on standard input."""

import asyncio
import json
import logging
import sys
import warnings
from enum import Enum
from typing import Annotated, Optional

from fastmcp import Client, FastMCP
from pydantic import BaseModel, Field, ValidationError
from pydantic_ai.messages import RetryPromptPart, ToolReturnPart


class Mode(str, Enum):
    quick = "quick"
    thorough = "thorough"


class Filter(BaseModel):
    field: str
    minimum: Optional[int] = None


Query = Annotated[str, Field(min_length=2, max_length=80, description="What to look for")]
Limit = Annotated[int, Field(ge=1, le=50)]
Code = Annotated[str, Field(pattern="^[A-Z]{3}-[0-9]{4}$")]


class Search(BaseModel):
    query: Query
    limit: Limit
    mode: Mode
    tags: list[str]
    filter: Filter
    exact: bool
    code: Code
    headers: dict[str, str]
    price_max: Optional[float] = None


server = FastMCP("search")


@server.tool
def search(
    query: Query,
    limit: Limit,
    mode: Mode,
    tags: list[str],
    filter: Filter,
    exact: bool,
    code: Code,
    headers: dict[str, str],
    price_max: Optional[float] = None,
) -> str:
    """Looks something up"""
    return "found"


async def ask_server(calls):
    replies = []
    async with Client(server) as client:
        for call in calls:
            try:
                arguments = json.loads(call["text"])
            except ValueError as error:
                # The arguments of a call over MCP are an object: a host has to parse them.
                replies.append(str(error))
                continue
            result = await client.call_tool("search", arguments, raise_on_error=False)
            text = "\n".join(part.text for part in result.content)
            replies.append(text if result.is_error else None)
    return replies


def main():
    logging.disable(logging.CRITICAL)
    calls = json.load(sys.stdin)
    # The older form of pydantic-ai is deprecated.
    warnings.simplefilter("ignore")
    plain, agent, older = [], [], []
    for call in calls:
        try:
            Search.model_validate_json(call["text"])
            plain.append(None)
            agent.append(None)
            older.append(None)
        except ValidationError as error:
            plain.append(str(error))
            errors = error.errors(include_url=False, include_context=False)
            part = ToolReturnPart(tool_name="search", content=errors, tool_call_id="1", outcome="retried")
            agent.append(part.model_response_str())
            older.append(RetryPromptPart(tool_name="search", content=errors).model_response())
    fastmcp = asyncio.run(ask_server(calls))
    replies = {"pydantic": plain, "pydantic-ai": agent, "pydantic-ai, RetryPromptPart": older, "FastMCP": fastmcp}
    json.dump(replies, sys.stdout)


main()
