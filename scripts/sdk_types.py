"""Reads streams by the types of the official SDKs, and writes what these types hold (see scripts/sdk_types).

Lines of `stream_events` come in. What a provider sends beside the fields that Callpact reads is added first, which also
goes into the file that is named; then each event must be valid for its type, and the line goes out with the events as
the type writes them.
"""

import json
import sys

import cohere
import ollama
from anthropic.types import RawMessageStreamEvent
from google.genai import types as google
from google.genai.interactions import InteractionSSEEvent
from mistralai.client.models import CompletionChunk, ConversationEventsData
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

NOW = "2026-11-29T00:00:00Z"


def chat(event):
    whole = {"id": "x", "created": 1, "model": "m", "object": "chat.completion.chunk", **event}
    whole["choices"] = [{"finish_reason": None, **choice} for choice in event["choices"]]
    return whole


def responses(event):
    if "response" not in event:
        return event
    frame = {"id": "r", "created_at": 1, "model": "m", "object": "response", "output": []}
    frame |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {"sequence_number": 0, **event, "response": frame | event["response"]}


def messages(event):
    usage = {"input_tokens": 1, "output_tokens": 1}
    if event["type"] == "message_start":
        frame = {"id": "m", "model": "m", "role": "assistant", "type": "message", "usage": usage}
        frame |= {"stop_reason": None, "stop_sequence": None}
        return {**event, "message": frame | event["message"]}
    return {**event, "usage": usage} if event["type"] == "message_delta" else event


def interactions(event):
    frame = {"id": "i", "created": NOW, "updated": NOW, "status": "in_progress"}
    if "interaction" in event or event["event_type"] == "interaction.created":
        event = {**event, "interaction": frame | event.get("interaction", {})}
    return event


def conversations(event):
    times = {"created_at": NOW, "output_index": 0}
    kind = event["type"]
    if kind == "conversation.response.started":
        times["conversation_id"] = "c"
    if kind == "conversation.response.done":
        times["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return times | event


def cohere_event(event):
    return {"id": "c", **event} if event["type"] in ("message-start", "message-end") else event


def lines(event):
    return {"model": "m", "created_at": NOW, **event}


# The API of a line: what is added, and the type.
TYPES = {
    "chat": (chat, ChatCompletionChunk),
    "responses": (responses, ResponseStreamEvent),
    "messages": (messages, RawMessageStreamEvent),
    "gemini": (dict, google.GenerateContentResponse),
    "vertex": (dict, google.GenerateContentResponse),
    "interactions": (interactions, InteractionSSEEvent),
    "mistral": (chat, CompletionChunk),
    "conversations": (conversations, ConversationEventsData),
    "cohere": (cohere_event, cohere.V2ChatStreamResponse),
    "ollama": (lines, ollama.ChatResponse),
}


def main():
    adapters = {api: TypeAdapter(type_) for api, (_, type_) in TYPES.items()}
    framed = open(sys.argv[1], "w", encoding="utf-8")
    for line in sys.stdin:
        turn = json.loads(line)
        api = turn["api"]
        if api not in TYPES:
            continue
        events = []
        for event in turn["events"]:
            whole = TYPES[api][0](event)
            print(json.dumps({"api": api, "event": whole}), file=framed)
            try:
                item = adapters[api].validate_python(whole)
            except ValueError as error:
                sys.exit(f"{api}: {json.dumps(whole)}\n{error}")
            kind = getattr(item, "type", None) or getattr(item, "event_type", None)
            if type(item).__name__.startswith("Unknown"):
                sys.exit(f"{api}: {json.dumps(whole)} is unknown")
            if kind and kind != (whole.get("type") or whole.get("event_type")):
                sys.exit(f"{api}: {json.dumps(whole)} became {kind}")
            dumped = adapters[api].dump_json(item, by_alias=True, exclude_unset=True)
            events.append(json.loads(dumped))
        print(json.dumps({**turn, "events": events}))


if __name__ == "__main__":
    main()
