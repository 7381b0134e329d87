//! The inputs by name, and the ways to read them.

use std::{fmt::Debug, hint::black_box};

use callpact::{Dialect, Policy, ToolInput, read_str, read_value};
use jsonschema::Validator;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    shapes::{
        Counts, External, Few, Floats, Forty, Integers, Invoice, Lookup, Node, Options, Order,
        Search, Sixteen, Tagged, Texts, Untagged, Weather, WriteFile,
    },
    texts::{
        Keys, Naming, actions, code, deep, emoji, exponents, fields_reversed, integers, invoice,
        japanese, long_floats, long_text, many_fields, many_items, map_of_numbers, map_of_strings,
        nested, one_field, options_absent, options_null, pretty_invoice, prose, short_floats,
        three_fields, unicode_escapes, unknown_keys,
    },
};

/// The ways to read an input into its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `callpact::read_str`, the lax policy.
    Lax,
    /// `callpact::read_str`, the exact policy, which refuses some inputs.
    Exact,
    /// `serde_json::from_str` with serde's derive.
    Serde,
    /// Text to `Value` to the type.
    Value,
    /// Text to `Value` to a compiled `jsonschema` validator to the type.
    Validated,
    /// `callpact::read_value` from a `Value` in memory, the lax policy.
    LaxFromValue,
    /// serde's derive from a borrowed `Value` in memory.
    SerdeFromValue,
}

impl Way {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Lax,
        Self::Exact,
        Self::Serde,
        Self::Value,
        Self::Validated,
        Self::LaxFromValue,
        Self::SerdeFromValue,
    ];

    /// The name in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lax => "callpact-lax",
            Self::Exact => "callpact-exact",
            Self::Serde => "serde-derive",
            Self::Value => "via-value",
            Self::Validated => "via-value-and-jsonschema",
            Self::LaxFromValue => "callpact-from-value",
            Self::SerdeFromValue => "serde-from-value",
        }
    }
}

/// One input: a text, the value that it stands for, the validator of its type.
pub struct Input {
    /// The JSON text.
    pub text: String,
    value: Value,
    /// The validator of the type, made for the way that needs it.
    validator: fn() -> Validator,
    read: fn(&Self, Way, usize),
}

/// Makes an input.
type Make = fn() -> Input;

/// Every input of the benchmark, by name.
pub const INPUTS: [(&str, Make); 32] = [
    ("fields-1", || Input::of::<Lookup>(one_field())),
    ("fields-3", || Input::of::<Weather>(three_fields())),
    ("fields-16", || Input::of::<Sixteen>(many_fields(16))),
    ("fields-40", || Input::of::<Forty>(many_fields(40))),
    ("fields-16-reversed", || {
        Input::of::<Sixteen>(fields_reversed(16))
    }),
    ("options-absent", || Input::of::<Options>(options_absent())),
    ("options-null", || Input::of::<Options>(options_null())),
    ("unknown-keys-100", || Input::of::<Few>(unknown_keys())),
    ("nested-200B", || Input::of::<Search>(nested())),
    ("nested-invoice", || Input::of::<Invoice>(invoice())),
    ("pretty-invoice", || Input::of::<Invoice>(pretty_invoice())),
    ("deep-60", || Input::of::<Node>(deep(60))),
    ("items-2000", || Input::of::<Order>(many_items())),
    ("code-4kB", || Input::of::<WriteFile>(code(4_000))),
    ("code-200kB", || Input::of::<WriteFile>(code(200_000))),
    ("prose-4kB", || Input::of::<WriteFile>(prose(4_000))),
    ("string-200kB", || Input::of::<WriteFile>(long_text(None))),
    ("string-200kB-escapes", || {
        Input::of::<WriteFile>(long_text(Some(60)))
    }),
    ("japanese-4kB", || Input::of::<WriteFile>(japanese(4_000))),
    ("emoji-4kB", || Input::of::<WriteFile>(emoji(4_000))),
    ("unicode-escapes", || {
        Input::of::<WriteFile>(unicode_escapes(2_000))
    }),
    ("floats-short-1000", || {
        Input::of::<Floats>(short_floats(1_000))
    }),
    ("floats-long-1000", || {
        Input::of::<Floats>(long_floats(1_000))
    }),
    ("floats-exponents-1000", || {
        Input::of::<Floats>(exponents(1_000))
    }),
    ("integers-1000", || Input::of::<Integers>(integers(1_000))),
    ("map-strings-500", || {
        Input::of::<Texts>(map_of_strings(500, Keys::Sorted))
    }),
    ("map-shuffled-500", || {
        Input::of::<Texts>(map_of_strings(500, Keys::Shuffled))
    }),
    ("map-numbers-500", || {
        Input::of::<Counts>(map_of_numbers(500))
    }),
    ("union-tag-first-200", || {
        Input::of::<Tagged>(actions(200, Naming::TagFirst))
    }),
    ("union-tag-last-200", || {
        Input::of::<Tagged>(actions(200, Naming::TagLast))
    }),
    ("union-external-200", || {
        Input::of::<External>(actions(200, Naming::External))
    }),
    ("union-untagged-200", || {
        Input::of::<Untagged>(actions(200, Naming::Nothing))
    }),
];

impl Input {
    pub(crate) fn of<T>(text: String) -> Self
    where
        T: ToolInput + DeserializeOwned + PartialEq + Debug,
    {
        let value = serde_json::from_str(&text).expect("the text is JSON");
        // The ways do the same work: every way gives the same value.
        let good: T = serde_json::from_str(&text).expect("serde reads it");
        let policy = Policy::lax();
        assert_eq!(
            read_str::<T>(&text, &policy).expect("it is read").value,
            good
        );
        assert_eq!(
            read_value::<T>(&value, &policy).expect("it is read").value,
            good
        );
        Self {
            text,
            value,
            validator: validator::<T>,
            read: read::<T>,
        }
    }

    /// Reads the input so many times.
    pub fn read(&self, way: Way, times: usize) {
        (self.read)(self, way, times);
    }
}

fn validator<T: ToolInput>() -> Validator {
    let schema = T::SCHEMA.to_json(Dialect::Portable);
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

fn read<T: ToolInput + DeserializeOwned>(input: &Input, way: Way, times: usize) {
    let validator = (way == Way::Validated).then(input.validator);
    for _ in 0..times {
        let (text, value) = (black_box(&*input.text), black_box(&input.value));
        match way {
            Way::Lax => drop(black_box(
                read_str::<T>(text, &Policy::lax()).expect("good"),
            )),
            Way::Exact => drop(black_box(read_str::<T>(text, &Policy::exact()))),
            Way::Serde => drop(black_box(serde_json::from_str::<T>(text).expect("good"))),
            Way::Value => {
                let value: Value = serde_json::from_str(text).expect("good");
                drop(black_box(serde_json::from_value::<T>(value).expect("good")));
            }
            Way::Validated => {
                let value: Value = serde_json::from_str(text).expect("good");
                assert!(validator.as_ref().is_some_and(|all| all.is_valid(&value)));
                drop(black_box(serde_json::from_value::<T>(value).expect("good")));
            }
            Way::LaxFromValue => drop(black_box(
                read_value::<T>(value, &Policy::lax()).expect("good"),
            )),
            Way::SerdeFromValue => drop(black_box(T::deserialize(value).expect("good"))),
        }
    }
}
