//! The parts of a grammar, in no syntax.

/// A part of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GrammarPart {
    /// These characters.
    Text(String),
    /// One character of these ranges.
    Set(Vec<(char, char)>),
    Sequence(Vec<GrammarPart>),
    Choice(Vec<GrammarPart>),
    /// A part a number of times; without a largest number if there is none.
    Repeat(Box<GrammarPart>, u32, Option<u32>),
    /// The rule with this index.
    Rule(usize),
    /// A part without rules that is one word of JSON: a string, a number or a name.
    Word(Box<GrammarPart>),
}

/// The rules of a grammar. The first is where a text begins.
#[derive(Debug, Default)]
pub(super) struct GrammarRules {
    /// A name and a body each; a body that is not known yet is an empty text.
    pub(super) rules: Vec<(String, GrammarPart)>,
}

impl GrammarRules {
    /// A rule without its body. Names of rules have only letters, digits and hyphens.
    pub(super) fn open(&mut self, name: &str) -> usize {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        };
        let name: String = name.chars().map(plain).take(40).collect();
        self.rules.push((name, GrammarPart::Text(String::new())));
        self.rules.len() - 1
    }

    /// A rule with its body; an equal one is not repeated.
    pub(super) fn add(&mut self, name: &str, body: GrammarPart) -> GrammarPart {
        let known = self.rules.iter().position(|(_, known)| *known == body);
        GrammarPart::Rule(known.unwrap_or_else(|| {
            let index = self.open(name);
            self.rules[index].1 = body;
            index
        }))
    }
}

pub(super) fn text(text: &str) -> GrammarPart {
    GrammarPart::Text(text.to_owned())
}

pub(super) fn optional(part: GrammarPart) -> GrammarPart {
    GrammarPart::Repeat(Box::new(part), 0, Some(1))
}

pub(super) fn any_number(part: GrammarPart) -> GrammarPart {
    GrammarPart::Repeat(Box::new(part), 0, None)
}

pub(super) fn times(part: GrammarPart, min: u32, max: u32) -> GrammarPart {
    GrammarPart::Repeat(Box::new(part), min, Some(max))
}

pub(super) fn digit(low: char, high: char) -> GrammarPart {
    GrammarPart::Set(vec![(low, high)])
}

pub(super) fn any_digit() -> GrammarPart {
    digit('0', '9')
}

/// Parts in a row.
pub(super) fn row(parts: impl Into<Vec<GrammarPart>>) -> GrammarPart {
    GrammarPart::Sequence(parts.into())
}

/// One of several parts; the only one if there is one.
pub(super) fn choice(parts: impl Into<Vec<GrammarPart>>) -> GrammarPart {
    let mut parts = parts.into();
    match parts.len() {
        1 => parts.remove(0),
        _ => GrammarPart::Choice(parts),
    }
}

/// A part that is one word of JSON.
pub(super) fn one_word(part: GrammarPart) -> GrammarPart {
    GrammarPart::Word(Box::new(part))
}

/// The word of JSON that is this text.
pub(super) fn word(name: &str) -> GrammarPart {
    one_word(text(name))
}
