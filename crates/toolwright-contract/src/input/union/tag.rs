//! What internal and adjacent tags share: the name of the variant, keys to spare, nulls of other variants.

use serde::de::MapAccess;
use serde_json::Value;

use super::{find, names, no_such};
use crate::{
    input::{
        At, Fix, FixKind, Issue, IssueKind, Step,
        at::{Found, Way},
        keys::unknown_key,
        value::{ANY, found},
        visit::Seed,
    },
    schema::{Kind, Union as Rules, Unknown, Variant},
    text::quoted,
};

#[cold]
pub(super) fn no_tag(rules: &'static Rules, tag: &str, at: &mut At<'_>) {
    let path = at.path().join(Step::Key(tag.to_owned()));
    at.state()
        .push(Issue::new(path, IssueKind::Missing, names(rules), ""));
}

/// Reads the name of the variant.
pub(super) fn read_tag<'de, A: MapAccess<'de>>(
    rules: &'static Rules,
    tag: &str,
    map: &mut A,
    at: &mut At<'_>,
) -> Result<Option<(usize, &'static Variant)>, A::Error> {
    at.below(Way::Key(tag), ANY, |mut at| {
        let value = map
            .next_value_seed(Seed::<Value>::new(at.reborrow()))
            .inspect_err(|_| at.note_broken())?;
        Ok(match value {
            Some(Value::String(name)) => {
                let variant = find(&name, rules, &mut at);
                if variant.is_none() {
                    no_such(&name, rules, names(rules), &mut at);
                }
                variant
            }
            Some(other) => {
                let secret = at.secret();
                at.issue(IssueKind::WrongType, names(rules), found(&other, secret));
                None
            }
            None => None,
        })
    })
}

/// What a union does with a key that its variant does not have.
pub(super) fn spare_key(key: &str, rules: &Rules, at: &mut At<'_>) {
    let path = at.path().join(Step::Key(key.to_owned()));
    match rules.unknown {
        Unknown::Ignore => {}
        Unknown::Report => at.push_fix(Fix {
            path,
            kind: FixKind::UnknownDropped,
            from: quoted(key),
            to: "absent".to_owned(),
        }),
        Unknown::Deny => at.state().push(unknown_key(path, key, &[])),
    }
}

/// Whether a strict receiver may have made the model write null for what other variants have: it wants
/// every key of the flat object that a union is at the root.
pub(super) fn strict_nulls(at: &At<'_>) -> bool {
    at.is_root() && at.converts()
}

pub(super) fn belongs_to_another(key: &str, rules: &Rules, own: &Variant) -> bool {
    let has = |variant: &Variant| {
        variant.content.as_ref().is_some_and(|content| {
            let collects = matches!(&content.kind, Kind::Object(rules) if rules.extra.is_some());
            collects
                || content
                    .fields()
                    .any(|field| field.name == key || field.aliases.contains(&key))
        })
    };
    !has(own) && rules.variants.iter().any(has)
}

#[cold]
pub(super) fn null_of_another(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.fixed(FixKind::NullAsAbsent, &Found::Null, "absent");
    });
}

#[cold]
pub(super) fn repeated_key(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.issue(IssueKind::DuplicateKey, "once", "more than once");
    });
}
