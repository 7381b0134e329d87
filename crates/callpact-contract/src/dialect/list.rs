//! The list of dialects.

use std::{fmt, str::FromStr};

use super::{anthropic, bedrock, gemini, local, mcp, mistral, openai, portable, profile::Profile};

macro_rules! dialects {
    ($($(#[$about:meta])* $dialect:ident => $profile:path,)*) => {
        /// The form of JSON Schema that a receiver takes.
        ///
        /// The reader decodes the output of a model under any dialect, so the dialect only matters for
        /// the request.
        ///
        /// ```
        /// use callpact::{Dialect, schema_json};
        ///
        /// const PORTABLE: &str = schema_json!(Vec<bool>, Dialect::Portable);
        /// assert_eq!(PORTABLE, r#"{"type":"array","items":{"type":"boolean"}}"#);
        /// assert_eq!("openai-strict".parse(), Ok(Dialect::OpenAiStrict));
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Dialect {
            $($(#[$about])* $dialect,)*
        }

        impl Dialect {
            /// Every dialect, in the order of their declaration.
            pub const ALL: [Self; [$(Self::$dialect),*].len()] = [$(Self::$dialect),*];

            /// The table of this dialect.
            #[doc(hidden)]
            #[must_use]
            pub const fn profile(self) -> &'static Profile {
                match self {
                    $(Self::$dialect => &$profile,)*
                }
            }
        }
    };
}

dialects! {
    /// What every provider takes: one `type` a node, no references, formats or titles.
    #[default]
    Portable => portable::PORTABLE,
    /// OpenAI Chat Completions.
    OpenAi => openai::OPENAI,
    /// OpenAI Chat Completions with `strict`.
    OpenAiStrict => openai::OPENAI_STRICT,
    /// OpenAI Responses.
    OpenAiResponses => openai::RESPONSES,
    /// OpenAI Responses with `strict`.
    OpenAiResponsesStrict => openai::RESPONSES_STRICT,
    /// OpenAI Chat Completions with `strict`, for a fine-tuned model.
    OpenAiFineTunedStrict => openai::FINE_TUNED_STRICT,
    /// OpenAI Responses with `strict`, for a fine-tuned model.
    OpenAiResponsesFineTunedStrict => openai::RESPONSES_FINE_TUNED_STRICT,
    /// Anthropic Messages.
    Anthropic => anthropic::ANTHROPIC,
    /// Anthropic Messages with `strict`.
    AnthropicStrict => anthropic::ANTHROPIC_STRICT,
    /// Gemini `parametersJsonSchema`.
    Gemini => gemini::GEMINI,
    /// Gemini `parameters`, the `OpenAPI` subset.
    GeminiOpenApi => gemini::GEMINI_OPENAPI,
    /// Bedrock Converse.
    Bedrock => bedrock::BEDROCK,
    /// Bedrock Converse with `strict`.
    BedrockStrict => bedrock::BEDROCK_STRICT,
    /// Mistral.
    Mistral => mistral::MISTRAL,
    /// Ollama, which drops every keyword it does not know.
    Ollama => local::OLLAMA,
    /// vLLM, where the schema can become a grammar.
    Vllm => local::VLLM,
    /// Servers that make grammars with llguidance, such as mistral.rs.
    Llguidance => local::LLGUIDANCE,
    /// The server of llama.cpp, where the schemas of all tools become one grammar.
    LlamaCpp => local::LLAMA_CPP,
    /// Model Context Protocol, revision 2025-11-25.
    Mcp20251125 => mcp::MCP_2025_11_25,
    /// Model Context Protocol, revision 2026-07-28: JSON Schema 2020-12, the whole contract.
    Mcp20260728 => mcp::MCP_2026_07_28,
}

impl Dialect {
    /// The name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.profile().name
    }

    /// Whether the provider enforces the schema on the model.
    ///
    /// ```
    /// use callpact::Dialect;
    ///
    /// assert!(Dialect::OpenAiStrict.is_strict());
    /// assert!(!Dialect::OpenAi.is_strict());
    /// ```
    #[must_use]
    pub const fn is_strict(self) -> bool {
        self.profile().strict.is_some()
    }

    /// The dialect of the same provider for a tool that this one cannot express: plain instead of strict.
    ///
    /// ```
    /// use callpact::Dialect;
    ///
    /// assert_eq!(Dialect::OpenAiStrict.fallback(), Some(Dialect::OpenAi));
    /// assert_eq!(Dialect::OpenAi.fallback(), None);
    /// ```
    #[must_use]
    pub fn fallback(self) -> Option<Self> {
        let name = self.profile().fallback?.name;
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
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
