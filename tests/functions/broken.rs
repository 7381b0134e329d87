//! The ways in which a contract fails. Each has its own message.

use std::panic::{AssertUnwindSafe, catch_unwind};

use callpact::{
    __private::{PlaceRules, QuickInput, Rule, refine},
    Permission, Schema, ToolContext, ToolInput, ToolOutput, ToolResult, TypedAgentTool,
    schema::{Field, Held, Integer, Kind, Literal, Object, Text, Unknown},
};
use callpact_testing::{
    assert_contract, assert_output, assert_round_trip, assert_tool, check_contract,
};
use serde::{Serialize, Serializer};

/// Declares types whose schema and reader are independent of each other.
macro_rules! lies {
    ($($name:ident: $schema:expr, $read:expr;)*) => {$(
        #[derive(Debug)]
        struct $name;

        impl ToolInput for $name {
            const SCHEMA: &'static Schema = $schema;

            fn from_json(json: &str) -> Result<Self, String> {
                let read: fn(&str) -> Result<(), &'static str> = $read;
                read(json).map(|()| Self).map_err(str::to_owned)
            }
        }
    )*};
}

/// A reader without a reason for what it refuses.
#[derive(Debug)]
struct Stricter;

impl ToolInput for Stricter {
    const SCHEMA: &'static Schema = <u16 as ToolInput>::SCHEMA;

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        u8::read_quick(input, rules).map(|_| Self)
    }
}

const STEPS_OF_ZERO: &Schema = &Schema::of(Kind::Integer(Integer {
    min: None,
    max: None,
    multiple_of: Some(0),
    nonzero: false,
    choices: Held::Static(&[]),
}));

/// No string has at least three characters and at most two.
const NOTHING: &Schema = &Schema::of(Kind::Text(Text {
    min_length: Some(3),
    max_length: Some(2),
    pattern: None,
    choices: Held::Static(&[]),
    format: None,
    form: Held::Static(""),
}));

const fn field(schema: &'static Schema) -> Field {
    Field {
        name: Held::Static("size"),
        aliases: &[],
        schema: Held::Static(schema),
        required: false,
        keep_empty: false,
        flatten: false,
    }
}

const fn object(fields: &'static [Field]) -> Schema {
    Schema::of(Kind::Object(Object {
        fields: Held::Static(fields),
        unknown: Unknown::Report,
        extra: None,
    }))
}

const DEFAULT: &Schema = &object(DEFAULT_FIELDS);
const DEFAULT_OF: &Schema = &refine(
    <u8 as ToolInput>::SCHEMA,
    "",
    &[Rule::Default(&Literal::Integer(300))],
);
const DEFAULT_FIELDS: &[Field] = &[field(DEFAULT_OF)];
const EXAMPLE: &Schema = &object(EXAMPLE_FIELDS);
const BIG: &Literal = &Literal::Text(Held::Static("big"));
const EXAMPLE_OF: &Schema = &refine(<u8 as ToolInput>::SCHEMA, "", &[Rule::Example(BIG)]);
const EXAMPLE_FIELDS: &[Field] = &[field(EXAMPLE_OF)];

#[derive(ToolInput)]
#[allow(dead_code)]
struct Size {
    size: Option<u8>,
}

lies! {
    NoSchema: STEPS_OF_ZERO, |_| Ok(());
    NoValue: NOTHING, |_| Ok(());
    Never: <u8 as ToolInput>::SCHEMA, |_| Err("never");
    BadDefault: DEFAULT, |_| Ok(());
    BadExample: EXAMPLE, |_| Ok(());
}

fn fault<T: ToolInput>() -> String {
    check_contract::<T>(1, 300).expect_err("a broken contract")
}

#[test]
fn each_way_in_its_own_words() {
    for (said, begins, holds) in [
        (
            fault::<Stricter>(),
            "the schema accepts what the reader refuses: ",
            "not accepted",
        ),
        (
            fault::<NoSchema>(),
            "the schema is not valid: the schema has 1 fault:",
            "multipleOf",
        ),
        (
            fault::<NoValue>(),
            "the schema rejects what the reader refuses, although it was meant to be valid,: ",
            "",
        ),
        (
            fault::<Never>(),
            "no generated value was accepted: give the fields examples of what is\n",
            "\"maximum\":255",
        ),
        (
            fault::<BadDefault>(),
            "the default of `size` is not read: 300\n",
            "size: expected an integer from 0 to 255, found 300",
        ),
        (
            fault::<BadExample>(),
            "the example of `size` is not read: \"big\"\n",
            "size: expected an integer from 0 to 255, found \"big\"",
        ),
    ] {
        assert!(said.starts_with(begins) && said.contains(holds), "{said}");
    }
    // A few values do not prove that a type never accepts one.
    let few = check_contract::<Never>(1, 99).expect("nothing to say");
    assert!(
        few.accepted == 0 && few.refused_by_code > 0 && few.cases == 99,
        "{few:?}"
    );
}

/// The message of a failing test.
fn panic_of(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it holds");
    match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(other) => other
            .downcast::<&str>()
            .map_or_else(|_| String::new(), |words| (*words).to_owned()),
    }
}

#[test]
fn an_assertion_says_the_same() {
    let said = panic_of(assert_contract::<Stricter>);
    assert!(
        said.starts_with("the schema accepts what the reader refuses"),
        "{said}"
    );
}

/// Reads a number, and writes what the const says.
#[derive(Debug, ToolInput)]
#[allow(dead_code)]
struct Written<const WAY: u8>(u8);

impl<const WAY: u8> Serialize for Written<WAY> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match WAY {
            0 => serializer.serialize_u8(self.0),
            1 => serializer.serialize_str("number"),
            2 => serializer.serialize_u8(self.0 / 2 + 1),
            _ => Err(serde::ser::Error::custom("cannot be written")),
        }
    }
}

#[test]
fn a_round_trip_that_does_not_come_round() {
    assert_round_trip::<Written<0>>();
    let said = panic_of(assert_round_trip::<Written<1>>);
    assert!(
        said.starts_with("what was written is not read: \"number\"\nInvalid arguments"),
        "{said}"
    );
    let said = panic_of(assert_round_trip::<Written<2>>);
    assert!(
        said.starts_with("what was read is written otherwise: "),
        "{said}"
    );
    let said = panic_of(assert_round_trip::<Written<3>>);
    assert_eq!(
        said,
        "a value that was read cannot be written: cannot be written"
    );
}

#[derive(ToolInput, ToolOutput)]
struct Answer {
    #[allow(dead_code)]
    answer: u8,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        std::collections::BTreeMap::from([("answer", 300)]).serialize(serializer)
    }
}

#[test]
fn an_output_that_does_not_fit() {
    let said = panic_of(|| assert_output(Answer { answer: 1 }));
    assert!(
        said.starts_with(
            "the output does not fit its schema: Invalid arguments, 1 problem:\n- answer: "
        ) && said.contains("{\"answer\":300}"),
        "{said}"
    );
    let said = panic_of(|| assert_output("text"));
    assert_eq!(said, "the output has no schema: derive `ToolOutput`");
    let said = panic_of(|| assert_output(ToolResult::success("text")));
    assert_eq!(said, "the output has no schema: derive `ToolOutput`");
}

struct Tool<I>(
    &'static str,
    &'static str,
    std::marker::PhantomData<fn() -> I>,
);

impl<I: ToolInput + Send + 'static> TypedAgentTool for Tool<I> {
    type Input = I;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &str {
        self.0
    }

    fn description(&self) -> &str {
        self.1
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, _: I, _: &ToolContext) -> String {
        String::new()
    }
}

fn tool<I>(name: &'static str, description: &'static str) -> Tool<I> {
    Tool(name, description, std::marker::PhantomData)
}

#[test]
fn a_tool_that_no_provider_takes() {
    assert_tool(&tool::<Size>("size", "Sizes"));
    for name in ["", "a b", "größe", "a.b", &"n".repeat(65)] {
        let name: &'static str = name.to_owned().leak();
        let said = panic_of(|| assert_tool(&tool::<Size>(name, "Sizes")));
        assert_eq!(
            said,
            format!("`{name}` is not a name that every provider takes")
        );
    }
    let said = panic_of(|| assert_tool(&tool::<Size>("size", " \n")));
    assert_eq!(said, "`size` has no description");
    let said = panic_of(|| assert_tool(&tool::<BadDefault>("size", "Sizes")));
    assert!(
        said.starts_with("the default of `size` is not read"),
        "{said}"
    );
}
