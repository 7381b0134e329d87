//! A seeded set of inputs that crosses the kind of values with the order of keys, absent fields and size.

use std::{collections::BTreeSet, fmt::Debug, net::IpAddr};

use callpact::ToolInput;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    draw::Draw,
    inputs::{INPUTS, Input},
};

/// Six fields of one kind. The last three are optional.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Crossed<T> {
    /// The first of three that must be given
    pub subject: T,
    /// The second
    pub author: T,
    /// The third
    pub origin: T,
    /// The first of three that may be left out
    pub note: Option<T>,
    /// The second
    pub extra: Option<T>,
    /// The third
    pub basis: Option<T>,
}

/// Many of them.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Several<T> {
    /// The items
    pub items: Vec<Crossed<T>>,
}

/// Fields with rules and defaults.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Ruled {
    /// A text that is not empty
    #[tool_param(min_length = 1, max_length = 200)]
    pub subject: String,
    /// A number in a range
    #[tool_param(min = 1, max = 60_000)]
    pub author: u32,
    /// A list of a few items
    #[tool_param(min_items = 1, max_items = 8)]
    pub origin: Vec<u16>,
    /// A number with a default
    #[serde(default = "timeout")]
    #[tool_param(min = 1, max = 60_000)]
    pub note: u32,
    /// A text with a default
    #[serde(default = "title")]
    pub extra: String,
    /// A part of one
    #[tool_param(min = 0.0, max = 1.0)]
    pub basis: Option<f64>,
}

fn timeout() -> u32 {
    30_000
}

fn title() -> String {
    "untitled".to_owned()
}

/// A closed list of names.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Read
    ReadOnly,
    /// Write behind what is there
    Append,
    /// Write over what is there
    Overwrite,
    /// Remove
    Delete,
}

/// The fields in the order of the declaration.
const FIELDS: [&str; 6] = ["subject", "author", "origin", "note", "extra", "basis"];

/// How the keys of an object are ordered.
#[derive(Clone, Copy)]
enum Order {
    Declared,
    Alphabetical,
    Shuffled,
}

/// Which fields are given.
#[derive(Clone, Copy)]
enum Given {
    All,
    Some,
    None,
}

/// The text of a value of one kind, for the field with this number.
type Value = fn(&mut Draw, usize) -> String;

fn object(draw: &mut Draw, order: Order, given: Given, value: Value) -> String {
    let mut fields: Vec<usize> = match given {
        Given::All => vec![0, 1, 2, 3, 4, 5],
        Given::Some => vec![0, 1, 2, 4],
        Given::None => vec![0, 1, 2],
    };
    match order {
        Order::Declared => {}
        Order::Alphabetical => fields.sort_by_key(|number| FIELDS[*number]),
        Order::Shuffled => {
            for last in (1..fields.len()).rev() {
                let other = usize::try_from(draw.below(last as u64 + 1)).unwrap_or_default();
                fields.swap(last, other);
            }
        }
    }
    let entries: Vec<String> = fields
        .into_iter()
        .map(|number| format!("\"{}\": {}", FIELDS[number], value(draw, number)))
        .collect();
    format!("{{{}}}", entries.join(", "))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

fn list(draw: &mut Draw, count: u64, item: impl Fn(&mut Draw) -> String) -> String {
    let items: Vec<String> = (0..count).map(|_| item(draw)).collect();
    format!("[{}]", items.join(", "))
}

fn edit(draw: &mut Draw) -> String {
    let lines: Vec<String> = (0..6)
        .map(|_| format!("\tlet {} = \"{}\";", draw.words(1), draw.words(3)))
        .collect();
    quoted(&lines.join("\n"))
}

fn ruled(draw: &mut Draw, number: usize) -> String {
    match number {
        0 | 4 => quoted(&draw.words(4)),
        2 => list(draw, 3, |draw| draw.below(60_000).to_string()),
        5 => format!("0.{}", draw.below(1_000)),
        _ => (1 + draw.below(59_999)).to_string(),
    }
}

/// The name of an input, and how to make it.
pub type Named = (String, Box<dyn Fn() -> Input>);

fn of_kind<T>(kind: &str, value: Value, all: &mut Vec<Named>)
where
    T: ToolInput + DeserializeOwned + PartialEq + Debug,
{
    for_each_form(kind, value, all, Input::of::<Crossed<T>>);
    for count in [10, 1_000] {
        let draw = &mut Draw::new(count);
        let items = list(draw, count, |draw| {
            object(draw, Order::Declared, Given::Some, value)
        });
        let text = format!("{{\"items\": {items}}}");
        let make = move || Input::of::<Several<T>>(text.clone());
        all.push((format!("{kind}-{count}"), Box::new(make)));
    }
}

fn for_each_form(kind: &str, value: Value, all: &mut Vec<Named>, make: fn(String) -> Input) {
    let orders = [
        ("declared", Order::Declared),
        ("alphabetical", Order::Alphabetical),
        ("shuffled", Order::Shuffled),
    ];
    let absences = [
        ("all", Given::All),
        ("some", Given::Some),
        ("none", Given::None),
    ];
    for (order_name, order) in orders {
        for (given_name, given) in absences {
            let text = object(&mut Draw::new(7), order, given, value);
            let name = format!("{kind}-{order_name}-{given_name}");
            all.push((name, Box::new(move || make(text.clone()))));
        }
    }
}

impl Input {
    /// The input of this name, of either set.
    pub fn named(name: &str) -> Option<Self> {
        if let Some((_, make)) = INPUTS.iter().find(|(known, _)| *known == name) {
            return Some(make());
        }
        let mut all = crossed().into_iter();
        all.find_map(|(known, make)| (known == name).then(make))
    }
}

/// All of them.
pub fn crossed() -> Vec<Named> {
    let mut all = Vec::new();
    of_kind::<String>("text", |draw, _| quoted(&draw.words(4)), &mut all);
    of_kind::<String>("edit", |draw, _| edit(draw), &mut all);
    of_kind::<u32>(
        "integer",
        |draw, _| draw.below(100_000).to_string(),
        &mut all,
    );
    of_kind::<f64>(
        "float",
        |draw, _| format!("{}.{}", draw.below(1_000), draw.below(100)),
        &mut all,
    );
    of_kind::<bool>(
        "boolean",
        |draw, _| (draw.below(2) == 0).to_string(),
        &mut all,
    );
    of_kind::<Mode>(
        "name",
        |draw, _| quoted(draw.one_of::<&str>(&["read_only", "append", "overwrite", "delete"])),
        &mut all,
    );
    of_kind::<IpAddr>(
        "address",
        |draw, _| format!("\"10.{}.{}.7\"", draw.below(256), draw.below(256)),
        &mut all,
    );
    of_kind::<(u8, String)>(
        "tuple",
        |draw, _| format!("[{}, {}]", draw.below(256), quoted(&draw.words(2))),
        &mut all,
    );
    of_kind::<Vec<u32>>(
        "integers",
        |draw, _| list(draw, 8, |draw| draw.below(100_000).to_string()),
        &mut all,
    );
    of_kind::<Vec<String>>(
        "texts",
        |draw, _| list(draw, 5, |draw| quoted(&draw.words(2))),
        &mut all,
    );
    of_kind::<BTreeSet<u32>>(
        "set",
        |draw, _| {
            let start = draw.below(1_000);
            let items: Vec<String> = (0..6).map(|n| (start + 3 * n).to_string()).collect();
            format!("[{}]", items.join(", "))
        },
        &mut all,
    );
    for_each_form("rules", ruled, &mut all, Input::of::<Ruled>);
    all
}
