"""200 bad calls of one tool, with one to seven faults each, and the names of the faulty parameters."""

import copy
import json
import random

CALLS = 200

GOOD = {
    "query": "rust",
    "limit": 5,
    "mode": "quick",
    "tags": ["a", "b"],
    "filter": {"field": "name", "minimum": 3},
    "exact": True,
    "code": "ABC-1234",
    "headers": {"Accept": "text/html", "Host": "a.example"},
    "price_max": 9.5,
}

# What is put in place of a parameter. What a reply must name is the parameter, or the name inside of it.
VALUES = {
    "query": ["r", 17, ["rust"], None, {"value": "rust"}, "a" * 90],
    "limit": [500, 0, -3, "many", "five", 2.5, [5, 6], None, {}, True],
    "mode": ["quikc", "slow", "QUICK", 1, ["quick", "thorough"], None],
    "tags": ['["a", "b"]', "a, b", 5, [1, 2, 3, 4, 5, 6], {"0": "a"}, None, [["a"]]],
    "filter": ["name", ["name"], '{"field": "name"}', 7, None],
    "exact": ["often", "yes", 3, [True], None],
    "code": ["abc-1234", "ABC1234", 1234, "", None],
    "headers": [["Accept: text/html"], "Accept: text/html", [1], 4, None],
    "price_max": ["null", "cheap", "$9.50", "N/A", [], {}],
}
INSIDE = [
    ("filter", "field", [5, ["name"], {}]),
    ("filter", "minimum", ["low", 2.5, "none", []]),
    ("headers", "Accept", [5, {}, ["text/html"]]),
]
REQUIRED = ["query", "limit", "mode", "tags", "filter", "exact", "code", "headers"]
SPELT = {"query": "qeury", "limit": "limti", "filter": "fliter", "mode": "mdoe"}


def break_text(text, rng):
    """A text that is not JSON."""
    return rng.choice(
        [
            text[: rng.randrange(20, len(text) - 5)],
            text.replace('"query"', "'query'").replace('"rust"', "'rust'"),
            text.replace('"limit":', "limit:"),
            text.replace("true", "True"),
            f"Here it is: {text}",
            text + text.replace("quick", "thorough"),
            text.replace('", "', '" "'),
        ]
    )


def bad_call(rng):
    """A call, and the names of its faulty parameters; the empty one for a text that is not JSON."""
    call = copy.deepcopy(GOOD)
    if rng.random() < 0.08:
        return {"faults": [""], "text": break_text(json.dumps(call), rng)}
    count = rng.choice([1, 1, 1, 2, 2, 3, 4, 7])
    names = rng.sample(list(GOOD), count)
    faults = []
    for name in names:
        way = rng.random()
        inner = [(key, values) for parent, key, values in INSIDE if parent == name]
        if way < 0.15 and name in REQUIRED:
            del call[name]
        elif way < 0.3 and name in SPELT:
            call[SPELT[name]] = call.pop(name)
        elif way < 0.6 and inner:
            key, values = rng.choice(inner)
            call[name][key] = rng.choice(values)
            name = key
        elif way < 0.65 and name == "filter":
            del call[name]["field"]
            name = "field"
        else:
            call[name] = copy.deepcopy(rng.choice(VALUES[name]))
        faults.append(name)
    return {"faults": faults, "text": json.dumps(call)}


def bad_calls(seed=41):
    rng = random.Random(seed)
    return [bad_call(rng) for _ in range(CALLS)]
