//! The syntax tree of a `JSONPath`.

use super::node::JsonNode;

/// A query from the root or, in a filter, from the current value.
#[derive(Debug)]
pub(super) struct PathQuery {
    pub(super) from_root: bool,
    pub(super) segments: Vec<QuerySegment>,
}

#[derive(Debug)]
pub(super) struct QuerySegment {
    /// Whether it visits all descendants, not only the children.
    pub(super) descends: bool,
    pub(super) selectors: Vec<QuerySelector>,
}

#[derive(Debug)]
pub(super) enum QuerySelector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice {
        start: Option<i64>,
        end: Option<i64>,
        step: i64,
    },
    Filter(FilterTest),
}

/// A condition on a value.
#[derive(Debug)]
pub(super) enum FilterTest {
    Or(Vec<FilterTest>),
    And(Vec<FilterTest>),
    Not(Box<FilterTest>),
    Compare(FilterOperand, FilterComparison, FilterOperand),
    Exists(PathQuery),
    Matches {
        text: FilterOperand,
        pattern: FilterOperand,
        /// Whether the pattern must match the whole text.
        whole: bool,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FilterComparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// An expression that gives one value or nothing.
#[derive(Debug)]
pub(super) enum FilterOperand {
    Literal(JsonNode),
    Singular(PathQuery),
    Length(Box<FilterOperand>),
    Count(PathQuery),
    Value(PathQuery),
}

impl PathQuery {
    /// Whether the query can select at most one value (RFC 9535, section 2.3.5.1).
    pub(super) fn is_singular(&self) -> bool {
        self.segments.iter().all(|segment| {
            !segment.descends
                && matches!(
                    segment.selectors.as_slice(),
                    [QuerySelector::Name(_) | QuerySelector::Index(_)]
                )
        })
    }
}
