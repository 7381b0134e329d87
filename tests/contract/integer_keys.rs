//! Integers as the keys of a map: one text is one key, as `serde_json` reads and writes it.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
};

use callpact::{
    Dialect, IssueKind, Policy, Report, ToolInput, ToolOutput,
    input::{MapKey, Read, read_foreign},
    read_str,
    schema::ForeignSchema,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::schema_and_reader::compile;

#[derive(ToolInput, Deserialize, Debug, PartialEq)]
struct Seats<K: MapKey + Ord> {
    seats: BTreeMap<K, String>,
}

/// What an MCP server serves, which has every keyword.
const FULL: Dialect = Dialect::Mcp20251125;

fn schema_of<T: ToolInput>(dialect: Dialect) -> String {
    T::SCHEMA.to_json(dialect)
}

fn call(key: &str) -> String {
    json!({"seats": {key: "Ada"}}).to_string()
}

/// Compares the reader, the written schema, its reading at run time and `serde_json`.
fn agrees<K>(keys: &[String])
where
    K: ToolInput + MapKey + Ord + Debug + DeserializeOwned,
{
    let written = schema_of::<Seats<K>>(FULL);
    let foreign = ForeignSchema::parse(&written).unwrap();
    let validator = compile(&written);
    for key in keys {
        let text = call(key);
        let value: Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json::from_str::<Seats<K>>(&text).ok();
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let typed = read_str::<Seats<K>>(&text, &policy);
            let at_run_time = read_foreign(&text, &foreign, &policy);
            assert_eq!(
                at_run_time.is_ok(),
                expected.is_some(),
                "{key} in {written}"
            );
            match typed {
                Ok(Read { value, fixes }) => {
                    assert_eq!(Some(value), expected, "{key}");
                    assert!(fixes.is_empty(), "{key}: {fixes:?}");
                }
                Err(report) => {
                    assert_eq!(expected, None, "{key}: {report}");
                    assert_eq!(report.issues[0].kind, IssueKind::Invalid);
                    assert_eq!(report.to_string(), at_run_time.unwrap_err().to_string());
                }
            }
        }
        // In 64 bits the schema limits the digits only.
        let is_far = key.len() > 18;
        assert!(
            validator.is_valid(&value) == expected.is_some() || is_far,
            "{key} in {written}"
        );
    }
}

#[test]
fn only_canonical_text_is_an_integer_key() {
    let mut keys: Vec<String> = [
        "", "0", "-0", "00", "1", "01", "+1", "-1", "-01", " 1", "1 ", "1.0", "1e2", "1_000",
        "0x1", "a", "１", "true", "null", "NaN", "--1", "-", "1\n",
    ]
    .map(str::to_owned)
    .to_vec();
    let ends: [i128; 8] = [8, 16, 32, 64, 7, 15, 31, 63].map(|bits| 1 << bits);
    for end in ends {
        let near = [-2, -1, 0, 1, 10].map(|step| end + step);
        keys.extend(
            near.iter()
                .flat_map(|value| [value.to_string(), format!("-{value}")]),
        );
        let digits = end.to_string();
        // Each digit of an end once larger and once smaller.
        for at in 0..digits.len() {
            for step in [-1_i8, 1] {
                let mut changed = digits.clone().into_bytes();
                changed[at] = changed[at].wrapping_add_signed(step).clamp(b'0', b'9');
                let changed = String::from_utf8(changed).unwrap();
                keys.extend([format!("-{changed}"), changed]);
            }
        }
    }
    agrees::<u8>(&keys);
    agrees::<i8>(&keys);
    agrees::<u16>(&keys);
    agrees::<i16>(&keys);
    agrees::<u32>(&keys);
    agrees::<i32>(&keys);
    agrees::<u64>(&keys);
    agrees::<i64>(&keys);
    agrees::<usize>(&keys);
    agrees::<isize>(&keys);
}

#[test]
fn every_integer_of_16_bits_is_a_key() {
    let all: Vec<String> = (-70_000..70_000)
        .map(|value: i32| value.to_string())
        .collect();
    let schemas = [
        (compile(&schema_of::<BTreeMap<u8, u8>>(FULL)), 0..=255),
        (compile(&schema_of::<BTreeMap<i8, u8>>(FULL)), -128..=127),
        (compile(&schema_of::<BTreeMap<u16, u8>>(FULL)), 0..=65_535),
        (
            compile(&schema_of::<BTreeMap<i16, u8>>(FULL)),
            -32_768..=32_767,
        ),
    ];
    for key in all {
        let value: i32 = key.parse().unwrap();
        let map = json!({ key: 1 });
        for (schema, range) in &schemas {
            assert_eq!(schema.is_valid(&map), range.contains(&value), "{value}");
        }
    }
}

#[test]
fn report_says_which_integers_are_keys() {
    let refused = |text: &str| -> Report {
        read_str::<Seats<u8>>(text, &Policy::lax())
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        refused(&call("256")).issues[0].to_string(),
        "seats.256: this name is not accepted; a name is an integer from 0 to 255"
    );
    let pairs = r#"{"seats": [{"key": "01", "value": "Ada"}]}"#;
    assert_eq!(
        refused(pairs).issues[0].to_string(),
        "seats[0]: this name is not accepted; a name is an integer from 0 to 255"
    );
}

#[test]
fn pairs_become_a_map_of_integers() {
    let pairs = r#"{"seats": [{"key": "12", "value": "Ada"}, {"key": "7", "value": "Bo"}]}"#;
    let read = read_str::<Seats<u8>>(pairs, &Policy::lax()).unwrap().value;
    assert_eq!(read.seats[&12], "Ada");
    assert_eq!(read.seats[&7], "Bo");
}

#[test]
fn each_dialect_describes_integer_keys() {
    const PATTERN: &str = "^(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$";
    let words = "each key: an integer from 0 to 255";
    for dialect in Dialect::ALL {
        let written = schema_of::<Seats<u8>>(dialect);
        let node: Value = serde_json::from_str(&written).unwrap();
        let seats = &node["properties"]["seats"];
        let keyword = [
            &seats["propertyNames"]["pattern"],
            &seats["items"]["properties"]["key"]["pattern"],
        ];
        let is_keyword = keyword.iter().any(|pattern| {
            pattern
                .as_str()
                .is_some_and(|text| text.contains("25[0-5]"))
        });
        assert!(
            is_keyword != written.contains(words),
            "{dialect}: {written}"
        );
    }
    let mcp: Value = serde_json::from_str(&schema_of::<Seats<u8>>(FULL)).unwrap();
    assert_eq!(
        mcp["properties"]["seats"]["propertyNames"],
        json!({"pattern": PATTERN})
    );
}

#[test]
fn output_of_integer_keys_fits_its_schema() {
    #[derive(Serialize, ToolOutput)]
    struct Counts {
        by_year: HashMap<u16, u32>,
        by_shift: BTreeMap<i64, Vec<u8>>,
    }
    let counts = Counts {
        by_year: HashMap::from([(2026, 3), (0, 1)]),
        by_shift: BTreeMap::from([(-3, vec![1]), (i64::MAX, vec![]), (i64::MIN, vec![])]),
    };
    let schema = compile(&<Counts as ToolOutput>::SCHEMA.to_output_json());
    assert!(schema.is_valid(&serde_json::to_value(&counts).unwrap()));
    assert!(!schema.is_valid(&json!({"by_year": {"70000": 1}, "by_shift": {}})));
    assert!(!schema.is_valid(&json!({"by_year": {}, "by_shift": {"x": []}})));
}
