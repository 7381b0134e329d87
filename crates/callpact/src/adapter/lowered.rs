//! The specifications of a tool, which are kept: lowering costs many times what a copy costs, and hosts send the same
//! list with every request.

use std::sync::OnceLock;

use callpact_contract::dialect::{StrictBudget, StrictChoice, StrictDemand, StrictPlanner};

use super::ToolSpec;
use crate::{schema::Dialect, tool::ErasedTool};

/// The specifications of one tool, each lowered when it is first needed.
#[derive(Default)]
pub(crate) struct LoweredSpecs([OnceLock<LoweredSpec>; Dialect::ALL.len()]);

struct LoweredSpec {
    spec: ToolSpec,
    /// The demand on a strict request, made when first needed.
    demand: OnceLock<StrictDemand>,
}

/// A tool under its name in a list.
#[derive(Clone, Copy)]
pub(crate) struct LoweredTool<'a> {
    pub(crate) name: &'a str,
    pub(crate) tool: &'a dyn ErasedTool,
    pub(crate) lowered: &'a LoweredSpecs,
}

impl<'a> LoweredTool<'a> {
    /// The specification in exactly this dialect, which the provider may refuse.
    pub(crate) fn spec(self, dialect: Dialect) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            // These two can change while the program runs.
            permission: self.tool.permission(),
            hints: self.tool.hints(),
            ..self.lower(dialect).spec.clone()
        }
    }

    /// The specification in a dialect, or in its fallback if the dialect cannot express the parameters.
    pub(crate) fn spec_alone(self, dialect: Dialect) -> ToolSpec {
        if dialect.fallback().is_none() {
            return self.spec(dialect);
        }
        let mut planner = StrictPlanner::new(StrictBudget::of(dialect));
        self.planned_spec(dialect, &mut planner).1
    }

    /// The decision of a planner for this tool, and the specification to send.
    pub(super) fn planned_spec(
        self,
        dialect: Dialect,
        planner: &mut StrictPlanner,
    ) -> (StrictChoice, ToolSpec) {
        let choice = planner.choose(self.name, self.demand(dialect));
        let spec = match (&choice.reason, dialect.fallback()) {
            (Some(reason), Some(fallback)) => ToolSpec {
                fallback_reason: Some(reason.clone()),
                ..self.spec(fallback)
            },
            _ => self.spec(dialect),
        };
        (choice, spec)
    }

    fn demand(self, dialect: Dialect) -> &'a StrictDemand {
        let LoweredSpec { spec, demand } = self.lower(dialect);
        demand.get_or_init(|| match &spec.refusal {
            Some(reason) => StrictDemand::refused(reason.clone()),
            None => StrictDemand::of(&spec.parameters, dialect),
        })
    }

    fn lower(self, dialect: Dialect) -> &'a LoweredSpec {
        self.lowered.0[dialect as usize].get_or_init(|| LoweredSpec {
            spec: ToolSpec::lower(self.tool, dialect),
            demand: OnceLock::new(),
        })
    }
}
