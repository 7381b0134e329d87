//! Objects with declared fields, and objects with free keys.

use crate::{
    schema::{Choice, Field, Held, IntegerKeys, Kind, Map, Object, Schema, Unknown},
    text::same,
};

impl Map {
    /// A map of any keys to such values.
    #[must_use]
    pub const fn of(values: &'static Schema) -> Self {
        Self::keyed(values, &[], None)
    }

    /// A map of these keys, if there are any, or of integers.
    pub(crate) const fn keyed(
        values: &'static Schema,
        keys: &'static [Choice],
        integers: Option<&'static IntegerKeys>,
    ) -> Self {
        Self {
            values: Held::Static(values),
            keys: Held::Static(keys),
            integers,
        }
    }

    /// Whether every text is a key.
    pub(crate) const fn takes_any_key(&self) -> bool {
        self.keys.part().is_empty() && self.integers.is_none()
    }

    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            values: self.values.fixed(),
            keys: self.keys.fixed(),
            integers: self.integers,
        }
    }
}

impl Schema {
    /// The fields of an object schema, with flattened fields in place; empty for any other kind.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let fields: &[Field] = match &self.kind {
            Kind::Object(object) => &object.fields,
            _ => &[],
        };
        FieldWalk::over(fields)
    }
}

impl Object {
    /// An object that declares no fields, with the schema of the values of other keys if they have one.
    pub(crate) const fn undeclared(unknown: Unknown, extra: Option<Held<Schema>>) -> Self {
        Self {
            fields: Held::Static(&[]),
            unknown,
            extra,
        }
    }

    /// The object without fields that treats other keys in this way.
    pub(crate) const fn bare(unknown: Unknown) -> &'static Self {
        match unknown {
            Unknown::Ignore => const { &Self::undeclared(Unknown::Ignore, None) },
            Unknown::Report => const { &Self::undeclared(Unknown::Report, None) },
            Unknown::Keep => const { &Self::undeclared(Unknown::Keep, None) },
            Unknown::Deny => const { &Self::undeclared(Unknown::Deny, None) },
        }
    }

    /// A copy of the rules of a constant.
    pub(crate) const fn fixed(&self) -> Self {
        Self {
            fields: self.fields.fixed(),
            unknown: self.unknown,
            extra: match &self.extra {
                Some(values) => Some(values.fixed()),
                None => None,
            },
        }
    }

    /// The fields, with flattened fields in place.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        self.walk()
    }

    /// The fields for a const function, with flattened fields in place.
    pub(crate) const fn walk(&self) -> FieldWalk<'_> {
        FieldWalk::over(self.fields.part())
    }

    /// How many keys the fields have together.
    pub(crate) const fn count(&self) -> usize {
        let mut walk = self.walk();
        let mut total = 0;
        while walk.step().is_some() {
            total += 1;
        }
        total
    }

    /// The field of this name.
    pub(crate) const fn field(&self, name: &str) -> Option<&Field> {
        let mut walk = self.walk();
        while let Some(field) = walk.step() {
            if same(field.name.part(), name) {
                return Some(field);
            }
        }
        None
    }

    /// Whether two fields have the same name.
    pub(crate) const fn has_key_twice(&self) -> bool {
        let mut walk = self.walk();
        while let Some(one) = walk.step() {
            let mut rest = walk.rest();
            while let Some(other) = rest.step() {
                if !one.name.part().is_empty() && same(one.name.part(), other.name.part()) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether an alias of a field is the name of another field.
    pub(in crate::schema) const fn has_alias_of_a_key(&self) -> bool {
        let mut walk = self.walk();
        let mut i = 0;
        while let Some(one) = walk.step() {
            let mut others = self.walk();
            let mut j = 0;
            while let Some(other) = others.step() {
                let mut k = 0;
                while k < one.aliases.len() {
                    if i != j && same(one.aliases[k], other.name.part()) {
                        return true;
                    }
                    k += 1;
                }
                j += 1;
            }
            i += 1;
        }
        false
    }

    /// Whether more than one flattened map takes other keys.
    pub(crate) const fn has_two_maps(&self) -> bool {
        flattened(self.fields.part()).0 > 1
    }

    /// Whether a flattened map does not take every other key.
    pub(in crate::schema) const fn collects_some(&self) -> bool {
        let mut fields = self.fields.part();
        while let [field, rest @ ..] = fields {
            if field.flatten {
                let is_closed = match &field.schema.part().kind {
                    Kind::Map(map) => !map.takes_any_key(),
                    Kind::Object(inner) => inner.collects_some(),
                    _ => false,
                };
                if is_closed {
                    return true;
                }
            }
            fields = rest;
        }
        false
    }

    /// Whether a flattened map takes other keys.
    pub(in crate::schema) const fn collects(&self) -> bool {
        flattened(self.fields.part()).0 > 0
    }

    /// Whether structs are flattened too deeply for a walk.
    pub(in crate::schema) const fn is_too_deep(&self) -> bool {
        flattened(self.fields.part()).1 >= DEEP
    }
}

/// How many maps are flattened, and how deep structs are.
const fn flattened(fields: &[Field]) -> (usize, usize) {
    let (mut maps, mut depth) = (0, 0);
    let mut i = 0;
    while i < fields.len() {
        if fields[i].flatten {
            match &fields[i].schema.part().kind {
                Kind::Object(inner) => {
                    let (inside, below) = flattened(inner.fields.part());
                    maps += inside;
                    depth = if below >= depth { below + 1 } else { depth };
                }
                Kind::Map(_) => maps += 1,
                // The derive refuses this.
                _ => {}
            }
        }
        i += 1;
    }
    (maps, depth)
}

/// How deep structs may be flattened into each other.
const DEEP: usize = 8;

/// A walk over fields. The fields of a flattened struct replace it, and a flattened map has none.
///
/// Only this type knows about flattening. A constant cannot hold the list, since its length would
/// depend on the parameters of a generic struct.
pub(crate) struct FieldWalk<'a> {
    /// The remaining fields of each open struct.
    open: [&'a [Field]; DEEP],
    depth: usize,
    /// How many open structs enclose the outermost one that may be left out.
    optional: usize,
}

impl<'a> FieldWalk<'a> {
    const fn over(fields: &'a [Field]) -> Self {
        let mut open: [&[Field]; DEEP] = [&[]; DEEP];
        open[0] = fields;
        Self {
            open,
            depth: 0,
            optional: DEEP,
        }
    }

    /// A walk over the remaining fields.
    const fn rest(&self) -> Self {
        Self { ..*self }
    }

    /// The next field.
    pub(crate) const fn step(&mut self) -> Option<&'a Field> {
        loop {
            let [field, rest @ ..] = self.open[self.depth] else {
                if self.depth == 0 {
                    return None;
                }
                self.depth -= 1;
                if self.depth <= self.optional {
                    self.optional = DEEP;
                }
                continue;
            };
            self.open[self.depth] = rest;
            if !field.flatten {
                return Some(field);
            }
            if let Kind::Object(inner) = &field.schema.part().kind
                && self.depth + 1 < DEEP
            {
                // Only an output has a flattened struct that may be left out.
                if !field.required && self.optional == DEEP {
                    self.optional = self.depth;
                }
                self.depth += 1;
                self.open[self.depth] = inner.fields.part();
            }
        }
    }

    /// Whether the field of the last step is required.
    pub(crate) const fn requires(&self, field: &Field) -> bool {
        field.required && self.optional == DEEP
    }
}

impl<'a> Iterator for FieldWalk<'a> {
    type Item = &'a Field;

    fn next(&mut self) -> Option<&'a Field> {
        self.step()
    }
}

#[cfg(test)]
mod tests {
    use crate::ToolInput;

    #[derive(ToolInput)]
    struct A {
        a: u8,
    }

    #[derive(ToolInput)]
    struct B {
        #[tool_param(flatten)]
        a: A,
        b: u8,
    }

    #[derive(ToolInput)]
    struct C {
        #[tool_param(flatten)]
        b: B,
        c: u8,
    }

    #[derive(ToolInput)]
    struct D {
        #[tool_param(flatten)]
        c: C,
        d: u8,
    }

    #[derive(ToolInput)]
    struct E {
        #[tool_param(flatten)]
        d: D,
        e: u8,
    }

    #[derive(ToolInput)]
    struct F {
        #[tool_param(flatten)]
        e: E,
        f: u8,
    }

    #[derive(ToolInput)]
    struct G {
        #[tool_param(flatten)]
        f: F,
        g: u8,
    }

    #[derive(ToolInput)]
    struct H {
        #[tool_param(flatten)]
        g: G,
        h: u8,
    }

    #[test]
    fn walk_lists_flattened_fields_in_place() {
        let names: Vec<&str> = H::SCHEMA.fields().map(|field| &*field.name).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g", "h"]);
        let read = crate::read_str::<H>(
            r#"{"h":8,"a":1,"g":7,"b":2,"f":6,"c":3,"e":5,"d":4}"#,
            &crate::Policy::exact(),
        );
        let h = read.unwrap().value;
        assert_eq!((h.h, h.g.g, h.g.f.f, h.g.f.e.e), (8, 7, 6, 5));
        let d = h.g.f.e.d;
        assert_eq!((d.d, d.c.c, d.c.b.b, d.c.b.a.a), (4, 3, 2, 1));
    }
}
