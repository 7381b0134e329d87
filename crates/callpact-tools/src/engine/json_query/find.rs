//! Runs a `JSONPath` on a tree, with a bound on the work.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::time::{Duration, Instant};

use super::node::{JsonNode, JsonNumber, NodeKind};
use super::pattern::QueryPatterns;
use super::syntax::{
    FilterComparison, FilterOperand, FilterTest, PathQuery, QuerySegment, QuerySelector,
};

/// How many values a query may visit in all.
const MAX_LOOKS: u64 = 20_000_000;
/// How many visits there are between two checks of the clock.
const CLOCK: u64 = 1_024;

/// The limit on the work was reached.
pub(super) struct WorkExhausted;

type FoundNodes<T> = Result<T, WorkExhausted>;

/// The values that a query names, in order.
pub(super) fn find<'a>(
    query: &PathQuery,
    root: &'a JsonNode,
    time: Duration,
) -> FoundNodes<Vec<&'a JsonNode>> {
    let mut search = NodeSearch {
        root,
        looks: 0,
        deadline: Instant::now().checked_add(time),
        patterns: QueryPatterns::default(),
    };
    search.query(query, root)
}

struct NodeSearch<'a> {
    root: &'a JsonNode,
    looks: u64,
    deadline: Option<Instant>,
    patterns: QueryPatterns,
}

impl<'a> NodeSearch<'a> {
    /// Charges for visits to `values` values.
    fn pay(&mut self, values: usize) -> FoundNodes<()> {
        let before = self.looks / CLOCK;
        let values = u64::try_from(values).unwrap_or(u64::MAX);
        self.looks = self.looks.saturating_add(values);
        if self.looks > MAX_LOOKS || (self.looks / CLOCK != before && self.is_late()) {
            return Err(WorkExhausted);
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    fn query(&mut self, query: &PathQuery, current: &'a JsonNode) -> FoundNodes<Vec<&'a JsonNode>> {
        let start = if query.from_root { self.root } else { current };
        let mut nodes = vec![start];
        for segment in &query.segments {
            let mut next = Vec::new();
            for node in nodes {
                self.pay(1)?;
                if segment.descends {
                    self.descend(segment, node, &mut next)?;
                } else {
                    self.select(segment, node, &mut next)?;
                }
            }
            nodes = next;
        }
        Ok(nodes)
    }

    /// A value comes before those inside it. The depth of the JSON is bounded.
    fn descend(
        &mut self,
        segment: &QuerySegment,
        node: &'a JsonNode,
        out: &mut Vec<&'a JsonNode>,
    ) -> FoundNodes<()> {
        self.select(segment, node, out)?;
        for child in node.children() {
            self.pay(1)?;
            self.descend(segment, child, out)?;
        }
        Ok(())
    }

    fn select(
        &mut self,
        segment: &QuerySegment,
        node: &'a JsonNode,
        out: &mut Vec<&'a JsonNode>,
    ) -> FoundNodes<()> {
        for selector in &segment.selectors {
            self.pay(1)?;
            match selector {
                QuerySelector::Name(name) => out.extend(node.member(name)),
                QuerySelector::Wildcard => {
                    let before = out.len();
                    out.extend(node.children());
                    self.pay(out.len() - before)?;
                }
                QuerySelector::Index(index) => {
                    let items = node.items().unwrap_or_default();
                    let place = from_end(*index, items.len());
                    out.extend(usize::try_from(place).ok().and_then(|at| items.get(at)));
                }
                QuerySelector::Slice { start, end, step } => {
                    let items = node.items().unwrap_or_default();
                    for at in slice(*start, *end, *step, items.len()) {
                        self.pay(1)?;
                        out.extend(items.get(at));
                    }
                }
                QuerySelector::Filter(test) => {
                    for child in node.children() {
                        self.pay(1)?;
                        if self.test(test, child)? {
                            out.push(child);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn test(&mut self, test: &FilterTest, current: &'a JsonNode) -> FoundNodes<bool> {
        self.pay(1)?;
        Ok(match test {
            FilterTest::Or(tests) => {
                for test in tests {
                    if self.test(test, current)? {
                        return Ok(true);
                    }
                }
                false
            }
            FilterTest::And(tests) => {
                for test in tests {
                    if !self.test(test, current)? {
                        return Ok(false);
                    }
                }
                true
            }
            FilterTest::Not(test) => !self.test(test, current)?,
            FilterTest::Exists(query) => !self.query(query, current)?.is_empty(),
            FilterTest::Compare(left, comparison, right) => {
                let left = self.operand(left, current)?;
                let right = self.operand(right, current)?;
                self.compare(left.as_deref(), *comparison, right.as_deref())?
            }
            FilterTest::Matches {
                text: subject,
                pattern,
                whole,
            } => {
                let subject = self.operand(subject, current)?;
                let pattern = self.operand(pattern, current)?;
                let subject = subject.as_deref().and_then(JsonNode::as_text);
                let pattern = pattern.as_deref().and_then(JsonNode::as_text);
                let (Some(subject), Some(pattern)) = (subject, pattern) else {
                    return Ok(false);
                };
                // One match may take long.
                if self.is_late() {
                    return Err(WorkExhausted);
                }
                self.pay((subject.len() + pattern.len()) / 64)?;
                self.patterns.matches(pattern, *whole, subject)
            }
        })
    }

    /// One value, or `None` for nothing.
    fn operand<'o>(
        &mut self,
        operand: &'o FilterOperand,
        current: &'a JsonNode,
    ) -> FoundNodes<Option<Cow<'o, JsonNode>>>
    where
        'a: 'o,
    {
        Ok(match operand {
            FilterOperand::Literal(node) => Some(Cow::Borrowed(node)),
            FilterOperand::Singular(query) => {
                let nodes = self.query(query, current)?;
                nodes.first().map(|node| Cow::Borrowed(*node))
            }
            FilterOperand::Count(query) => {
                let nodes = self.query(query, current)?;
                Some(Cow::Owned(number(nodes.len())))
            }
            FilterOperand::Value(query) => match self.query(query, current)?.as_slice() {
                [node] => Some(Cow::Borrowed(*node)),
                _ => None,
            },
            FilterOperand::Length(of) => {
                let of = self.operand(of, current)?;
                let length = match of.as_deref().map(|node| &node.kind) {
                    Some(NodeKind::Text(text)) => {
                        self.pay(text.len() / 64)?;
                        Some(text.chars().count())
                    }
                    Some(NodeKind::Array(items)) => Some(items.len()),
                    Some(NodeKind::Object(object)) => Some(object.len()),
                    _ => None,
                };
                length.map(|length| Cow::Owned(number(length)))
            }
        })
    }

    fn compare(
        &mut self,
        left: Option<&JsonNode>,
        comparison: FilterComparison,
        right: Option<&JsonNode>,
    ) -> FoundNodes<bool> {
        Ok(match comparison {
            FilterComparison::Equal => self.are_equal(left, right)?,
            FilterComparison::NotEqual => !self.are_equal(left, right)?,
            FilterComparison::Less => is_less(left, right),
            FilterComparison::Greater => is_less(right, left),
            FilterComparison::LessOrEqual => is_less(left, right) || self.are_equal(left, right)?,
            FilterComparison::GreaterOrEqual => {
                is_less(right, left) || self.are_equal(left, right)?
            }
        })
    }

    fn are_equal(&mut self, left: Option<&JsonNode>, right: Option<&JsonNode>) -> FoundNodes<bool> {
        self.pay(1)?;
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => return Ok(left.is_none() && right.is_none()),
        };
        Ok(match (&left.kind, &right.kind) {
            (NodeKind::Null, NodeKind::Null) => true,
            (NodeKind::Bool(left), NodeKind::Bool(right)) => left == right,
            (NodeKind::Number(left), NodeKind::Number(right)) => {
                compare_numbers(*left, *right) == Some(Ordering::Equal)
            }
            (NodeKind::Text(left), NodeKind::Text(right)) => {
                self.pay(left.len().min(right.len()) / 64)?;
                left == right
            }
            (NodeKind::Array(left), NodeKind::Array(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                for (left, right) in left.iter().zip(right) {
                    if !self.are_equal(Some(left), Some(right))? {
                        return Ok(false);
                    }
                }
                true
            }
            (NodeKind::Object(left), NodeKind::Object(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                for (name, value) in left.members() {
                    let other = right.get(name);
                    if other.is_none() || !self.are_equal(Some(value), other)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        })
    }
}

/// Only numbers and texts have an order.
fn is_less(left: Option<&JsonNode>, right: Option<&JsonNode>) -> bool {
    match (left.map(|node| &node.kind), right.map(|node| &node.kind)) {
        (Some(NodeKind::Number(left)), Some(NodeKind::Number(right))) => {
            compare_numbers(*left, *right) == Some(Ordering::Less)
        }
        (Some(NodeKind::Text(left)), Some(NodeKind::Text(right))) => left < right,
        _ => false,
    }
}

/// Whole numbers exactly, others as doubles. Zero equals minus zero.
fn compare_numbers(left: JsonNumber, right: JsonNumber) -> Option<Ordering> {
    match (left.integer, right.integer) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.float.partial_cmp(&right.float),
    }
}

fn number(length: usize) -> JsonNode {
    NodeKind::Number(JsonNumber {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the exact value is kept beside it"
        )]
        float: length as f64,
        integer: i64::try_from(length).ok(),
    })
    .into()
}

fn from_end(index: i64, length: usize) -> i64 {
    if index >= 0 {
        return index;
    }
    i64::try_from(length)
        .unwrap_or(i64::MAX)
        .saturating_add(index)
}

/// The indices that a slice selects (RFC 9535, section 2.3.4.2.2).
fn slice(
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
    length: usize,
) -> impl Iterator<Item = usize> {
    let last = i64::try_from(length).unwrap_or(i64::MAX);
    let (first, limit) = if step >= 0 {
        let first = from_end(start.unwrap_or(0), length).clamp(0, last);
        (first, from_end(end.unwrap_or(last), length).clamp(0, last))
    } else {
        let first = start.map_or(last - 1, |start| from_end(start, length));
        let limit = end.map_or(-1, |end| from_end(end, length));
        (first.clamp(-1, last - 1), limit.clamp(-1, last - 1))
    };
    let mut at = first;
    std::iter::from_fn(move || {
        let more = match step.cmp(&0) {
            Ordering::Greater => at < limit,
            Ordering::Less => at > limit,
            Ordering::Equal => false,
        };
        if !more {
            return None;
        }
        let found = usize::try_from(at).ok();
        at = at.saturating_add(step);
        found
    })
}
