//! Makes objects from the derive's declarations of fields.
//!
//! Generated code holds lists of names, texts and rules, and the tree is made from them here: the compiler
//! checks every part of a constant that is written out, and puts the same questions to each of its types as in
//! a program.

use std::{
    marker::PhantomData,
    mem::{forget, replace},
};

use super::{Field, Held, Kind, Object, Rule, Schema, Unknown, refine};

/// What the type of a field brings to its declaration.
#[derive(Clone, Copy, Debug)]
pub struct FieldType {
    /// The schema, without the null that means an absent value.
    schema: &'static Schema,
    /// Whether the key may be absent.
    optional: bool,
}

impl FieldType {
    /// A type with this schema, and whether a field of it may be left out.
    #[must_use]
    pub const fn of(schema: &'static Schema, optional: bool) -> Self {
        Self { schema, optional }
    }

    /// The same type, with a value that replaces an absent one.
    #[must_use]
    pub const fn or_default(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }
}

/// The declaration of a field: its key, its description, its type, and its rules.
pub type Declaration<'a> = (&'static str, &'static str, FieldType, &'a [Rule]);

/// The declaration of an object: its description, the treatment of other keys, and its fields.
pub type Said<const N: usize> = (&'static str, Unknown, [Declaration<'static>; N]);

/// A type whose object is made from the declarations of its `N` fields.
pub trait Declared<const N: usize> {
    /// The declaration. For types that contain each other, it would contain itself: the error of the compiler then
    /// begins with this name, since no macro sees both types.
    const MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE: Said<N>;
}

/// The schema of an object.
///
/// In a function, since a constant in generated code is evaluated at every check, and this one only where it
/// is used.
#[must_use]
pub const fn tree<T: Declared<N>, const N: usize>() -> &'static Schema {
    StaticTree::<T, N>::SCHEMA
}

/// The schema of an object, for a static of generated code.
///
/// The compiler visits a constant once for each way that leads to it, so the work doubles with each level of types
/// that contain the next level twice. It visits a static once.
#[must_use]
pub const fn static_tree<T: Declared<N>, const N: usize>() -> Schema {
    object(
        T::MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE.0,
        T::MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE.1,
        StaticTree::<T, N>::FIELDS,
    )
}

struct StaticTree<T, const N: usize>(PhantomData<T>);

impl<T: Declared<N>, const N: usize> StaticTree<T, N> {
    const PARTS: &'static FieldParts<N> = &parts(T::MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE.2);
    const FIELDS: &'static [Field; N] = &fields(Self::PARTS);
    const SCHEMA: &'static Schema = &object(
        T::MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE.0,
        T::MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE.1,
        Self::FIELDS,
    );
}

/// The rules of a field that has none. A list in generated code costs the compiler more.
pub const NO_RULES: &[Rule] = &[];

/// The fields of an object, before they can borrow the schemas under their rules.
#[derive(Debug)]
pub struct FieldParts<const N: usize> {
    fields: [FieldPart; N],
    schemas: [Schema; N],
}

#[derive(Clone, Copy, Debug)]
struct FieldPart {
    name: &'static str,
    aliases: &'static [&'static str],
    /// The schema of the type, if no rules are applied to it.
    schema: Option<&'static Schema>,
    required: bool,
    keep_empty: bool,
    flatten: bool,
}

/// Takes the declarations of the fields.
#[must_use]
pub const fn parts<const N: usize>(said: [Declaration<'_>; N]) -> FieldParts<N> {
    const BLANK: FieldPart = FieldPart {
        name: "",
        aliases: &[],
        schema: None,
        required: false,
        keep_empty: false,
        flatten: false,
    };
    let mut fields = [BLANK; N];
    let mut schemas = [const { Schema::of(Kind::Any) }; N];
    let mut i = 0;
    while i < N {
        let (name, description, ty, rules) = said[i];
        let mut part = FieldPart {
            name,
            required: !ty.optional,
            ..BLANK
        };
        let mut plain = description.is_empty();
        let mut rest = rules;
        while let [rule, others @ ..] = rest {
            match *rule {
                Rule::Aliases(aliases) => part.aliases = aliases,
                Rule::KeepEmpty => part.keep_empty = true,
                Rule::Flatten => part.flatten = true,
                _ => plain = false,
            }
            rest = others;
        }
        if plain {
            part.schema = Some(ty.schema);
        } else {
            // A constant cannot drop a schema.
            forget(replace(
                &mut schemas[i],
                refine(ty.schema, description, rules),
            ));
        }
        fields[i] = part;
        i += 1;
    }
    FieldParts { fields, schemas }
}

/// The fields as parts of the tree.
#[must_use]
pub const fn fields<const N: usize>(parts: &'static FieldParts<N>) -> [Field; N] {
    const BLANK: Field = Field::of(Held::Static(""), Held::Static(super::ANY_AGAIN), false);
    let mut fields = [const { BLANK }; N];
    let mut i = 0;
    while i < N {
        let part = parts.fields[i];
        let field = Field {
            name: Held::Static(part.name),
            aliases: part.aliases,
            schema: Held::Static(match part.schema {
                Some(schema) => schema,
                None => &parts.schemas[i],
            }),
            required: part.required,
            keep_empty: part.keep_empty,
            flatten: part.flatten,
        };
        forget(replace(&mut fields[i], field));
        i += 1;
    }
    fields
}

/// The schema of an object with these fields.
#[must_use]
pub const fn object(
    description: &'static str,
    unknown: Unknown,
    fields: &'static [Field],
) -> Schema {
    let mut extra = None;
    let mut rest = fields;
    while let [before @ .., field] = rest {
        if field.flatten {
            extra = extra_of(field.schema.part(), extra);
        }
        rest = before;
    }
    let kind = Kind::Object(Object {
        fields: Held::Static(fields),
        unknown,
        extra: match extra {
            Some(values) => Some(Held::Static(values)),
            None => None,
        },
    });
    Schema::described(kind, description)
}

/// The schema of the values of undeclared keys, if a flattened type takes such keys.
pub(crate) const fn extra_of(
    schema: &'static Schema,
    otherwise: Option<&'static Schema>,
) -> Option<&'static Schema> {
    match &schema.kind {
        Kind::Map(map) => Some(map.values.part()),
        Kind::Object(Object {
            extra: Some(values),
            ..
        }) => Some(values.part()),
        _ => otherwise,
    }
}
