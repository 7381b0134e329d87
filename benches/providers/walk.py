"""Measures grammars both ways: right values that a compiler refuses, and texts of a compiler that the reader refuses."""

import json
import random
import re
import subprocess
import sys
import types as types_of_python
from collections import Counter, defaultdict
from decimal import Decimal
from importlib.metadata import version

from llguidance import LLMatcher, LLTokenizer


def stand_in(name, **classes):
    """A package that another one imports and that no grammar needs: torch alone has gigabytes."""
    package = types_of_python.ModuleType(name)
    package.__getattr__ = lambda _: lambda *words, **rest: None
    package.__dict__.update({"__path__": [], **classes})
    sys.modules[name] = package


import tvm_ffi  # noqa: E402, F401 - it looks for a real torch, so it comes first

stand_in("torch", Tensor=object)
stand_in("transformers", PreTrainedTokenizerBase=object, PreTrainedTokenizerFast=object, LogitsProcessor=object)
import numpy  # noqa: E402
import xgrammar  # noqa: E402

BYTES = LLTokenizer("byte")
STOP = 256
XGRAMMAR = xgrammar.GrammarCompiler(
    xgrammar.TokenizerInfo([bytes([byte]) for byte in range(256)] + [b"<stop>"], vocab_type=xgrammar.VocabType.RAW, stop_token_ids=[STOP])
)
# A text of this length ends as soon as it can.
LONG = 300
LONGEST = 3_000
PREFERRED = [ord(sign) for sign in '"]}'] + list(range(48, 58)) + [ord(sign) for sign in "etrufalsn,:-"]


def is_text(raw):
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def walk(allowed, take, rng):
    """Takes random bytes that are allowed until the text may end. `None` if it never does."""
    text = bytearray()
    while len(text) < LONGEST:
        bits = allowed()
        ways = [byte for byte in range(257) if bits[byte >> 5] >> (byte & 31) & 1]
        if STOP in ways and (len(ways) == 1 or rng.random() < 0.5 or len(text) > LONG):
            return is_text(text)
        ways = [byte for byte in ways if byte != STOP]
        if not ways:
            return None
        if len(text) > LONG:
            preferred = [byte for byte in PREFERRED if byte in ways]
            ways = preferred[:1] or ways
        else:
            # Letters are as likely as they are in a text, white space and bytes beyond ASCII are rarer.
            common = [byte for byte in ways if 32 < byte < 127]
            if common and rng.random() < 0.95:
                ways = common
            # A string would go on for long: of about a hundred bytes, one ends it.
            if len(ways) > 60 and 34 in ways and rng.random() < 0.1:
                ways = [34]
        byte = rng.choice(ways)
        take(byte)
        text.append(byte)
    return None


class Llguidance:
    name = f"llguidance {version('llguidance')}"

    def __init__(self, grammar):
        kind, text = grammar
        self.grammar = LLMatcher.grammar_from_json_schema(text) if kind == "schema" else LLMatcher.grammar_from_lark(text)
        fault = LLMatcher.validate_grammar(self.grammar)
        if fault:
            raise ValueError(fault)
        self.matcher = LLMatcher(BYTES, self.grammar)
        self.room = numpy.zeros((BYTES.vocab_size + 31) // 32, dtype=numpy.uint32)

    def takes(self, texts):
        for text in texts:
            self.matcher.reset()
            # The tokenizer has one token for each byte.
            tokens = list(text.encode())
            yield self.matcher.try_consume_tokens(tokens) == len(tokens) and self.matcher.is_accepting()

    def walks(self, count, seed):
        rng = random.Random(seed)
        for _ in range(count):
            self.matcher.reset()
            yield walk(self.allowed, lambda byte: self.matcher.consume_token(byte), rng)

    def allowed(self):
        bits = numpy.frombuffer(self.matcher.compute_bitmask(), dtype=numpy.uint32).tolist()
        if self.matcher.is_accepting():
            bits[STOP >> 5] |= 1 << (STOP & 31)
        else:
            bits[STOP >> 5] &= ~(1 << (STOP & 31))
        return bits


class Xgrammar:
    name = f"xgrammar {version('xgrammar')}"

    def __init__(self, grammar):
        _, text = grammar
        self.compiled = XGRAMMAR.compile_json_schema(text, strict_mode=True)

    def takes(self, texts):
        for text in texts:
            matcher = xgrammar.GrammarMatcher(self.compiled)
            yield matcher.accept_string(text) and matcher.accept_token(STOP)

    def walks(self, count, seed):
        rng = random.Random(seed)
        room = numpy.zeros((1, (257 + 31) // 32), dtype=numpy.int32)
        for _ in range(count):
            matcher = xgrammar.GrammarMatcher(self.compiled)

            def allowed():
                room[:] = -1
                matcher.fill_next_token_bitmask(room)
                return room[0].view(numpy.uint32).tolist()

            yield walk(allowed, matcher.accept_token, rng)


class LlamaCpp:
    name = "llama.cpp"
    program = None

    def __init__(self, grammar):
        self.grammar = grammar

    def ask(self, texts, walks, seed):
        kind, text = self.grammar
        task = json.dumps({kind: text, "texts": texts, "walks": walks, "seed": seed})
        line = subprocess.run([self.program], input=task + "\n", text=True, capture_output=True, check=True).stdout
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def takes(self, texts):
        return self.ask(texts, 0, 0)["taken"]

    def walks(self, count, seed):
        return self.ask([], count, seed)["walks"]


class Unwritable(Exception):
    """No member of a union has the form of the value."""


def number(value, exponents):
    if isinstance(value, int):
        return str(value)
    plain = format(Decimal(repr(value)), "f")
    digits = plain.lstrip("-").partition(".")
    # llama.cpp writes 16 digits before the point and 16 behind it, or an exponent.
    return f"{value:e}" if exponents and max(len(digits[0]), len(digits[2])) > 16 and repr(value) == repr(float(f"{value:e}")) else (
        "{:.16e}".format(Decimal(repr(value))) if exponents and max(len(digits[0]), len(digits[2])) > 16 else plain)


def arranged(schema, value, root, exponents):
    """The value as text, with the keys in the order of a grammar: required ones first. Undeclared keys of a closed
    object are left out, since the reader drops them."""
    if "$ref" in schema:
        _, _, name = schema["$ref"].rpartition("/")
        return arranged(root if schema["$ref"] == "#" else root["$defs"][name], value, root, exponents)
    for member in schema.get("anyOf", ()):
        try:
            return arranged(member, value, root, exponents)
        except Unwritable:
            continue
    if "anyOf" in schema and "properties" not in schema:
        raise Unwritable
    if "enum" in schema and value not in schema["enum"]:
        raise Unwritable
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, float) and value.is_integer() and "integer" in kinds and "number" not in kinds:
        value = int(value)
    kind = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}[type(value)]
    if kinds and kind not in kinds and not (kind == "integer" and "number" in kinds):
        raise Unwritable
    if kind == "object":
        properties, required = schema.get("properties", {}), schema.get("required", ())
        if any(key not in value for key in required):
            raise Unwritable
        others = schema.get("additionalProperties", "properties" not in schema)
        if "properties" in schema and others is True:
            others = {}
        order = [key for key in properties if key in required] + [key for key in properties if key not in required]
        parts = [(key, properties[key]) for key in order if key in value]
        if others is not False:
            parts += [(key, others if isinstance(others, dict) else {}) for key in value if key not in properties]
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{arranged(part, value[key], root, exponents)}" for key, part in parts) + "}"
    if kind == "array":
        prefix, items = schema.get("prefixItems", []), schema.get("items", {})
        parts = prefix + [items] * (len(value) - len(prefix))
        return "[" + ",".join(arranged(part, item, root, exponents) for part, item in zip(parts, value)) + "]"
    if kind in ("integer", "number"):
        return number(value, exponents)
    return json.dumps(value, ensure_ascii=False)


def spelt(text):
    """Characters that a JSON text may hold and that these compilers want as an escape."""
    return text.replace("\x7f", "\\u007f")


COMPILERS = [
    (Llguidance, ("llguidance", "vllm", "schemars", "lark")),
    (Xgrammar, ("vllm", "schemars")),
    (LlamaCpp, ("llama-cpp", "schemars", "gbnf")),
]
GRAMMARS = ("lark", "gbnf")
# A shape has one walk for so many of a tool.
SHAPES = 4
# The name of the list of all tools, whose values are calls.
LIST = "(list)"


# What no schema can say to a compiler, apart from what is counted: the share of refused walks is shown without it too.
EXCEPTED = {"xgrammar by vllm": "an empty text", "llama.cpp by llama-cpp": "bounds of a number"}

# What a compiler cannot say, by the words of the report. The order matters: a report may have several.
CLASSES = [
    ("a key or an item twice", r"expected once|every item once|duplicate"),
    ("half of a character", r"both halves"),
    ("a number beyond 64 bits", r"number out of range|integer of 64 bits"),
    ("an empty text", r'string of (at least|\d+ to|exactly)[^\n]*found ""'),
    ("a length", r"string of (at least|at most|exactly|\d+ to)"),
    ("a part of a text", r"string matching"),
    ("a step", r"a multiple of"),
    ("bounds of a number", r"expected (a number|an integer|number|integer)"),
    ("a day that does not exist", r"there is no"),
]


def class_of(report):
    for name, words in CLASSES:
        if re.search(words, report):
            return name
    return "other"


def written(contract, value, key, exponents, contracts):
    """A right value as a compiler of the grammar writes it; in a list, a call."""
    if contract["name"] == LIST:
        [tool] = [one for one in contracts if one["name"] == value["name"]]
        return '{"name":"%s","arguments":%s}' % (value["name"], written(tool, value["arguments"], key, exponents, contracts))
    guide = json.loads(contract["vllm"] if key in GRAMMARS else contract[key])
    return arranged(guide, value, guide, exponents)


def main():
    program, reader, walks, lines = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    LlamaCpp.program = program
    contracts = [json.loads(line) for line in open(lines)]
    only = sys.argv[5:]
    asked, rows = [], []
    for compiler, keys in COMPILERS:
        exponents = compiler is LlamaCpp
        for key in keys:
            kind = key if key in GRAMMARS else "schema"
            right = refused = 0
            for contract in contracts:
                if only and contract["name"] not in only or not contract.get(key):
                    continue
                where = f"{compiler.name} by {key}"
                try:
                    grammar = compiler((kind, contract[key]))
                    texts = []
                    for value in contract["values"]:
                        try:
                            texts.append(spelt(written(contract, value, key, exponents and kind != "gbnf", contracts)))
                        except Unwritable:
                            print(f"unwritable: {where}: {contract['name']}: {value}", file=sys.stderr)
                    if key != "schemars":
                        for text, taken in zip(texts, grammar.takes(texts)):
                            right += 1
                            if not taken:
                                refused += 1
                                print(f"forbidden: {where}: {contract['name']}: {text}", file=sys.stderr)
                    count = walks if contract.get("schemars") or contract["name"] == LIST else walks // SHAPES
                    made = [text for text in grammar.walks(count, len(contract["name"]))]
                    asked.append((where, contract["name"], [text for text in made if text is not None], made.count(None)))
                except (ValueError, RuntimeError) as error:
                    print(f"error: {where}: {contract['name']}: {str(error)[-300:]}", file=sys.stderr)
            rows.append((f"{compiler.name} by {key}", right, refused))
    answers = subprocess.run(
        [reader, "read"], input="".join(json.dumps({"name": name, "texts": texts}) + "\n" for _, name, texts, _ in asked),
        text=True, stdout=subprocess.PIPE, check=True,
    ).stdout.splitlines()
    counts, classes = defaultdict(Counter), defaultdict(Counter)
    for (where, name, texts, unended), answer in zip(asked, answers):
        for text, report in zip(texts, json.loads(answer)):
            kind = "list" if name == LIST else "tool" if any(c["name"] == name and c.get("schemars") for c in contracts) else "shape"
            counts[where][kind] += 1
            counts[where]["unended"] += 0
            if report:
                counts[where][f"{kind} refused"] += 1
                if kind != "shape":
                    classes[class_of(report)][where] += 1
                    compiler, _, key = where.partition(" by ")
                    excepted = EXCEPTED.get(f"{compiler.split()[0]} by {key}")
                    counts[where]["excepted"] += kind == "tool" and class_of(report) == excepted
                counts[where + " of " + name]["refused"] += 1
                print(f"refused: {where}: {name}: {text}\n    {report}", file=sys.stderr)
        counts[where]["unended"] += unended
    print("| grammar | right values | refused | walks of tools | refused | without the excepted class | of the list | refused | of shapes | refused | unended |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for where, right, refused in rows:
        c = counts[where]
        share = lambda kind: f"{c[kind]} | {100 * c[kind + ' refused'] / max(1, c[kind]):.1f} %"
        rest = f"{100 * (c['tool refused'] - c['excepted']) / max(1, c['tool']):.1f} %" if c["excepted"] else ""
        print(f"| {where} | {right} | {refused} | {share('tool')} | {rest} | {share('list')} | {share('shape')} | {c['unended']} |")
    print("\n| refused walks of tools and of the list | " + " | ".join(where for where, _, _ in rows) + " |")
    print("|---|" + "---:|" * len(rows))
    for name in [name for name, _ in CLASSES] + ["other"]:
        if classes[name]:
            print(f"| {name} | " + " | ".join(str(classes[name][where]) for where, _, _ in rows) + " |")
    for name, c in sorted(counts.items(), key=lambda item: -item[1]["refused"]):
        if " of " in name and c["refused"]:
            print(f"{c['refused']:6} {name}", file=sys.stderr)


main()
