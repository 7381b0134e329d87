//! What each provider takes, as data.

use std::{fmt, str::FromStr};

/// The form of JSON Schema that a receiver takes.
///
/// The reader decodes what any of them can make a model send, so the dialect is a choice of the
/// request alone.
///
/// ```
/// use toolwright::{Dialect, schema_json};
///
/// const PORTABLE: &str = schema_json!(Vec<bool>, Dialect::Portable);
/// assert_eq!(PORTABLE, r#"{"type":"array","items":{"type":"boolean"}}"#);
/// assert_eq!("openai-strict".parse(), Ok(Dialect::OpenAiStrict));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// What every provider takes: one `type` a node, no references, formats or titles.
    #[default]
    Portable,
    /// OpenAI Chat Completions.
    OpenAi,
    /// OpenAI Chat Completions with `strict`.
    OpenAiStrict,
    /// OpenAI Responses.
    OpenAiResponses,
    /// OpenAI Responses with `strict`.
    OpenAiResponsesStrict,
    /// Anthropic Messages.
    Anthropic,
    /// Anthropic Messages with `strict`.
    AnthropicStrict,
    /// Gemini `parametersJsonSchema`.
    Gemini,
    /// Gemini `parameters`, the `OpenAPI` subset.
    GeminiOpenApi,
    /// Bedrock Converse.
    Bedrock,
    /// Bedrock Converse with `strict`.
    BedrockStrict,
    /// Mistral.
    Mistral,
    /// Ollama, which drops every keyword it does not know.
    Ollama,
    /// vLLM, where the schema can become a grammar.
    Vllm,
    /// Model Context Protocol, revision 2025-11-25.
    Mcp20251125,
    /// Model Context Protocol, revision 2026-07-28: JSON Schema 2020-12, the whole contract.
    Mcp20260728,
}

/// How a receiver writes a value that may be null.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    /// `anyOf` with `{"type":"null"}`.
    AnyOf,
    /// `"type": ["integer", "null"]`.
    TypeArray,
    /// `"nullable": true`.
    Keyword,
}

/// How a receiver takes an object with free keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    /// `additionalProperties` with a schema.
    Keyword,
    /// An array of objects with `key` and `value`.
    Pairs,
    /// `{"type":"object"}` and a sentence.
    Words,
}

/// What a dialect can say; the rest goes into the description.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(super) struct Profile {
    pub(super) keywords: u32,
    pub(super) null: Null,
    pub(super) maps: Maps,
    /// Every object is closed.
    pub(super) closed: bool,
    /// Every field is in `required`; an optional one may be null.
    pub(super) all_required: bool,
    /// Type names in capitals.
    pub(super) capitals: bool,
    /// `anyOf` may stand at the root.
    pub(super) root_union: bool,
}

/// The keywords that some receivers refuse.
pub(super) mod keyword {
    pub(in super::super) const BOUNDS: u32 = 1;
    pub(in super::super) const EXCLUSIVE: u32 = 1 << 1;
    pub(in super::super) const MULTIPLE: u32 = 1 << 2;
    pub(in super::super) const LENGTH: u32 = 1 << 3;
    pub(in super::super) const PATTERN: u32 = 1 << 4;
    pub(in super::super) const MIN_ITEMS: u32 = 1 << 5;
    pub(in super::super) const MAX_ITEMS: u32 = 1 << 6;
    pub(in super::super) const UNIQUE: u32 = 1 << 7;
    pub(in super::super) const DEFAULT: u32 = 1 << 8;
    pub(in super::super) const EXAMPLES: u32 = 1 << 9;
    /// `additionalProperties: false` where the author closed the object.
    pub(in super::super) const CLOSED: u32 = 1 << 10;
    pub(in super::super) const PREFIX_ITEMS: u32 = 1 << 11;
    pub(in super::super) const NUMERIC_ENUM: u32 = 1 << 12;

    pub(super) const ITEMS: u32 = MIN_ITEMS | MAX_ITEMS;
    pub(super) const VALIDATION: u32 =
        BOUNDS | EXCLUSIVE | MULTIPLE | LENGTH | PATTERN | ITEMS | UNIQUE | CLOSED | NUMERIC_ENUM;
    pub(super) const ALL: u32 = VALIDATION | DEFAULT | EXAMPLES | PREFIX_ITEMS;
}

use keyword::{
    ALL, BOUNDS, CLOSED, DEFAULT, ITEMS, LENGTH, NUMERIC_ENUM, PATTERN, UNIQUE, VALIDATION,
};

impl Dialect {
    /// Every dialect, in the order of their declaration.
    pub const ALL: [Self; 16] = [
        Self::Portable,
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::OpenAiResponses,
        Self::OpenAiResponsesStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::Gemini,
        Self::GeminiOpenApi,
        Self::Bedrock,
        Self::BedrockStrict,
        Self::Mistral,
        Self::Ollama,
        Self::Vllm,
        Self::Mcp20251125,
        Self::Mcp20260728,
    ];

    /// The name as it is written on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenAiResponsesStrict => "openai-responses-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::GeminiOpenApi => "gemini-openapi",
            Self::Bedrock => "bedrock",
            Self::BedrockStrict => "bedrock-strict",
            Self::Mistral => "mistral",
            Self::Ollama => "ollama",
            Self::Vllm => "vllm",
            Self::Mcp20251125 => "mcp-2025-11-25",
            Self::Mcp20260728 => "mcp-2026-07-28",
        }
    }

    pub(super) const fn profile(self) -> Profile {
        const PLAIN: Profile = Profile {
            keywords: VALIDATION,
            null: Null::AnyOf,
            maps: Maps::Keyword,
            closed: false,
            all_required: false,
            capitals: false,
            root_union: false,
        };
        const WITH_DEFAULT: Profile = Profile {
            keywords: VALIDATION | DEFAULT,
            ..PLAIN
        };
        const STRICT: Profile = Profile {
            maps: Maps::Pairs,
            closed: true,
            null: Null::TypeArray,
            ..PLAIN
        };
        match self {
            Self::Portable => PLAIN,
            Self::OpenAi
            | Self::OpenAiResponses
            | Self::Anthropic
            | Self::Bedrock
            | Self::Mistral => WITH_DEFAULT,
            Self::OpenAiStrict | Self::OpenAiResponsesStrict => Profile {
                keywords: VALIDATION & !(LENGTH | UNIQUE),
                all_required: true,
                ..STRICT
            },
            Self::AnthropicStrict => Profile {
                keywords: PATTERN | CLOSED | NUMERIC_ENUM | DEFAULT,
                ..STRICT
            },
            Self::BedrockStrict => Profile {
                keywords: LENGTH | CLOSED | NUMERIC_ENUM,
                ..STRICT
            },
            Self::Gemini => Profile {
                keywords: BOUNDS | ITEMS | CLOSED | NUMERIC_ENUM,
                ..PLAIN
            },
            Self::GeminiOpenApi => Profile {
                keywords: BOUNDS | ITEMS | LENGTH | PATTERN,
                null: Null::Keyword,
                maps: Maps::Pairs,
                capitals: true,
                ..PLAIN
            },
            Self::Ollama => Profile {
                keywords: NUMERIC_ENUM,
                maps: Maps::Words,
                ..PLAIN
            },
            Self::Vllm => Profile {
                keywords: BOUNDS
                    | keyword::EXCLUSIVE
                    | LENGTH
                    | PATTERN
                    | ITEMS
                    | CLOSED
                    | NUMERIC_ENUM
                    | DEFAULT,
                ..PLAIN
            },
            Self::Mcp20251125 | Self::Mcp20260728 => Profile {
                keywords: ALL,
                root_union: true,
                ..PLAIN
            },
        }
    }
}

impl Profile {
    /// Whether a field that may be left out is shown as nullable too.
    pub(super) const fn nullable_optionals(&self) -> bool {
        self.all_required || matches!(self.null, Null::Keyword)
    }

    pub(super) const fn has(&self, keyword: u32) -> bool {
        self.keywords & keyword != 0
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of parsing a [`Dialect`]: it lists the names that exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown dialect `{}`; known are ", self.0)?;
        for (i, dialect) in Dialect::ALL.iter().enumerate() {
            write!(f, "{}{dialect}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or_else(|| UnknownDialect(name.chars().take(64).collect()))
    }
}
