//! A request in a strict dialect: as many tools strict as fit, the others plain.

use std::fmt;

use callpact_contract::dialect::{StrictBudget, StrictChoice, StrictPlanner};

use super::ToolSpec;
use crate::schema::Dialect;

/// A request's tools, strict where the budget allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StrictPlan {
    /// The decision for each tool, in the order of the list.
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
        ToolSpec::list(self.specs.iter(), dialect)
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

/// Plans a request: tools go strict in the order of the list as long as the budget holds.
/// `spec` gives the specification of a tool in a dialect.
pub(crate) fn plan<T: Copy>(
    tools: impl Iterator<Item = T>,
    dialect: Dialect,
    budget: &StrictBudget,
    spec: impl Fn(T, Dialect) -> ToolSpec,
) -> StrictPlan {
    let mut planner = StrictPlanner::new(dialect, *budget);
    let mut plan = StrictPlan {
        choices: Vec::new(),
        specs: Vec::new(),
    };
    for tool in tools {
        let mut chosen = spec(tool, dialect);
        let choice = match &chosen.refusal {
            Some(reason) => StrictChoice::refused(&chosen.name, reason.clone()),
            None => planner.choose(&chosen.name, &chosen.parameters),
        };
        if let (Some(reason), Some(fallback)) = (&choice.reason, dialect.fallback()) {
            chosen = ToolSpec {
                fallback_reason: Some(reason.clone()),
                ..spec(tool, fallback)
            };
        }
        plan.specs.push(chosen);
        plan.choices.push(choice);
    }
    plan
}
