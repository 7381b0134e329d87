//! Enums with content: which variant is meant, and its content read in place.

use std::{
    cell::{Cell, RefCell},
    fmt,
    marker::PhantomData,
};

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
    value::MapAccessDeserializer,
};
use serde_json::Value;

use super::{
    At, FixKind, Issue, IssueKind, Policy,
    at::{Found, State, Way},
    keys::unknown_key,
    suggest::nearest,
    value::{ANY, read_any},
    visit::{Take, visit, visit_apart},
};
use crate::schema::{Kind, Schema, Tagging, Union as Rules, Variant, expected, quoted};

/// What the derive generates for an enum with content.
#[doc(hidden)]
pub trait Union: Sized {
    /// The schema that names the variants; its kind is a union.
    const UNION: &'static Schema;

    /// Reads the content of a variant.
    fn read<'de, D: Deserializer<'de>>(
        variant: usize,
        source: D,
        at: At<'_>,
    ) -> Result<Option<Self>, D::Error>;

    /// The value of a variant without content.
    fn unit(variant: usize) -> Option<Self>;
}

/// Reads a union from a source.
#[doc(hidden)]
pub fn read_union<'de, D, U>(source: D, at: At<'_>) -> Result<Option<U>, D::Error>
where
    D: Deserializer<'de>,
    U: Union,
{
    let Kind::Union(rules) = &U::UNION.kind else {
        return Ok(None);
    };
    match rules.tagging {
        Tagging::None => untagged(source, rules, at),
        Tagging::External => visit_apart(source, External::<U>(rules, PhantomData), at),
        Tagging::Internal { tag } => {
            visit_apart(source, Internal::<U>(rules, tag, PhantomData), at)
        }
        Tagging::Adjacent { tag, content } => visit_apart(
            source,
            Adjacent::<U> {
                rules,
                tag,
                content,
                union: PhantomData,
            },
            at,
        ),
    }
}

/// Finds a variant by its name; an alias counts where values are converted.
fn find(name: &str, rules: &'static Rules, at: &mut At<'_>) -> Option<(usize, &'static Variant)> {
    let found = rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, variant)| variant.name == name);
    if found.is_some() || !at.converts() {
        return found;
    }
    let found = rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, v)| v.aliases.contains(&name));
    if let Some((_, variant)) = found {
        at.fixed(FixKind::Alias, &Found::Text(name), quoted(variant.name));
        return found;
    }
    let near = super::repair::variant_by_case(name, rules.variants, at)?;
    rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, variant)| variant.name == near)
}

#[cold]
fn no_such(name: &str, rules: &'static Rules, words: String, at: &mut At<'_>) {
    let secret = at.secret();
    let mut issue = Issue::new(
        at.path(),
        IssueKind::NotAChoice,
        words,
        Found::Text(name).words(secret),
    );
    issue.hint = nearest(name, rules.variants.iter().map(|variant| variant.name))
        .filter(|_| !secret)
        .map(|name| format!("did you mean {}?", quoted(name)));
    at.state().push(issue);
}

fn names(rules: &Rules) -> String {
    let names: Vec<String> = rules
        .variants
        .iter()
        .take(12)
        .map(|v| quoted(v.name))
        .collect();
    let more = rules.variants.len().saturating_sub(12);
    match (names.len(), more) {
        (1, 0) => names.concat(),
        (_, 0) => format!("one of {}", names.join(", ")),
        (_, more) => format!("one of {} and {more} more", names.join(", ")),
    }
}

/// The content of one variant, as a seed.
struct Content<'a, U> {
    variant: usize,
    at: At<'a>,
    union: PhantomData<U>,
}

impl<'a, U> Content<'a, U> {
    fn new(variant: usize, at: At<'a>) -> Self {
        Self {
            variant,
            at,
            union: PhantomData,
        }
    }
}

impl<'de, U: Union> DeserializeSeed<'de> for Content<'_, U> {
    type Value = Option<U>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<U>, D::Error> {
        U::read(self.variant, source, self.at)
    }
}

struct External<U>(&'static Rules, PhantomData<U>);

impl<U: Union> Take for External<U> {
    type Out = U;

    fn text(self, value: &str, mut at: At<'_>) -> Option<U> {
        match find(value, self.0, &mut at) {
            Some((index, Variant { content: None, .. })) => U::unit(index),
            Some((_, variant)) => {
                let words = format!("an object whose single key is {}", quoted(variant.name));
                at.issue(IssueKind::WrongType, words, quoted(value));
                None
            }
            None if at.repairs() && value.trim_start().starts_with(['{', '"']) => {
                super::repair::structure(self, value, at)
            }
            None => {
                no_such(value, self.0, expected(at.schema()), &mut at);
                None
            }
        }
    }

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let mut out = None;
        let mut count = 0;
        let mut wrong = None;
        let strict = strict_nulls(&at);
        // Of the keys whose value is null: the first variant that can carry it.
        let mut null = None;
        while let Some(key) = map.next_key::<String>()? {
            count += 1;
            match find(&key, self.0, &mut at) {
                Some((
                    index,
                    Variant {
                        content: Some(content),
                        name,
                        ..
                    },
                )) if strict || count == 1 => {
                    let read = at.below(Way::Key(name), content, |mut at| {
                        let seed = Content::new(index, at.reborrow());
                        map.next_value_seed(UnlessNull { strict, seed })
                            .inspect_err(|_| at.note_broken())
                    })?;
                    match read {
                        Some(read) if count == 1 => out = read,
                        Some(_) => {}
                        None => {
                            count -= 1;
                            if content.nullable && null.is_none() {
                                null = Some((index, content, name));
                            } else {
                                null_of_another(name, &mut at);
                            }
                        }
                    }
                }
                Some((
                    _,
                    Variant {
                        content: None,
                        name,
                        ..
                    },
                )) if count == 1 => {
                    map.next_value::<IgnoredAny>()?;
                    at.issue(IssueKind::WrongType, quoted(name), "an object");
                }
                found => {
                    map.next_value::<IgnoredAny>()?;
                    if found.is_none() && wrong.is_none() {
                        wrong = Some(key);
                    }
                }
            }
        }
        if let Some(key) = wrong {
            let names = self
                .0
                .variants
                .iter()
                .filter(|v| v.content.is_some())
                .map(|v| v.name);
            let names: Vec<&str> = names.collect();
            let path = at.path().join(super::Step::Key(key.clone()));
            let issue = unknown_key(path, &key, &names);
            at.state().push(issue);
            return Ok(None);
        }
        match null {
            Some((index, content, name)) if count == 0 => {
                count = 1;
                out = at.below(Way::Key(name), content, |at| {
                    U::read(index, &Value::Null, at).map_err(A::Error::custom)
                })?;
            }
            Some((_, _, name)) => null_of_another(name, &mut at),
            None => {}
        }
        if count != 1 {
            let words = expected(at.schema());
            at.issue(
                IssueKind::NoVariant,
                words,
                format!("an object of {count} keys"),
            );
            return Ok(None);
        }
        Ok(out)
    }
}

struct Internal<U>(&'static Rules, &'static str, PhantomData<U>);

impl<U: Union> Take for Internal<U> {
    type Out = U;

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let Self(rules, tag, _) = self;
        // What stands before the tag waits until the variant is known.
        let mut before = Vec::new();
        loop {
            let Some(key) = map.next_key::<String>()? else {
                no_tag(rules, tag, &mut at);
                return Ok(None);
            };
            if key != tag {
                let value = at.below(Way::Key(&key), ANY, |at| map.next_value_seed(Any(at)))?;
                before.push((key, value.unwrap_or_default()));
                continue;
            }
            let Some((index, variant)) = read_tag(rules, tag, &mut map, &mut at)? else {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(None);
            };
            let repeated = Cell::new(false);
            let nulls = RefCell::new(Vec::new());
            let rest = Rest {
                tag,
                before: before.into_iter(),
                value: None,
                repeated: &repeated,
                others: strict_nulls(&at).then_some((rules, variant)),
                nulls: &nulls,
                map,
            };
            let source = MapAccessDeserializer::new(rest);
            let out = match variant.content {
                Some(content) => at
                    .reborrow()
                    .under(content, |at| U::read(index, source, at))?,
                None => {
                    visit(source, Nothing { rules }, at.reborrow())?.and_then(|()| U::unit(index))
                }
            };
            for key in nulls.take() {
                null_of_another(&key, &mut at);
            }
            if repeated.get() {
                at.below(Way::Key(tag), ANY, |mut at| {
                    at.issue(IssueKind::DuplicateKey, "once", "more than once");
                });
            }
            return Ok(out);
        }
    }
}

#[cold]
fn no_tag(rules: &'static Rules, tag: &str, at: &mut At<'_>) {
    let path = at.path().join(super::Step::Key(tag.to_owned()));
    at.state()
        .push(Issue::new(path, IssueKind::Missing, names(rules), ""));
}

/// Reads the name of the variant.
fn read_tag<'de, A: MapAccess<'de>>(
    rules: &'static Rules,
    tag: &str,
    map: &mut A,
    at: &mut At<'_>,
) -> Result<Option<(usize, &'static Variant)>, A::Error> {
    at.below(Way::Key(tag), ANY, |mut at| {
        let value = map
            .next_value_seed(Any(at.reborrow()))
            .inspect_err(|_| at.note_broken())?;
        Ok(match value {
            Some(Value::String(name)) => {
                let found = find(&name, rules, &mut at);
                if found.is_none() {
                    no_such(&name, rules, names(rules), &mut at);
                }
                found
            }
            Some(other) => {
                let secret = at.secret();
                at.issue(
                    IssueKind::WrongType,
                    names(rules),
                    found_words(&other, secret),
                );
                None
            }
            None => None,
        })
    })
}

fn found_words(value: &Value, secret: bool) -> String {
    match value {
        Value::Null => Found::Null.words(secret),
        Value::Bool(value) => Found::Boolean(*value).words(secret),
        Value::Number(number) => Found::Number(number.as_f64().unwrap_or_default()).words(secret),
        Value::String(text) => Found::Text(text).words(secret),
        Value::Array(_) => Found::Array.words(secret),
        Value::Object(_) => Found::Object.words(secret),
    }
}

/// An object that should be empty but for its tag.
struct Nothing {
    rules: &'static Rules,
}

impl Take for Nothing {
    type Out = ();

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<()>, A::Error> {
        let mut good = true;
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<IgnoredAny>()?;
            good &= spare_key(&key, self.rules, &mut at);
        }
        Ok(good.then_some(()))
    }
}

/// What a union does with a key that its variant does not have; whether the value stands.
fn spare_key(key: &str, rules: &Rules, at: &mut At<'_>) -> bool {
    use crate::schema::Unknown;
    let path = at.path().join(super::Step::Key(key.to_owned()));
    match rules.unknown {
        Unknown::Ignore => {}
        Unknown::Report => at.push_fix(super::Fix {
            path,
            kind: FixKind::UnknownDropped,
            from: quoted(key),
            to: "absent".to_owned(),
        }),
        Unknown::Deny => at.state().push(unknown_key(path, key, &[])),
    }
    rules.unknown != Unknown::Deny
}

struct Any<'a>(At<'a>);

impl<'de> DeserializeSeed<'de> for Any<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<Value>, D::Error> {
        read_any(source, self.0)
    }
}

/// An object without its tag: what stood before it, then what follows.
struct Rest<'a, A> {
    tag: &'static str,
    before: std::vec::IntoIter<(String, Value)>,
    value: Option<Value>,
    repeated: &'a Cell<bool>,
    /// Where null at a key of another variant says nothing: the union, and the variant that it is.
    others: Option<(&'static Rules, &'static Variant)>,
    /// The keys at which that was so.
    nulls: &'a RefCell<Vec<String>>,
    map: A,
}

impl<A> Rest<'_, A> {
    fn is_null_of_another(&self, key: &str, value: &Value) -> bool {
        let of_another = |(rules, own)| belongs_to_another(key, rules, own);
        let skips = value.is_null() && self.others.is_some_and(of_another);
        if skips {
            self.nulls.borrow_mut().push(key.to_owned());
        }
        skips
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some((key, value)) = self.before.next() {
            if self.is_null_of_another(&key, &value) {
                continue;
            }
            self.value = Some(value);
            return seed.deserialize(key.into_deserializer()).map(Some);
        }
        let mut seed = Some(seed);
        loop {
            let next = self.map.next_key_seed(NotTag {
                tag: self.tag,
                others: self.others,
                seed: &mut seed,
            })?;
            match next {
                None => return Ok(None),
                Some(Next::Given(key)) => return Ok(Some(key)),
                Some(Next::Tag) => {
                    self.repeated.set(true);
                    self.map.next_value::<IgnoredAny>()?;
                }
                Some(Next::OfAnother(key)) => {
                    let value = self.map.next_value::<Value>()?;
                    if !self.is_null_of_another(&key, &value)
                        && let Some(seed) = seed.take()
                    {
                        self.value = Some(value);
                        return seed.deserialize(key.into_deserializer()).map(Some);
                    }
                }
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(A::Error::custom),
            None => self.map.next_value_seed(seed),
        }
    }
}

/// A key for somebody else's seed, unless it is the tag once more or another variant's.
struct NotTag<'a, K> {
    tag: &'static str,
    others: Option<(&'static Rules, &'static Variant)>,
    seed: &'a mut Option<K>,
}

enum Next<K> {
    Given(K),
    Tag,
    OfAnother(String),
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for NotTag<'_, K> {
    type Value = Next<K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for NotTag<'_, K> {
    type Value = Next<K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        if key == self.tag {
            return Ok(Next::Tag);
        }
        let another = |(rules, own)| belongs_to_another(key, rules, own);
        match self.seed.take() {
            Some(seed) if !self.others.is_some_and(another) => {
                seed.deserialize(key.into_deserializer()).map(Next::Given)
            }
            seed => {
                *self.seed = seed;
                Ok(Next::OfAnother(key.to_owned()))
            }
        }
    }
}

/// Whether a strict receiver may have made the model write null for what other variants have: it wants
/// every key of the flat object that a union is at the root.
fn strict_nulls(at: &At<'_>) -> bool {
    at.is_root() && at.converts()
}

fn belongs_to_another(key: &str, rules: &Rules, own: &Variant) -> bool {
    let has = |variant: &Variant| {
        variant.content.is_some_and(|content| {
            let collects = matches!(content.kind, Kind::Object(rules) if rules.extra.is_some());
            collects
                || content
                    .fields()
                    .any(|field| field.name == key || field.aliases.contains(&key))
        })
    };
    !has(own) && rules.variants.iter().any(has)
}

#[cold]
fn null_of_another(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.fixed(FixKind::NullAsAbsent, &Found::Null, "absent");
    });
}

/// A value, and `None` for null where that stands for an absent one.
struct UnlessNull<S> {
    strict: bool,
    seed: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for UnlessNull<S> {
    type Value = Option<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        if self.strict {
            source.deserialize_option(self)
        } else {
            self.seed.deserialize(source).map(Some)
        }
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for UnlessNull<S> {
    type Value = Option<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        self.seed.deserialize(source).map(Some)
    }
}

struct Adjacent<U> {
    rules: &'static Rules,
    tag: &'static str,
    content: &'static str,
    union: PhantomData<U>,
}

impl<U: Union> Take for Adjacent<U> {
    type Out = U;

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let Self {
            rules,
            tag,
            content,
            ..
        } = self;
        let mut chosen: Option<Option<(usize, &'static Variant)>> = None;
        // The content waits when it stands before the tag.
        let mut waiting: Option<Value> = None;
        let mut seen_content = false;
        let mut out = None;
        let mut good = true;
        while let Some(key) = map.next_key::<String>()? {
            if key == tag {
                if chosen.is_some() {
                    map.next_value::<IgnoredAny>()?;
                    repeated(tag, &mut at);
                    good = false;
                    continue;
                }
                chosen = Some(read_tag(rules, tag, &mut map, &mut at)?);
            } else if key == content {
                if seen_content {
                    map.next_value::<IgnoredAny>()?;
                    repeated(content, &mut at);
                    good = false;
                    continue;
                }
                seen_content = true;
                match chosen {
                    Some(Some((
                        index,
                        Variant {
                            content: Some(schema),
                            ..
                        },
                    ))) => {
                        out = at.below(Way::Key(content), schema, |mut at| {
                            map.next_value_seed(Content::new(index, at.reborrow()))
                                .inspect_err(|_| at.note_broken())
                        })?;
                    }
                    Some(Some(_)) => {
                        let some = map.next_value::<Option<IgnoredAny>>()?.is_some();
                        good &= spare_content(content, some, rules, &mut at);
                    }
                    Some(None) => {
                        map.next_value::<IgnoredAny>()?;
                    }
                    None => {
                        let value =
                            at.below(Way::Key(content), ANY, |at| map.next_value_seed(Any(at)))?;
                        good &= value.is_some();
                        waiting = value;
                    }
                }
            } else {
                map.next_value::<IgnoredAny>()?;
                good &= spare_key(&key, rules, &mut at);
            }
        }
        let Some(chosen) = chosen else {
            no_tag(rules, tag, &mut at);
            return Ok(None);
        };
        let Some((index, variant)) = chosen else {
            return Ok(None);
        };
        match (variant.content, waiting) {
            (Some(schema), Some(value)) => {
                out = at.below(Way::Key(content), schema, |at| {
                    U::read(index, &value, at).map_err(A::Error::custom)
                })?;
            }
            (Some(schema), None) if !seen_content => {
                at.below(Way::Key(content), schema, |mut at| {
                    at.issue(IssueKind::Missing, expected(schema), "");
                });
            }
            (None, waiting) => {
                if let Some(value) = waiting {
                    good &= spare_content(content, !value.is_null(), rules, &mut at);
                }
                out = U::unit(index);
            }
            (Some(_), None) => {}
        }
        Ok(out.filter(|_| good))
    }
}

/// The content of a variant that has none.
fn spare_content(key: &str, some: bool, rules: &Rules, at: &mut At<'_>) -> bool {
    if !some && strict_nulls(at) {
        null_of_another(key, at);
        return true;
    }
    spare_key(key, rules, at)
}

#[cold]
fn repeated(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.issue(IssueKind::DuplicateKey, "once", "more than once");
    });
}

/// Tries the variants on the same value: exactly first, then with conversions, where more than
/// one that fits would be a guess.
fn untagged<'de, D: Deserializer<'de>, U: Union>(
    source: D,
    rules: &'static Rules,
    mut at: At<'_>,
) -> Result<Option<U>, D::Error> {
    if at.takes_absent() {
        // Null and the empty string mean what they mean for every optional field, unless a
        // variant takes them as they are.
        let value = at.reborrow().required(|at| read_any(source, at))?;
        let Some(value) = value else { return Ok(None) };
        let (kind, found) = match &value {
            Value::Null => (FixKind::NullAsAbsent, Found::Null),
            Value::String(text) if text.is_empty() && !at.keeps_empty() => {
                (FixKind::EmptyAsAbsent, Found::Text(""))
            }
            _ => return Ok(at.required(|at| pick(&value, rules, at))),
        };
        at.absent(kind, &found);
        return Ok(None);
    }
    let Some(value) = read_any(source, at.reborrow())? else {
        return Ok(None);
    };
    Ok(pick(&value, rules, at))
}

fn pick<U: Union>(value: &Value, rules: &'static Rules, mut at: At<'_>) -> Option<U> {
    for (index, variant) in rules.variants.iter().enumerate() {
        let (read, _) = attempt::<U>(index, variant, value, Policy::exact(), &mut at);
        if read.is_some() {
            return read;
        }
    }
    let mut fits: Option<(U, State)> = None;
    let mut nearest: Option<State> = None;
    for (index, variant) in rules.variants.iter().enumerate() {
        let policy = if at.converts() {
            // Several forms are open here already; to mend each of them would be a guess.
            at.state().policy.without_repair()
        } else {
            Policy::exact()
        };
        let (read, state) = attempt::<U>(index, variant, value, policy, &mut at);
        match read {
            Some(_) if fits.is_some() => {
                let words = expected(at.schema());
                let found = found_words(value, at.secret());
                at.issue(
                    IssueKind::NoVariant,
                    words,
                    format!("{found}, which fits more than one"),
                );
                return None;
            }
            Some(read) => fits = Some((read, state)),
            // The variant of the same form says best what is wrong.
            None if same_form(value, variant)
                && nearest
                    .as_ref()
                    .is_none_or(|best| state.issues.len() < best.issues.len()) =>
            {
                nearest = Some(state);
            }
            None => {}
        }
    }
    if let Some((read, state)) = fits {
        at.state().fixes.extend(state.fixes);
        return Some(read);
    }
    if let Some(state) = nearest {
        at.state().omitted += state.omitted;
        for issue in state.issues {
            at.state().push(issue);
        }
    } else {
        let words = expected(at.schema());
        at.issue(IssueKind::NoVariant, words, found_words(value, at.secret()));
    }
    None
}

fn same_form(value: &Value, variant: &Variant) -> bool {
    let Some(content) = variant.content else {
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

/// One variant on its own account: its issues count only if no other fits.
fn attempt<U: Union>(
    index: usize,
    variant: &'static Variant,
    value: &Value,
    policy: Policy,
    at: &mut At<'_>,
) -> (Option<U>, State) {
    let mut state = State::new(&policy);
    let read = match variant.content {
        Some(content) => at.aside(&mut state, content, |at| U::read(index, value, at)),
        None => Ok(None),
    };
    let clean = state.issues.is_empty() && state.omitted == 0;
    (read.unwrap_or_default().filter(|_| clean), state)
}
