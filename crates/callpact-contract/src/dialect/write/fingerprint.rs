//! A short name for a contract that changes with the contract.

use std::fmt;

use super::{root::root, sink::ByteSink};
use crate::{dialect::Dialect, schema::Schema};

/// Identifies a contract: two schemas with the same JSON have the same fingerprint.
///
/// It tells a changed contract from an unchanged one. It is no defence against a deliberate
/// collision.
///
/// ```
/// use callpact::ToolInput;
///
/// assert_ne!(<u8 as ToolInput>::FINGERPRINT, <u16 as ToolInput>::FINGERPRINT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a schema.
    #[must_use]
    pub const fn of(schema: &Schema) -> Self {
        let mut sink = ByteSink::hashing();
        root(schema, Dialect::Mcp20260728, &mut sink);
        Self(sink.hash())
    }

    /// The number behind it.
    #[must_use]
    pub const fn to_u64(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
