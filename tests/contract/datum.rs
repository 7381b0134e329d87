//! Whatever the number of faults, the line of each keeps its path and the datum that mends it.

use callpact::{Policy, input::read_foreign, schema::ForeignSchema};
use callpact_testing::Rng;
use serde_json::{Map, Value, json};

use crate::spread::cases;

/// A parameter, a wrong value for it, and what its line must have.
struct Parameter {
    schema: Value,
    wrong: Value,
    data: Vec<String>,
    /// The path of the fault behind the name.
    below: String,
}

const LETTERS: [&str; 6] = [
    "alpha",
    "be ta",
    "gamma-3",
    "\"quoted\"",
    "d",
    "a_very_long_name_of_a_choice_that_goes_on_and_on_for_more_than_sixty_characters",
];

fn name(rng: &mut Rng, number: usize) -> String {
    format!("{}_{number}", LETTERS[rng.below(3)].replace(' ', "_"))
}

fn choices(rng: &mut Rng) -> Parameter {
    let count = 2 + rng.below(9);
    let names: Vec<String> = (0..count)
        .map(|number| format!("{}{number}", LETTERS[rng.below(LETTERS.len())]))
        .collect();
    Parameter {
        schema: json!({"type": "string", "enum": names}),
        wrong: json!("none of them at all"),
        data: names.iter().map(|name| json!(name).to_string()).collect(),
        below: String::new(),
    }
}

fn integer(rng: &mut Rng) -> Parameter {
    let least = i64::try_from(rng.below(1000)).unwrap_or_default() - 500;
    let most = least + 5;
    Parameter {
        schema: json!({"type": "integer", "minimum": least, "maximum": most}),
        wrong: json!(most + 1),
        data: vec![least.to_string(), most.to_string()],
        below: String::new(),
    }
}

fn number(rng: &mut Rng) -> Parameter {
    let most = 0.5 + f64::from(u8::try_from(rng.below(100)).unwrap_or_default());
    Parameter {
        schema: json!({"type": "number", "minimum": 0.25, "maximum": most}),
        wrong: json!([1, 2]),
        data: vec!["0.25".to_owned(), most.to_string()],
        below: String::new(),
    }
}

fn pattern(rng: &mut Rng) -> Parameter {
    let patterns = [
        "^[A-Z]{3}-[0-9]{4}$",
        "^a (b|c) d$",
        "^(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)$",
    ];
    let pattern = patterns[rng.below(patterns.len())];
    Parameter {
        schema: json!({"type": "string", "pattern": pattern}),
        wrong: json!("?"),
        data: vec![pattern.to_owned()],
        below: String::new(),
    }
}

fn length(rng: &mut Rng) -> Parameter {
    let least = 3 + rng.below(9);
    Parameter {
        schema: json!({"type": "string", "minLength": least, "maxLength": least + 40}),
        wrong: json!("a"),
        data: vec![least.to_string(), (least + 40).to_string()],
        below: String::new(),
    }
}

fn items(rng: &mut Rng) -> Parameter {
    let most = 2 + rng.below(9);
    Parameter {
        schema: json!({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": most}),
        wrong: json!(vec![1; most + 1]),
        data: vec!["1 to".to_owned(), most.to_string()],
        below: String::new(),
    }
}

fn format(rng: &mut Rng) -> Parameter {
    let formats = [
        ("date", "2026-01-31"),
        ("date-time", "2026-01-31T09:30:00Z"),
        ("time", "09:30:00Z"),
        ("duration", "PT90S"),
        ("ipv4", "192.0.2.1"),
        ("ipv6", "2001:db8::1"),
        ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8"),
    ];
    let (name, example) = formats[rng.below(formats.len())];
    Parameter {
        schema: json!({"type": "string", "format": name}),
        wrong: json!("next week"),
        data: vec![example.to_owned()],
        below: String::new(),
    }
}

/// The same rules inside a list, a map or an object, up to three of them.
fn inside(rng: &mut Rng) -> Parameter {
    let inner = [choices, integer, pattern, format, inside][rng.below(5)](rng);
    let is_plain = inner.below.is_empty();
    let Parameter {
        schema,
        wrong,
        data,
        below,
    } = inner;
    // Lines are grouped by one list or map; deeper ones are in objects.
    let kind = if is_plain { rng.below(3) } else { 2 };
    let (schema, wrong, around) = match kind {
        0 => (
            json!({"type": "array", "items": schema}),
            json!([wrong, wrong, wrong, wrong]),
            "[0..3]",
        ),
        1 => (
            json!({"type": "object", "additionalProperties": schema}),
            json!({"a": wrong, "b": wrong, "c": wrong}),
            ".{a, b, c}",
        ),
        _ => (
            json!({"type": "object", "properties": {"in": schema}, "required": ["in"]}),
            json!({ "in": wrong }),
            ".in",
        ),
    };
    Parameter {
        schema,
        wrong,
        data,
        below: format!("{around}{below}"),
    }
}

#[test]
fn every_line_keeps_its_path_and_its_datum() {
    let mut rng = Rng::new(0x41);
    let kinds = [
        choices, integer, number, pattern, length, items, format, inside,
    ];
    for _ in 0..cases(600) {
        let count = 1 + rng.below(20);
        let mut properties = Map::new();
        let mut call = Map::new();
        let mut expected = Vec::new();
        for number in 0..count {
            let name = name(&mut rng, number);
            let kind = kinds[rng.below(kinds.len())];
            let parameter = kind(&mut rng);
            let is_missing = rng.one_in(4) && parameter.below.is_empty();
            if !is_missing {
                call.insert(name.clone(), parameter.wrong);
            }
            let path = if is_missing {
                format!("- {name}: missing; ")
            } else {
                format!("- {name}{}: ", parameter.below)
            };
            properties.insert(name, parameter.schema);
            expected.push((path, parameter.data));
        }
        let required: Vec<&String> = properties.keys().collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        let schema = ForeignSchema::from_value(schema).expect("a schema");
        let text = Value::Object(call).to_string();
        let policy = Policy::exact().with_max_issues(200);
        let report = read_foreign(&text, &schema, &policy).expect_err("a refusal");
        let report = report.to_string();
        for (path, data) in expected {
            let line = report.lines().find(|line| line.starts_with(&path));
            let line = line.unwrap_or_else(|| panic!("no line {path}: {report}"));
            for datum in data {
                assert!(line.contains(&datum), "{datum} is not in {line}");
            }
        }
        assert!(!report.contains(" more"), "{report}");
    }
}
