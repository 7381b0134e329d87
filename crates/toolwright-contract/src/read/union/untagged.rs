//! The variant is the one that fits.

use serde_json::Value;

use super::{
    super::{
        any::{count_values, found, read_any},
        at::At,
        found::Found,
        input::{Input, form_of},
        state::{State, Tried},
    },
    variants::Variants,
};
use crate::{
    json::{Form, Source},
    report::{FixKind, IssueKind},
    schema::{
        Field, Kind, Schema, Tagging, Union as Rules, Unknown, Variant, expected, is_safe_name,
    },
    text::is_equal,
};

/// How many steps from value to value are taken for any union, and how many more for each value in it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;

/// Tries the variants on the same value: exactly first, where the first that fits is taken, then with
/// conversions, where more than one that fits would be a guess. A variant that would drop what another
/// one declares does not fit.
///
/// The outermost union keeps the value in memory, and those inside remember what did not fit. So each value
/// is tried once by each variant, however deep it is.
pub(super) fn read_untagged(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    mut at: At<'_>,
) -> bool {
    let is_hasty = at.state().hasty;
    if at.state().tried.is_none() && read_likely(input, rules, variants, &mut at) {
        return true;
    }
    if is_hasty {
        at.state().omitted += 1;
        input.give_up();
        return false;
    }
    let kept;
    let value = match input.as_value() {
        Some(value) => value,
        None => match at.reborrow().required(|at| read_any(input, at)) {
            Some(value) => {
                kept = value;
                &kept
            }
            None => return false,
        },
    };
    // Null and the empty string mean what they mean for every optional field, unless a variant takes
    // them as they are.
    let absent = match value {
        Value::Null if at.takes_null_as_absent() && !takes_null(rules) => {
            Some((FixKind::NullAsAbsent, Found::Null))
        }
        Value::String(text) if text.is_empty() && at.takes_empty() => {
            Some((FixKind::EmptyAsAbsent, Found::Text("")))
        }
        _ => None,
    };
    if let Some((kind, found)) = absent {
        at.absent(kind, &found);
        return false;
    }
    let is_outermost = at.state().tried.is_none();
    if is_outermost {
        let fuel = count_values(value)
            .saturating_mul(FUEL_EACH)
            .saturating_add(FUEL);
        at.state().tried = Some(Box::new(Tried {
            fuel,
            ..Tried::default()
        }));
    }
    // Whether the field may be left out is no matter of a variant: null may be one of its values.
    let is_there = at
        .reborrow()
        .required(|at| pick(value, rules, variants, at));
    if is_outermost {
        at.state().tried = None;
    }
    is_there
}

/// Reads the first variant of which the form of the value and the first key of an object do not say that it cannot
/// fit, and lets it stand if it is exactly that. Else nothing is said of the value, which is then kept in memory.
///
/// Unions inside are read in the same way, and one that fails ends this: so everything is read once here.
fn read_likely(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let form = input.form();
    let is_open = match form {
        Form::Null | Form::Broken => return false,
        Form::Text => !at.takes_empty(),
        Form::List | Form::Object => at.tagged().is_none(),
        Form::Boolean(_) | Form::Number => true,
    };
    if !is_open {
        return false;
    }
    let key = if form == Form::Object {
        first_key(*input)
    } else {
        None
    };
    let mut is_wanted = None;
    for (index, variant) in rules.variants.iter().enumerate() {
        let Some(content) = variant.content.as_deref() else {
            continue;
        };
        if !has_form(form, content) {
            continue;
        }
        if let Some(key) = key
            && declares(content, key) == Some(false)
        {
            let rest = || rules.variants.iter().skip(index + 1);
            let is_wanted = *is_wanted.get_or_insert_with(|| {
                let declares = |other: &Variant| is_declared(key, other) == Some(true);
                rest().any(declares) || rules.variants.iter().any(declares)
            });
            if is_wanted {
                continue;
            }
        }
        let mut read = *input;
        if attempt_likely((index, content), &mut read, variants, at) {
            *input = read;
            return true;
        }
        // What holds other values is not read once for each variant.
        if matches!(form, Form::List | Form::Object) {
            return false;
        }
    }
    false
}

/// Reads one variant in place; whether it fits exactly, with no key that another one may want.
fn attempt_likely(
    (index, content): (usize, &Schema),
    input: &mut Input<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    if at.state().hasty {
        let before = at.issues();
        let is_there = at
            .reborrow()
            .in_form(content, |at| variants.read(index, input, at));
        let fits = is_there && at.issues() == before && !input.is_broken();
        at.state().omitted -= at.issues() - before;
        return fits;
    }
    let mut state = State::new(at.state().policy.for_form());
    state.quiet = true;
    state.hasty = true;
    state.ahead = at.state().ahead;
    let is_there = at.aside(&mut state, content, |at| variants.read(index, input, at));
    at.state().ahead = state.ahead;
    let fits = is_there && state.count() == 0 && !state.strangers && !input.is_broken();
    if fits && !state.fixes().is_empty() {
        at.state().take_fixes(state.into_notes().fixes);
    }
    fits
}

/// The first key of the object that comes next, where that is plainly written and says something.
fn first_key(mut input: Input<'_>) -> Option<&str> {
    if let Some(map) = input.as_object() {
        let (key, value) = map.iter().next()?;
        return (!value.is_null()).then_some(key);
    }
    let key = input.as_text()?.take_first_key()?;
    if input.form() == Form::Null {
        return None;
    }
    std::str::from_utf8(key).ok()
}

/// Whether null is a value of one of the variants.
fn takes_null(rules: &Rules) -> bool {
    let mut contents = rules.contents();
    contents.any(|content| match &content.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            content.nullable || takes_null(inner)
        }
        _ => content.nullable,
    })
}

fn pick(value: &Value, rules: &Rules, variants: &mut dyn Variants, mut at: At<'_>) -> bool {
    let place = |told| {
        let (value, rules): (*const Value, *const Rules) = (value, rules);
        (value.addr(), rules.addr(), told)
    };
    if known_issues(place(false), &mut at).is_none() {
        if pick_exactly(value, rules, variants, &mut at) {
            return true;
        }
        remember(place(false), 1, &mut at);
    }
    if at.state().quiet {
        at.state().omitted += 1;
        return false;
    }
    if is_out_of_fuel(&mut at) {
        let words = "checking this takes too long; send something simpler";
        at.issue(IssueKind::Invalid, words, "");
        return false;
    }
    if let Some(issues) = known_issues(place(true), &mut at) {
        at.state().omitted += issues;
        return false;
    }
    let before = at.issues();
    let is_there = pick_converted(value, rules, variants, &mut at);
    if !is_there {
        let issues = at.issues() - before;
        remember(place(true), issues, &mut at);
    }
    is_there
}

/// How many issues a value is known to have.
fn known_issues(place: (usize, usize, bool), at: &mut At<'_>) -> Option<usize> {
    at.state().tried.as_ref()?.failed.get(&place).copied()
}

fn remember(place: (usize, usize, bool), issues: usize, at: &mut At<'_>) {
    if let Some(tried) = &mut at.state().tried {
        tried.failed.insert(place, issues);
    }
}

fn is_out_of_fuel(at: &mut At<'_>) -> bool {
    at.state()
        .tried
        .as_ref()
        .is_some_and(|tried| tried.fuel == 0)
}

/// The first variant that fits without a conversion.
fn pick_exactly(
    value: &Value,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    for (index, variant) in rules.variants.iter().enumerate() {
        let fits = variant
            .content
            .as_deref()
            .is_some_and(|content| may_fit(value, content));
        if !fits || strangers(value, variant, rules).next().is_some() || is_out_of_fuel(at) {
            continue;
        }
        let mut state = State::new(at.state().policy.for_form());
        state.quiet = true;
        if attempt(index, variant, value, &mut state, variants, at) {
            // Nothing is converted here, but keys that no variant takes are dropped.
            at.state().take_fixes(state.into_notes().fixes);
            return true;
        }
    }
    false
}

/// The only variant that fits with conversions, as far as the policy allows them.
fn pick_converted(
    value: &Value,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    // Several forms are open here already; to mend each of them would be a guess.
    let policy = at.state().policy.without_repair();
    let mut fits: Option<State> = None;
    let mut nearest: Option<Near<'_>> = None;
    let same_forms = rules.variants.iter().filter(|one| same_form(value, one));
    let least = same_forms.map(|one| undeclared(value, one, rules)).min();
    for (index, variant) in rules.variants.iter().enumerate() {
        let strangers: Vec<&str> = strangers(value, variant, rules).collect();
        let has_form = same_form(value, variant);
        let lacking = undeclared(value, variant, rules);
        // It does not fit, and another one will be nearer.
        if !strangers.is_empty() && (!has_form || least.is_some_and(|least| lacking > least)) {
            continue;
        }
        let mut state = State::new(policy);
        // To write a fault takes a path, which grows with every level.
        state.quiet = !has_form && is_scalar(variant);
        let is_there = attempt(index, variant, value, &mut state, variants, at);
        if is_there && strangers.is_empty() {
            if fits.is_some() && variants.are_same() {
                continue;
            }
            if fits.is_some() {
                none_of(value, "which fits more than one", at);
                return false;
            }
            fits = Some(state);
            variants.swap();
        } else if has_form {
            // The variant of the same form says best what is wrong.
            let near = Near {
                strangers,
                lacking,
                state,
            };
            if nearest
                .as_ref()
                .is_none_or(|best| near.faults() < best.faults())
            {
                nearest = Some(near);
            }
        }
    }
    if let Some(state) = fits {
        variants.swap();
        at.state().take_fixes(state.into_notes().fixes);
        return true;
    }
    match nearest {
        Some(near) if near.faults().1 == 0 => {
            let keys = near.strangers.iter().map(|key| format!("`{key}`"));
            let keys = keys.collect::<Vec<_>>().join(" and ");
            none_of(value, &format!("which fits only without {keys}"), at);
        }
        Some(near) => at.state().take_issues(near.state),
        None => none_of(value, "", at),
    }
    false
}

/// The issues of a variant that does not fit.
struct Near<'a> {
    strangers: Vec<&'a str>,
    /// How many keys another variant declares and this one does not.
    lacking: usize,
    state: State,
}

impl Near<'_> {
    /// A variant of which a value was given is nearer than one of which a value is missing.
    fn faults(&self) -> (usize, usize, usize) {
        let issues = self.state.issues().iter();
        let missing = issues.filter(|issue| issue.kind == IssueKind::Missing);
        (self.lacking, self.state.count(), missing.count())
    }
}

/// The keys that this variant would drop and another one declares: who sent them meant that one.
///
/// Null says nothing: where every key is required, it stands for all keys of the other variants.
fn strangers<'a>(
    value: &'a Value,
    variant: &'a Variant,
    rules: &'a Rules,
) -> impl Iterator<Item = &'a str> {
    let given = value.as_object().into_iter().flatten();
    let given = given.filter(|(_, value)| !value.is_null());
    given
        .map(|(key, _)| key.as_str())
        .filter(move |key| is_stranger(key, variant, rules))
}

/// Whether this variant would drop a key that another one declares.
fn is_stranger(key: &str, variant: &Variant, rules: &Rules) -> bool {
    is_declared(key, variant) == Some(false)
        && rules
            .variants
            .iter()
            .any(|other| is_declared(key, other) == Some(true))
}

fn is_declared(key: &str, variant: &Variant) -> Option<bool> {
    match &variant.content {
        Some(content) => declares(content.part(), key),
        None => Some(false),
    }
}

/// How many of the given keys another variant declares and this one does not, though it may take them.
fn undeclared(value: &Value, variant: &Variant, rules: &Rules) -> usize {
    let declared = |variant: &Variant, key: &str| {
        let content = variant.content.as_deref();
        content.is_some_and(|content| names_key(content, key))
    };
    let given = value.as_object().into_iter().flatten();
    let given = given.filter(|(_, value)| !value.is_null());
    given
        .filter(|(key, _)| {
            !declared(variant, key) && rules.variants.iter().any(|other| declared(other, key))
        })
        .count()
}

/// Whether a schema, or a form of it, declares a key.
fn names_key(schema: &Schema, key: &str) -> bool {
    match &schema.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            inner.contents().any(|content| names_key(content, key))
        }
        _ => declares(schema, key) == Some(true),
    }
}

/// Whether an object has a place for a key; nothing is known of what takes any.
fn declares(schema: &Schema, key: &str) -> Option<bool> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let declared = |field: &Field| {
        is_equal(field.name.part().as_bytes(), key.as_bytes())
            || field.aliases.contains(&key)
            || rules.is_safe_name_of(field, key)
    };
    if rules.walk().any(declared) {
        Some(true)
    } else if rules.extra.is_some() || rules.unknown == Unknown::Keep {
        None
    } else {
        Some(false)
    }
}

fn none_of(value: &Value, why: &str, at: &mut At<'_>) {
    let words = expected(at.schema());
    let mut found = found(value, at.secret() || at.schema().holds_secret());
    if !why.is_empty() {
        found.push_str(", ");
        found.push_str(why);
    }
    at.issue(IssueKind::NoVariant, words, found);
}

/// Whether a value can be read without a conversion, as far as its form and that of its fields tell; a look
/// without a reader, so that most variants are left out at once.
fn may_fit(value: &Value, schema: &Schema) -> bool {
    if !has_form(form_of(value), schema) {
        return false;
    }
    let (Value::Object(map), Kind::Object(_)) = (value, &schema.kind) else {
        return true;
    };
    let mut fields = schema.fields();
    fields.all(|field| match map.get(field.name.part()) {
        Some(value) => value.is_null() || has_form(form_of(value), field.schema.part()),
        // It may stand there under another name.
        None => !field.required || !is_safe_name(&field.name),
    })
}

/// Whether values of a form are read under every policy.
fn has_form(form: Form, schema: &Schema) -> bool {
    if schema.is_loose() || form == Form::Null {
        return true;
    }
    match &schema.kind {
        Kind::Any | Kind::Union(_) => true,
        Kind::Boolean => matches!(form, Form::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == Form::Number,
        Kind::Text(_) => form == Form::Text,
        Kind::List(_) | Kind::Tuple(_) => form == Form::List,
        // A list of pairs is another form of a map.
        Kind::Map(_) => matches!(form, Form::Object | Form::List),
        Kind::Object(_) => form == Form::Object,
    }
}

fn same_form(value: &Value, variant: &Variant) -> bool {
    let Some(content) = &variant.content else {
        return false;
    };
    match value {
        Value::Object(_) => matches!(
            content.kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        ),
        Value::Array(_) => matches!(content.kind, Kind::List(_) | Kind::Tuple(_)),
        Value::String(_) => matches!(content.kind, Kind::Text(_)),
        Value::Number(_) => matches!(content.kind, Kind::Integer(_) | Kind::Number(_)),
        Value::Bool(_) => matches!(content.kind, Kind::Boolean),
        Value::Null => false,
    }
}

/// Whether a variant holds no other values.
fn is_scalar(variant: &Variant) -> bool {
    variant.content.as_ref().is_some_and(|content| {
        matches!(
            content.kind,
            Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
        )
    })
}

/// Reads one variant on its own account: its issues count only if no other fits.
fn attempt(
    index: usize,
    variant: &Variant,
    value: &Value,
    state: &mut State,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let Some(content) = &variant.content else {
        return false;
    };
    let mut input = Input::value(value);
    let read = |at: At<'_>| variants.read(index, &mut input, at);
    let is_there = at.aside(state, content.part(), read);
    if let Some(tried) = &mut at.state().tried {
        tried.fuel = tried.fuel.saturating_sub(input.steps() + 1);
    }
    is_there && state.count() == 0
}
