//! The bounds of a check of rules, and what its parts declare.

use super::super::{
    checker::Checker,
    place::PlaceFit,
    rule_state::{CheckStart, NESTED},
};
use crate::{
    json::NodeId,
    report::{IssueKind, Path, Step},
    schema::{ExtraRule, Field, Kind, Schema, described},
};

impl<'a> Checker<'a> {
    pub(in crate::check) fn start(&self) -> CheckStart {
        CheckStart {
            changes: self.changes.len(),
            issues: self.state.count(),
        }
    }

    /// Whether a rule may go on: inside rules, the work is bounded. Reports the end of it.
    pub(in crate::check) fn may_go_on(&mut self, schema: &'a Schema) -> bool {
        if let [ExtraRule::Definitions(definitions)] | [.., ExtraRule::Definitions(definitions)] =
            schema.rules()
        {
            self.rules.definitions = definitions;
        }
        if !self.rules.is_inside {
            return true;
        }
        match &mut self.rules.fuel {
            Some(0) => false,
            Some(fuel) => {
                *fuel -= 1;
                true
            }
            None => true,
        }
    }

    pub(in crate::check) fn too_long(&mut self) -> PlaceFit {
        let words = "checking this takes too long; send something simpler";
        self.issue(IssueKind::Invalid, words, "")
    }

    /// Checks at the node of a definition, unless definitions lead to each other without an end.
    pub(in crate::check) fn in_definition(
        &mut self,
        check: impl FnOnce(&mut Self) -> PlaceFit,
    ) -> PlaceFit {
        if self.rules.nested >= NESTED {
            return self.too_long();
        }
        self.rules.nested += 1;
        let fit = check(self);
        self.rules.nested -= 1;
        fit
    }

    /// Notes that a part of a rule declares a key.
    pub(in crate::check) fn declare(&mut self, key: NodeId) {
        if self.rules.is_inside {
            let name = self.document.string(key).unwrap_or_default();
            let path = self.path_of(&name);
            self.rules.declared.push(path);
        }
    }

    /// The words about a missing field. A condition only names the fields that it requires, and the schema that has the
    /// condition declares them.
    pub(in crate::check) fn missing_words(&self, field: &'a Field) -> String {
        let own = field.schema.part();
        let is_named_only =
            self.rules.is_inside && matches!(own.kind, Kind::Any) && own.description.is_empty();
        let declared = is_named_only.then(|| self.declared(&field.name));
        described(declared.flatten().unwrap_or(own))
    }

    /// The declaration of the field here in the schema that has the rule.
    pub(super) fn declared(&self, name: &str) -> Option<&'a Schema> {
        let (mut schema, steps) = self.rules.around?;
        let path = self.steps_from(steps);
        let (_, path) = path.split_last()?;
        let field = |schema: &'a Schema, name: &str| match &schema.kind {
            Kind::Object(rules) => {
                let mut fields = rules.all_fields();
                fields
                    .find(|field| field.name == *name)
                    .map(|field| field.schema.part())
            }
            _ => None,
        };
        for step in path {
            schema = match (&schema.kind, step) {
                (Kind::List(rules), Step::Index(_)) => rules.items.part(),
                (_, Step::Key(key)) => field(schema, key)?,
                _ => return None,
            };
        }
        field(schema, name)
    }

    pub(super) fn declare_keys(&mut self, declared: &[Path]) {
        if declared.is_empty() {
            return;
        }
        if let Some(notes) = self.state.notes_if_any() {
            notes.kept.retain(|kept| !declared.contains(kept));
        }
    }
}
