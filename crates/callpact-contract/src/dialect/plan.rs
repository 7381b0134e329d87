//! Strict mode within a provider's budgets: which tools fit, and why the others do not.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Dialect, StrictBudget, lint::find_error, profile::Profile, write::PAIRS};

impl StrictBudget {
    /// The documented limits of the provider of a strict dialect; no limit if none is documented.
    #[must_use]
    pub const fn of(dialect: Dialect) -> Self {
        match dialect.profile().strict {
            Some(strict) => strict.budget,
            None => Self::NONE,
        }
    }
}

/// The cost of one tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StrictCost {
    /// Parameters that may be left out.
    pub optional: usize,
    /// Parameters of more than one type.
    pub unions: usize,
    /// Properties.
    pub properties: usize,
    /// Levels of nesting.
    pub depth: usize,
}

/// Whether one tool is sent in strict mode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StrictChoice {
    /// The tool.
    pub tool: String,
    /// Its cost.
    pub cost: StrictCost,
    /// Why it is not strict; `None` if it is.
    pub reason: Option<String>,
}

/// What one tool demands of a strict request, whatever the other tools are.
#[derive(Clone, Debug)]
pub struct StrictDemand {
    cost: StrictCost,
    /// Why the tool is strict under no budget.
    refusal: Option<String>,
}

impl StrictDemand {
    /// The demand of a tool whose parameters are written in the strict dialect.
    #[must_use]
    pub fn of(parameters: &str, dialect: Dialect) -> Self {
        let schema: Value = serde_json::from_str(parameters).unwrap_or_default();
        let mut cost = StrictCost::default();
        add_cost(&schema, 1, &mut cost);
        Self {
            cost,
            refusal: refusal_of(&schema, dialect.profile()),
        }
    }

    /// A tool that cannot be strict under any budget.
    #[must_use]
    pub fn refused(reason: String) -> Self {
        Self {
            cost: StrictCost::default(),
            refusal: Some(reason),
        }
    }
}

/// Plans one request: the first tools are strict, as long as the budget lasts.
#[derive(Debug)]
pub struct StrictPlanner {
    budget: StrictBudget,
    strict_tools: usize,
    used: StrictCost,
}

impl StrictPlanner {
    /// A request without tools yet.
    #[must_use]
    pub fn new(budget: StrictBudget) -> Self {
        Self {
            budget,
            strict_tools: 0,
            used: StrictCost::default(),
        }
    }

    /// Decides on the next tool.
    pub fn choose(&mut self, tool: &str, demand: &StrictDemand) -> StrictChoice {
        let StrictDemand { cost, refusal } = demand;
        let (used, budget) = (self.used, self.budget);
        let counts = [
            (self.strict_tools, 1, budget.tools, "strict tools"),
            (
                used.optional,
                cost.optional,
                budget.optional,
                "optional parameters",
            ),
            (
                used.unions,
                cost.unions,
                budget.unions,
                "parameters of several types",
            ),
            (
                used.properties,
                cost.properties,
                budget.properties,
                "properties",
            ),
            (0, cost.depth, budget.depth, "levels of nesting"),
        ];
        let over_budget = || counts.into_iter().find_map(over);
        let reason = refusal.clone().or_else(over_budget);
        if reason.is_none() {
            self.strict_tools += 1;
            self.used.optional += cost.optional;
            self.used.unions += cost.unions;
            self.used.properties += cost.properties;
        }
        StrictChoice {
            tool: tool.to_owned(),
            cost: *cost,
            reason,
        }
    }
}

fn refusal_of(schema: &Value, profile: &'static Profile) -> Option<String> {
    if let Some(why) = profile.refuses_any
        && let Some((path, what)) = find_any(schema, "")
    {
        return Some(format!("{path} takes {what}, {why}"));
    }
    let error = find_error(schema, profile)?;
    let path = if error.path.is_empty() {
        "/"
    } else {
        &error.path
    };
    Some(format!("{path}: {}", error.message))
}

/// What a count exceeds: what the request has used, what the tool adds, and the most of it.
fn over((used, more, most, what): (usize, usize, usize, &str)) -> Option<String> {
    (used.saturating_add(more) > most && more > 0).then(|| {
        if used == 0 {
            format!("it has {more} {what} and a request may have {most}")
        } else {
            format!(
                "the request would have {} {what} and may have {most}",
                used + more
            )
        }
    })
}

/// The first node that takes any value, or an object with any keys, and which of the two it is.
fn find_any(node: &Value, path: &str) -> Option<(String, &'static str)> {
    let map = node.as_object()?;
    let says = ["type", "anyOf", "enum", "$ref", "allOf", "oneOf", "const"];
    let what = if !says.iter().any(|keyword| map.contains_key(*keyword)) {
        "any value"
    } else if map
        .get("additionalProperties")
        .is_some_and(|rest| *rest != Value::Bool(false))
    {
        "any keys"
    } else {
        ""
    };
    if !what.is_empty() {
        let path = if path.is_empty() { "/" } else { path };
        return Some((path.to_owned(), what));
    }
    // The author wrote a map and does not know its pairs.
    if let Some([key, value]) = pair_of(map) {
        return find_any(key, &format!("{path}/propertyNames"))
            .or_else(|| find_any(value, &format!("{path}/additionalProperties")));
    }
    children(map).find_map(|(step, child)| find_any(child, &format!("{path}/{step}")))
}

/// The key and the value of a map that is written as pairs.
fn pair_of(map: &Map<String, Value>) -> Option<[&Value; 2]> {
    let is_map = map.get("description")?.as_str()?.contains(PAIRS);
    let pair = map.get("items")?.get("properties")?.as_object()?;
    let pair = (is_map && pair.len() == 2).then_some(pair)?;
    Some([pair.get("key")?, pair.get("value")?])
}

fn children(map: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    let named = |keyword: &'static str| {
        let entries = map.get(keyword).and_then(Value::as_object);
        let entries = entries.into_iter().flatten();
        entries.map(move |(name, child)| (format!("{keyword}/{name}"), child))
    };
    let items = map.get("items").filter(|items| items.is_object());
    let members = map
        .get("anyOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    named("properties")
        .chain(named("$defs"))
        .chain(items.map(|items| ("items".to_owned(), items)))
        .chain(
            members
                .enumerate()
                .map(|(i, child)| (format!("anyOf/{i}"), child)),
        )
}

/// Adds the cost of a node. Parsing JSON bounds its depth.
fn add_cost(node: &Value, depth: usize, cost: &mut StrictCost) {
    let Some(map) = node.as_object() else { return };
    cost.depth = cost.depth.max(depth);
    let several = map.contains_key("anyOf") || map.get("type").is_some_and(Value::is_array);
    cost.unions += usize::from(several);
    if let Some(properties) = map.get("properties").and_then(Value::as_object) {
        cost.properties += properties.len();
        let required = map
            .get("required")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        cost.optional += properties.len().saturating_sub(required);
    }
    for (_, child) in children(map) {
        add_cost(child, depth + 1, cost);
    }
}
