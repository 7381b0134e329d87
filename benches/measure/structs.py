"""Writes a crate of tool structs, once for each way to declare them."""

from pathlib import Path

# The libraries that the same declaration is written with.
WAYS = ("callpact", "callpact-const", "serde-schemars")

WORDS = (
    "path query limit offset title body owner label branch region format target source "
    "prefix suffix depth width height colour weight author message subject timeout"
).split()


class Draw:
    """Numbers that are the same on every machine and in every version of Python."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 1

    def below(self, end):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % end


def field(draw, index, name, ours):
    """One field as (attributes, type): fifteen kinds, with the rules that both sides can say."""

    def rules(callpact, schemars):
        text = callpact if ours else schemars
        return f"    #[{'tool_param' if ours else 'schemars'}({text})]\n"

    part, choice = f"Part{index // 4}", f"Choice{index // 5}"
    low = draw.below(5)
    high = low + 10 + draw.below(90)
    kind = draw.below(15)
    if kind == 0:
        return "", "String"
    if kind == 1:
        return rules("min_length = 1, max_length = 200", "length(min = 1, max = 200)"), "String"
    if kind == 2:
        pattern = '"^[a-z]+$"'
        return rules(f"pattern = {pattern}", f"regex(pattern = {pattern})"), "String"
    if kind == 3:
        return rules(f"min = {low}, max = {high}", f"range(min = {low}, max = {high})"), "i64"
    if kind == 4:
        if ours:
            return f"    #[tool_param(default = {high})]\n", "u32"
        return f'    #[serde(default = "default_{index}_{name}")]\n', "u32"
    if kind == 5:
        return rules("min = 0.0", "range(min = 0.0)"), "f64"
    if kind == 9:
        return rules("min_items = 1, max_items = 20", "length(min = 1, max = 20)"), "Vec<String>"
    plain = {
        6: "bool",
        7: "Option<String>",
        8: "Option<u64>",
        10: choice,
        11: part,
        12: f"Option<{choice}>",
        13: f"Vec<{part}>",
        14: "std::collections::BTreeMap<String, String>",
    }
    return "", plain[kind]


def container(name, derive, doc, fields, draw, index, ours):
    """A struct, and the functions that serde wants for its defaults."""
    text, functions = f"/// {doc}\n#[derive({derive})]\npub struct {name} {{\n", ""
    for number in range(fields):
        word = f"{WORDS[(index * 7 + number * 5) % len(WORDS)]}_{number}"
        attributes, kind = field(draw, index, word, ours) if name.startswith("Tool") else (
            "",
            ("String", "u32", "Option<String>")[number % 3],
        )
        text += f"    /// The {word.replace('_', ' ')} of what is asked for\n{attributes}    pub {word}: {kind},\n"
        if "serde(default" in attributes:
            functions += f"fn default_{index}_{word}() -> u32 {{\n    {number + 10}\n}}\n"
    return text + "}\n" + functions


def source(count, way):
    """The program: `count` tool structs, each read and its schema written by name."""
    ours = way.startswith("callpact")
    derive = "callpact::ToolInput" if ours else "serde::Deserialize, schemars::JsonSchema"
    draw = Draw(8)
    text = ["#![allow(dead_code)]\n"]
    for index in range(0, count, 5):
        text.append(
            f"/// How it is done\n#[derive({derive})]\npub enum Choice{index // 5} {{\n"
            "    /// At once\n    Now,\n    /// In the night\n    Later,\n    /// Not at all\n    Never,\n}\n"
        )
    for index in range(0, count, 4):
        doc = "One part of a request"
        text.append(container(f"Part{index // 4}", derive, doc, 2 + index // 4 % 3, draw, index, ours))
    # The parts above draw nothing, so a small program is the beginning of a large one.
    for index in range(count):
        doc = f"Does the work number {index} on what is named"
        text.append(container(f"Tool{index}", derive, doc, 3 + index % 6, draw, index, ours))
    for index in range(count):
        text.append(use(f"Tool{index}", index, way))
    rows = "".join(f"    (read_{index}, schema_{index}),\n" for index in range(count))
    text.append(
        "type Row = (fn(&str) -> Result<(), String>, fn() -> String);\n"
        f"static TOOLS: [Row; {count}] = [\n{rows}];\n"
        "fn main() {\n"
        "    let text = std::env::args().nth(1).unwrap_or_default();\n"
        "    for (read, schema) in &TOOLS {\n"
        '        println!("{} {:?}", schema(), read(&text));\n'
        "    }\n"
        "}\n"
    )
    return "".join(text)


def use(name, index, way):
    """The two functions of a tool: what it reads, what it says of itself."""
    read = {
        "serde-schemars": f"serde_json::from_str::<{name}>(text)",
    }.get(way, f"callpact::read_str::<{name}>(text, &callpact::Policy::lax())")
    schema = {
        "callpact": f"<{name} as callpact::ToolInput>::SCHEMA.to_json(callpact::Dialect::Portable)",
        "callpact-const": f"callpact::schema_json!({name}, callpact::Dialect::Portable).to_owned()",
        "serde-schemars": f"schemars::schema_for!({name}).as_value().to_string()",
    }[way]
    return (
        f"fn read_{index}(text: &str) -> Result<(), String> {{\n"
        f"    {read}.map(|value| drop(std::hint::black_box(value))).map_err(|error| error.to_string())\n"
        f"}}\nfn schema_{index}() -> String {{\n    {schema}\n}}\n"
    )


def write_crate(folder, count, way, repository):
    """A crate of its own workspace under `folder`; returns its name."""
    name = f"structs-{way}-{count}"
    if way.startswith("callpact"):
        dependencies = f'callpact = {{ path = "{repository}/crates/callpact" }}\n'
    else:
        dependencies = 'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\nschemars = "1"\n'
    crate = Path(folder) / name
    (crate / "src").mkdir(parents=True, exist_ok=True)
    (crate / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
        f"[dependencies]\n{dependencies}\n[profile.release]\nstrip = true\n"
    )
    (crate / "src/main.rs").write_text(source(count, way))
    return name
