//! Which word of clap means what for a tool.

use syn::Meta;

use super::ClapAttrs;
use crate::attrs::{place::AttributePlace, receivers::AttributeReceiver};

/// The use of a word.
pub(super) enum WordUse {
    /// As this word of ours.
    As(&'static str),
    /// It concerns only the command line: its help, its flags, its environment.
    Nowhere,
    /// A rule across parameters.
    Rule,
    Refused(&'static str),
}

/// The words that concern only the command line.
const OF_THE_LINE: &str = "add allow_hyphen_values allow_negative_numbers default_missing_value default_missing_value_os \
    default_missing_values default_missing_values_os display_order env global help_heading hide \
    hide_default_value hide_env hide_env_values hide_long_help hide_possible_values hide_short_help \
    id ignore_case index last next_line_help overrides_with overrides_with_all raw require_equals \
    short short_alias short_aliases subcommand trailing_var_arg value_delimiter value_enum \
    value_hint value_name value_names value_terminator verbatim_doc_comment visible_short_alias \
    visible_short_aliases";

/// The words of rules across parameters.
const RULES: &str = "conflicts_with conflicts_with_all default_value_if default_value_ifs exclusive group groups \
    required_if_eq required_if_eq_all required_if_eq_any required_unless_present \
    required_unless_present_all required_unless_present_any requires requires_if requires_ifs";

impl WordUse {
    pub(super) fn of(word: &str, attribute: &str, place: AttributePlace, item: &Meta) -> Self {
        let is_bare = matches!(item, Meta::Path(_));
        match (place, word) {
            // A group excludes its members from each other.
            _ if attribute == "group" => match word {
                "id" | "skip" => Self::Nowhere,
                _ => Self::Rule,
            },
            // Without a text, the doc comment or the manifest has it.
            (_, "help" | "long_help" | "about" | "long_about") if is_bare => Self::Nowhere,
            (_, "help" | "long_help" | "about" | "long_about") => Self::As("help"),
            (AttributePlace::Field, _) => Self::of_field(word),
            (AttributePlace::Variant, "name") => Self::As("name"),
            (
                AttributePlace::Variant,
                "alias" | "aliases" | "visible_alias" | "visible_aliases",
            ) => Self::As("alias"),
            (AttributePlace::Variant, "skip") => Self::As("skip"),
            (AttributePlace::Variant, "flatten" | "external_subcommand") => {
                Self::Refused("name every command in this enum")
            }
            (AttributePlace::Container, "rename_all") => Self::As("rename_all"),
            (AttributePlace::Container, "group" | "groups") => Self::Rule,
            _ => Self::Nowhere,
        }
    }

    fn of_field(word: &str) -> Self {
        if let Some(word) = ClapAttrs::WORDS.iter().find(|known| **known == word)
            && !["name", "help", "rename_all"].contains(word)
        {
            return Self::As(word);
        }
        match word {
            "aliases" | "visible_alias" | "visible_aliases" => Self::As("alias"),
            "from_global" => Self::Refused(
                "the value belongs to another command: add it to the parameters of this one",
            ),
            word if word.starts_with("default_value") && word.contains("_os") => {
                Self::Refused("write a text, `default_value = \"…\"`")
            }
            word if lists(RULES, word) => Self::Rule,
            word if lists(OF_THE_LINE, word) => Self::Nowhere,
            _ => Self::Refused("write in `#[tool_param(…)]` what it means for a tool"),
        }
    }
}

/// Whether a word is among those of a list.
fn lists(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}
