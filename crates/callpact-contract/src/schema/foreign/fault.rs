//! The faults of a schema from elsewhere, for the program that loads it.

use std::fmt;

use crate::text::cut;

/// One fault of a schema: where it is, which keyword, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaFault {
    /// A JSON pointer to the schema that holds the keyword; empty for the root.
    pub path: String,
    /// The keyword; empty if the whole schema is at fault.
    pub keyword: String,
    /// What is wrong and how to mend it.
    pub message: String,
    /// Whether no value fits there.
    pub takes_nothing: bool,
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str("the root")?;
        } else {
            f.write_str(&cut(&self.path, SHOWN))?;
        }
        if !self.keyword.is_empty() {
            write!(f, ": `{}`", cut(&self.keyword, SHOWN))?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Every fault of a schema.
///
/// ```
/// use callpact::schema::ForeignSchema;
///
/// let faults = ForeignSchema::parse(r#"{"required": "a", "type": "text"}"#).unwrap_err();
/// assert_eq!(faults.to_string(), "\
/// the schema has 2 faults:
/// - the root: `required`: expected an array of names
/// - the root: `type`: `text` is not a type; write string, integer, number, boolean, array, object or null");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaFaults {
    /// The faults, in the order in which the schema was walked.
    pub faults: Vec<SchemaFault>,
    /// How many more faults were found than kept.
    pub omitted: usize,
}

/// How many faults of one schema are kept.
const KEPT: usize = 64;
/// The longest pointer or keyword that is shown whole.
const SHOWN: usize = 200;

impl SchemaFaults {
    /// Notes a fault, once.
    pub(in crate::schema) fn note(
        &mut self,
        path: &str,
        keyword: &str,
        message: impl Into<String>,
    ) {
        self.push(SchemaFault {
            path: path.to_owned(),
            keyword: keyword.to_owned(),
            message: message.into(),
            takes_nothing: false,
        });
    }

    /// Notes that no value fits at a place.
    pub(in crate::schema) fn note_nothing(&mut self, path: &str) {
        self.push(SchemaFault {
            path: path.to_owned(),
            keyword: String::new(),
            message: "its rules exclude each other".to_owned(),
            takes_nothing: true,
        });
    }

    fn push(&mut self, fault: SchemaFault) {
        if self.faults.len() >= KEPT {
            self.omitted += 1;
        } else if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Adds more faults; if one keyword has two, the first one stays.
    pub(super) fn add(&mut self, more: Self) {
        self.omitted += more.omitted;
        for fault in more.faults {
            let known = |one: &SchemaFault| one.path == fault.path && one.keyword == fault.keyword;
            if !self.faults.iter().any(known) {
                self.note(&fault.path, &fault.keyword, fault.message);
            }
        }
    }

    /// The value, if there is no fault.
    pub(super) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.faults.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

impl fmt::Display for SchemaFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.faults.len() + self.omitted;
        let s = if count == 1 { "" } else { "s" };
        write!(f, "the schema has {count} fault{s}:")?;
        for fault in &self.faults {
            write!(f, "\n- {fault}")?;
        }
        match self.omitted {
            0 => Ok(()),
            more => write!(f, "\n- and {more} more"),
        }
    }
}

impl std::error::Error for SchemaFaults {}
