//! The places of our attributes.

/// The place of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributePlace {
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

impl AttributePlace {
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
}
