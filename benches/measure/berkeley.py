"""The Berkeley declarations and truths, and calls of them with the faults that recorded calls have."""

import json
import random
import zipfile
from pathlib import Path

SETS = ("simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple", "live_parallel")
TYPES = {"dict": "object", "float": "number", "tuple": "array", "String": "string"}
# How often each fault was seen in 2,448 faulty calls of 68,197.
SHARES = {
    "integer as text": 1171,
    "boolean as text": 513,
    "number as text": 443,
    "list as text": 442,
    "object as text": 341,
    "list for integer": 310,
    "missing": 294,
    "unknown key": 248,
    "not JSON": 75,
}


def schema_of(declared):
    """A declaration as JSON Schema."""
    schema = {key: value for key, value in declared.items() if key in ("description", "enum", "required")}
    name = declared.get("type")
    if name not in ("any", None):
        schema["type"] = TYPES.get(name, name)
    if "properties" in declared:
        schema["properties"] = {key: schema_of(value) for key, value in declared["properties"].items()}
    if isinstance(declared.get("items"), dict):
        schema["items"] = schema_of(declared["items"])
    return schema


def truth_of(accepted):
    """The first of the accepted values of each parameter; those that may be left out are."""
    call = {}
    for key, values in accepted.items():
        # Some sets name the one value alone.
        values = values if isinstance(values, list) else [values]
        if "" in values or not values:
            continue
        call[key] = first(values)
    return call


def first(values):
    value = values[0]
    if isinstance(value, dict):
        return truth_of(value)
    if isinstance(value, list):
        return [truth_of(item) if isinstance(item, dict) else item for item in value]
    return value


def calls(wheel):
    """Every declaration with a call that is meant."""
    with zipfile.ZipFile(wheel) as files:
        lines = lambda path: [json.loads(line) for line in files.read(path).decode().splitlines()]
        for name in SETS:
            truths = {line["id"]: line for line in lines(f"bfcl_eval/data/possible_answer/BFCL_v4_{name}.json")}
            for line in lines(f"bfcl_eval/data/BFCL_v4_{name}.json"):
                declared = {function["name"]: function["parameters"] for function in line["function"]}
                for call in truths.get(line["id"], {}).get("ground_truth", []):
                    for function, accepted in call.items():
                        if function in declared:
                            yield schema_of(declared[function]), truth_of(accepted)


def takes(schema, value):
    """Whether a schema of the set takes a value: some truths are written for another language."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    kind = kinds.get(schema.get("type"), object)
    if not isinstance(value, kind) or isinstance(value, bool) and kind not in (bool, object):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, dict) and "properties" in schema:
        inner = schema["properties"]
        return all(key in value for key in schema.get("required", [])) and all(
            key in inner and takes(inner[key], one) for key, one in value.items()
        )
    return not isinstance(value, list) or all(takes(schema.get("items", {}), one) for one in value)


def places(schema, value, path=()):
    """Every parameter of a call, at any depth: where it is, its schema, and whether it may be left out."""
    for key, inner in schema.get("properties", {}).items():
        if isinstance(value, dict) and key in value:
            yield (*path, key), inner, key in schema.get("required", [])
            yield from places(inner, value[key], (*path, key))


def put(call, path, change):
    for key in path[:-1]:
        call = call[key]
    change(call, path[-1])


def as_text(value, rng):
    """As a model writes a value in a string: as JSON, or as Python does."""
    return repr(value) if rng.random() < 0.3 else json.dumps(value, ensure_ascii=False)


def fits(fault, value):
    return {
        "integer as text": type(value) is int,
        "boolean as text": type(value) is bool,
        "number as text": type(value) is float,
        "list as text": type(value) is list,
        "object as text": type(value) is dict,
        "list for integer": type(value) is int,
        "missing": True,
        "unknown key": True,
        "not JSON": True,
    }[fault]


def damage(call, schema, fault, taken, rng):
    """Puts one fault into a call, where there is a place for it; whether there was."""
    if fault == "unknown key" and rng.random() < 0.5:
        call["reason"] = "as the user asked"
        return True
    # One fault for each place, and none inside another.
    free = [
        place
        for place in places(schema, call)
        if not any(place[0][: len(other)] == other or other[: len(place[0])] == place[0] for other in taken)
    ]
    found = []
    for path, _, required in free:
        value = call
        for key in path:
            value = value[key]
        if fits(fault, value) and (required or fault != "missing"):
            found.append((path, value))
    if not found:
        return False
    path, value = rng.choice(found)
    taken.append(path)

    def change(parent, key):
        if fault == "missing":
            del parent[key]
        elif fault == "unknown key":
            words = key.split("_")
            camel = words[0] + "".join(word.capitalize() for word in words[1:])
            other = camel if camel != key else key + "s"
            parent[other] = parent.pop(key)
        elif fault == "list for integer":
            parent[key] = [value]
        else:
            parent[key] = as_text(value, rng)

    put(call, path, change)
    return True


def broken(call, rng):
    """A text that is not JSON."""
    text = json.dumps(call, ensure_ascii=False)
    return rng.choice(
        (
            lambda: text[: rng.randrange(len(text) // 2, len(text) - 1)],
            lambda: repr(call),
            lambda: text[:-1] + ",}",
            lambda: f"Here is the call:\n```json\n{text}\n```",
            lambda: text + "}",
        )
    )()


def damaged(wheel, seed, wanted):
    """So many faulty calls, as lines of `{schema, arguments, truth, faults}`."""
    rng = random.Random(seed)
    meant = [(schema, truth) for schema, truth in calls(wheel) if truth and takes(schema, truth)]
    names, weights = list(SHARES), list(SHARES.values())
    # The recorded calls had 3,837 faults in 2,448 calls.
    several = ([1, 2, 3], [0.56, 0.31, 0.13])
    lines = []
    while len(lines) < wanted:
        count = rng.choices(*several)[0]
        faults = rng.choices(names, weights, k=count)
        # A call with a place for each fault, so that the shares follow the faults and not the declarations.
        for _ in range(1000):
            schema, truth = rng.choice(meant)
            call, taken = json.loads(json.dumps(truth)), []
            if all(damage(call, schema, fault, taken, rng) for fault in faults if fault != "not JSON"):
                break
        else:
            continue
        text = broken(call, rng) if "not JSON" in faults else json.dumps(call, ensure_ascii=False)
        lines.append({"schema": schema, "arguments": text, "truth": truth, "faults": faults})
    return lines


def write(wheel, out, seed, wanted):
    lines = damaged(wheel, seed, wanted)
    Path(out).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    counts = {name: sum(line["faults"].count(name) for line in lines) for name in SHARES}
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
