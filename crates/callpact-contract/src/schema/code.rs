//! What only the code of a type knows about its values: the tree refers to it by functions.

use std::fmt;

use super::{Schema, refine};

/// The functions of a type that the checker calls.
#[derive(Clone, Copy)]
pub struct CodeRules {
    /// The schema in place of this one: that of a type which contains itself, or one that is made at run time.
    pub schema: Option<fn() -> &'static Schema>,
    /// What a number of this text is as a value of the type, where the type differs from the tree.
    pub of_number: Option<fn(&str) -> Option<String>>,
    /// The name that another name of an enum means.
    pub name_of: Option<fn(&str) -> Option<&'static str>>,
    /// Refuses the JSON of a value that fits the tree.
    pub check: Option<fn(CheckedValue<'_>) -> Result<(), CodeFault>>,
}

/// The JSON of a value that fits the tree.
#[derive(Clone, Copy)]
pub struct CheckedValue<'a> {
    /// The JSON.
    pub text: &'a str,
    /// The chosen forms of its untagged unions, in the order of the text.
    pub forms: &'a [u32],
}

/// Why the code of a type refuses a value.
#[derive(Debug)]
pub enum CodeFault {
    /// The text does not have the form of the type.
    Form,
    /// The number is not in the range of the type, which is these words.
    Range(&'static str),
    /// The words of the author.
    Refused(String),
}

impl CodeRules {
    /// No functions.
    pub const NONE: Self = Self {
        schema: None,
        of_number: None,
        name_of: None,
        check: None,
    };

    /// Only a check.
    #[must_use]
    pub const fn check(check: fn(CheckedValue<'_>) -> Result<(), CodeFault>) -> Self {
        Self {
            check: Some(check),
            ..Self::NONE
        }
    }

    /// These functions, with those of another schema where this one has none.
    pub(super) const fn over(self, other: Self) -> Self {
        Self {
            schema: if self.schema.is_some() {
                self.schema
            } else {
                other.schema
            },
            of_number: if self.of_number.is_some() {
                self.of_number
            } else {
                other.of_number
            },
            name_of: if self.name_of.is_some() {
                self.name_of
            } else {
                other.name_of
            },
            check: if self.check.is_some() {
                self.check
            } else {
                other.check
            },
        }
    }
}

impl Schema {
    /// This schema with these functions.
    #[cfg(feature = "schemars")]
    pub(crate) const fn with_code(mut self, code: CodeRules) -> Self {
        self.code = code;
        self
    }

    /// This schema, for a type that a number is too, or that shows a number in its own digits.
    pub(crate) const fn with_numbers(mut self, of_number: fn(&str) -> Option<String>) -> Self {
        self.code.of_number = Some(of_number);
        self
    }

    /// This schema, for a type whose code checks a value.
    pub(crate) const fn with_check(
        mut self,
        check: fn(CheckedValue<'_>) -> Result<(), CodeFault>,
    ) -> Self {
        self.code.check = Some(check);
        self
    }
}

/// The schema of a type whose author checks its values.
#[must_use]
pub const fn checked_by(
    schema: &'static Schema,
    check: fn(CheckedValue<'_>) -> Result<(), CodeFault>,
) -> Schema {
    let mut schema = refine(schema, "", &[]);
    schema.code.check = Some(check);
    schema
}

impl fmt::Debug for CodeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeRules")
            .field("schema", &self.schema.is_some())
            .field("of_number", &self.of_number.is_some())
            .field("name_of", &self.name_of.is_some())
            .field("check", &self.check.is_some())
            .finish()
    }
}
