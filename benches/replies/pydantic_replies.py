"""What pydantic says of each call on standard input, and what pydantic-ai sends to the model."""

import json
import sys
from enum import Enum
from typing import Annotated, Optional

from pydantic import BaseModel, Field, ValidationError
from pydantic_ai.messages import RetryPromptPart


class Mode(str, Enum):
    quick = "quick"
    thorough = "thorough"


class Filter(BaseModel):
    field: str
    minimum: Optional[int] = None


class Search(BaseModel):
    query: Annotated[str, Field(min_length=2, max_length=80, description="What to look for")]
    limit: Annotated[int, Field(ge=1, le=50)]
    mode: Mode
    tags: list[str]
    filter: Filter
    exact: bool
    price_max: Optional[float] = None


plain, agent = [], []
for call in json.load(sys.stdin):
    try:
        Search.model_validate_json(call["text"])
        plain.append(None)
        agent.append(None)
    except ValidationError as error:
        plain.append(str(error))
        errors = error.errors(include_url=False, include_context=False)
        agent.append(RetryPromptPart(tool_name="search", content=errors).model_response())
json.dump({"pydantic": plain, "pydantic-ai": agent}, sys.stdout)
