//! Grammars for engines that run a model: what they can write, the reader takes.

mod build;
mod digits;
mod keys;
mod rule;
mod words;
mod write;

use build::RuleBuilder;
use rule::{choice, text};
use write::{GrammarSyntax, write};

use crate::schema::Schema;

impl Schema {
    /// A grammar of the values in the syntax of llguidance.
    ///
    /// Required keys come first, both groups in the order of their declaration. A grammar says more than a JSON schema
    /// that a compiler reads: no compiler reads all keywords. It leaves out what no grammar can say: items that differ,
    /// steps that do not divide a thousand, look-around in patterns, lengths beside a pattern.
    ///
    /// ```
    /// use callpact::ToolInput;
    ///
    /// let grammar = <bool as ToolInput>::SCHEMA.to_lark();
    /// assert!(grammar.starts_with("start: "));
    /// ```
    #[must_use]
    pub fn to_lark(&self) -> String {
        one(self, GrammarSyntax::Lark)
    }

    /// A grammar of the values in the syntax of llama.cpp, like [`to_lark`](Self::to_lark).
    ///
    /// ```
    /// use callpact::ToolInput;
    ///
    /// let grammar = <u8 as ToolInput>::SCHEMA.to_gbnf();
    /// assert!(grammar.starts_with("root ::= "));
    /// ```
    #[must_use]
    pub fn to_gbnf(&self) -> String {
        one(self, GrammarSyntax::Gbnf)
    }
}

fn one(schema: &Schema, syntax: GrammarSyntax) -> String {
    let mut builder = RuleBuilder::new(syntax == GrammarSyntax::Gbnf);
    let root = builder.grammar.open("root");
    let value = builder.value("root", schema);
    builder.grammar.rules[root].1 = value;
    write(&builder.grammar, syntax)
}

/// A grammar of calls to a list of tools, in the syntax of llguidance: `{"name": …, "arguments": …}`.
pub fn lark_of_calls<'a>(tools: impl IntoIterator<Item = (&'a str, &'a Schema)>) -> String {
    calls(tools, GrammarSyntax::Lark)
}

/// A grammar of calls to a list of tools, in the syntax of llama.cpp: `{"name": …, "arguments": …}`.
pub fn gbnf_of_calls<'a>(tools: impl IntoIterator<Item = (&'a str, &'a Schema)>) -> String {
    calls(tools, GrammarSyntax::Gbnf)
}

fn calls<'a>(
    tools: impl IntoIterator<Item = (&'a str, &'a Schema)>,
    syntax: GrammarSyntax,
) -> String {
    let mut builder = RuleBuilder::new(syntax == GrammarSyntax::Gbnf);
    let root = builder.grammar.open("root");
    let space = builder.space();
    let mut ways = Vec::new();
    for (name, schema) in tools {
        let quoted = serde_json::to_string(name).unwrap_or_default();
        let arguments = builder.value(name, schema);
        let name_entry = builder.entry(text("\"name\""), text(&quoted));
        let arguments_entry = builder.entry(text("\"arguments\""), arguments);
        let parts = vec![
            name_entry,
            space.clone(),
            text(","),
            space.clone(),
            arguments_entry,
        ];
        let call = builder.between("{", parts, "}");
        ways.push(builder.grammar.add(name, call));
    }
    builder.grammar.rules[root].1 = choice(ways);
    write(&builder.grammar, syntax)
}
