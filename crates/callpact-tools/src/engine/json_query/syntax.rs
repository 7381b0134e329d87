//! The syntax tree of a `JSONPath`.

use super::node::Node;

/// A query from the root or, in a filter, from the current value.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) from_root: bool,
    pub(super) segments: Vec<Segment>,
}

#[derive(Debug)]
pub(super) struct Segment {
    /// Whether it visits all descendants, not only the children.
    pub(super) descends: bool,
    pub(super) selectors: Vec<Selector>,
}

#[derive(Debug)]
pub(super) enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice {
        start: Option<i64>,
        end: Option<i64>,
        step: i64,
    },
    Filter(Test),
}

/// A condition on a value.
#[derive(Debug)]
pub(super) enum Test {
    Or(Vec<Test>),
    And(Vec<Test>),
    Not(Box<Test>),
    Compare(Operand, Comparison, Operand),
    Exists(Query),
    Matches {
        text: Operand,
        pattern: Operand,
        /// Whether the pattern must match the whole text.
        whole: bool,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// An expression that gives one value or nothing.
#[derive(Debug)]
pub(super) enum Operand {
    Literal(Node),
    Singular(Query),
    Length(Box<Operand>),
    Count(Query),
    Value(Query),
}

impl Query {
    /// Whether the query can select at most one value (RFC 9535, section 2.3.5.1).
    pub(super) fn is_singular(&self) -> bool {
        self.segments.iter().all(|segment| {
            !segment.descends
                && matches!(
                    segment.selectors.as_slice(),
                    [Selector::Name(_) | Selector::Index(_)]
                )
        })
    }
}
