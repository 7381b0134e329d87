//! The table of a dialect, for the writer, the lint, the planner and the adapter.

use serde::Serialize;

use super::keyword;
use crate::{schema::Format, text::same};

/// What one provider takes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // a row in a table
#[non_exhaustive]
pub struct Profile {
    /// The name on a command line.
    pub name: &'static str,

    // How a schema is written.
    /// The [keywords](super::keyword) that the provider keeps; other rules go into the description.
    pub(crate) keywords: u32,
    /// The regular expressions that the provider keeps.
    pub(crate) patterns: PatternSupport,
    /// The formats that are written.
    pub(crate) written_formats: WrittenFormats,
    /// A format that is not written as such is a pattern, if it has one.
    pub(crate) format_patterns: bool,
    /// How far from zero the bound of a whole number in a keyword may be.
    pub(crate) farthest: i128,
    /// A bound that is too far is written as the farthest one, besides its words: without a bound on each side, the
    /// compiler limits the digits much more.
    pub(crate) clamps: bool,
    /// A number without bounds has the farthest ones: its compiler writes no exponent beside a bound, and any
    /// exponent without one.
    pub(crate) bounds_all: bool,
    /// The largest length of a text in a keyword.
    pub(crate) longest_text: u64,
    /// The largest count of items in a keyword.
    pub(crate) most_items: u64,
    /// How a nullable value is written.
    pub(crate) null: NullForm,
    /// Schemas that contain themselves are definitions; in words, they end at the first level.
    pub(crate) references: bool,
    /// A reference to the root is `#`; otherwise the root is a definition, too.
    pub(crate) root_reference: bool,
    /// How an object with free keys is written.
    pub(crate) maps: MapForm,
    /// Every object is closed.
    pub(crate) closed: bool,
    /// An object that declares keys is closed, unless it keeps other keys.
    pub(crate) closes_declared: bool,
    /// Required keys are written before optional ones, since compilers of grammars agree on no other order.
    pub(crate) required_first: bool,
    /// Every field is in `required`; an optional one may be null.
    pub(crate) all_required: bool,
    /// Names of types are in capitals.
    pub(crate) capitals: bool,
    /// `anyOf` may stand at the root.
    pub(crate) root_union: bool,
    /// How an object without fields is written.
    pub(crate) empty: EmptyObjects,

    // The tools of a request, the calls of a response, the replies.
    /// How a tool is written.
    pub spec: SpecForm,
    /// How a call is written.
    pub call: CallForm,
    /// Whether a tool may take free text in place of arguments.
    pub custom_tools: bool,
    /// How a reply is written.
    pub reply: ReplyForm,
    /// The differences if the provider enforces the schema on the model; `None` in plain dialects.
    pub strict: Option<Strict>,
    /// The dialect for a tool that this one cannot express.
    pub fallback: Option<&'static Self>,

    // For lint.
    /// Keywords that reject the request, in groups.
    pub(crate) refused: &'static [&'static str],
    /// Keywords that are silently dropped, in groups.
    pub(crate) dropped: &'static [&'static str],
    /// A node that takes any value is refused; this text says why.
    pub(crate) refuses_any: Option<&'static str>,
    /// A node with `$ref` has no other keywords.
    pub(crate) lone_references: bool,
    /// Only strings may stand in an enum.
    pub(crate) string_enums: bool,
    /// A node has one type, not a list of types.
    pub(crate) single_types: bool,
    /// An array may leave `items` out.
    pub(crate) bare_arrays: bool,
    /// The largest `minItems`.
    pub(crate) most_min_items: u64,
    /// The only values of `format`; `None` if any is taken.
    pub(crate) formats: Option<&'static [&'static str]>,
    /// The limits of some deployments; exceeding one is a warning.
    pub(crate) advised: SchemaLimits,
    /// The limits of the provider; exceeding one is an error.
    pub(crate) limits: SchemaLimits,
    /// The names of tools.
    pub(crate) tool_name: NameRule,
    /// The names of parameters.
    pub(crate) parameter_name: NameRule,
}

/// Grammar compilers read a bound as a float, and refuse one near the ends of 64 bits.
pub(crate) const FLOAT_EXACT: i128 = 1 << 53;

impl Profile {
    /// Takes every rule, requires nothing, and has the form of OpenAI's chat completions.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        keywords: keyword::VALIDATION,
        patterns: PatternSupport::All,
        written_formats: WrittenFormats::None,
        format_patterns: false,
        farthest: i128::MAX,
        clamps: false,
        bounds_all: false,
        longest_text: u64::MAX,
        most_items: u64::MAX,
        null: NullForm::AnyOf,
        references: false,
        root_reference: true,
        maps: MapForm::Keyword,
        closed: false,
        closes_declared: false,
        required_first: false,
        all_required: false,
        capitals: false,
        root_union: false,
        empty: EmptyObjects::Properties,
        spec: SpecForm::Chat,
        call: CallForm::Chat,
        custom_tools: false,
        reply: ReplyForm::Chat { named: false },
        strict: None,
        fallback: None,
        refused: &[],
        dropped: &[],
        refuses_any: None,
        lone_references: false,
        string_enums: false,
        single_types: false,
        bare_arrays: false,
        most_min_items: u64::MAX,
        formats: None,
        advised: SchemaLimits::NONE,
        limits: SchemaLimits::NONE,
        tool_name: NameRule::TOOL,
        parameter_name: NameRule::PARAMETER,
    };

    /// The common part of all strict modes.
    pub(crate) const STRICT: Self = Self {
        maps: MapForm::Pairs,
        closed: true,
        required_first: true,
        null: NullForm::TypeArray,
        refuses_any: Some("which strict mode cannot say"),
        strict: Some(Strict {
            flag: ",\"strict\":true",
            budget: StrictBudget::NONE,
        }),
        ..Self::PLAIN
    };

    /// Whether an optional field is also shown as nullable.
    pub(crate) const fn shows_optional_as_nullable(&self) -> bool {
        self.all_required || matches!(self.null, NullForm::Keyword)
    }

    /// Whether a format is written as a keyword.
    pub(crate) const fn keeps_format(&self, format: Format) -> bool {
        let name = format.name();
        match (self.written_formats, self.formats) {
            _ if name.is_empty() => false,
            (WrittenFormats::None, _) => false,
            (WrittenFormats::All, _) | (WrittenFormats::Taken, None) => true,
            (WrittenFormats::Taken, Some(mut formats)) => {
                while let [first, rest @ ..] = formats {
                    if same(first, name) {
                        return true;
                    }
                    formats = rest;
                }
                false
            }
        }
    }

    /// Whether a bound of a whole number is written as a keyword.
    pub(crate) const fn keeps_bound(&self, bound: i128) -> bool {
        self.has(keyword::BOUNDS) && !self.is_too_far(bound)
    }

    /// Whether the provider refuses a bound of a whole number.
    pub(crate) const fn is_too_far(&self, bound: i128) -> bool {
        bound < -self.farthest || bound > self.farthest
    }

    /// Whether a length of a text is written as a keyword.
    pub(crate) const fn keeps_length(&self, length: Option<u64>) -> bool {
        self.has(keyword::LENGTH) && fits(length, self.longest_text)
    }

    /// Whether a smallest number of items is written as a keyword.
    pub(crate) const fn keeps_min_items(&self, count: Option<u64>) -> bool {
        self.has(keyword::MIN_ITEMS) && fits(count, self.most_items)
    }

    /// Whether a largest number of items is written as a keyword.
    pub(crate) const fn keeps_max_items(&self, count: Option<u64>) -> bool {
        self.has(keyword::MAX_ITEMS) && fits(count, self.most_items)
    }

    /// Whether an object that takes any keys and declares none needs another dialect.
    pub(crate) const fn cannot_be_open(&self) -> bool {
        self.closed || matches!(self.empty, EmptyObjects::Refused)
    }

    pub(crate) const fn has(&self, keyword: u32) -> bool {
        self.keywords & keyword != 0
    }
}

const fn fits(count: Option<u64>, most: u64) -> bool {
    match count {
        Some(count) => count <= most,
        None => true,
    }
}

/// How a provider writes a nullable value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullForm {
    /// `anyOf` with `{"type":"null"}`.
    AnyOf,
    /// `"type": ["integer", "null"]`.
    TypeArray,
    /// `"nullable": true`.
    Keyword,
}

/// How an object with free keys is written for a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapForm {
    /// `additionalProperties` with a schema.
    Keyword,
    /// An array of objects with `key` and `value`.
    Pairs,
    /// `{"type":"object"}` and a sentence.
    Words,
}

/// How an object without fields is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmptyObjects {
    /// With empty `properties`.
    Properties,
    /// Without `properties`; empty ones are refused.
    Bare,
    /// Not possible: both forms are refused.
    Refused,
}

/// Which regular expressions a provider takes as `pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternSupport {
    /// All.
    All,
    /// All except those with assertions inside (lookaround, `\b`) or back references.
    WithoutAssertions,
    /// Those that describe the whole text, by characters that need no escape in JSON.
    ///
    /// Compilers of grammars read a pattern as the whole text, and some apply it to the text between the quotes as it
    /// is written, or allow no escape beside it.
    Whole,
    /// None.
    None,
}

/// Which formats of texts are written as a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenFormats {
    /// All that have a name.
    All,
    /// Those that the provider takes.
    Taken,
    /// None.
    None,
}

/// How a tool is written in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecForm {
    /// `{"name", "description", "parameters"}`.
    Bare,
    /// OpenAI chat completions: `{"type": "function", "function": {…}}`.
    Chat,
    /// OpenAI responses: `{"type": "function", "name", …}`, which needs `strict` written out.
    Responses,
    /// Anthropic messages: `{"name", "description", "input_schema"}`.
    Messages,
    /// Gemini: declarations in a group, with the schema under this key.
    Declarations {
        /// The key of the schema.
        schema: &'static str,
        /// A tool without parameters has no schema.
        leaves_out_empty: bool,
    },
    /// Bedrock Converse: `{"toolSpec": {…}}`.
    Converse,
    /// Model Context Protocol, with annotations and the schema of the output.
    Mcp,
}

/// The place and the form of the calls in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// OpenAI chat completions, and everything that imitates them.
    Chat,
    /// OpenAI responses.
    Responses,
    /// Anthropic messages.
    Messages,
    /// Gemini.
    Gemini,
    /// Bedrock Converse.
    Converse,
    /// A `tools/call` request.
    Mcp,
}

/// How the reply to a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// A message of the role `tool`.
    Chat {
        /// The message also has the name of the tool.
        named: bool,
    },
    /// A message of the role `tool` with the name of the tool in place of an id.
    Ollama,
    /// An input item for OpenAI responses.
    Responses,
    /// A content block for Anthropic.
    Messages,
    /// A part for Gemini.
    Gemini {
        /// Pictures may stand beside the text.
        pictures: bool,
    },
    /// A content block for Bedrock.
    Converse,
    /// The result of `tools/call`.
    Mcp {
        /// Structured content may be any value, and the result names its type.
        any_structured: bool,
    },
}

/// How a request asks the provider to enforce the schema on the model.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Strict {
    /// The flag in a tool of the request.
    pub flag: &'static str,
    /// The limits of one request.
    pub budget: StrictBudget,
}

/// The limits of one request in strict mode, for all strict tools together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StrictBudget {
    /// Strict tools.
    pub tools: usize,
    /// Parameters that may be left out, at every depth.
    pub optional: usize,
    /// Parameters of more than one type.
    pub unions: usize,
    /// Properties, at every depth.
    pub properties: usize,
    /// Levels of nesting of one tool.
    pub depth: usize,
}

impl StrictBudget {
    /// No limit.
    pub(crate) const NONE: Self = Self {
        tools: usize::MAX,
        optional: usize::MAX,
        unions: usize::MAX,
        properties: usize::MAX,
        depth: usize::MAX,
    };
}

/// How large one schema may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemaLimits {
    pub(crate) properties: usize,
    pub(crate) depth: usize,
    pub(crate) enum_values: usize,
    /// Characters of the names of properties and the values of enums.
    pub(crate) names: usize,
    /// Characters in the values of one enum with more than [`LONG_ENUM`] values.
    pub(crate) long_enum: usize,
}

/// Above this number of values, the characters of an enum are limited.
pub(crate) const LONG_ENUM: usize = 250;

impl SchemaLimits {
    pub(crate) const NONE: Self = Self {
        properties: usize::MAX,
        depth: usize::MAX,
        enum_values: usize::MAX,
        names: usize::MAX,
        long_enum: usize::MAX,
    };
}

/// The names that a provider takes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NameRule {
    /// The longest name.
    pub(crate) longest: usize,
    /// The characters allowed besides letters and digits.
    pub(crate) also: &'static [u8],
    /// The first character is a letter or `_`.
    pub(crate) begins_as_word: bool,
    /// All names are taken.
    pub(crate) any: bool,
    /// The fault of any other name, in words.
    pub(crate) fault: &'static str,
}

impl NameRule {
    /// The names of tools that every provider except Gemini takes.
    pub const TOOL: Self = Self {
        longest: 64,
        also: b"_-",
        begins_as_word: false,
        any: false,
        fault: "the name is not 1 to 64 letters, digits, `_` and `-`",
    };
    /// The names of parameters that every provider except Gemini takes.
    pub(crate) const PARAMETER: Self = Self {
        longest: 64,
        also: b"_.-",
        begins_as_word: false,
        any: false,
        fault: "the name is not 1 to 64 letters, digits, `_`, `.` and `-`",
    };
    /// Any name at all.
    pub(crate) const ANY: Self = Self {
        longest: usize::MAX,
        also: b"",
        begins_as_word: false,
        any: true,
        fault: "",
    };

    /// Whether the provider takes a name.
    pub const fn takes(&self, name: &str) -> bool {
        if self.any {
            return true;
        }
        let name = name.as_bytes();
        if name.is_empty() || name.len() > self.longest {
            return false;
        }
        let mut i = 0;
        while i < name.len() {
            let byte = name[i];
            let begins =
                i > 0 || !self.begins_as_word || byte.is_ascii_alphabetic() || byte == b'_';
            if !begins || !(byte.is_ascii_alphanumeric() || self.has(byte)) {
                return false;
            }
            i += 1;
        }
        true
    }

    const fn has(&self, byte: u8) -> bool {
        let mut i = 0;
        while i < self.also.len() {
            if self.also[i] == byte {
                return true;
            }
            i += 1;
        }
        false
    }
}
