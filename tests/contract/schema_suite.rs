//! The test suite of JSON Schema: each verdict of ours is its verdict, or the schema is refused by the name of a
//! keyword.

use std::{collections::BTreeMap, fs, path::Path};

use callpact::{
    Dialect, Policy, Report,
    input::read_foreign,
    schema::{ForeignSchema, SchemaFaults},
};
use expect_test::expect;
use serde_json::{Value, json};

/// A draft with its file, its address, its keyword for the address of a schema.
struct Draft {
    name: &'static str,
    uri: &'static str,
    id: &'static str,
    /// Keywords beside `$ref` do not count.
    has_lone_references: bool,
}

const DRAFTS: [Draft; 5] = [
    Draft {
        name: "draft4",
        uri: "http://json-schema.org/draft-04/schema#",
        id: "id",
        has_lone_references: true,
    },
    Draft {
        name: "draft6",
        uri: "http://json-schema.org/draft-06/schema#",
        id: "$id",
        has_lone_references: true,
    },
    Draft {
        name: "draft7",
        uri: "http://json-schema.org/draft-07/schema#",
        id: "$id",
        has_lone_references: true,
    },
    Draft {
        name: "draft2019-09",
        uri: "https://json-schema.org/draft/2019-09/schema",
        id: "$id",
        has_lone_references: false,
    },
    Draft {
        name: "draft2020-12",
        uri: "https://json-schema.org/draft/2020-12/schema",
        id: "$id",
        has_lone_references: false,
    },
];

/// A schema of the suite in place of a parameter, since the arguments of a tool are an object.
fn as_parameter(schema: &Value, draft: &Draft) -> Value {
    let mut schema = schema.clone();
    let mut uri = Value::from(draft.uri);
    let is_lone = draft.has_lone_references && schema["$ref"].is_string();
    if let Value::Object(map) = &mut schema {
        uri = map.get("$schema").cloned().unwrap_or(uri);
        if is_lone {
            move_references(&mut schema, draft.id);
        } else {
            let own = map.entry(draft.id);
            own.or_insert_with(|| json!("http://suite.test/root"));
        }
    }
    json!({"$schema": uri, "type": "object", "properties": {"v": schema}, "required": ["v"]})
}

/// Lets references from the root lead to the parameter.
fn move_references(schema: &mut Value, id: &str) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| move_references(item, id)),
        Value::Object(map) => {
            if map.contains_key(id) && !map.contains_key("$ref") {
                return;
            }
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("enum" | "const", _) => {}
                    ("$ref", Value::String(text)) => {
                        if let Some(rest) = text
                            .strip_prefix('#')
                            .filter(|rest| !rest.starts_with(char::is_alphabetic))
                        {
                            *text = format!("#/properties/v{rest}");
                        }
                    }
                    (_, value) => move_references(value, id),
                }
            }
        }
        _ => {}
    }
}

/// The verdicts on all cases of a draft.
#[derive(Default)]
struct Verdicts {
    agree: usize,
    /// The keywords by which schemas are refused, with the number of their cases.
    refused: BTreeMap<String, usize>,
    /// The cases with another verdict that is said, by what says it.
    said: BTreeMap<String, usize>,
    /// The other cases with another verdict, by their file.
    differ: BTreeMap<String, usize>,
}

fn keywords(faults: &SchemaFaults) -> String {
    let mut words: Vec<&str> = faults.faults.iter().map(|fault| &*fault.keyword).collect();
    words.sort_unstable();
    words.dedup();
    words.join(", ")
}

/// What says that a value is taken or refused unlike the suite has it; `None` for a silent difference.
fn said_by(read: &ForeignSchema, refusal: Option<&Report>) -> Option<String> {
    if let Some(report) = refusal {
        let is_far = report.to_string().contains("64 bits");
        return is_far.then(|| "refused, as the reply says: beyond 64 bits".to_owned());
    }
    let unsaid = read.unsaid(Dialect::OpenAi)?;
    let mut faults = unsaid.faults.iter();
    let fault = faults.find(|fault| fault.message.starts_with("the reader does not check it"))?;
    Some(format!("taken, as lint says of {}", fault.keyword))
}

/// Puts the cases of a draft to the reader.
fn judge(draft: &Draft) -> Verdicts {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/json-schema-test-suite");
    let lines = fs::read_to_string(folder.join(format!("{}.jsonl", draft.name))).unwrap();
    let mut verdicts = Verdicts::default();
    for line in lines.lines() {
        let group: (String, String, Value, Vec<(Value, bool, String)>) =
            serde_json::from_str(line).unwrap();
        let (file, about, schema, cases) = group;
        let read = match ForeignSchema::from_value(as_parameter(&schema, draft)) {
            Ok(read) if file.starts_with("optional/format/") => read,
            Ok(read) => read.without_format_checks(),
            Err(faults) => {
                let keyword = keywords(&faults);
                assert!(!keyword.is_empty(), "{file}: {about}: {faults}");
                *verdicts.refused.entry(keyword).or_default() += cases.len();
                continue;
            }
        };
        for (value, is_valid, _) in cases {
            let text = json!({"v": value}).to_string();
            let refusal = read_foreign(&text, &read, &Policy::exact()).err();
            let is_taken = refusal.is_none();
            if is_taken == is_valid {
                verdicts.agree += 1;
            } else if let Some(words) = said_by(&read, refusal.as_ref()) {
                *verdicts.said.entry(words).or_default() += 1;
            } else {
                let verdict = if is_taken { "taken" } else { "refused" };
                let about = format!("{verdict} in {file}");
                *verdicts.differ.entry(about).or_default() += 1;
            }
        }
    }
    verdicts
}

/// What is refused needs another document, a vocabulary, or a name that leads to another schema at each place.
/// A verdict is another one, in words, on:
/// - whole numbers that 64 bits do not hold, since a tool could not read them, and those beyond 2^53 that are written as
///   a float, since their digits may be lost;
/// - names of hosts in other alphabets, whose rules are large tables;
/// - the content of a text, which draft 7 lets a reader check and later drafts do not;
/// - `1.0`, which is a whole number here in draft 4 too, as in every later one.
#[test]
fn agrees_with_the_suite_of_json_schema() {
    let mut lines = Vec::new();
    for draft in &DRAFTS {
        let Verdicts {
            agree,
            refused,
            said,
            differ,
        } = judge(draft);
        lines.push(format!("{}: {agree} agree", draft.name));
        for (keyword, count) in refused {
            lines.push(format!("  {count} refused by {keyword}"));
        }
        for (words, count) in said {
            lines.push(format!("  {count} {words}"));
        }
        for (about, count) in differ {
            lines.push(format!("  {count} wrongly {about}"));
        }
    }
    expect![[r"
        draft4: 839 agree
          21 refused by $ref
          2 refused, as the reply says: beyond 64 bits
          1 taken, as lint says of type
        draft6: 1118 agree
          27 refused by $ref
          4 refused, as the reply says: beyond 64 bits
        draft7: 1394 agree
          29 refused by $ref
          4 refused, as the reply says: beyond 64 bits
          3 taken, as lint says of contentEncoding
          1 taken, as lint says of contentMediaType
          34 taken, as lint says of format
        draft2019-09: 1770 agree
          13 refused by $recursiveRef
          38 refused by $ref
          5 refused by $schema
          4 refused, as the reply says: beyond 64 bits
          34 taken, as lint says of format
        draft2020-12: 1789 agree
          21 refused by $dynamicRef
          49 refused by $ref
          9 refused by $schema
          4 refused, as the reply says: beyond 64 bits
          34 taken, as lint says of format
    "]]
    .assert_eq(&(lines.join("\n") + "\n"));
}
