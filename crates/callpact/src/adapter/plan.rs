//! A request in a strict dialect: as many tools strict as fit, the others plain.

use std::fmt;

use callpact_contract::dialect::{StrictBudget, StrictChoice, StrictPlanner};

use super::{LoweredTool, ToolSpec};
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
        ToolSpec::list(&self.specs, dialect)
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
pub(crate) fn plan<'a>(
    tools: impl Iterator<Item = LoweredTool<'a>>,
    dialect: Dialect,
    budget: &StrictBudget,
) -> StrictPlan {
    let mut planner = StrictPlanner::new(*budget);
    let (choices, specs) = tools
        .map(|tool| tool.planned_spec(dialect, &mut planner))
        .unzip();
    StrictPlan { choices, specs }
}
