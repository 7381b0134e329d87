//! A grammar in the syntax of an engine.

use std::fmt::Write;

use super::rule::{GrammarPart, GrammarRules};

/// The syntax of a grammar.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum GrammarSyntax {
    /// llama.cpp.
    Gbnf,
    /// llguidance.
    Lark,
}

/// The text of a grammar.
pub(super) fn write(grammar: &GrammarRules, syntax: GrammarSyntax) -> String {
    let mut out = String::new();
    for (index, (_, body)) in grammar.rules.iter().enumerate() {
        put_name(grammar, index, syntax, &mut out);
        out.push_str(if syntax == GrammarSyntax::Gbnf {
            " ::= "
        } else {
            ": "
        });
        put(grammar, body, syntax, false, &mut out);
        out.push('\n');
    }
    if syntax == GrammarSyntax::Lark {
        out.push_str("%ignore /[ \\t\\r\\n]{1,20}/\n");
    }
    out
}

/// Names are numbered, except that of the first rule, which engines know.
fn put_name(grammar: &GrammarRules, index: usize, syntax: GrammarSyntax, out: &mut String) {
    let (name, _) = &grammar.rules[index];
    let written = match (index, syntax) {
        (0, GrammarSyntax::Gbnf) => write!(out, "root"),
        (0, GrammarSyntax::Lark) => write!(out, "start"),
        (_, GrammarSyntax::Gbnf) => write!(out, "r{index}-{name}"),
        (_, GrammarSyntax::Lark) => write!(out, "r{index}_{}", name.replace('-', "_")),
    };
    written.unwrap_or_default();
}

/// A part; `inside` if it must hold together.
fn put(
    grammar: &GrammarRules,
    part: &GrammarPart,
    syntax: GrammarSyntax,
    inside: bool,
    out: &mut String,
) {
    match part {
        GrammarPart::Word(word) if syntax == GrammarSyntax::Lark => {
            out.push('/');
            put_expression(word, false, out);
            out.push('/');
        }
        GrammarPart::Word(word) => put(grammar, word, syntax, inside, out),
        GrammarPart::Text(text) => put_text(text, out),
        GrammarPart::Set(ranges) if syntax == GrammarSyntax::Lark => {
            out.push('/');
            put_set(ranges, GrammarSyntax::Lark, out);
            out.push('/');
        }
        GrammarPart::Set(ranges) => put_set(ranges, GrammarSyntax::Gbnf, out),
        GrammarPart::Sequence(parts) => put_list(grammar, parts, syntax, " ", inside, out),
        GrammarPart::Choice(parts) => put_list(grammar, parts, syntax, " | ", inside, out),
        GrammarPart::Repeat(part, min, max) => {
            put(grammar, part, syntax, true, out);
            put_count(*min, *max, out);
        }
        GrammarPart::Rule(rule) => put_name(grammar, *rule, syntax, out),
    }
}

fn put_list(
    grammar: &GrammarRules,
    parts: &[GrammarPart],
    syntax: GrammarSyntax,
    between: &str,
    inside: bool,
    out: &mut String,
) {
    let is_group = inside || parts.len() > 1 && between == " | ";
    out.push_str(if is_group { "(" } else { "" });
    let is_empty =
        |part: &&GrammarPart| matches!(part, GrammarPart::Sequence(parts) if parts.is_empty());
    for (index, part) in parts.iter().filter(|part| !is_empty(part)).enumerate() {
        out.push_str(if index > 0 { between } else { "" });
        put(grammar, part, syntax, false, out);
    }
    out.push_str(if is_group { ")" } else { "" });
}

fn put_count(min: u32, max: Option<u32>, out: &mut String) {
    let written = match (min, max) {
        (0, Some(1)) => write!(out, "?"),
        (0, None) => write!(out, "*"),
        (1, None) => write!(out, "+"),
        (min, None) => write!(out, "{{{min},}}"),
        (min, Some(max)) if min == max => write!(out, "{{{min}}}"),
        (min, Some(max)) => write!(out, "{{{min},{max}}}"),
    };
    written.unwrap_or_default();
}

/// A text between quotes, which both syntaxes escape alike.
fn put_text(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            sign => out.push(sign),
        }
    }
    out.push('"');
}

fn put_set(ranges: &[(char, char)], syntax: GrammarSyntax, out: &mut String) {
    out.push('[');
    for (low, high) in ranges {
        put_member(*low, syntax, out);
        if low != high {
            out.push('-');
            put_member(*high, syntax, out);
        }
    }
    out.push(']');
}

fn put_member(sign: char, syntax: GrammarSyntax, out: &mut String) {
    let code = sign as u32;
    let written = match sign {
        '0'..='9' | 'A'..='Z' | 'a'..='z' => write!(out, "{sign}"),
        _ if code < 0x80 => write!(out, "\\x{code:02x}"),
        _ if syntax == GrammarSyntax::Lark => write!(out, "\\u{{{code:x}}}"),
        _ if code < 0x10000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
    written.unwrap_or_default();
}

/// A part without rules as a regular expression between slashes.
fn put_expression(part: &GrammarPart, inside: bool, out: &mut String) {
    match part {
        GrammarPart::Text(text) => {
            let group = inside && text.chars().count() != 1;
            out.push_str(if group { "(?:" } else { "" });
            for sign in text.chars() {
                if sign.is_ascii_alphanumeric() || !sign.is_ascii() {
                    out.push(sign);
                } else {
                    put_member(sign, GrammarSyntax::Lark, out);
                }
            }
            out.push_str(if group { ")" } else { "" });
        }
        GrammarPart::Set(ranges) => put_set(ranges, GrammarSyntax::Lark, out),
        GrammarPart::Sequence(parts) | GrammarPart::Choice(parts) => {
            let is_choice = matches!(part, GrammarPart::Choice(_));
            let group = inside || is_choice && parts.len() > 1;
            out.push_str(if group { "(?:" } else { "" });
            for (index, part) in parts.iter().enumerate() {
                out.push_str(if is_choice && index > 0 { "|" } else { "" });
                put_expression(part, false, out);
            }
            out.push_str(if group { ")" } else { "" });
        }
        GrammarPart::Repeat(part, min, max) => {
            put_expression(part, true, out);
            put_count(*min, *max, out);
        }
        GrammarPart::Word(part) => put_expression(part, inside, out),
        // Words have no rules.
        GrammarPart::Rule(_) => {}
    }
}
