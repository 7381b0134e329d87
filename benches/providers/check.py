"""Reads lines of schemas and prints how the helpers of providers and compilers of grammars take them."""

import copy
import json
import sys
import types as types_of_python
from collections import Counter
from importlib.metadata import version

from anthropic import transform_schema
from anthropic.types import ToolParam
from google.genai import types
from llguidance import LLMatcher
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from outlines_core.json_schema import build_regex_from_schema
from pydantic import TypeAdapter


def stand_in(name, **classes):
    """A package that another one imports and that no grammar needs: torch alone has gigabytes."""
    package = types_of_python.ModuleType(name)
    package.__getattr__ = lambda _: lambda *words, **rest: None
    package.__dict__.update({"__path__": [], **classes})
    sys.modules[name] = package


import tvm_ffi  # noqa: E402, F401 - it looks for a real torch, so it comes first

stand_in("torch", Tensor=object)
stand_in("transformers", PreTrainedTokenizerBase=object, PreTrainedTokenizerFast=object, LogitsProcessor=object)
import xgrammar  # noqa: E402


def walk(value):
    """Every schema in a schema."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(one)


def openai_strict(schema):
    for part in walk(schema):
        # The helper writes an empty list if nothing is required.
        if part.get("properties") == {}:
            part.setdefault("required", [])
    mended = _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=copy.deepcopy(schema))
    # The order of this list has no meaning.
    for part in (*walk(mended), *walk(schema)):
        if isinstance(part.get("required"), list):
            part["required"].sort()
    return None if mended == schema else "would be mended"


def anthropic_strict(schema):
    moved = set()
    for part in walk(schema):
        # The helper leaves out the type beside a list of values.
        if "enum" in part:
            part.pop("type", None)
        if isinstance(part.get("type"), list):
            return "a list of types is not known to the helper"
        moved |= {key for key in ("pattern", "default", "format") if key in part}
    if transform_schema(copy.deepcopy(schema)) == schema:
        return None
    return f"the helper moves {' and '.join(sorted(moved))} into words" if moved else "would be mended"


def gemini_schema(schema):
    known = types.Schema.model_validate(schema)
    again = known.model_dump(exclude_none=True, by_alias=True, mode="json")
    # The SDK writes what it reads, lengths as text.
    return None if strings(again) == strings(schema) else "would be written otherwise"


def strings(value):
    if isinstance(value, dict):
        return {key: strings(one) for key, one in value.items()}
    if isinstance(value, list):
        return [strings(one) for one in value]
    return str(float(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def typed(kind):
    adapter = TypeAdapter(kind)
    return lambda spec: adapter.validate_python(spec, strict=False) and None


def llguidance(schema):
    fault = LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema(schema))
    return fault or None


def xgrammar_of(schema):
    try:
        xgrammar.Grammar.from_json_schema(json.dumps(schema))
    except RuntimeError as error:
        # The words of a fault begin with a time and a place in its sources.
        return str(error).split(": ", 1)[-1].strip()[:200]


def outlines(schema):
    build_regex_from_schema(json.dumps(schema))


GRAMMARS = ("openai-strict", "vllm", "llama-cpp", "portable")
# The helper, the dialects that it is asked about, and the part of a line that it takes.
CHECKS = [
    ("openai", "strict helper", openai_strict, ("openai-strict", "openai-responses-strict"), "schema"),
    ("openai", "`ChatCompletionFunctionToolParam`", typed(ChatCompletionFunctionToolParam), ("openai", "openai-strict"), "spec"),
    ("openai", "`FunctionToolParam`", typed(FunctionToolParam), ("openai-responses", "openai-responses-strict"), "spec"),
    ("anthropic", "`transform_schema`", anthropic_strict, ("anthropic-strict",), "schema"),
    ("anthropic", "`ToolParam`", typed(ToolParam), ("anthropic", "anthropic-strict"), "spec"),
    ("google-genai", "`types.Schema`", gemini_schema, ("gemini-openapi",), "schema"),
    ("google-genai", "`FunctionDeclaration`", types.FunctionDeclaration.model_validate, ("gemini", "gemini-openapi"), "spec"),
    ("llguidance", "JSON grammar", llguidance, GRAMMARS, "schema"),
    ("xgrammar", "`Grammar.from_json_schema`", xgrammar_of, GRAMMARS, "schema"),
    ("outlines_core", "`build_regex_from_schema`", outlines, GRAMMARS, "schema"),
]


def verdict(check, value):
    try:
        found = check(copy.deepcopy(value))
    except Exception as error:
        return f"{type(error).__name__}: {error}".split("\n")[0][:200]
    return found if isinstance(found, str) else None


def main():
    lines = [json.loads(line) for line in sys.stdin]
    print("| package | helper | dialects | schemas | taken as they are | else |")
    print("|---|---|---|---:|---:|---|")
    refused = 0
    for package, name, check, dialects, part in CHECKS:
        reasons, all_of_it = Counter(), 0
        for line in lines:
            if line["asked"] not in dialects or line["dialect"] != line["asked"]:
                continue
            all_of_it += 1
            fault = verdict(check, line["written" if part == "schema" else "spec"])
            if fault:
                reasons[fault] += 1
                print(f"{name}: {line['asked']} {line['name']}: {fault}\n  {json.dumps(line['written'])}", file=sys.stderr)
        refused += part == "spec" and bool(reasons)
        taken = all_of_it - sum(reasons.values())
        words = "; ".join(f"{count}: {reason}" for reason, count in reasons.most_common())
        print(f"| {package} {version(package)} | {name} | {', '.join(dialects)} | {all_of_it} | {taken} | {words.replace('|', ' ')} |")
    # A provider refuses what its own types refuse.
    sys.exit(bool(refused))


main()
