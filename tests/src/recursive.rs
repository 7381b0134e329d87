//! Thirty declarations that contain themselves, with texts of any size for them: every way to tell variants apart,
//! around itself by an option, a list, a map, a list of
//! options, a tuple, and another type's list.

use std::collections::BTreeMap;

use callpact::{Policy, Schema, ToolInput, input::read_foreign, read_str, schema::ForeignSchema};
use serde_json::{Value, json};

/// The deepest nesting of a text, below the limit of the reader.
const LEVELS: usize = 120;

/// A declaration, and its schema for reading at run time.
pub struct Recursive {
    /// How variants are told apart, and how the type contains itself.
    pub name: String,
    read: fn(&str, &Policy) -> bool,
    /// Its schema.
    pub declared: &'static Schema,
    /// The same as JSON.
    pub schema: ForeignSchema,
    link: Link,
    tagging: Tagging,
}

/// How a type contains itself.
#[derive(Clone, Copy)]
enum Link {
    Option,
    List,
    Map,
    Options,
    Pair,
    Mutual,
}

impl Link {
    fn named(name: &str) -> Self {
        match name {
            "option" => Self::Option,
            "list" => Self::List,
            "map" => Self::Map,
            "options" => Self::Options,
            "pair" => Self::Pair,
            _ => Self::Mutual,
        }
    }

    fn around(self, inner: &str) -> String {
        match self {
            Self::Option => inner.to_owned(),
            Self::List => format!("[{inner}]"),
            Self::Map => format!("{{\"k\":{inner}}}"),
            Self::Options => format!("[null,{inner}]"),
            Self::Pair => format!("[{inner},1]"),
            Self::Mutual => format!("[{{\"next\":{inner}}}]"),
        }
    }

    fn schema(self) -> Value {
        let own = json!({"$ref": "#/$defs/T"});
        match self {
            Self::Option => own,
            Self::List => json!({"type": "array", "items": own}),
            Self::Map => json!({"type": "object", "additionalProperties": own}),
            Self::Options => json!({"type": "array", "items": {"anyOf": [own, {"type": "null"}]}}),
            Self::Pair => json!({
                "type": "array", "prefixItems": [own, {"type": "integer"}],
                "items": false, "minItems": 2,
            }),
            Self::Mutual => {
                json!({"type": "array", "items": object(&json!({"next": own}), &["next"])})
            }
        }
    }

    fn levels(self) -> usize {
        match self {
            Self::Option => 0,
            Self::List | Self::Map | Self::Options | Self::Pair => 1,
            Self::Mutual => 2,
        }
    }
}

/// How variants are told apart.
#[derive(Clone, Copy, Debug)]
enum Tagging {
    Plain,
    External,
    Internal,
    Adjacent,
    Untagged,
}

impl Tagging {
    const ALL: [Self; 5] = [
        Self::Plain,
        Self::External,
        Self::Internal,
        Self::Adjacent,
        Self::Untagged,
    ];

    fn leaf(self, faulty: bool) -> String {
        let size = if faulty { "[]" } else { "1" };
        match self {
            Self::Plain | Self::Untagged => format!(r#"{{"size":{size}}}"#),
            Self::External => format!(r#"{{"Leaf":{{"size":{size}}}}}"#),
            Self::Internal => format!(r#"{{"size":{size},"kind":"Leaf"}}"#),
            Self::Adjacent => format!(r#"{{"c":{{"size":{size}}},"t":"Leaf"}}"#),
        }
    }

    /// The tag comes behind the inner value, where it is found last.
    fn around(self, inner: &str) -> String {
        match self {
            Self::Plain => format!(r#"{{"inner":{inner},"size":1}}"#),
            Self::External => format!(r#"{{"Node":{{"inner":{inner},"size":1}}}}"#),
            Self::Internal => format!(r#"{{"inner":{inner},"size":1,"kind":"Node"}}"#),
            Self::Adjacent => format!(r#"{{"c":{{"inner":{inner},"size":1}},"t":"Node"}}"#),
            Self::Untagged => format!(r#"{{"inner":{inner},"size":"a"}}"#),
        }
    }

    fn levels(self) -> usize {
        match self {
            Self::Plain | Self::Internal | Self::Untagged => 1,
            Self::External | Self::Adjacent => 2,
        }
    }

    fn schema(self, link: &Value) -> Value {
        let size = json!({"type": "integer", "minimum": 0, "maximum": 255});
        let node = |size: &Value| object(&json!({"inner": link, "size": size}), &["size"]);
        let leaf = object(&json!({"size": size}), &["size"]);
        let variants = |wrap: fn(Value, &str) -> Value| json!({"anyOf": [wrap(leaf.clone(), "Leaf"), wrap(node(&size), "Node")]});
        match self {
            Self::Plain => node(&size),
            Self::Untagged => json!({"anyOf": [node(&size), node(&json!({"type": "string"}))]}),
            Self::External => variants(|content, name| {
                json!({
                    "type": "object", "properties": {name: content}, "required": [name],
                    "additionalProperties": false,
                })
            }),
            Self::Internal => variants(|mut content, name| {
                content["properties"]["kind"] = json!({"const": name});
                content["required"] = json!(["size", "kind"]);
                content
            }),
            Self::Adjacent => variants(|content, name| {
                object(&json!({"t": {"const": name}, "c": content}), &["t", "c"])
            }),
        }
    }
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// The declarations of one link. A field that contains the type may be left out, so that every value ends.
macro_rules! declare {
    ($($link:ident [$($plain:tt)*] [$($external:tt)*] [$($internal:tt)*] [$($adjacent:tt)*] [$($untagged:tt)*];)*) => {
        $(
        #[allow(dead_code)] // declarations
        mod $link {
            use super::*;

            #[derive(ToolInput)]
            pub(super) struct Plain {
                #[tool_param(recursive)]
                inner: Option<$($plain)*>,
                size: u8,
            }

            #[derive(ToolInput)]
            pub(super) enum External {
                Leaf { size: u8 },
                Node {
                    #[tool_param(recursive)]
                    inner: Option<$($external)*>,
                    size: u8,
                },
            }

            #[derive(ToolInput)]
            #[tool_input(tag = "kind")]
            pub(super) enum Internal {
                Leaf { size: u8 },
                Node {
                    #[tool_param(recursive)]
                    inner: Option<$($internal)*>,
                    size: u8,
                },
            }

            #[derive(ToolInput)]
            #[tool_input(tag = "t", content = "c")]
            pub(super) enum Adjacent {
                Leaf { size: u8 },
                Node {
                    #[tool_param(recursive)]
                    inner: Option<$($adjacent)*>,
                    size: u8,
                },
            }

            /// What tells the variants apart may stand behind the inner value.
            #[derive(ToolInput)]
            #[tool_input(untagged)]
            pub(super) enum Untagged {
                Number {
                    #[tool_param(recursive)]
                    inner: Option<$($untagged)*>,
                    size: u8,
                },
                Text {
                    #[tool_param(recursive)]
                    inner: Option<$($untagged)*>,
                    size: String,
                },
            }
        }
        )*

        fn readers() -> Vec<(&'static str, Link, [DeclaredReader; 5])> {
            vec![$((
                stringify!($link),
                Link::named(stringify!($link)),
                [
                    reader::<$link::Plain>(),
                    reader::<$link::External>(),
                    reader::<$link::Internal>(),
                    reader::<$link::Adjacent>(),
                    reader::<$link::Untagged>(),
                ],
            )),*]
        }
    };
}

declare! {
    option [Box<Plain>] [Box<External>] [Box<Internal>] [Box<Adjacent>] [Box<Untagged>];
    list [Vec<Plain>] [Vec<External>] [Vec<Internal>] [Vec<Adjacent>] [Vec<Untagged>];
    map [BTreeMap<String, Plain>] [BTreeMap<String, External>] [BTreeMap<String, Internal>]
        [BTreeMap<String, Adjacent>] [BTreeMap<String, Untagged>];
    options [Vec<Option<Plain>>] [Vec<Option<External>>] [Vec<Option<Internal>>]
        [Vec<Option<Adjacent>>] [Vec<Option<Untagged>>];
    pair [(Box<Plain>, u8)] [(Box<External>, u8)] [(Box<Internal>, u8)] [(Box<Adjacent>, u8)]
        [(Box<Untagged>, u8)];
    mutual [Vec<Next<Plain>>] [Vec<Next<External>>] [Vec<Next<Internal>>] [Vec<Next<Adjacent>>]
        [Vec<Next<Untagged>>];
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Next<T> {
    next: T,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Many<T> {
    items: Vec<T>,
}

/// The reader of a list of a type, and its schema.
type DeclaredReader = (fn(&str, &Policy) -> bool, &'static Schema);

fn reader<T: ToolInput>() -> DeclaredReader {
    (reads::<T>, <Many<T> as ToolInput>::SCHEMA)
}

fn reads<T: ToolInput>(text: &str, policy: &Policy) -> bool {
    read_str::<Many<T>>(text, policy).is_ok()
}

/// Every declaration.
pub fn recursive() -> Vec<Recursive> {
    let mut all = Vec::new();
    for (link_name, link, readers) in readers() {
        for (tagging, (read, declared)) in Tagging::ALL.into_iter().zip(readers) {
            let schema = json!({
                "type": "object",
                "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/T"}}},
                "required": ["items"],
                "$defs": {"T": tagging.schema(&link.schema())},
            });
            all.push(Recursive {
                name: format!("{tagging:?}/{link_name}"),
                schema: ForeignSchema::from_value(schema).unwrap_or_else(|why| panic!("{why}")),
                read,
                declared,
                link,
                tagging,
            });
        }
    }
    all
}

impl Recursive {
    /// Reads by the declared type, and returns whether there is a value.
    pub fn read(&self, text: &str, policy: &Policy) -> bool {
        (self.read)(text, policy)
    }

    /// Reads by the schema as JSON.
    pub fn read_at_run_time(&self, text: &str, policy: &Policy) -> bool {
        read_foreign(text, &self.schema, policy).is_ok()
    }

    /// A text of about so many bytes: first as deep as it can be, then with more such values side by side.
    pub fn text(&self, bytes: usize, faulty: bool) -> String {
        let most = LEVELS / (self.link.levels() + self.tagging.levels());
        let mut item = self.tagging.leaf(faulty);
        let mut level = 0;
        while level < most && item.len() < bytes {
            item = self.tagging.around(&self.link.around(&item));
            level += 1;
        }
        let items = vec![item.as_str(); (bytes / item.len()).max(1)];
        format!("{{\"items\":[{}]}}", items.join(","))
    }
}
