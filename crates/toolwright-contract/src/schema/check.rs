//! Rules of a declaration that need the type, not its tokens: refused at compile time.
//!
//! Generated code calls these in anonymous consts that carry the span of the user's token, so a
//! panic here is a compile error there.

use super::{
    Choice, Decimal, Field, Integer, Kind, Literal, Number, Object, Rule, Schema, Tagging, Text,
};

/// The schema of a declaration with mistakes: no check refuses it a second time.
#[doc(hidden)]
pub const UNUSABLE: &Schema = &Schema::described(Kind::Any, "a declaration that does not compile");

pub(crate) const fn unusable(schema: &Schema) -> bool {
    matches!(schema.kind, Kind::Any) && same(schema.description.part(), UNUSABLE.description.part())
}

#[doc(hidden)]
#[track_caller]
pub const fn check_rule(schema: &Schema, rule: Rule) {
    let refusal = match rule {
        _ if unusable(schema) => "",
        Rule::Min(_)
        | Rule::Max(_)
        | Rule::ExclusiveMin(_)
        | Rule::ExclusiveMax(_)
        | Rule::MultipleOf(_) => number_rule(&schema.kind, rule),
        Rule::MinLength(_) | Rule::MaxLength(_) | Rule::Pattern(..) => {
            text_rule(&schema.kind, rule)
        }
        Rule::MinItems(_) | Rule::MaxItems(_) | Rule::UniqueItems => list_rule(&schema.kind, rule),
        Rule::OneOfText(_) | Rule::OneOfInteger(_) => one_of(&schema.kind, rule),
        Rule::Description(_)
        | Rule::Default(_)
        | Rule::NamedDefault(..)
        | Rule::Example(_)
        | Rule::Secret => "",
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

/// `exclusive_min` and `exclusive_max` are neighbours: no whole number lies between them.
#[doc(hidden)]
#[track_caller]
pub const fn check_ends(schema: &Schema) {
    assert!(
        !matches!(schema.kind, Kind::Integer(_)),
        "`exclusive_min` and `exclusive_max` leave no whole number between them"
    );
}

#[doc(hidden)]
#[track_caller]
pub const fn check_keep_empty(schema: &Schema) {
    let refusal = if unusable(schema) {
        ""
    } else {
        keep_empty(&schema.kind)
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

const fn keep_empty(kind: &Kind) -> &'static str {
    let text = match kind {
        Kind::Any | Kind::Text(_) => true,
        Kind::Union(union) => {
            matches!(union.tagging, Tagging::External | Tagging::None)
        }
        _ => false,
    };
    if text {
        ""
    } else {
        "`keep_empty` belongs on text: an empty string is no value of this type, and is read as absent"
    }
}

const fn number_rule(kind: &Kind, rule: Rule) -> &'static str {
    match (rule, kind) {
        (
            Rule::Min(bound)
            | Rule::Max(bound)
            | Rule::ExclusiveMin(bound)
            | Rule::ExclusiveMax(bound),
            Kind::Integer(own),
        ) => integer_bound(bound, rule, own),
        (Rule::MultipleOf(step), Kind::Integer(own)) => match step {
            Literal::Integer(_) if own.multiple_of.is_none() => "",
            Literal::Integer(_) => "the type has a `multiple_of` of its own",
            _ => "`multiple_of` of an integer is a whole number",
        },
        (Rule::MultipleOf(_), Kind::Number(own)) if own.multiple_of.is_some() => {
            "the type has a `multiple_of` of its own"
        }
        (_, Kind::Number(_)) => "",
        (_, Kind::Text(_)) => {
            "this rule belongs on a number, and the field is text: write `min_length` or `max_length`"
        }
        (_, Kind::List(_)) => {
            "this rule belongs on a number, and the field is an array: write `min_items` or `max_items`"
        }
        _ => "this rule belongs on a number",
    }
}

const fn text_rule(kind: &Kind, rule: Rule) -> &'static str {
    match (rule, kind) {
        (_, Kind::Text(Text { choices, .. })) if !choices.part().is_empty() => {
            "this rule says nothing new beside a fixed list of values"
        }
        (_, Kind::Text(Text { form, .. })) if !form.is_empty() => {
            "the type has a text form of its own: rules of length and pattern belong on `String`"
        }
        (Rule::Pattern(..), Kind::Text(own)) if own.pattern.is_some() => {
            "the type has a `pattern` of its own"
        }
        (Rule::MinLength(n) | Rule::MaxLength(n), Kind::Text(own)) => {
            count_bound(n, own.min_length, own.max_length)
        }
        (_, Kind::Text(_)) => "",
        (Rule::MinLength(_) | Rule::MaxLength(_), Kind::Integer(_) | Kind::Number(_)) => {
            "this rule belongs on text, and the field is a number: write `min` or `max`"
        }
        (Rule::MinLength(_) | Rule::MaxLength(_), Kind::List(_)) => {
            "this rule belongs on text, and the field is an array: write `min_items` or `max_items`"
        }
        _ => "this rule belongs on text",
    }
}

const fn list_rule(kind: &Kind, rule: Rule) -> &'static str {
    match (rule, kind) {
        (Rule::MinItems(n) | Rule::MaxItems(n), Kind::List(own)) => {
            count_bound(n, own.min_items, own.max_items)
        }
        (_, Kind::List(_)) => "",
        (Rule::MinItems(_) | Rule::MaxItems(_), Kind::Text(_)) => {
            "this rule belongs on an array, and the field is text: write `min_length` or `max_length`"
        }
        (Rule::MinItems(_) | Rule::MaxItems(_), Kind::Integer(_) | Kind::Number(_)) => {
            "this rule belongs on an array, and the field is a number: write `min` or `max`"
        }
        _ => "this rule belongs on an array",
    }
}

/// The type's own numbers, of an array of fixed length for one, leave this one no room.
const fn count_bound(n: u64, min: Option<u64>, max: Option<u64>) -> &'static str {
    let low = matches!(min, Some(min) if n < min);
    let high = matches!(max, Some(max) if n > max);
    if low || high {
        "the bound lies outside what the type allows"
    } else {
        ""
    }
}

const fn one_of(kind: &Kind, rule: Rule) -> &'static str {
    match (rule, kind) {
        (Rule::OneOfText(values), Kind::Text(own)) => one_of_text(values, own),
        (Rule::OneOfText(_), Kind::Integer(_)) => {
            "`one_of` lists strings, and the field is a number: write whole numbers"
        }
        (Rule::OneOfInteger(values), Kind::Integer(own)) => one_of_integer(values, own),
        (Rule::OneOfInteger(_), Kind::Text(_)) => {
            "`one_of` lists numbers, and the field is text: write strings"
        }
        _ => "`one_of` belongs on text or on an integer",
    }
}

const fn integer_bound(bound: &Literal, rule: Rule, own: &Integer) -> &'static str {
    let Literal::Integer(value) = bound else {
        return "the bound of an integer is a whole number";
    };
    let low = matches!(own.min, Some(min) if *value < min);
    let high = matches!(own.max, Some(max) if *value > max);
    if low || high {
        return "the bound lies outside the range of the type";
    }
    let nothing = match rule {
        Rule::ExclusiveMin(_) => matches!(own.max, Some(max) if *value == max),
        Rule::ExclusiveMax(_) => matches!(own.min, Some(min) if *value == min),
        _ => false,
    };
    if nothing {
        "the bound leaves no value of the type"
    } else {
        ""
    }
}

const fn one_of_text(values: &[Choice], own: &Text) -> &'static str {
    if !own.form.is_empty() {
        return "the type has a text form of its own: `one_of` belongs on `String` or on an enum";
    }
    let mut i = 0;
    while i < values.len() {
        if !own.choices.part().is_empty() && !chosen(values[i].name.part(), own.choices.part()) {
            return "`one_of` names a value that the type does not have";
        }
        i += 1;
    }
    ""
}

const fn one_of_integer(values: &[i128], own: &Integer) -> &'static str {
    let mut i = 0;
    while i < values.len() {
        let low = matches!(own.min, Some(min) if values[i] < min);
        let high = matches!(own.max, Some(max) if values[i] > max);
        if low || high || (own.nonzero && values[i] == 0) {
            return "`one_of` names a value outside the range of the type";
        }
        i += 1;
    }
    ""
}

/// `required = false` says that something stands in for an absent value.
#[doc(hidden)]
#[track_caller]
pub const fn optional_or_default(optional: bool) {
    assert!(
        optional,
        "`required = false` needs something to stand in: make the type `Option<…>`, or add `default = …`"
    );
}

/// The input of a tool is an object: providers take nothing else.
#[doc(hidden)]
#[track_caller]
pub const fn object_only(schema: &Schema) {
    let object = match &schema.kind {
        _ if unusable(schema) => true,
        Kind::Object(_) | Kind::Map(_) => true,
        Kind::Union(union) => {
            let mut i = 0;
            let mut all = true;
            while i < union.variants.part().len() {
                let carries = match (&union.tagging, &union.variants.part()[i].content) {
                    (Tagging::Internal { .. } | Tagging::Adjacent { .. }, _)
                    | (Tagging::External, Some(_)) => true,
                    (Tagging::None, Some(content)) => {
                        matches!(content.part().kind, Kind::Object(_))
                    }
                    (_, None) => false,
                };
                all = all && carries;
                i += 1;
            }
            all
        }
        _ => false,
    };
    assert!(
        object && !schema.nullable,
        "the input of a tool is an object: use a struct with named fields, or an enum whose variants are all objects"
    );
}

/// The schema of an output, where hosts can take it: they want an object.
#[doc(hidden)]
pub const fn output_of(schema: &'static Schema) -> Option<&'static Schema> {
    match &schema.kind {
        Kind::Object(_) | Kind::Map(_) if !schema.nullable => Some(schema),
        _ => None,
    }
}

/// The content of an internally tagged variant is an object, since the tag stands inside it.
#[doc(hidden)]
#[track_caller]
pub const fn tagged_object(schema: &Schema, tag: &str) {
    if unusable(schema) {
        return;
    }
    match &schema.kind {
        Kind::Object(object) if !schema.nullable => {
            assert!(
                !has_key(object, tag),
                "a parameter of this variant is named like the tag of the enum: rename one"
            );
        }
        _ => panic!(
            "a variant of an internally tagged enum holds a struct: the tag stands among its fields"
        ),
    }
}

/// No key stands twice, flattened fields included, and one map at most takes the rest.
#[doc(hidden)]
#[track_caller]
pub const fn unique_names(schema: &Schema) {
    let Kind::Object(object) = &schema.kind else {
        return;
    };
    assert!(
        !has_key_twice(object),
        "two parameters have the same name after flattening: rename one"
    );
    let mut i = 0;
    while let Some(one) = nth(object.fields.part(), i) {
        let mut j = 0;
        while let Some(other) = nth(object.fields.part(), j) {
            let mut k = 0;
            while k < one.aliases.len() {
                assert!(
                    i == j || !same(one.aliases[k], other.name.part()),
                    "an alias is the name of another parameter after flattening: remove it"
                );
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
    assert!(
        !has_two_maps(object),
        "two flattened maps would take the same keys: keep one"
    );
}

/// Whether an object has a field of this name, flattened ones included.
pub(crate) const fn has_key(object: &Object, name: &str) -> bool {
    let mut i = 0;
    while let Some(field) = nth(object.fields.part(), i) {
        if same(field.name.part(), name) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether two fields of an object have one name, flattened ones included.
pub(crate) const fn has_key_twice(object: &Object) -> bool {
    let mut i = 0;
    while let Some(one) = nth(object.fields.part(), i) {
        let mut j = i + 1;
        while let Some(other) = nth(object.fields.part(), j) {
            if !one.name.part().is_empty() && same(one.name.part(), other.name.part()) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// Whether more than one flattened map takes the other keys.
pub(crate) const fn has_two_maps(object: &Object) -> bool {
    maps(object.fields.part()) > 1
}

const fn maps(fields: &[Field]) -> usize {
    let mut total = 0;
    let mut i = 0;
    while i < fields.len() {
        total += match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => maps(inner.fields.part()),
            Kind::Map(_) if fields[i].flatten => 1,
            _ => 0,
        };
        i += 1;
    }
    total
}

/// How many keys the fields stand for, flattened ones counted one by one.
pub(crate) const fn count(fields: &[Field]) -> usize {
    let mut total = 0;
    let mut i = 0;
    while i < fields.len() {
        total += match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => count(inner.fields.part()),
            Kind::Map(_) if fields[i].flatten => 0,
            _ => 1,
        };
        i += 1;
    }
    total
}

const fn nth(fields: &[Field], mut n: usize) -> Option<&Field> {
    let mut i = 0;
    while i < fields.len() {
        match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => {
                let inside = count(inner.fields.part());
                if n < inside {
                    return nth(inner.fields.part(), n);
                }
                n -= inside;
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ if n == 0 => return Some(&fields[i]),
            _ => n -= 1,
        }
        i += 1;
    }
    None
}

#[doc(hidden)]
#[track_caller]
pub const fn check_default(schema: &Schema, value: &Literal) {
    let refusal = match fault(schema, value) {
        Fault::None => "",
        Fault::Type => "the default is not of the type of this field",
        Fault::Range => "the default breaks a rule of this field: it is out of range",
        Fault::Step => {
            "the default breaks a rule of this field: it is not a multiple of `multiple_of`"
        }
        Fault::Choice => "the default is not one of the values of this field",
        Fault::Length => "the default breaks a rule of this field: its length",
        Fault::Items => "the default breaks a rule of this field: its number of items",
        Fault::Twice => "the default breaks a rule of this field: an item stands twice",
        Fault::Form => {
            "a default of this type cannot be checked before the program runs: write a constant or a function that makes it, as in `const WAIT: Duration = Duration::from_secs(30);` and `default = WAIT`"
        }
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

#[doc(hidden)]
#[track_caller]
pub const fn check_example(schema: &Schema, value: &Literal) {
    let refusal = match fault(schema, value) {
        // A text form is read at run time only; the contract harness reads the example.
        Fault::None | Fault::Form => "",
        Fault::Type => "the example is not of the type of this field",
        Fault::Range => "the example breaks a rule of this field: it is out of range",
        Fault::Step => {
            "the example breaks a rule of this field: it is not a multiple of `multiple_of`"
        }
        Fault::Choice => "the example is not one of the values of this field",
        Fault::Length => "the example breaks a rule of this field: its length",
        Fault::Items => "the example breaks a rule of this field: its number of items",
        Fault::Twice => "the example breaks a rule of this field: an item stands twice",
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

#[derive(Clone, Copy)]
enum Fault {
    None,
    Type,
    Range,
    Step,
    Choice,
    Length,
    Items,
    Twice,
    Form,
}

const fn fault(schema: &Schema, value: &Literal) -> Fault {
    match (&schema.kind, value) {
        (Kind::Any, _) | (Kind::Boolean, Literal::Boolean(_)) => Fault::None,
        (Kind::Integer(rules), Literal::Integer(value)) => integer_fault(rules, *value),
        (Kind::Number(rules), Literal::Integer(value)) => {
            #[allow(clippy::cast_precision_loss)] // compared with bounds that round the same way
            number_fault(rules, *value as f64)
        }
        (Kind::Number(rules), Literal::Number(Decimal { value, .. })) => {
            number_fault(rules, *value)
        }
        (Kind::Text(rules), Literal::Text(value)) => text_fault(rules, value.part()),
        (Kind::List(rules), Literal::List(values)) => {
            let n = values.part().len() as u64;
            let few = matches!(rules.min_items, Some(min) if n < min);
            let many = matches!(rules.max_items, Some(max) if n > max);
            if few || many {
                return Fault::Items;
            }
            let mut i = 0;
            while i < values.part().len() {
                match fault(rules.items.part(), &values.part()[i]) {
                    Fault::None => {}
                    other => return other,
                }
                let mut j = 0;
                while rules.unique && j < i {
                    if alike(&values.part()[i], &values.part()[j]) {
                        return Fault::Twice;
                    }
                    j += 1;
                }
                i += 1;
            }
            Fault::None
        }
        (Kind::Tuple(items), Literal::List(values)) => {
            if items.part().len() != values.part().len() {
                return Fault::Items;
            }
            let mut i = 0;
            while i < values.part().len() {
                match fault(items.part()[i].part(), &values.part()[i]) {
                    Fault::None => {}
                    other => return other,
                }
                i += 1;
            }
            Fault::None
        }
        (Kind::Union(union), Literal::Text(name)) => {
            let mut i = 0;
            while i < union.variants.part().len() {
                let variant = &union.variants.part()[i];
                if matches!(union.tagging, Tagging::External)
                    && variant.content.is_none()
                    && same(variant.name.part(), name.part())
                {
                    return Fault::None;
                }
                if matches!(union.tagging, Tagging::None)
                    && let Some(content) = &variant.content
                    && matches!(fault(content.part(), value), Fault::None)
                {
                    return Fault::None;
                }
                i += 1;
            }
            Fault::Choice
        }
        (Kind::Union(union), _) if matches!(union.tagging, Tagging::None) => {
            let mut i = 0;
            while i < union.variants.part().len() {
                if let Some(content) = &union.variants.part()[i].content
                    && matches!(fault(content.part(), value), Fault::None)
                {
                    return Fault::None;
                }
                i += 1;
            }
            Fault::Type
        }
        _ => Fault::Type,
    }
}

const fn integer_fault(rules: &Integer, value: i128) -> Fault {
    if !rules.choices.part().is_empty() {
        let mut i = 0;
        let mut found = false;
        while i < rules.choices.part().len() {
            found = found || rules.choices.part()[i] == value;
            i += 1;
        }
        if !found {
            return Fault::Choice;
        }
    }
    let low = matches!(rules.min, Some(min) if value < min);
    let high = matches!(rules.max, Some(max) if value > max);
    if low || high || (rules.nonzero && value == 0) {
        return Fault::Range;
    }
    match rules.multiple_of {
        Some(step) if step != 0 && value % step != 0 => Fault::Step,
        _ => Fault::None,
    }
}

const fn number_fault(rules: &Number, value: f64) -> Fault {
    let low = match &rules.min {
        Some(bound) if bound.exclusive => value <= bound.at.value,
        Some(bound) => value < bound.at.value,
        None => false,
    };
    let high = match &rules.max {
        Some(bound) if bound.exclusive => value >= bound.at.value,
        Some(bound) => value > bound.at.value,
        None => false,
    };
    if low || high {
        return Fault::Range;
    }
    if let Some(step) = &rules.multiple_of {
        // The reader divides decimals; this is near enough for a value that somebody wrote down.
        let times = value / step.value;
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        let rest = times - (times as i128) as f64;
        let rest = if rest < 0.0 { -rest } else { rest };
        if rest > 1e-9 && rest < 1.0 - 1e-9 {
            return Fault::Step;
        }
    }
    Fault::None
}

const fn text_fault(rules: &Text, value: &str) -> Fault {
    // A pattern that is still here is the type's own: only the reader can try it.
    if !rules.form.is_empty() || rules.pattern.is_some() {
        return Fault::Form;
    }
    if !rules.choices.part().is_empty() && !chosen(value, rules.choices.part()) {
        return Fault::Choice;
    }
    let n = characters(value);
    let short = matches!(rules.min_length, Some(min) if n < min);
    let long = matches!(rules.max_length, Some(max) if n > max);
    if short || long {
        Fault::Length
    } else {
        Fault::None
    }
}

const fn chosen(value: &str, choices: &[Choice]) -> bool {
    let mut i = 0;
    while i < choices.len() {
        if same(choices[i].name.part(), value) {
            return true;
        }
        i += 1;
    }
    false
}

const fn alike(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Boolean(a), Literal::Boolean(b)) => *a == *b,
        (Literal::Integer(a), Literal::Integer(b)) => *a == *b,
        (Literal::Text(a), Literal::Text(b)) => same(a.part(), b.part()),
        // Anything else is compared by the reader.
        _ => false,
    }
}

const fn characters(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut n = 0;
    let mut i = 0;
    while i < bytes.len() {
        // Every byte but a continuation starts a character.
        if bytes[i] & 0xC0 != 0x80 {
            n += 1;
        }
        i += 1;
    }
    n
}

/// `==` for a const function.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
