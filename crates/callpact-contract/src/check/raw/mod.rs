//! Checks a value against a JSON Schema as it was written, for the keywords that the tree cannot hold, such
//! as `not`, `if` and `allOf`.
//!
//! It knows the keywords `type`, `enum`, `const`, `properties`, `patternProperties`, `required`,
//! `additionalProperties`, `propertyNames`, `minProperties`, `maxProperties`, `dependentRequired`,
//! `dependentSchemas`, `dependencies`, `items`, `prefixItems`, `contains`, `minItems`, `maxItems`, `uniqueItems`, the rules
//! of numbers and strings, `$ref` into the schema itself, `allOf`, `anyOf`, `oneOf`, `not`, `if`,
//! `unevaluatedProperties` and `unevaluatedItems`. Formats are hints, as in JSON Schema 2020-12. A `pattern`
//! that does not compile is not checked.

mod kinds;
mod unevaluated;
mod values;

use std::{borrow::Cow, cell::OnceCell, collections::HashMap, mem};

use serde_json::{Map, Value};

use super::{
    list::count_words,
    state::State,
    values::{count_values, found, parse},
};
use crate::{
    report::{Fix, FixKind, Issue, IssueKind, Path, Step, is_secret_at},
    schema::{
        ForeignSchema, Json, NOTHING, Schema, are_crossed, expected,
        foreign::{dependents, is_of, types},
        items_are, listed, part, range, refused,
    },
};

/// The most nodes to check for any value, and the additional nodes for each value inside it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;
/// The deepest level of nested schemas, references and forms included. Values are less deep than that.
const NESTED: usize = 400;
/// The most references in a row to follow to a form.
const HOPS: usize = 8;

/// Whether the value of a checked text follows a schema. Reports the faults.
pub(crate) fn text_follows(root: &ForeignSchema, text: &str, state: &mut State) -> bool {
    root.is_whole() || parse(text).map_or(true, |value| follows(root, &value, state))
}

/// Whether a value that fits the tree of a schema follows the schema. Reports the faults.
pub(crate) fn follows(root: &ForeignSchema, value: &Value, state: &mut State) -> bool {
    if root.is_whole() {
        return true;
    }
    let mut check = Check::new(root, value, state);
    let faults = check.node(root.value(), value);
    let spent = check.fuel == 0 && faults == 0;
    if spent {
        check.too_long();
    }
    if let Some(notes) = state.notes_if_any() {
        notes.kept = check.kept;
    }
    state.omitted += check.more;
    for issue in check.issues.unwrap_or_default() {
        state.push(issue);
    }
    faults == 0 && !spent
}

struct Check<'s> {
    root: &'s ForeignSchema,
    /// The schema as a document, from which words are made. It is made on first use.
    document: OnceCell<Json>,
    /// Whether some value of the schema is secret.
    holds_secret: bool,
    base: Path,
    /// Whether the whole value is secret.
    secret: bool,
    /// The path from the value to the place that is being checked.
    steps: Vec<Step>,
    /// The issues so far; `None` while faults are only counted.
    issues: Option<Vec<Issue>>,
    /// The most issues that are put into words, and the number of further ones.
    most: usize,
    more: usize,
    /// The number of nodes that may still be checked. Forms inside forms could take any time.
    fuel: usize,
    nested: usize,
    /// The number of faults of a value under a part of the schema, both by address, and whether the faults were put
    /// into words. Forms inside forms check the same value many times.
    known: HashMap<(usize, usize), (usize, bool)>,
    /// Keys that were read as a property in another case: the path of the property, and the key.
    renamed: Vec<(Path, String)>,
    /// Keys that the tree does not declare.
    kept: Vec<Path>,
}

fn renamed(fixes: &[Fix]) -> Vec<(Path, String)> {
    let renamed = fixes.iter().filter(|fix| fix.kind == FixKind::KeyCase);
    renamed
        .map(|fix| {
            let key = serde_json::from_str(&fix.from).unwrap_or_default();
            (fix.path.clone(), key)
        })
        .collect()
}

impl<'s> Check<'s> {
    fn new(root: &'s ForeignSchema, value: &Value, state: &mut State) -> Self {
        Self {
            root,
            document: OnceCell::new(),
            holds_secret: root.reading().holds_secret(),
            base: Path::default(),
            secret: root.reading().secret,
            steps: Vec::new(),
            issues: Some(Vec::new()),
            most: state.policy.max_issues(),
            more: 0,
            fuel: count_values(value)
                .saturating_mul(FUEL_EACH)
                .saturating_add(FUEL),
            nested: 0,
            known: HashMap::new(),
            renamed: renamed(state.fixes()),
            kept: state
                .notes_if_any()
                .map_or_else(Vec::new, |notes| mem::take(&mut notes.kept)),
        }
    }

    /// Checks a value, and counts its faults.
    fn node(&mut self, schema: &'s Value, value: &Value) -> usize {
        let Value::Object(map) = schema else {
            return match schema {
                Value::Bool(false) => self.issue(IssueKind::Invalid, NOTHING, ""),
                _ => 0,
            };
        };
        if self.nested >= NESTED || self.fuel == 0 {
            return self.too_long();
        }
        let place = {
            let (schema, value): (*const Value, *const Value) = (schema, value);
            (schema.addr(), value.addr())
        };
        // Faults that were only counted are checked again to put them into words.
        let tells = self.tells();
        match self.known.get(&place).copied() {
            Some((0, _)) => return 0,
            Some((faults, true)) => return faults,
            Some((faults, false)) if !tells => return self.untold(faults),
            _ => {}
        }
        self.fuel -= 1;
        self.nested += 1;
        let is_null = value.is_null() && map.get("nullable") == Some(&Value::Bool(true));
        let mut faults = 0;
        if !is_null {
            faults += self.type_faults(schema, map, value);
            if faults == 0 {
                faults += self.choice_faults(schema, map, value);
            }
            if faults == 0 {
                faults += self.kind_faults(schema, map, value);
                faults += self.form_faults(schema, map, value);
            }
            // Only forms that fit decide which parts of a value are evaluated.
            if faults == 0 {
                faults += self.unevaluated_faults(map, value);
            }
        }
        self.nested -= 1;
        self.known.insert(place, (faults, tells));
        faults
    }

    fn too_long(&mut self) -> usize {
        let words = "checking this takes too long; send something simpler";
        self.issue(IssueKind::Invalid, words, "")
    }

    /// Checks a value inside the current one.
    fn below(&mut self, step: Step, schema: &'s Value, value: &Value) -> usize {
        self.steps.push(step);
        let faults = self.node(schema, value);
        self.steps.pop();
        faults
    }

    /// Counts the faults of a temporary value, whose address must not be remembered.
    fn count_passing(&mut self, schema: &'s Value, value: &Value) -> usize {
        let known = std::mem::take(&mut self.known);
        let faults = self.count(schema, value);
        self.known = known;
        faults
    }

    /// Counts faults without putting them into words.
    fn count(&mut self, schema: &'s Value, value: &Value) -> usize {
        let issues = self.issues.take();
        let faults = self.node(schema, value);
        self.issues = issues;
        faults
    }

    /// Whether faults are put into words.
    fn tells(&self) -> bool {
        let issues = self.issues.as_ref();
        issues.is_some_and(|issues| issues.len() < self.most)
    }

    /// Counts faults for which there is no room.
    fn untold(&mut self, faults: usize) -> usize {
        if self.issues.is_some() {
            self.more += faults;
        }
        faults
    }

    /// Checks the keywords that contain other schemas.
    fn form_faults(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        value: &Value,
    ) -> usize {
        let mut faults = 0;
        let target = map.get("$ref").and_then(Value::as_str);
        if let Some(target) = target.and_then(|reference| self.root.resolve(reference)) {
            faults += self.node(target, value);
        }
        for member in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            faults += self.node(member, value);
        }
        for (keyword, only) in [("anyOf", false), ("oneOf", true)] {
            if let Some(members) = map.get(keyword).and_then(Value::as_array) {
                faults += self.union_faults(schema, members, value, only);
            }
        }
        if let Some(form) = map.get("not")
            && self.count(form, value) == 0
        {
            let words = if self.tells() {
                let document = self.document.get_or_init(|| self.root.document());
                refused(document, schema)
            } else {
                String::new()
            };
            faults += self.issue(IssueKind::Invalid, words, "");
        }
        if let Some(test) = map.get("if") {
            let branch = if self.count(test, value) == 0 {
                "then"
            } else {
                "else"
            };
            if let Some(branch) = map.get(branch) {
                faults += self.node(branch, value);
            }
        }
        if let Value::Object(entries) = value {
            let forms = dependents(map, "dependentSchemas", entries);
            for form in forms.filter(|form| !form.is_array()) {
                faults += self.node(form, value);
            }
        }
        faults
    }

    fn union_faults(
        &mut self,
        schema: &Value,
        members: &'s [Value],
        value: &Value,
        only: bool,
    ) -> usize {
        let mut fits = 0;
        // The form of the same type with the fewest faults explains best what is wrong.
        let mut nearest: Option<(usize, &'s Value)> = None;
        for member in members {
            let faults = self.count(member, value);
            fits += usize::from(faults == 0);
            if fits > usize::from(only) {
                break;
            }
            let is_nearer = nearest.is_none_or(|(least, _)| faults < least);
            if is_nearer && self.has_form(member, value) {
                nearest = Some((faults, member));
            }
        }
        match nearest {
            _ if fits == 1 || fits > 0 && !only => 0,
            Some((_, member)) if fits == 0 => self.node(member, value),
            _ if fits == 0 => self.fault(IssueKind::NoVariant, schema, value),
            _ if !self.tells() => self.untold(1),
            _ => {
                let forms = members.len();
                let words = format!("{}, in exactly one of {forms} forms", self.words(schema));
                let found = format!("{}, which fits more than one", self.found(value));
                self.issue(IssueKind::NoVariant, words, found)
            }
        }
    }

    /// Whether a form is for values of this type.
    fn has_form(&self, member: &Value, value: &Value) -> bool {
        let mut form = member;
        for _ in 0..HOPS {
            let target = form.get("$ref").and_then(Value::as_str);
            match target.and_then(|reference| self.root.resolve(reference)) {
                Some(target) => form = target,
                None => break,
            }
        }
        let Value::Object(map) = form else {
            return false;
        };
        let names = types(map);
        if names.is_empty() {
            // A form without a type is for objects, unless it lists values.
            let lists = map.contains_key("enum") || map.contains_key("const");
            return value.is_object() && !lists;
        }
        names.iter().any(|name| is_of(value, name))
    }

    fn path(&self) -> Path {
        let steps = self.base.steps().iter().chain(&self.steps);
        steps.cloned().collect()
    }

    /// A part of the schema as a tree, to describe it.
    fn tree(&self, schema: &Value) -> Schema {
        let document = self.document.get_or_init(|| self.root.document());
        part(document, schema)
    }

    /// A schema in words.
    fn words(&self, schema: &Value) -> Cow<'static, str> {
        if !self.tells() {
            return Cow::Borrowed("");
        }
        let constant = schema.get("const").map(std::slice::from_ref);
        let values = schema.get("enum").and_then(Value::as_array);
        match values.map(Vec::as_slice).or(constant) {
            Some(values) => listed(values).into(),
            None => expected(&self.tree(schema)),
        }
    }

    /// A value in words, as far as it may be shown.
    fn found(&self, value: &Value) -> String {
        let is_secret = || {
            let steps: Path = self.steps.iter().cloned().collect();
            self.holds_secret && is_secret_at(self.root.reading(), &steps)
        };
        found(value, self.secret || is_secret())
    }

    fn fault(&mut self, kind: IssueKind, schema: &Value, value: &Value) -> usize {
        if !self.tells() {
            return self.untold(1);
        }
        let tree = self.tree(schema);
        if tree.takes_nothing() && !tree.nullable {
            return self.issue(IssueKind::Invalid, NOTHING, "");
        }
        self.issue(kind, self.words(schema), self.found(value))
    }

    fn wrong_count(
        &mut self,
        of: &str,
        unit: &str,
        ends: (Option<u64>, Option<u64>),
        count: usize,
    ) -> usize {
        if are_crossed(ends.0, ends.1) {
            return self.issue(IssueKind::Invalid, NOTHING, "");
        }
        let words = format!("{of}{}", range(ends.0, ends.1, unit));
        let found = if unit == "item" {
            count_words(count)
        } else {
            count.to_string()
        };
        self.issue(IssueKind::ItemCount, words, found)
    }

    /// Reports that too few or too many items of an array follow a schema.
    fn wrong_items(
        &mut self,
        schema: &Value,
        least: u64,
        most: Option<u64>,
        count: usize,
    ) -> usize {
        if are_crossed(Some(least), most) {
            return self.issue(IssueKind::Invalid, NOTHING, "");
        }
        let words = self.words(schema);
        let words = format!("an array of which {} {words}", items_are(least, most));
        let found = match count {
            0 => Cow::Borrowed("none"),
            count => count.to_string().into(),
        };
        self.issue(IssueKind::ItemCount, words, found)
    }

    fn issue(
        &mut self,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> usize {
        if !self.tells() {
            return self.untold(1);
        }
        let issue = Issue::new(self.path(), kind, expected, found);
        self.push(issue)
    }

    fn issue_at(
        &mut self,
        step: Step,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> usize {
        self.steps.push(step);
        let faults = self.issue(kind, expected, found);
        self.steps.pop();
        faults
    }

    /// Adds an issue once, since parts of `allOf` can give the same issue.
    fn push(&mut self, issue: Issue) -> usize {
        match &mut self.issues {
            Some(issues) if issues.contains(&issue) => 1,
            Some(issues) if issues.len() < self.most => {
                issues.push(issue);
                1
            }
            _ => self.untold(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::Check;
    use crate::{Policy, check::state::State, schema::ForeignSchema};

    /// The number of faults of a value, of checked nodes, and of issues in words.
    fn look(schema: &ForeignSchema, value: &Value) -> (usize, usize, usize) {
        let policy = Policy::exact();
        let mut state = State::new(policy);
        let mut check = Check::new(schema, value, &mut state);
        let before = check.fuel;
        let faults = check.node(schema.value(), value);
        let told = check.issues.map_or(0, |issues| issues.len());
        (faults, before - check.fuel, told)
    }

    fn nested(levels: usize, leaf: &Value) -> Value {
        (0..levels).fold(leaf.clone(), |value, _| json!({ "x": value }))
    }

    /// Two equal forms at every level, written out.
    #[test]
    fn forms_that_are_written_out_are_looked_at_twice_at_most() {
        let object =
            |of: Value| json!({"type": "object", "properties": {"x": of}, "required": ["x"]});
        for levels in 1..=12 {
            let schema = (0..levels).fold(json!({"type": "integer"}), |schema, _| {
                let form = object(schema);
                json!({"anyOf": [form, form]})
            });
            let schema = ForeignSchema::from_value(object(schema)).expect("a schema");
            let nodes = 4 << levels;
            for leaf in [json!(1), json!("a"), json!(null), json!({})] {
                let (faults, steps, told) = look(&schema, &nested(levels + 1, &leaf));
                assert_eq!((faults, told), if leaf == 1 { (0, 0) } else { (1, 1) });
                assert!(steps <= 2 * nodes, "{levels} levels: {steps} of {nodes}");
            }
        }
    }

    /// With references, a few lines of a schema stand for 2^60 forms.
    #[test]
    fn forms_that_are_referred_to_are_looked_at_twice_at_most() {
        let levels = 60;
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let mut defs = Map::new();
            for level in 0..levels {
                let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
                let form = json!({"type": "object", "properties": {"x": next}, "required": ["x"]});
                defs.insert(format!("L{level}"), json!({keyword: [form, form]}));
            }
            defs.insert(format!("L{levels}"), json!({"type": "integer"}));
            let schema = json!({"$ref": "#/$defs/L0", "$defs": defs});
            let schema = ForeignSchema::from_value(schema).expect("a schema");
            for leaf in [json!(1), json!("a")] {
                let (_, steps, told) = look(&schema, &nested(levels, &leaf));
                assert!(steps <= 20 * levels, "{keyword}: {steps}");
                assert!(told <= 1, "{keyword}: {told}");
            }
        }
    }
}
