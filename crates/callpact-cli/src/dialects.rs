//! Dialects on the command line, with completion in shells and hints for typos.

use std::ffi::OsStr;

use callpact::{Dialect, input::nearest};
use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};

/// Parses the name of a dialect.
#[derive(Clone, Copy)]
pub(crate) struct DialectParser;

impl TypedValueParser for DialectParser {
    type Value = Dialect;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Dialect, Error> {
        let parser = StringValueParser::new().try_map(|name| parse(&name));
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = Dialect::ALL.into_iter();
        Some(Box::new(
            values.map(|dialect| PossibleValue::new(dialect.name())),
        ))
    }
}

fn parse(name: &str) -> Result<Dialect, String> {
    name.parse::<Dialect>().map_err(|unknown| {
        match nearest(name, Dialect::ALL.iter().map(|dialect| dialect.name())) {
            Some(near) => format!("{unknown}; did you mean `{near}`?"),
            None => unknown.to_string(),
        }
    })
}
