//! Clean text stays unchanged; text damaged in a known way is restored, with exactly the fixes that
//! the damage needs; text cut anywhere is never a value.

use std::fmt::Write as _;

use callpact::{
    FixKind, Policy,
    schema::{Kind, Tagging},
};
use callpact_tests::{generate::Generator, rng::Rng, shapes::all};
use serde_json::Value;

/// Values over all shapes and damages.
const ROUNDS: usize = 3;

/// A way to damage a text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    Comma,
    Comment,
    Quotes,
    Python,
    BareKey,
    LineBreak,
    Escape,
    Space,
    Twice,
    // Around the whole.
    Mark,
    Fence,
    Words,
    Again,
    Encoded,
}

impl Damage {
    const ALL: [Self; 14] = [
        Self::Comma,
        Self::Comment,
        Self::Quotes,
        Self::Python,
        Self::BareKey,
        Self::LineBreak,
        Self::Escape,
        Self::Space,
        Self::Twice,
        Self::Mark,
        Self::Fence,
        Self::Words,
        Self::Again,
        Self::Encoded,
    ];

    fn kind(self) -> FixKind {
        match self {
            Self::Comma => FixKind::ExtraComma,
            Self::Comment => FixKind::Comment,
            Self::Quotes => FixKind::QuoteStyle,
            Self::Python => FixKind::PythonLiteral,
            Self::BareKey => FixKind::UnquotedKey,
            Self::LineBreak => FixKind::ControlCharacter,
            Self::Escape => FixKind::EscapeOutside,
            Self::Space => FixKind::SpecialSpace,
            Self::Twice => FixKind::DuplicateMerged,
            Self::Mark => FixKind::ByteOrderMark,
            Self::Fence => FixKind::Fence,
            Self::Words => FixKind::SurroundingText,
            Self::Again => FixKind::RepeatedObject,
            Self::Encoded => FixKind::DoubleEncoded,
        }
    }
}

/// Writes a value with one class of damage, and counts how often.
struct Writer {
    damage: Damage,
    rng: Rng,
    out: String,
    count: usize,
}

impl Writer {
    fn hit(&mut self, damage: Damage) -> bool {
        let hit = self.damage == damage && self.rng.one_in(3);
        self.count += usize::from(hit);
        hit
    }

    /// A place for a space.
    fn gap(&mut self) {
        if self.hit(Damage::Comment) {
            let comment = *self.rng.pick(&["/* \" } */", "// ' ]\n", "# {\n", "/**/"]);
            self.out.push_str(comment);
        } else if self.hit(Damage::Escape) {
            self.out.push_str("\\n");
        } else if self.hit(Damage::Space) {
            self.out.push('\u{a0}');
        }
    }

    fn comma(&mut self) {
        self.gap();
        if self.hit(Damage::Comma) {
            self.out.push_str(", ");
        }
    }

    fn string(&mut self, text: &str, key: bool) {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if key && plain && starts && self.hit(Damage::BareKey) {
            self.out.push_str(text);
        } else if self.hit(Damage::Quotes) {
            let inner = Value::from(text).to_string();
            let inner = inner[1..inner.len() - 1]
                .replace("\\\"", "\"")
                .replace('\'', "\\'");
            self.out.push('\'');
            self.out.push_str(&inner);
            self.out.push('\'');
        } else if text.contains(['\n', '\t', '\r']) && self.hit(Damage::LineBreak) {
            let mut inner = Value::from(text).to_string();
            let mut at = 1;
            // Escapes are read one by one: `\\n` is a backslash and an n.
            while let Some(next) = inner[at..].find('\\').map(|found| at + found) {
                let raw = match inner.as_bytes()[next + 1] {
                    b'n' => "\n",
                    b't' => "\t",
                    b'r' => "\r",
                    _ => {
                        at = next + 2;
                        continue;
                    }
                };
                inner.replace_range(next..next + 2, raw);
                at = next + 1;
            }
            self.out.push_str(&inner);
        } else {
            self.out.push_str(&Value::from(text).to_string());
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                self.out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        self.gap();
                        self.out.push(',');
                    }
                    self.comma();
                    self.value(item);
                }
                self.comma();
                self.out.push(']');
            }
            Value::Object(map) => {
                self.out.push('{');
                for (i, (key, value)) in map.iter().enumerate() {
                    if i > 0 {
                        self.gap();
                        self.out.push(',');
                    }
                    self.comma();
                    self.string(key, true);
                    self.gap();
                    self.out.push(':');
                    self.gap();
                    self.value(value);
                    if self.hit(Damage::Twice) {
                        let _ = write!(self.out, ", {}:{value}", Value::from(key.as_str()));
                    }
                }
                self.comma();
                self.out.push('}');
            }
            Value::String(text) => self.string(text, false),
            Value::Bool(true) if self.hit(Damage::Python) => self.out.push_str("True"),
            Value::Bool(false) if self.hit(Damage::Python) => self.out.push_str("False"),
            Value::Null if self.hit(Damage::Python) => self.out.push_str("None"),
            other => self.out.push_str(&other.to_string()),
        }
    }

    fn whole(&mut self, value: &Value) {
        let text = value.to_string();
        self.count = 1;
        self.out = match self.damage {
            Damage::Mark => format!("\u{feff}{text}"),
            Damage::Fence => format!("```json\n{text}\n```\n"),
            Damage::Words => {
                format!("I call it with these arguments:\n{text}\nThanks, that is all.")
            }
            Damage::Again => format!("{text}\n{text}"),
            Damage::Encoded => Value::from(text).to_string(),
            _ => {
                self.count = 0;
                self.value(value);
                return;
            }
        };
    }
}

#[test]
fn damage_that_is_certain_is_undone_and_noted() {
    let mut generator = Generator::new(7);
    let mut hits = 0;
    for shape in all() {
        for round in 0..ROUNDS {
            let value = generator.valid(shape.schema);
            let clean = value.to_string();
            let Some(same) = (shape.repaired)(&clean, &clean) else {
                continue;
            };
            assert_eq!(same, Ok((true, Vec::new())), "{}: {clean}", shape.name);
            if !value.is_object() {
                continue;
            }
            for damage in Damage::ALL {
                let empty = value.as_object().is_some_and(serde_json::Map::is_empty);
                // `{}` among words is not a call, and a union without a tag may take the string itself.
                let untold = matches!(&shape.schema.kind, Kind::Union(rules) if rules.tagging == Tagging::None);
                if (damage == Damage::Words && empty) || (damage == Damage::Encoded && untold) {
                    continue;
                }
                let rng = Rng::new(generator.rng.bits());
                let mut writer = Writer {
                    damage,
                    rng,
                    out: String::new(),
                    count: 0,
                };
                writer.whole(&value);
                let kinds = vec![damage.kind(); writer.count];
                let read = (shape.repaired)(&clean, &writer.out);
                // If the key itself is not a parameter, each of the two is dropped instead.
                let read = read.map(|read| {
                    read.map(|(same, mut kinds)| {
                        if damage == Damage::Twice {
                            let most = kinds.len() <= writer.count;
                            kinds.retain(|kind| {
                                !matches!(kind, FixKind::UnknownDropped | FixKind::DuplicateMerged)
                            });
                            return (
                                same && most && kinds.is_empty(),
                                vec![damage.kind(); writer.count],
                            );
                        }
                        (same, kinds)
                    })
                });
                assert_eq!(
                    read,
                    Some(Ok((true, kinds))),
                    "{} round {round}, {damage:?}:\n{}\nof {clean}",
                    shape.name,
                    writer.out
                );
                hits += writer.count;
                if matches!(damage, Damage::Again | Damage::Words) {
                    continue;
                }
                let end = writer.out.rfind('}').unwrap_or_default();
                for cut in 1..=end {
                    let Some(text) = writer
                        .out
                        .get(..cut)
                        .filter(|_| cut % 3 == round || cut + 40 > end)
                    else {
                        continue;
                    };
                    // A mark or a fence with nothing in it is no text at all.
                    let read = (shape.repaired)(&clean, text);
                    assert!(
                        matches!(read, Some(Err(_))),
                        "{}: cut {text:?} of {damage:?} gave {read:?}",
                        shape.name
                    );
                }
            }
        }
    }
    assert!(hits > 1_000, "{hits}");
}

#[test]
fn noise_neither_panics_nor_hangs() {
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "\\",
        "a",
        "\"a\"",
        "1",
        "-",
        ".",
        "e",
        "true",
        "None",
        "NaN",
        "//",
        "/*",
        "*/",
        "#",
        "\n",
        " ",
        "```",
        "json",
        "\\u",
        "d83d",
        "\\n",
        "\u{feff}",
        "\u{a0}",
        "ä",
        "arguments",
        "name",
        "<parameter name=\"a\">",
        "</parameter>",
        "\u{0}",
        "\\\"",
        "\"a\":",
        "null",
    ];
    let mut rng = Rng::new(11);
    for _ in 0..60_000 {
        let length = rng.below(24);
        let text: String = (0..length).map(|_| *rng.pick(&PIECES)).collect();
        super::fuzzed::check(text.as_bytes());
        let read = callpact::read_str::<super::shapes::Lists>(&text, &Policy::repair());
        drop(read);
    }
}
