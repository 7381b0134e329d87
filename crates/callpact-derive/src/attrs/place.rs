//! The places of our attributes, and what to say about a word that a place does not have.

use super::{
    errors::meant,
    receivers::{ContainerAttrs, FieldAttrs, OutputAttrs, OutputFieldAttrs, Receiver},
};

/// The place of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Container,
    Field,
    Variant,
    Output,
    OutputField,
    Tool,
    Block,
    /// In the parentheses of another word, such as `range(…)`.
    Nested,
}

impl Place {
    /// The name of the attribute.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::Container => "tool_input",
            Self::Field | Self::Variant => "tool_param",
            Self::Output | Self::OutputField => "tool_output",
            Self::Tool => "tool",
            Self::Block => "tools",
            Self::Nested => "",
        }
    }

    /// An attribute that people confuse with the right one, and the message about it.
    pub(crate) fn confused(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Container => Some((
                "tool_param",
                "`tool_param` belongs on fields and variants: write `tool_input` here",
            )),
            Self::Field | Self::Variant => Some((
                "tool_input",
                "`tool_input` belongs on the struct or enum: write `tool_param` here",
            )),
            _ => None,
        }
    }

    /// The text to write instead of a bare literal.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Tool => "a word such as `read_only`; a description is `description = \"…\"`",
            Self::Block => "`crate = path`",
            Self::Output => "an attribute such as `display`",
            Self::Nested => "a name and a value, such as `min = 1`",
            _ => "an attribute such as `description = \"…\"`",
        }
    }

    /// The message about an unknown word.
    pub(crate) fn describe_unknown(self, word: &str, known: &[&str]) -> String {
        if let Some(advice) = self.belongs(word) {
            return advice;
        }
        match meant(word, known) {
            Some(known) => format!("unknown attribute `{word}`: did you mean `{known}`?"),
            None => format!(
                "unknown attribute `{word}`: known are `{}`",
                known.join("`, `")
            ),
        }
    }

    /// The message about a word that belongs to another place.
    fn belongs(self, word: &str) -> Option<String> {
        let on_a_field = FieldAttrs::WORDS.contains(&word);
        match self {
            Self::Variant if on_a_field => {
                Some(format!("`{word}` belongs on a field, not on a variant"))
            }
            Self::Container if on_a_field => Some(format!(
                "`{word}` belongs on a field: write it in `tool_param` there"
            )),
            Self::Field | Self::Variant if ContainerAttrs::WORDS.contains(&word) => Some(format!(
                "`{word}` belongs on the struct or enum: write it in `tool_input` there"
            )),
            Self::Output if OutputFieldAttrs::WORDS.contains(&word) => {
                Some(format!("`{word}` belongs on a field"))
            }
            Self::OutputField if OutputAttrs::WORDS.contains(&word) => {
                Some(format!("`{word}` belongs on the struct or enum"))
            }
            Self::Block => Some(format!(
                "`{word}` belongs on a method: `#[tools]` takes only `crate = path`"
            )),
            Self::Tool if word == "permission" => {
                Some("a permission stands alone: `read_only`, `write` or `destructive`".to_owned())
            }
            _ => None,
        }
    }
}
