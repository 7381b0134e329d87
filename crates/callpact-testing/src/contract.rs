//! Checks that a type keeps its promise: the reader accepts and rejects the same values as the
//! schema.

use serde::Serialize;
use serde_json::Value;

use crate::{Case, Generator, same};
use callpact::{
    __private::is_again,
    AgentTool, Dialect, IntoToolResult, IssueKind, Policy, Report, ToolInput, TypedAgentTool,
    input::{read_foreign, read_str, read_value},
    names::is_provider_name,
    schema::{ForeignSchema, Kind, Literal, Schema, Tagging, Union},
};

/// How many values the assertions generate.
const CASES: usize = 2_000;
const SEED: u64 = 0x0074_6f6f_6c77;

/// Counts of the values in a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contract {
    /// Values that were generated.
    pub cases: usize,
    /// Generated values that the reader accepted.
    pub accepted: usize,
    /// Generated values that the schema accepts and a rule in code or a text form refused.
    pub refused_by_code: usize,
}

/// Asserts that a type keeps its contract, on 2,000 generated values, valid ones and near misses.
///
/// The schema is written as JSON, and arguments are read by it and by the type. Rules that no schema can hold (`validate`, `with`, the text form
/// of a type) may refuse more. Defaults and examples are read as well.
///
/// # Panics
/// With the first value on which schema and reader disagree.
#[track_caller]
pub fn assert_contract<T: ToolInput>() {
    if let Err(fault) = check_contract::<T>(SEED, CASES) {
        panic!("{fault}");
    }
}

/// Asserts that a typed tool has a name and a description that every provider takes, and that its
/// input keeps its contract.
///
/// # Panics
/// With the fault that was found.
#[track_caller]
pub fn assert_tool<T: TypedAgentTool>(tool: &T) {
    let name = AgentTool::name(tool);
    assert!(
        is_provider_name(name),
        "`{name}` is not a name that every provider takes"
    );
    assert!(
        !AgentTool::description(tool).trim().is_empty(),
        "`{name}` has no description"
    );
    // Evaluates the checks that also run at compile time.
    let _ = (tool.parameters(), tool.secret_params());
    assert_contract::<T::Input>();
}

/// The check behind [`assert_contract`], with a seed and a number of values.
///
/// # Errors
/// With the first value on which schema and reader disagree, in words.
pub fn check_contract<T: ToolInput>(seed: u64, cases: usize) -> Result<Contract, String> {
    let text = T::SCHEMA.to_json(Dialect::Mcp20260728);
    let schema = ForeignSchema::parse(&text)
        .map_err(|faults| format!("the schema is not valid: {faults}\n  {text}"))?;
    let mut generator = Generator::new(seed);
    let mut found = Contract::default();
    for _ in 0..cases {
        let case = generator.case(T::SCHEMA);
        let arguments = case.value.to_string();
        let valid = read_foreign(&arguments, &schema, &Policy::exact()).is_ok();
        let read = read_str::<T>(&arguments, &Policy::exact());
        found.cases += 1;
        match (valid, &read) {
            (true, Ok(_)) => found.accepted += 1,
            (false, Err(_)) if case.mutated => {}
            (true, Err(report)) if in_code(report) => found.refused_by_code += 1,
            _ if beyond_floats(&case.value) || excused(T::SCHEMA, &case, valid) => {}
            _ => return Err(difference(&case, valid, read.err().as_ref(), &text)),
        }
    }
    if cases >= 100 && found.accepted == 0 {
        return Err(format!(
            "no generated value was accepted: give the fields examples of what is\n  {text}"
        ));
    }
    written::<T>(&mut generator)?;
    Ok(found)
}

/// Asserts that values survive being written by serde and read again, on generated values.
///
/// The output is read with [`Policy::lax`], since serde writes `null` for a value that was left out.
///
/// # Panics
/// With the first value that does not survive.
#[track_caller]
pub fn assert_round_trip<T: ToolInput + Serialize>() {
    let mut generator = Generator::new(SEED);
    for _ in 0..CASES {
        let value = generator.valid(T::SCHEMA);
        let Ok(read) = read_value::<T>(&value, &Policy::exact()) else {
            continue;
        };
        let once = json(&read.value);
        match read_value::<T>(&once, &Policy::lax()) {
            Err(report) => panic!("what was written is not read: {once}\n{report}"),
            Ok(again) => {
                let twice = json(&again.value);
                assert!(
                    same(&once, &twice),
                    "what was read is written otherwise: {once}\nand then: {twice}"
                );
            }
        }
    }
}

/// Asserts that the result of a tool fits its output schema.
///
/// # Panics
/// When it does not fit, or when the type has no output schema.
#[track_caller]
pub fn assert_output<T: IntoToolResult>(output: T) {
    let Some(schema) = T::output_schema() else {
        panic!("the output has no schema: derive `ToolOutput`");
    };
    let text = schema.to_output_json();
    let result = output.into_tool_result();
    let written = result
        .structured()
        .map(ToString::to_string)
        .unwrap_or_default();
    let read = ForeignSchema::parse(&text)
        .map_err(|faults| faults.to_string())
        .and_then(|schema| {
            read_foreign(&written, &schema, &Policy::exact()).map_err(|report| report.to_string())
        });
    if let Err(fault) = read {
        panic!("the output does not fit its schema: {fault}\n  {written}\n  {text}");
    }
}

fn json<T: Serialize>(value: &T) -> Value {
    match serde_json::to_value(value) {
        Ok(value) => value,
        Err(error) => panic!("a value that was read cannot be written: {error}"),
    }
}

fn difference(case: &Case, valid: bool, report: Option<&Report>, schema: &str) -> String {
    let (one, other) = match (valid, report) {
        (true, _) => ("accepts", "refuses"),
        (false, None) => ("rejects", "accepts"),
        (false, Some(_)) => ("rejects", "refuses, although it was meant to be valid,"),
    };
    let why = report.map(ToString::to_string).unwrap_or_default();
    format!(
        "the schema {one} what the reader {other}: {}\n{why}\n  {schema}",
        case.value
    )
}

/// Whether only rules in code were broken.
fn in_code(report: &Report) -> bool {
    report.issues.iter().all(|issue| match issue.kind {
        IssueKind::Invalid => !issue.is_unexplained(),
        IssueKind::Pattern | IssueKind::TooDeep => true,
        _ => false,
    })
}

/// Numbers that lose digits before the reader sees them.
fn beyond_floats(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_f64()
            .is_none_or(|number| number.abs() > 9_007_199_254_740_992.0),
        Value::Array(items) => items.iter().any(beyond_floats),
        Value::Object(map) => map.values().any(beyond_floats),
        _ => false,
    }
}

/// The documented differences: no arguments at all, the bare name of a variant, an untagged form that
/// would drop the key of another, and the schema of a type that contains itself, which is left open.
fn excused(schema: &Schema, case: &Case, valid: bool) -> bool {
    let nothing = case.value.is_null() || case.value == "";
    match &schema.kind {
        // The validator takes no arguments for an empty object; a union takes a variant.
        Kind::Union(_) if valid && nothing => true,
        _ if valid => is_recursive(schema) || drops_a_key(schema, &case.value),
        Kind::Object(_) | Kind::Map(_) => nothing,
        Kind::Union(_) => !case.value.is_object(),
        _ => false,
    }
}

fn is_recursive(schema: &Schema) -> bool {
    is_again(schema) || schema.has_part(is_recursive)
}

/// Whether the value contains a place where every untagged form that fits would drop a key of
/// another form.
fn drops_a_key(schema: &Schema, value: &Value) -> bool {
    match (&schema.kind, value) {
        (Kind::List(list), Value::Array(items)) => {
            items.iter().any(|item| drops_a_key(&list.items, item))
        }
        (Kind::Tuple(schemas), Value::Array(items)) => {
            let mut pairs = schemas.iter().zip(items);
            pairs.any(|(schema, item)| drops_a_key(schema, item))
        }
        (Kind::Map(map), Value::Object(entries)) => {
            entries.values().any(|item| drops_a_key(&map.values, item))
        }
        (Kind::Object(object), Value::Object(entries)) => entries.iter().any(|(key, item)| {
            let field = schema.fields().find(|field| *field.name == **key);
            let schema = field
                .map(|field| &*field.schema)
                .or(object.extra.as_deref());
            schema.is_some_and(|schema| drops_a_key(schema, item))
        }),
        (Kind::Union(union), _) => {
            matches!(union.tagging, Tagging::None) && drops_every_time(union, value)
                || union.variants.iter().any(|variant| {
                    let inner = match &union.tagging {
                        Tagging::External => value.get(variant.name.part()),
                        Tagging::Adjacent { content, .. } => value.get(content.part()),
                        Tagging::Internal { .. } | Tagging::None => Some(value),
                    };
                    let both = variant.content.as_deref().zip(inner);
                    both.is_some_and(|(content, inner)| drops_a_key(content, inner))
                })
        }
        _ => false,
    }
}

fn drops_every_time(union: &Union, value: &Value) -> bool {
    let forms = || union.contents();
    let declares = |form: &Schema, key: &str| form.fields().any(|field| *field.name == *key);
    let text = value.to_string();
    let mut fit = forms().filter(|form| {
        let schema = ForeignSchema::parse(&form.to_json(Dialect::Mcp20260728));
        schema.is_ok_and(|schema| read_foreign(&text, &schema, &Policy::exact()).is_ok())
    });
    fit.all(|form| {
        let mut keys = value.as_object().into_iter().flatten();
        keys.any(|(key, value)| {
            !value.is_null() && !declares(form, key) && forms().any(|other| declares(other, key))
        })
    })
}

/// Puts each default and example in its place, where the reader must accept it.
fn written<T: ToolInput>(generator: &mut Generator) -> Result<(), String> {
    for field in T::SCHEMA.fields() {
        for (what, literal) in [
            ("default", &field.schema.default),
            ("example", &field.schema.example),
        ] {
            let Some(literal) = literal else { continue };
            let value = value_of(literal);
            // A rule in code may refuse another field; one accepted value is enough.
            let read = (0..50).find_map(|_| {
                let mut arguments = generator.valid(T::SCHEMA);
                // A value that is refused in any case says nothing about the literal.
                read_value::<T>(&arguments, &Policy::exact()).ok()?;
                arguments
                    .as_object_mut()?
                    .insert(field.name.to_string(), value.clone());
                match read_value::<T>(&arguments, &Policy::exact()) {
                    Ok(_) => Some(Ok(())),
                    Err(report) if in_code(&report) => None,
                    Err(report) => Some(Err(report)),
                }
            });
            if let Some(Err(report)) = read {
                return Err(format!(
                    "the {what} of `{}` is not read: {value}\n{report}",
                    field.name
                ));
            }
        }
    }
    Ok(())
}

fn value_of(literal: &Literal) -> Value {
    match literal {
        Literal::Boolean(value) => (*value).into(),
        Literal::Integer(value) => crate::values::whole(*value),
        Literal::Number(value) => value.value.into(),
        Literal::Text(value) => value.part().into(),
        Literal::List(items) => items.iter().map(value_of).collect(),
    }
}
