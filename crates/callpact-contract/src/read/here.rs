//! One place on the path to a value.

use std::ptr;

use crate::{
    report::{Fault, IssueKind, Step},
    schema::{Field, Held, Kind, Schema, Union, Variant},
};

/// A tag among the keys of an object, which is not one of its fields.
#[derive(Clone, Copy)]
pub(crate) struct Tagged<'a> {
    pub(crate) tag: &'a str,
    /// The union and its variant that is read, if null at a key of another variant has no meaning.
    pub(crate) others: Option<(&'a Union, &'a Variant)>,
}

/// One place on the path to a value. It is on the stack, so that a path costs nothing until it is shown.
///
/// Every value writes one, so it is small: the data for reports is found by walking up.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a> {
    pub(super) parent: Option<&'a Here<'a>>,
    pub(super) step: Way<'a>,
    /// The schema of the value here. A field has its own.
    pub(super) schema: &'a Schema,
    pub(super) depth: u32,
    /// Whether null and an empty string mean an absent value. A field itself says whether they do.
    pub(super) optional: bool,
    /// Whether an empty string means an absent value, although null is a value.
    pub(super) empty: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    Root,
    /// This place with another schema.
    Same,
    /// This place as the content of a variant whose tag is among its keys.
    Content(&'a Tagged<'a>),
    /// This place as a variant without a tag. Null at a key of another variant has no meaning.
    Variant(&'a (&'a Union, &'a Variant)),
    Field(&'a Field),
    Key(&'a str),
    Index(usize),
}

impl Way<'_> {
    /// The step in a path, if this is one.
    pub(crate) fn step(self) -> Option<Step> {
        match self {
            Way::Root | Way::Same | Way::Content(_) | Way::Variant(_) => None,
            Way::Field(field) => Some(Step::Key(field.name.part().to_owned())),
            Way::Key(key) => Some(Step::Key(key.to_owned())),
            Way::Index(index) => Some(Step::Index(index)),
        }
    }
}

impl<'a> Here<'a> {
    pub(crate) fn root(schema: &'a Schema) -> Self {
        Self {
            parent: None,
            step: Way::Root,
            schema,
            depth: 0,
            optional: false,
            empty: false,
        }
    }

    #[inline]
    pub(crate) fn move_to(&mut self, field: &'a Field) {
        self.step = Way::Field(field);
    }

    /// Whether this is the value of a field.
    pub(crate) fn is_field(&self) -> bool {
        matches!(self.step, Way::Field(_))
    }

    /// The name, if this is the place of a parameter of the arguments and the name is a constant.
    pub(super) fn parameter(&self) -> Option<&'static str> {
        self.field_of_arguments()
            .and_then(|(_, field)| constant_name(field))
    }

    /// Like `parameter`, but only if the value may be shown.
    #[inline]
    pub(super) fn open_parameter(&self) -> Option<&'static str> {
        let (arguments, field) = self.field_of_arguments()?;
        if arguments.schema.secret || field.schema.part().secret {
            return None;
        }
        constant_name(field)
    }

    /// The schema of the value here, if it is a constant.
    #[inline]
    pub(super) fn constant_schema(&self) -> Option<&'static Schema> {
        let schema = match self.step {
            Way::Field(field) => &field.schema,
            Way::Index(_) => match &self.parent?.schema().kind {
                Kind::List(rules) if ptr::eq(rules.items.part(), self.schema) => &rules.items,
                _ => return None,
            },
            _ => return None,
        };
        match schema {
            Held::Static(schema) => Some(schema),
            Held::Owned(_) => None,
        }
    }

    /// A fault of the value here, if its schema and path are constants and the path is short.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would move all of it once more
    pub(super) fn fault(&self, kind: IssueKind) -> Option<Fault> {
        let mut fault = Fault::new(kind, self.constant_schema()?);
        let (mut is_secret, mut is_certain) = (false, true);
        let mut here = self;
        loop {
            let schema = match here.step {
                Way::Field(field) => {
                    let Held::Static(name) = &field.name else {
                        return None;
                    };
                    if !fault.add_key(name) {
                        return None;
                    }
                    field.schema.part()
                }
                Way::Index(index) => {
                    if !fault.add_index(index) {
                        return None;
                    }
                    here.schema
                }
                Way::Key(_) => return None,
                Way::Root => here.schema,
                Way::Same | Way::Content(_) | Way::Variant(_) => {
                    is_certain = false;
                    here.schema
                }
            };
            is_secret |= schema.secret;
            is_certain &= !matches!(schema.kind, Kind::Union(_));
            match here.parent {
                Some(parent) => here = parent,
                None => break,
            }
        }
        fault.is_secret = is_secret;
        fault.is_certain = is_certain;
        Some(fault)
    }

    /// The place of the arguments and their parameter, if this is the place of a parameter.
    #[inline]
    fn field_of_arguments(&self) -> Option<(&'a Here<'a>, &'a Field)> {
        match (self.step, self.parent) {
            (Way::Field(field), Some(parent)) if matches!(parent.step, Way::Root) => {
                Some((parent, field))
            }
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn move_to_item(&mut self, index: usize) {
        self.step = Way::Index(index);
    }

    #[inline]
    pub(super) fn schema(&self) -> &'a Schema {
        match self.step {
            Way::Field(field) => field.schema.part(),
            _ => self.schema,
        }
    }

    #[inline]
    pub(super) fn optional(&self) -> bool {
        match self.step {
            Way::Field(field) => !field.required,
            _ => self.optional,
        }
    }

    /// A place inside this one, for the same value.
    pub(super) fn again(&'a self) -> Self {
        Self {
            parent: Some(self),
            step: Way::Same,
            schema: self.schema(),
            depth: self.depth,
            optional: self.optional(),
            empty: self.empty,
        }
    }

    /// This place and the places around it, from the inside out.
    pub(super) fn ancestors(&'a self) -> impl Iterator<Item = &'a Here<'a>> {
        std::iter::successors(Some(self), |here| here.parent)
    }
}

#[inline]
pub(super) fn constant_name(field: &Field) -> Option<&'static str> {
    match &field.name {
        Held::Static(name) => Some(name),
        Held::Owned(_) => None,
    }
}
