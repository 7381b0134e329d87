//! Strict mode within a provider's budgets: as many tools as fit, and why the others do not.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Severity, ToolSpec};
use crate::schema::Dialect;

/// What one request may hold in strict mode, all strict tools together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StrictBudget {
    /// Strict tools.
    pub tools: usize,
    /// Parameters that may be left out, at every depth.
    pub optional: usize,
    /// Parameters of more than one type.
    pub unions: usize,
    /// Properties, at every depth.
    pub properties: usize,
    /// Levels of nesting of one tool.
    pub depth: usize,
}

impl StrictBudget {
    /// What the provider of a strict dialect documents; no limit where it documents none.
    pub const fn of(dialect: Dialect) -> Self {
        const NONE: usize = usize::MAX;
        match dialect {
            Dialect::AnthropicStrict => Self {
                tools: 20,
                optional: 24,
                unions: 16,
                properties: NONE,
                depth: NONE,
            },
            Dialect::BedrockStrict => Self {
                tools: 20,
                optional: NONE,
                unions: NONE,
                properties: NONE,
                depth: NONE,
            },
            Dialect::OpenAiStrict | Dialect::OpenAiResponsesStrict => Self {
                tools: NONE,
                optional: NONE,
                unions: NONE,
                properties: 5_000,
                depth: 10,
            },
            _ => Self {
                tools: NONE,
                optional: NONE,
                unions: NONE,
                properties: NONE,
                depth: NONE,
            },
        }
    }
}

/// What one tool costs of a budget.
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

/// Whether one tool goes strict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StrictChoice {
    /// The tool.
    pub tool: String,
    /// What it would cost.
    pub cost: StrictCost,
    /// Why it does not go strict; `None` when it does.
    pub reason: Option<String>,
}

/// A request's tools, strict where the budget allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StrictPlan {
    /// What was decided for each tool, in the order of the list.
    pub choices: Vec<StrictChoice>,
    /// The specifications to send, each strict or plain.
    pub specs: Vec<ToolSpec>,
}

impl StrictPlan {
    /// The tool list of the request, as JSON text.
    pub fn to_json(&self) -> String {
        let dialect = self
            .specs
            .first()
            .map(|spec| spec.dialect)
            .unwrap_or_default();
        ToolSpec::list(self.specs.iter().cloned(), dialect)
    }
}

impl fmt::Display for StrictPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, StrictChoice { tool, reason, .. }) in self.choices.iter().enumerate() {
            let line = if i == 0 { "" } else { "\n" };
            match reason {
                None => write!(f, "{line}{tool}: strict")?,
                Some(reason) => write!(f, "{line}{tool}: plain, because {reason}")?,
            }
        }
        Ok(())
    }
}

/// The plain form of a strict dialect.
const fn plain(dialect: Dialect) -> Dialect {
    match dialect {
        Dialect::OpenAiStrict => Dialect::OpenAi,
        Dialect::OpenAiResponsesStrict => Dialect::OpenAiResponses,
        Dialect::AnthropicStrict => Dialect::Anthropic,
        Dialect::BedrockStrict => Dialect::Bedrock,
        other => other,
    }
}

/// Plans a request: tools go strict in the order of the list as long as the budget holds.
/// `spec` gives the specification of a tool in a dialect.
pub(crate) fn plan<T: Copy>(
    tools: impl Iterator<Item = T>,
    dialect: Dialect,
    budget: &StrictBudget,
    spec: impl Fn(T, Dialect) -> ToolSpec,
) -> StrictPlan {
    let mut used = StrictCost::default();
    let mut strict_tools = 0;
    let mut plan = StrictPlan {
        choices: Vec::new(),
        specs: Vec::new(),
    };
    for tool in tools {
        let strict = spec(tool, dialect);
        let cost = cost(&strict);
        let reason = refusal(&strict)
            .or_else(|| over(strict_tools, 1, budget.tools, "strict tools"))
            .or_else(|| {
                over(
                    used.optional,
                    cost.optional,
                    budget.optional,
                    "optional parameters",
                )
            })
            .or_else(|| {
                over(
                    used.unions,
                    cost.unions,
                    budget.unions,
                    "parameters of several types",
                )
            })
            .or_else(|| {
                over(
                    used.properties,
                    cost.properties,
                    budget.properties,
                    "properties",
                )
            })
            .or_else(|| over(0, cost.depth, budget.depth, "levels of nesting"));
        if reason.is_none() {
            strict_tools += 1;
            used.optional += cost.optional;
            used.unions += cost.unions;
            used.properties += cost.properties;
        }
        let name = strict.name.clone();
        plan.specs.push(if reason.is_none() {
            strict
        } else {
            spec(tool, plain(dialect))
        });
        plan.choices.push(StrictChoice {
            tool: name,
            cost,
            reason,
        });
    }
    plan
}

fn over(used: usize, more: usize, most: usize, what: &str) -> Option<String> {
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

/// What strict mode would refuse whatever the budget, such as a value of any form.
fn refusal(spec: &ToolSpec) -> Option<String> {
    let error = spec
        .lint()
        .into_iter()
        .find(|lint| lint.severity == Severity::Error);
    if let Some(lint) = error {
        return Some(format!(
            "{}: {}",
            if lint.path.is_empty() {
                "/"
            } else {
                &lint.path
            },
            lint.message
        ));
    }
    let root: Value = serde_json::from_str(&spec.parameters).unwrap_or_default();
    open_node(&root, "").map(|path| format!("{path} takes any value, which strict mode cannot say"))
}

fn open_node(node: &Value, path: &str) -> Option<String> {
    let map = node.as_object()?;
    if !map.contains_key("type") && !map.contains_key("anyOf") && !map.contains_key("enum") {
        return Some(if path.is_empty() {
            "/".to_owned()
        } else {
            path.to_owned()
        });
    }
    children(map).find_map(|(step, child)| open_node(child, &format!("{path}/{step}")))
}

fn children(map: &Map<String, Value>) -> impl Iterator<Item = (String, &Value)> {
    let properties = map
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let items = map.get("items").filter(|items| items.is_object());
    let members = map
        .get("anyOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    properties
        .map(|(name, child)| (format!("properties/{name}"), child))
        .chain(items.map(|items| ("items".to_owned(), items)))
        .chain(
            members
                .enumerate()
                .map(|(i, child)| (format!("anyOf/{i}"), child)),
        )
}

fn cost(spec: &ToolSpec) -> StrictCost {
    let root: Value = serde_json::from_str(&spec.parameters).unwrap_or_default();
    let mut cost = StrictCost::default();
    count(&root, 1, &mut cost);
    cost
}

fn count(node: &Value, depth: usize, cost: &mut StrictCost) {
    let Some(map) = node.as_object() else { return };
    if depth > crate::input::MAX_DEPTH {
        return;
    }
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
        count(child, depth + 1, cost);
    }
}
