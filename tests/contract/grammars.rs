//! Grammars from the tree, read by a matcher of the syntax of llama.cpp.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use callpact::{ToolInput, schema::ForeignSchema};
use serde_json::json;

/// A part of a grammar as it is read here.
enum ReadPart {
    Text(String),
    Set(Vec<(char, char)>),
    Rule(String),
    Ways(Vec<Vec<Self>>),
    Repeat(Box<Self>, usize, usize),
}

struct GbnfText<'a> {
    rules: HashMap<&'a str, ReadPart>,
}

impl<'a> GbnfText<'a> {
    fn read(grammar: &'a str) -> Self {
        let rule = |line: &'a str| {
            let (name, body) = line.split_once(" ::= ").expect("a rule");
            let mut rest = body;
            let part = ways(&mut rest);
            assert!(rest.is_empty(), "{rest}");
            (name, part)
        };
        Self {
            rules: grammar.lines().map(rule).collect(),
        }
    }

    fn takes(&self, text: &str) -> bool {
        let signs: Vec<char> = text.chars().collect();
        self.ends(&self.rules["root"], &signs, 0)
            .contains(&signs.len())
    }

    /// Where a part that begins at a place can end.
    fn ends(&self, part: &ReadPart, signs: &[char], at: usize) -> BTreeSet<usize> {
        match part {
            ReadPart::Text(text) => {
                let text: Vec<char> = text.chars().collect();
                let fits = signs[at..].starts_with(&text);
                fits.then_some(at + text.len()).into_iter().collect()
            }
            ReadPart::Set(ranges) => {
                let fits = |sign: &char| {
                    ranges
                        .iter()
                        .any(|(low, high)| (low..=high).contains(&sign))
                };
                let fits = signs.get(at).is_some_and(fits);
                fits.then_some(at + 1).into_iter().collect()
            }
            ReadPart::Rule(name) => self.ends(&self.rules[name.as_str()], signs, at),
            ReadPart::Ways(ways) => {
                let way = |parts: &Vec<ReadPart>| {
                    let start = BTreeSet::from([at]);
                    parts
                        .iter()
                        .fold(start, |from, part| self.all(part, signs, &from))
                };
                ways.iter().flat_map(way).collect()
            }
            ReadPart::Repeat(part, least, most) => {
                let mut ends = BTreeSet::from([at]);
                let mut found = BTreeSet::new();
                for count in 0..=*most {
                    if count >= *least {
                        let known = found.len();
                        found.extend(&ends);
                        if found.len() == known {
                            break;
                        }
                    }
                    ends = self.all(part, signs, &ends);
                }
                found
            }
        }
    }

    fn all(&self, part: &ReadPart, signs: &[char], from: &BTreeSet<usize>) -> BTreeSet<usize> {
        from.iter()
            .flat_map(|at| self.ends(part, signs, *at))
            .collect()
    }
}

fn ways(rest: &mut &str) -> ReadPart {
    let mut all = vec![Vec::new()];
    loop {
        *rest = rest.trim_start_matches(' ');
        if let Some(behind) = rest.strip_prefix('|') {
            *rest = behind;
            all.push(Vec::new());
        } else if rest.is_empty() || rest.starts_with(')') {
            return ReadPart::Ways(all);
        } else {
            let part = counted(rest);
            all.last_mut().expect("a way").push(part);
        }
    }
}

fn counted(rest: &mut &str) -> ReadPart {
    let part = single(rest);
    let mut signs = rest.chars();
    let (least, most) = match signs.next() {
        Some('?') => (0, 1),
        Some('*') => (0, usize::MAX),
        Some('+') => (1, usize::MAX),
        Some('{') => {
            let (count, behind) = signs.as_str().split_once('}').expect("a count");
            *rest = behind;
            let (least, most) = count.split_once(',').unwrap_or((count, count));
            let most = most.parse().unwrap_or(usize::MAX);
            return ReadPart::Repeat(Box::new(part), least.parse().expect("digits"), most);
        }
        _ => return part,
    };
    *rest = signs.as_str();
    ReadPart::Repeat(Box::new(part), least, most)
}

fn single(rest: &mut &str) -> ReadPart {
    match rest.chars().next() {
        Some('(') => {
            *rest = &rest[1..];
            let inside = ways(rest);
            *rest = rest.strip_prefix(')').expect("an end of a group");
            inside
        }
        Some('"') => {
            *rest = &rest[1..];
            let mut text = String::new();
            while !rest.starts_with('"') {
                text.push(sign(rest));
            }
            *rest = &rest[1..];
            ReadPart::Text(text)
        }
        Some('[') => {
            *rest = &rest[1..];
            let mut ranges = Vec::new();
            while !rest.starts_with(']') {
                let low = sign(rest);
                let mut high = low;
                if let Some(behind) = rest.strip_prefix('-') {
                    *rest = behind;
                    high = sign(rest);
                }
                ranges.push((low, high));
            }
            *rest = &rest[1..];
            ReadPart::Set(ranges)
        }
        _ => {
            let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
            let end = rest.find(|sign| !is_name(sign)).unwrap_or(rest.len());
            assert!(end > 0, "{rest}");
            let (name, behind) = rest.split_at(end);
            *rest = behind;
            ReadPart::Rule(name.to_owned())
        }
    }
}

/// One character, which may be an escape.
fn sign(rest: &mut &str) -> char {
    let mut signs = rest.chars();
    let first = signs.next().expect("a character");
    *rest = signs.as_str();
    if first != '\\' {
        return first;
    }
    let letter = signs.next().expect("an escape");
    *rest = signs.as_str();
    let digits = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        'n' => return '\n',
        'r' => return '\r',
        't' => return '\t',
        sign => return sign,
    };
    let (code, behind) = rest.split_at(digits);
    *rest = behind;
    u32::from_str_radix(code, 16)
        .ok()
        .and_then(char::from_u32)
        .expect("a character")
}

fn grammar_of(properties: serde_json::Value) -> String {
    let schema = ForeignSchema::from_value(properties).expect("a schema");
    schema.tree().to_gbnf()
}

#[track_caller]
fn takes(grammar: &str, taken: &[&str], refused: &[&str]) {
    let grammar = GbnfText::read(grammar);
    for text in taken {
        assert!(grammar.takes(text), "not taken: {text}");
    }
    for text in refused {
        assert!(!grammar.takes(text), "taken: {text}");
    }
}

#[test]
fn grammar_of_map_takes_empty_key_once() {
    let grammar = <BTreeMap<String, bool> as ToolInput>::SCHEMA.to_gbnf();
    let taken = [
        "{}",
        r#"{"":true}"#,
        r#"{"a":true}"#,
        r#"{"":true,"a":true}"#,
        r#"{"a":true,"":false}"#,
        r#"{"a":true,"b":true,"":false,"c":true,"d\u00e9\"\n":true}"#,
    ];
    let refused = [
        r#"{"":true,"":true}"#,
        r#"{"a":true,"":true,"":true}"#,
        r#"{"":true,"a":true,"b":true,"":true}"#,
        r#"{"a":true,}"#,
        r#"{,"a":true}"#,
    ];
    takes(&grammar, &taken, &refused);
}

#[test]
fn grammar_of_open_object_repeats_no_declared_key() {
    let grammar = grammar_of(json!({
        "type": "object",
        "properties": {"id": {"type": "boolean"}, "a/b": {"type": "boolean"}, "ideé": {"type": "boolean"}},
        "required": ["id"],
        "additionalProperties": {"type": "boolean"},
    }));
    let taken = [
        r#"{"id":true}"#,
        r#"{"id":true,"a/b":true,"ideé":true}"#,
        r#"{"id":true,"i":true,"ids":true,"ide":true,"ID":true,"a":true,"a/":true,"a/bc":true,"x":true}"#,
        r#"{"id":true,"":true,"\n":true,"\"":true,"\\":true,"\u0007":true,"\u00e9":true,"\uD7ff":true,"é":true}"#,
        r#"{"id":true,"ideé":true,"ideée":true,"ideê":true,"xid":true}"#,
    ];
    let refused = [
        r#"{"id":true,"id":true}"#,
        r#"{"id":true,"\u0069d":true}"#,
        r#"{"id":true,"i\u0064":true}"#,
        r#"{"id":true,"x":true,"a/b":true}"#,
        r#"{"id":true,"x":true,"a\/b":true}"#,
        r#"{"id":true,"x":true,"ideé":true}"#,
        r#"{"id":true,"":true,"x":true,"":true}"#,
    ];
    takes(&grammar, &taken, &refused);
}

#[test]
fn grammar_of_optional_keys_begins_with_any() {
    let grammar = grammar_of(json!({
        "type": "object",
        "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}},
        "additionalProperties": {"type": "boolean"},
    }));
    let taken = [
        "{}",
        r#"{"a":true}"#,
        r#"{"b":true}"#,
        r#"{"x":true}"#,
        r#"{"":true}"#,
        r#"{"a":true,"b":true,"x":true,"":true,"y":true}"#,
        r#"{"b":true,"":true}"#,
    ];
    takes(
        &grammar,
        &taken,
        &[r#"{"x":true,"a":true}"#, r#"{"a":true,"a":true}"#],
    );
}

#[test]
fn grammar_of_set_takes_empty_text_once() {
    let grammar = <BTreeSet<String> as ToolInput>::SCHEMA.to_gbnf();
    takes(
        &grammar,
        &["[]", r#"[""]"#, r#"["a",""]"#, r#"["","a","b"]"#],
        &[r#"["",""]"#, r#"["a","","b",""]"#],
    );
    let some = grammar_of(json!({
        "type": "object",
        "properties": {"v": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}},
        "required": ["v"],
    }));
    takes(
        &some,
        &[r#"{"v":[""]}"#, r#"{"v":["a"]}"#],
        &[r#"{"v":[]}"#, r#"{"v":["",""]}"#],
    );
    // A count that the grammar keeps goes before.
    let counted = grammar_of(json!({
        "type": "object",
        "properties": {"v": {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": true}},
        "required": ["v"],
    }));
    takes(&counted, &[r#"{"v":["","a"]}"#], &[r#"{"v":["a"]}"#]);
}
