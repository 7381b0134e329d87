//! Servers for local models.

use super::{
    keyword::{
        BOUNDS, CLOSED, CONTAINS, DEFAULT, EXCLUSIVE, FRACTION, ITEMS, KEY_NAMES, LENGTH, MULTIPLE,
        NUMERIC_ENUM, OTHER_KEYS, PREFIX_ITEMS, RANGES, UNIQUE, VALIDATION,
    },
    profile::{
        EmptyObjects, FLOAT_EXACT, MapForm, PatternSupport, Profile, ReplyForm, WrittenFormats,
    },
};

pub(super) const OLLAMA: Profile = Profile {
    name: "ollama",
    keywords: NUMERIC_ENUM,
    patterns: PatternSupport::None,
    maps: MapForm::Words,
    reply: ReplyForm::Ollama,
    dropped: &[
        RANGES,
        "minLength maxLength pattern format minItems maxItems uniqueItems prefixItems",
        "additionalProperties oneOf allOf $ref const default title",
    ],
    ..Profile::PLAIN
};

pub(super) const VLLM: Profile = Profile {
    name: "vllm",
    // Beside a length, one of its compilers allows no escape: neither a quote nor a line break.
    keywords: BOUNDS
        | EXCLUSIVE
        | MULTIPLE
        | ITEMS
        | PREFIX_ITEMS
        | CLOSED
        | NUMERIC_ENUM
        | DEFAULT,
    patterns: PatternSupport::Whole,
    references: true,
    // Its other formats of times take days that do not exist.
    written_formats: WrittenFormats::Taken,
    formats: Some(&[
        "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid",
    ]),
    format_patterns: true,
    farthest: FLOAT_EXACT,
    closes_declared: true,
    required_first: true,
    refused: &[CONTAINS, OTHER_KEYS, "uniqueItems"],
    ..Profile::PLAIN
};

/// Servers whose grammars are made by llguidance, which reads lengths, patterns of a part of a text and most formats.
pub(super) const LLGUIDANCE: Profile = Profile {
    name: "llguidance",
    keywords: VLLM.keywords | LENGTH,
    patterns: PatternSupport::WithoutAssertions,
    // It makes no grammar of ranges that end nearer to the ends of 64 bits.
    farthest: i64::MAX as i128 - 1_023,
    bounds_all: true,
    refused: &[
        CONTAINS,
        "uniqueItems propertyNames not if dependentRequired dependentSchemas",
    ],
    ..VLLM
};

/// The server of llama.cpp, which makes one grammar for all tools: a part that its converter cannot
/// express, or makes too large, fails the whole request.
pub(super) const LLAMA_CPP: Profile = Profile {
    name: "llama-cpp",
    // Its own converter skips `uniqueItems`, and its optional one refuses it.
    keywords: VALIDATION & !(UNIQUE | FRACTION | KEY_NAMES) | PREFIX_ITEMS | DEFAULT,
    // It reads bounds as 64 bits, and takes the last ones for none.
    farthest: i64::MAX as i128 - 1,
    clamps: true,
    // It takes any other one for any text, or writes texts that are no JSON.
    patterns: PatternSupport::Whole,
    references: true,
    // Its converter knows no `#`.
    root_reference: false,
    // It takes a fraction of three digits only, days that do not exist, and any text for other formats.
    format_patterns: true,
    closes_declared: true,
    required_first: true,
    // The grammar takes fewer than 2,000 repetitions, and fewer for items.
    longest_text: 1_999,
    most_items: 500,
    empty: EmptyObjects::Bare,
    refused: &["uniqueItems"],
    ..Profile::PLAIN
};

#[cfg(test)]
mod tests {
    use crate::{
        Dialect,
        dialect::{Severity, lint},
        schema::ForeignSchema,
    };

    const RULES: &str = r#"{"type":"object","properties":{
        "ids":{"type":"array","items":{"type":"integer"},"uniqueItems":true},
        "word":{"type":"string","pattern":"\\bfoo\\b"},
        "all":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},
        "small":{"type":"integer","minimum":-5,"maximum":5}}}"#;

    #[test]
    fn grammar_compiler_limits_become_words_and_lint_errors() {
        let schema = ForeignSchema::parse(RULES).expect("a schema");
        for dialect in [Dialect::OpenAiStrict, Dialect::Vllm, Dialect::LlamaCpp] {
            let written = schema.to_json(dialect);
            for refused in [
                "uniqueItems",
                "\"pattern\"",
                "-9223372036854775808,",
                "775807}",
            ] {
                assert!(!written.contains(refused), "{dialect}: {written}");
            }
            for said in [
                "no item twice",
                "foo",
                "minimum: -9223372036854775808; maximum: 9223372036854775807",
            ] {
                assert!(written.contains(said), "{dialect}: {said}: {written}");
            }
            assert!(
                written.contains(r#""minimum":-5,"maximum":5"#),
                "{dialect}: {written}"
            );
            let errors = |parameters: &str| {
                let found = lint("t", "Does it", parameters, dialect).into_iter();
                let found = found.filter(|lint| lint.severity == Severity::Error);
                found.map(|lint| lint.path).collect::<Vec<_>>()
            };
            assert_eq!(errors(&written), Vec::<String>::new(), "{dialect}");
            let by_hand = errors(RULES);
            for place in [
                "ids/uniqueItems",
                "word/pattern",
                "all/minimum",
                "all/maximum",
            ] {
                let path = format!("/properties/{place}");
                assert!(by_hand.contains(&path), "{dialect}: {path}: {by_hand:?}");
            }
        }
    }
}
