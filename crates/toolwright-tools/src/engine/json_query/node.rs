//! A JSON text as a tree that remembers where each value stands, and counts who looks at it.
//!
//! `serde_json::Value` rounds large numbers and cannot be metered. This tree keeps the text's own
//! spelling, and its accessors, which are all that the `JSONPath` library sees, stop answering once a
//! budget is spent: whatever a query multiplies, the library soon has nothing left to work on.

use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::Range;
use std::time::{Duration, Instant};

use jsonpath_rust::query::queryable::Queryable;
/// One value.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Where the value stands in the text; empty for the library's own values.
    pub(super) span: Range<usize>,
    /// How deep it stands: the library keeps a path for each value, and deep ones are longer.
    pub(super) depth: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) enum Kind {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    Array(Vec<Node>),
    Object(Object),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) float: f64,
    pub(super) integer: Option<i64>,
}

/// Members in the order of the text, and their places in the order of their names.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    members: Vec<(String, Node)>,
    sorted: Vec<usize>,
}

impl Object {
    /// Two members with one name are an error, which names it: which of them counts would be a guess.
    pub(super) fn new(members: Vec<(String, Node)>) -> Result<Self, String> {
        let mut sorted: Vec<usize> = (0..members.len()).collect();
        let name = |at: usize| members.get(at).map(|member| member.0.as_str());
        sorted.sort_by_key(|&at| name(at));
        let twice = sorted
            .windows(2)
            .find_map(|pair| match pair {
                [one, other] if name(*one) == name(*other) => name(*one),
                _ => None,
            })
            .map(str::to_owned);
        match twice {
            Some(twice) => Err(twice),
            None => Ok(Self { members, sorted }),
        }
    }

    fn get(&self, name: &str) -> Option<&Node> {
        let member = |at: &usize| self.members.get(*at);
        let order = |at: &usize| member(at).map(|m| m.0.as_str()).cmp(&Some(name));
        let place = self.sorted.binary_search_by(order).ok()?;
        self.sorted.get(place).and_then(member).map(|m| &m.1)
    }
}

/// What the dotted form needs.
impl Node {
    pub(super) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Object(object) => object.get(name),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Writes the value as `json` spells it, without the white space between tokens.
    pub(super) fn write(&self, json: &str, out: &mut String) {
        let (mut in_text, mut escaped) = (false, false);
        let text = json.get(self.span.clone()).unwrap_or_default();
        out.extend(text.chars().filter(|&c| {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_text => escaped = true,
                '"' => in_text = !in_text,
                _ => {}
            }
            in_text || !matches!(c, ' ' | '\t' | '\r' | '\n')
        }));
    }
}

/// What a running query may still spend.
struct Budget {
    bytes: u64,
    /// The length of the query, which the library copies into the path of a value.
    path: u64,
    deadline: Option<Instant>,
    looks: u32,
}

thread_local! {
    /// `None` when no query runs. The library takes no context, but it stays on one thread.
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
}

/// About how much the library copies for each value that it touches.
const PER_VALUE: u64 = 64;

/// Runs `work` with a budget. The flag tells whether the budget was enough.
pub(super) fn metered<T>(
    bytes: u64,
    time: Duration,
    path: &str,
    work: impl FnOnce() -> T,
) -> (T, bool) {
    /// Takes the budget away even when the work panics.
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            BUDGET.set(None);
        }
    }
    let deadline = Instant::now().checked_add(time);
    let path = u64::try_from(path.len()).unwrap_or(u64::MAX);
    BUDGET.set(Some(Budget {
        bytes,
        path,
        deadline,
        looks: 0,
    }));
    let _reset = Reset;
    let done = work();
    let left = BUDGET.take();
    (done, left.is_none_or(|budget| budget.bytes > 0))
}

/// Pays for `values` values at `depth`. `false` means that the budget is spent.
fn pay(values: usize, depth: usize) -> bool {
    let Some(mut budget) = BUDGET.take() else {
        return true;
    };
    let depth = u64::try_from(depth).unwrap_or(u64::MAX);
    let each = PER_VALUE
        .saturating_add(budget.path)
        .saturating_add(depth.saturating_mul(8));
    let price = each.saturating_mul(u64::try_from(values).unwrap_or(u64::MAX).saturating_add(1));
    budget.bytes = budget.bytes.saturating_sub(price);
    budget.looks = budget.looks.wrapping_add(1);
    let late = || {
        budget
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    };
    if budget.looks.is_multiple_of(64) && late() {
        budget.bytes = 0;
    }
    let enough = budget.bytes > 0;
    BUDGET.set(Some(budget));
    enough
}

/// Looks at the clock at the next payment: the library is about to do something slow.
fn check_clock() {
    if let Some(mut budget) = BUDGET.take() {
        budget.looks = u32::MAX;
        BUDGET.set(Some(budget));
    }
}

impl Queryable for Node {
    fn get(&self, key: &str) -> Option<&Self> {
        if pay(0, self.depth) {
            self.member(key)
        } else {
            None
        }
    }

    fn as_array(&self) -> Option<&Vec<Self>> {
        match &self.kind {
            Kind::Array(items) if pay(items.len(), self.depth) => Some(items),
            Kind::Array(_) => None,
            _ => {
                pay(0, self.depth);
                None
            }
        }
    }

    fn as_object(&self) -> Option<Vec<(&str, &Self)>> {
        match &self.kind {
            Kind::Object(object) if pay(object.members.len(), self.depth) => {
                // The name only goes into a path, which nobody reads: a long one, copied for each
                // value below it, would take all memory.
                Some(
                    object
                        .members
                        .iter()
                        .map(|(_, value)| ("", value))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    fn as_str(&self) -> Option<&str> {
        let text = self.as_text()?;
        // This may be a pattern that is compiled, or the text that it searches.
        check_clock();
        if pay(text.len() / 64, self.depth) {
            Some(text)
        } else {
            None
        }
    }

    fn as_i64(&self) -> Option<i64> {
        match self.kind {
            Kind::Number(number) => number.integer,
            _ => None,
        }
    }

    fn as_f64(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(number) if pay(0, self.depth) => Some(number.float),
            _ => None,
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn null() -> Self {
        Self::default()
    }

    fn extension_custom(_: &str, _: Vec<Cow<'_, Self>>) -> Self {
        Self::default()
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        if !pay(0, self.depth) {
            return false;
        }
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(left), Kind::Bool(right)) => left == right,
            (Kind::Number(left), Kind::Number(right)) => match (left.integer, right.integer) {
                (Some(left), Some(right)) => left == right,
                // Zero equals minus zero.
                _ => left
                    .float
                    .partial_cmp(&right.float)
                    .is_some_and(Ordering::is_eq),
            },
            (Kind::Text(left), Kind::Text(right)) => left == right,
            (Kind::Array(left), Kind::Array(right)) => left == right,
            (Kind::Object(left), Kind::Object(right)) => {
                left.members.len() == right.members.len()
                    && left
                        .members
                        .iter()
                        .all(|(name, value)| right.get(name) == Some(value))
            }
            _ => false,
        }
    }
}

impl From<Kind> for Node {
    fn from(kind: Kind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Kind::Text(text.to_owned()).into()
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Kind::Text(text).into()
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Kind::Bool(value).into()
    }
}

impl From<i64> for Node {
    fn from(value: i64) -> Self {
        // The library compares as doubles.
        #[expect(
            clippy::cast_precision_loss,
            reason = "the exact value is kept beside it"
        )]
        let float = value as f64;
        Kind::Number(Number {
            float,
            integer: Some(value),
        })
        .into()
    }
}

impl From<f64> for Node {
    fn from(float: f64) -> Self {
        Kind::Number(Number {
            float,
            integer: None,
        })
        .into()
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Self {
        Kind::Array(items).into()
    }
}
