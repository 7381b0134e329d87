//! What reports and fixes would still tell of a secret once no value is shown: the keys that the model
//! chose inside of it, and the text around a place where JSON broke.
//!
//! All of it is looked at when a reading is over, along the path of an issue or a fix, so that a reading
//! pays nothing for it.

use std::collections::HashSet;

use super::{Fix, Fixes, Issue, Path, Report, Step, fix::QuotedPart};
use crate::{
    schema::{FUNCTION, Kind, Schema, Tagging, field_by_case, is_wrapper},
    text::NOT_SHOWN,
};

/// Stands for a key that must not be shown.
pub(crate) const A_KEY: &str = "a key (not shown)";

/// Takes out of a result what it must not tell.
#[inline]
pub(crate) fn hide(schema: &Schema, result: Result<Fixes, Report>) -> Result<Fixes, Report> {
    match result {
        Ok(fixes) if fixes.is_empty() => Ok(fixes),
        Ok(fixes) => Ok(hide_fixes(schema, fixes)),
        Err(report) => Err(hide_report(schema, report)),
    }
}

#[cold]
fn hide_fixes(schema: &Schema, mut fixes: Fixes) -> Fixes {
    if fixes.is_empty() || !schema.holds_secret() {
        return fixes;
    }
    for fix in fixes.all() {
        in_fix(schema, fix);
    }
    fixes
}

#[cold]
fn hide_report(schema: &Schema, mut report: Report) -> Report {
    // A fault stands at a place that the schema declares, and its value was hidden when it was read.
    let tells_nothing = |issue: &Issue| issue.path.is_root() && !issue.quotes_text();
    if report.issues.iter().all(tells_nothing) || !schema.holds_secret() {
        return report;
    }
    for issue in &mut report.issues {
        hide_issue(schema, issue);
    }
    report
}

pub(crate) fn hide_issue(schema: &Schema, issue: &mut Issue) {
    if issue.quotes_text() && schema.holds_secret() {
        issue.hide_text();
    }
    if !issue.path.is_root()
        && let Some(path) = along(schema, &issue.path).told.path
    {
        issue.path = path;
    }
}

/// A place of the schema, as far as secrets are concerned.
pub(super) struct SecretPlace {
    /// Whether the value is not to be shown.
    pub(super) secret: bool,
    /// The path to show, where it is another one.
    pub(super) path: Option<Path>,
}

/// Takes out of a fix what is known not to be told of its place.
fn in_fix(schema: &Schema, fix: &mut Fix) {
    if fix.path.is_root() {
        return;
    }
    let told = along(schema, &fix.path).told;
    match fix.kind.quotes() {
        QuotedPart::Key if told.path.is_some() => {
            fix.from = A_KEY.into();
            // What was mended in the text is shown again as it was read.
            if fix.kind.is_textual() {
                fix.to = NOT_SHOWN.into();
            }
        }
        QuotedPart::Value if told.secret => {
            fix.from = NOT_SHOWN.into();
            fix.to = NOT_SHOWN.into();
        }
        QuotedPart::Key | QuotedPart::Value | QuotedPart::Nothing => {}
    }
    if let Some(path) = told.path {
        fix.path = path;
    }
}

/// One form that a value may have at a place: a union has several.
#[derive(Clone, Copy)]
enum ShownNode<'s> {
    Value(&'s Schema),
    /// An entry of a map as a pair, with the schema of its value.
    Pair(&'s Schema),
}

impl ShownNode<'_> {
    /// Whether it stands for one of the schemas around it, which one is not said.
    fn is_again(&self) -> bool {
        matches!(self, Self::Value(schema) if schema.is_again())
    }
}

/// The forms around a place that a type may have again inside of itself.
#[derive(Default)]
struct SecretForms<'s> {
    schemas: Vec<&'s Schema>,
    known: HashSet<*const Schema>,
}

impl<'s> SecretForms<'s> {
    fn add(&mut self, here: &[ShownNode<'s>]) {
        for node in here {
            if let ShownNode::Value(schema) = node
                && matches!(schema.kind, Kind::Object(_) | Kind::Union(_))
                && self.known.insert(*schema)
            {
                self.schemas.push(schema);
            }
        }
    }
}

/// A place in the arguments, by the schema.
pub(super) struct SchemaPlace<'s> {
    pub(super) told: SecretPlace,
    /// The forms that a value may have there.
    pub(super) schemas: Vec<&'s Schema>,
}

/// Follows a path; the one to show has not the keys that a model chose inside of a secret.
pub(super) fn along<'s>(schema: &'s Schema, path: &Path) -> SchemaPlace<'s> {
    let mut here = Vec::new();
    let mut secret = add_form(schema, &mut here);
    let mut hidden = false;
    let mut steps = Vec::new();
    // A type that contains itself leads back to a schema around the place.
    let mut around = SecretForms::default();
    for (number, step) in path.steps().iter().enumerate() {
        let mut next = Vec::new();
        around.add(&here);
        let outside = match number {
            0 => true,
            1 => path.parameter() == Some(FUNCTION),
            _ => false,
        };
        let mut declared = false;
        let mut next_secret = false;
        for node in &here {
            declared |= follow_step(*node, step, outside, &mut next, &mut next_secret);
        }
        if next.iter().any(ShownNode::is_again) {
            for schema in &around.schemas {
                next_secret |= add_form(schema, &mut next);
            }
        }
        steps.push(match step {
            Step::Key(_) if secret && !declared => {
                hidden = true;
                Step::Key(NOT_SHOWN.to_owned())
            }
            step => step.clone(),
        });
        secret |= next_secret;
        here = next;
    }
    let schemas = here.into_iter().filter_map(|node| match node {
        ShownNode::Value(schema) => Some(schema),
        ShownNode::Pair(_) => None,
    });
    SchemaPlace {
        told: SecretPlace {
            secret,
            path: hidden.then(|| steps.into_iter().collect()),
        },
        schemas: schemas.collect(),
    }
}

/// One step down from a node; whether its key is one that the schema declares.
fn follow_step<'s>(
    node: ShownNode<'s>,
    step: &Step,
    outside: bool,
    next: &mut Vec<ShownNode<'s>>,
    secret: &mut bool,
) -> bool {
    let schema = match node {
        ShownNode::Value(schema) => schema,
        ShownNode::Pair(values) => {
            *secret |= add_form(values, next);
            return matches!(step, Step::Key(key) if key == "key" || key == "value");
        }
    };
    match (&schema.kind, step) {
        (Kind::List(list), _) => {
            // One item that stands alone has the steps of a list, too.
            *secret |= add_form(list.items.part(), next);
            false
        }
        (Kind::Tuple(items), Step::Index(index)) => {
            if let Some(item) = items.get(*index) {
                *secret |= add_form(item, next);
            }
            false
        }
        (Kind::Map(map), Step::Index(_)) => {
            *secret |= map.values.secret;
            next.push(ShownNode::Pair(map.values.part()));
            false
        }
        (Kind::Map(map), Step::Key(_)) => {
            *secret |= add_form(map.values.part(), next);
            false
        }
        (Kind::Object(rules), Step::Key(key)) => {
            let by_case = || field_by_case(rules, key);
            let named = |name: &str| schema.fields().find(|field| field.name == name);
            if let Some(field) = named(key) {
                *secret |= add_form(field.schema.part(), next);
                return true;
            }
            // An issue about the text has the key as it was given.
            let other = schema
                .fields()
                .find(|field| field.aliases.contains(&key.as_str()))
                .or_else(|| by_case().and_then(named));
            if let Some(field) = other {
                *secret |= add_form(field.schema.part(), next);
            } else if let Some(values) = &rules.extra {
                *secret |= add_form(values.part(), next);
            } else if outside && is_wrapper(key) {
                next.push(node);
            }
            false
        }
        (Kind::Union(union), Step::Key(key)) => match &union.tagging {
            Tagging::External => {
                let fold = |variant: &&crate::schema::Variant| {
                    variant.name.part() == key || variant.aliases.contains(&key.as_str())
                };
                let variant = union.variants.iter().find(fold);
                match variant.and_then(|variant| variant.content.as_deref()) {
                    Some(content) => *secret |= add_form(content, next),
                    // A name in another case, perhaps.
                    None => union
                        .contents()
                        .for_each(|content| *secret |= add_form(content, next)),
                }
                variant.is_some_and(|variant| variant.name.part() == key)
            }
            Tagging::Adjacent { tag, content } => {
                if key == content.part() {
                    union
                        .contents()
                        .for_each(|content| *secret |= add_form(content, next));
                }
                key == content.part() || key == tag.part()
            }
            Tagging::Internal { tag } => key == tag.part(),
            Tagging::None => false,
        },
        // No step leads into these.
        _ => false,
    }
}

/// Notes what may stand at a place, the forms of a union that have no step of their own with it; whether
/// any of these is secret.
fn add_form<'s>(schema: &'s Schema, into: &mut Vec<ShownNode<'s>>) -> bool {
    into.push(ShownNode::Value(schema));
    let mut secret = schema.secret;
    if let Kind::Union(union) = &schema.kind
        && matches!(union.tagging, Tagging::Internal { .. } | Tagging::None)
    {
        union
            .contents()
            .for_each(|content| secret |= add_form(content, into));
    }
    secret
}

#[cfg(test)]
mod tests {
    use super::{Path, Schema, Step, Tagging, along};
    use crate::schema::{
        Field, Held, Kind, List, Map, Object, Rule, Union, Unknown, Variant, refine,
    };

    const ANY: &Schema = &Schema::of(Kind::Any);

    /// A place that may be shown.
    const OPEN: &Schema = &Schema::of(Kind::Map(Map::of(ANY)));
    const SECRET: &Schema = &refine(OPEN, "", &[Rule::Secret]);
    const MAYBE: &Schema = &union(Tagging::None);

    const fn union(tagging: Tagging) -> Schema {
        const fn variant(name: &'static str, content: &'static Schema) -> Variant {
            Variant {
                name: Held::Static(name),
                aliases: &["other_name"],
                description: Held::Static(""),
                content: Some(Held::Static(content)),
            }
        }
        Schema::of(Kind::Union(Union {
            tagging,
            variants: Held::Static(const { &[variant("Open", OPEN), variant("Secret", SECRET)] }),
            unknown: Unknown::Report,
        }))
    }

    const fn field(name: &'static str, schema: &'static Schema) -> Field {
        Field {
            name: Held::Static(name),
            aliases: &[],
            schema: Held::Static(schema),
            required: false,
            keep_empty: false,
            flatten: false,
        }
    }

    const fn map(values: &'static Schema) -> Schema {
        Schema::of(Kind::Map(Map::of(values)))
    }

    const LIST: &Schema = &Schema::of(Kind::List(List::of(SECRET)));
    const TUPLE: &Schema = &Schema::of(Kind::Tuple(Held::Static(&[
        Held::Static(OPEN),
        Held::Static(SECRET),
    ])));
    const MAP: &Schema = &map(SECRET);
    const MAYBES: &Schema = &map(MAYBE);
    const OPENS: &Schema = &map(OPEN);
    const PASSWORD: Field = Field {
        name: Held::Static("password"),
        aliases: &["pass"],
        schema: Held::Static(SECRET),
        required: false,
        keep_empty: false,
        flatten: false,
    };
    const FIELDS: &[Field] = &[PASSWORD, field("other", OPEN)];
    const OTHER: &[Field] = &[field("other", OPEN)];
    const OBJECT: &Schema = &Schema::of(Kind::Object(Object {
        fields: Held::Static(FIELDS),
        unknown: Unknown::Report,
        extra: None,
    }));
    const COLLECTS: &Schema = &Schema::of(Kind::Object(Object {
        fields: Held::Static(OTHER),
        unknown: Unknown::Report,
        extra: Some(Held::Static(SECRET)),
    }));
    const EXTERNAL: &Schema = &union(Tagging::External);
    const ADJACENT: &Schema = &union(Tagging::Adjacent {
        tag: Held::Static("kind"),
        content: Held::Static("it"),
    });
    const HIDDEN: &Schema = &refine(ADJACENT, "", &[Rule::Secret]);

    /// Steps with a `#` in front are positions.
    fn path(steps: &[&str]) -> Path {
        let step = |step: &&str| match step.strip_prefix('#') {
            Some(index) => Step::Index(index.parse().unwrap_or_default()),
            None => Step::Key((*step).to_owned()),
        };
        steps.iter().map(step).collect()
    }

    #[track_caller]
    fn shown(schema: &'static Schema, steps: &[&str], secret: bool, expected: &str) {
        let whole = path(steps);
        let told = along(schema, &whole).told;
        let shown = told.path.as_ref().unwrap_or(&whole).to_string();
        assert_eq!((told.secret, &*shown), (secret, expected), "{steps:?}");
        assert_eq!(told.path.is_some(), shown.contains("(not shown)"));
    }

    #[test]
    fn a_secret_begins_where_its_schema_does() {
        shown(LIST, &["#1", "k"], true, "[1][\"(not shown)\"]");
        shown(LIST, &["#1"], true, "[1]");
        shown(LIST, &[], false, "arguments");

        shown(TUPLE, &["#0", "k"], false, "[0].k");
        shown(TUPLE, &["#1", "k"], true, "[1][\"(not shown)\"]");
        shown(TUPLE, &["#2", "k"], false, "[2].k");

        shown(MAP, &["k"], true, "k");
        shown(MAP, &["k", "l"], true, "k[\"(not shown)\"]");
        // As pairs, whose own keys are always the same.
        shown(MAP, &["#0"], true, "[0]");
        shown(MAP, &["#0", "k"], true, "[0][\"(not shown)\"]");
        shown(MAP, &["#0", "key"], true, "[0].key");
        shown(
            MAP,
            &["#0", "value", "k"],
            true,
            "[0].value[\"(not shown)\"]",
        );
        shown(
            MAYBES,
            &["#0", "value", "k"],
            true,
            "[0].value[\"(not shown)\"]",
        );
        shown(OPENS, &["#0", "value", "k"], false, "[0].value.k");
    }

    #[test]
    fn finds_secret_field_by_every_name() {
        for name in ["password", "pass", "PassWord"] {
            let hidden = format!("{name}[\"(not shown)\"]");
            shown(OBJECT, &[name, "k"], true, &hidden);
        }
        shown(OBJECT, &["other", "password"], false, "other.password");
        // A wrapper around all of it is one at the top alone, and not every key is one.
        shown(
            OBJECT,
            &["arguments", "password", "k"],
            true,
            "arguments.password[\"(not shown)\"]",
        );
        shown(OBJECT, &["zzz", "password", "k"], false, "zzz.password.k");
        shown(
            OBJECT,
            &["function", "arguments", "password", "k"],
            true,
            "function.arguments.password[\"(not shown)\"]",
        );
        shown(
            OBJECT,
            &["arguments", "arguments", "password", "k"],
            false,
            "arguments.arguments.password.k",
        );
    }

    #[test]
    fn what_no_field_takes_may_be_secret_too() {
        shown(COLLECTS, &["other", "k"], false, "other.k");
        shown(COLLECTS, &["any", "k"], true, "any[\"(not shown)\"]");
    }

    #[test]
    fn a_union_is_followed_by_its_tag() {
        shown(EXTERNAL, &["Open", "k"], false, "Open.k");
        shown(EXTERNAL, &["Secret", "k"], true, "Secret[\"(not shown)\"]");
        // In another case it may be any of them.
        shown(EXTERNAL, &["secret", "k"], true, "secret[\"(not shown)\"]");

        shown(ADJACENT, &["kind", "k"], false, "kind.k");
        shown(ADJACENT, &["zzz", "k"], false, "zzz.k");
        shown(ADJACENT, &["it", "k"], true, "it[\"(not shown)\"]");
        shown(HIDDEN, &["kind"], true, "kind");
        shown(HIDDEN, &["it"], true, "it");
        shown(HIDDEN, &["zzz"], true, "[\"(not shown)\"]");

        // Which form it is, nobody knows: it may be the secret one from the start.
        for tagging in [
            Tagging::Internal {
                tag: Held::Static("kind"),
            },
            Tagging::None,
        ] {
            let schema = Box::leak(Box::new(union(tagging)));
            shown(schema, &["k"], true, "[\"(not shown)\"]");
        }
    }
}
