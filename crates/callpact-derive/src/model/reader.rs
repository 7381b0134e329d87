//! Reads fields and variants: what is written there, and their names.

use proc_macro2::Span;
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, Member, Path, Type, ext::IdentExt,
    spanned::Spanned,
};

use super::{
    case::{CASES, RenameCase, rename_as_clap},
    declaration::{FieldModel, FieldPresence, VariantBody, VariantModel, itself},
    types,
};
use crate::attrs::{
    clap::{self, ClapAttrs, ClapField},
    doc,
    errors::AttributeErrors,
    place::AttributePlace,
    receivers::{ContainerAttrs, FieldAttrs, VariantAttrs},
    serde::{self, SerdeNames, ValueDirection},
    values::{SpannedStr, SwitchValue},
    written::{PlaceAttrs, WrittenAttrs},
};

/// Reads the parts of a declaration, as an input or as an output.
pub(crate) struct DeclarationReader<'a> {
    pub(crate) direction: ValueDirection,
    /// The declared type with its parameters.
    pub(crate) itself: Type,
    pub(crate) ident: &'a Ident,
    pub(crate) all: Option<RenameCase>,
    pub(crate) all_fields: Option<RenameCase>,
    /// Whether a function checks rules across fields.
    pub(crate) is_validated: bool,
    /// Whether clap reads the type too, so that a flag may be left out.
    pub(crate) is_of_clap: bool,
    pub(crate) clap_case: Option<SpannedStr>,
    pub(crate) errors: &'a mut AttributeErrors,
}

impl<'a> DeclarationReader<'a> {
    pub(crate) fn new(
        input: &'a DeriveInput,
        direction: ValueDirection,
        errors: &'a mut AttributeErrors,
    ) -> Self {
        Self {
            is_of_clap: direction == ValueDirection::Input && is_of_clap(input),
            ..Self::alone(
                &input.ident,
                itself(&input.ident, &input.generics),
                direction,
                errors,
            )
        }
    }

    /// A reader of fields without a declaration.
    pub(crate) fn alone(
        ident: &'a Ident,
        itself: Type,
        direction: ValueDirection,
        errors: &'a mut AttributeErrors,
    ) -> Self {
        Self {
            direction,
            itself,
            ident,
            all: None,
            all_fields: None,
            is_validated: false,
            is_of_clap: false,
            clap_case: None,
            errors,
        }
    }

    /// The other names under which a value is read. An output is only written.
    fn aliases(&self, names: impl Iterator<Item = SpannedStr>) -> Vec<SpannedStr> {
        names.filter(|_| !self.is_output()).collect()
    }

    fn is_output(&self) -> bool {
        self.direction == ValueDirection::Output
    }

    pub(crate) fn read<T: PlaceAttrs>(&mut self, attrs: &[Attribute]) -> WrittenAttrs<T> {
        let is_validated = self.is_validated;
        WrittenAttrs::read(attrs, self.direction, |_| is_validated, self.errors)
    }

    /// Reads the attributes of the type, which say whether a function checks rules across fields.
    pub(crate) fn read_container(&mut self, attrs: &[Attribute]) -> WrittenAttrs<ContainerAttrs> {
        let is_validated = |ours: &ContainerAttrs| ours.validate.is_some();
        let written = WrittenAttrs::read(attrs, self.direction, is_validated, self.errors);
        self.is_validated = is_validated(&written.ours);
        written
    }

    /// Whether the value is an output, and serde does not write this part of it.
    pub(crate) fn is_unwritten(&self, attrs: &[Attribute], place: AttributePlace) -> bool {
        let ignored = &mut AttributeErrors::default();
        let serde = serde::read(attrs, Vec::new(), place, self.direction, ignored);
        self.is_output() && serde.skipped(self.direction).is_some()
    }

    pub(crate) fn read_case(&mut self, names: Option<SerdeNames>) -> Option<RenameCase> {
        let word = self.direction.name(names);
        self.find_case(word.as_ref())
    }

    pub(crate) fn find_case(&mut self, word: Option<&SpannedStr>) -> Option<RenameCase> {
        let word = word?;
        let case = RenameCase::parse(&word.value);
        if case.is_none() {
            let names = CASES.map(|(name, _)| format!("\"{name}\"")).join(", ");
            let message = format!("unknown case `{}`: write one of {names}", word.value);
            self.errors.span(word.span, message);
        }
        case
    }

    /// The name of a variant without a name of its own. Clap has a case of its own where nobody chooses one.
    fn variant_name(&mut self, name: String) -> String {
        if let Some(case) = self.all {
            return case.variant(&name);
        }
        if !self.is_of_clap {
            return name;
        }
        let case = self.clap_case.as_ref();
        rename_as_clap(&name, case.map(|case| case.value.as_str())).unwrap_or_else(|| {
            if let Some(case) = case {
                let message = format!("unknown case `{}`", case.value);
                self.errors.span(case.span, message);
            }
            name
        })
    }

    pub(crate) fn field(
        &mut self,
        index: usize,
        field: &syn::Field,
        case: Option<RenameCase>,
    ) -> FieldModel {
        let mut written = self.read::<FieldAttrs>(&field.attrs);
        let (of_clap, clap_aliases) = written.clap.names();
        let with = self.written_as(field, &mut written);
        let condition = written.serde.skip_serializing_if.as_ref();
        let presence = match condition.filter(|_| self.is_output()) {
            None => FieldPresence::Always,
            // A function may write null for a present value: `with` says whether it does.
            Some(condition) if is_none(&condition.function) && with.is_none() => {
                FieldPresence::UnlessNone
            }
            Some(_) => FieldPresence::Sometimes,
        };
        if !self.is_output() {
            let is_list = types::is_list(&field.ty);
            written.schemars.fill(&mut written.ours, is_list);
        }
        if self.is_of_clap {
            let clap = std::mem::take(&mut written.clap);
            let has_default = written.serde.default.is_some();
            fill_from_clap(clap, &mut written.ours, field, has_default, self.errors);
        }
        let ours = written.ours.description.as_ref();
        let description = written.describe(ours, &field.attrs, self.errors);
        let ty = with.as_ref().unwrap_or(&field.ty);
        let ty = types::spell_out_self(ty, &self.itself);
        let WrittenAttrs {
            ours: attrs,
            serde,
            lost,
            ..
        } = written;
        let (member, span) = match &field.ident {
            Some(ident) => (Member::Named(ident.clone()), ident.span()),
            None => (Member::Unnamed(index.into()), field.ty.span()),
        };
        let skip = serde.skipped(self.direction);
        let name = attrs.rename.clone();
        let name = name.or(self.direction.name(serde.rename)).or(of_clap);
        let (name, name_span) = name.map_or_else(
            || {
                let name = field.ident.as_ref().map(IdentExt::unraw);
                let name = name.map_or_else(|| index.to_string(), |name| name.to_string());
                (case.map_or(name.clone(), |case| case.field(&name)), span)
            },
            SpannedStr::into_parts,
        );
        let on = |switch: Option<SwitchValue>| switch.filter(|on| on.value).map(|on| on.span);
        let aliases = attrs.alias.iter().cloned();
        let default = attrs.default.clone();
        FieldModel {
            vis: field.vis.clone(),
            member,
            ty,
            name,
            name_span,
            description,
            aliases: self.aliases(aliases.chain(serde.alias).chain(clap_aliases)),
            default: default.or(serde.default.map(|default| default.0)),
            skip: on(attrs.skip).or(skip),
            flatten: on(attrs.flatten).or(serde.flatten.map(|word| word.span)),
            in_a_tuple: false,
            presence,
            attrs,
            lost,
        }
    }

    /// The type that an output has in place of a field's, with the checks of the field.
    fn written_as(
        &mut self,
        field: &syn::Field,
        written: &mut WrittenAttrs<FieldAttrs>,
    ) -> Option<Type> {
        if !self.is_output() {
            return None;
        }
        let WrittenAttrs {
            ours,
            output,
            serde,
            schemars,
            ..
        } = written;
        ours.recursive = output.recursive.filter(|on| on.value).or(ours.recursive);
        let with = output.with.take().or(schemars.with.take());
        let with = with.map(|with| with.0);
        let ty = with.as_ref().unwrap_or(&field.ty);
        if let (None, Some(writer)) = (&with, serde.writer()) {
            self.refuse_writer(writer);
            return None;
        }
        if types::holds_itself(ty, self.ident) && !FieldModel::is(ours.recursive) {
            let message = contains_itself(self.ident, "tool_output");
            self.errors.at(ty, message);
        }
        if let (None, Some(condition)) = (&field.ident, &serde.skip_serializing_if) {
            self.errors.span(
                condition.span,
                "an item that is sometimes left out moves the others: name the fields",
            );
        }
        with
    }

    fn refuse_writer(&mut self, (word, span): (&str, Span)) {
        let message = format!(
            "`#[serde({word})]` writes a form that is not known here: say it, `#[tool_output(with = Type)]`"
        );
        self.errors.span(span, message);
    }

    /// A variant; `None` if it is left out.
    pub(crate) fn variant(&mut self, variant: &syn::Variant) -> Option<VariantModel> {
        if self.is_unwritten(&variant.attrs, AttributePlace::Variant) {
            return None;
        }
        let mut written = self.read::<VariantAttrs>(&variant.attrs);
        let skipped = written.serde.skipped(self.direction);
        if FieldModel::is(written.ours.skip) || skipped.or(written.clap.skipped()).is_some() {
            return None;
        }
        let ours = written.ours.description.as_ref();
        let description = written.describe(ours, &variant.attrs, self.errors);
        let body = self.other_form(&mut written);
        let WrittenAttrs {
            ours,
            serde,
            mut clap,
            lost,
            ..
        } = written;
        let name = ours.rename.or(self.direction.name(serde.rename));
        let (of_clap, clap_aliases) = clap.variant_names(name.is_some(), self.errors);
        let (name, name_span) = name.or(of_clap).map_or_else(
            || {
                let name = self.variant_name(variant.ident.unraw().to_string());
                (name, variant.ident.span())
            },
            SpannedStr::into_parts,
        );
        let case = self.read_case(serde.rename_all).or(self.all_fields);
        let aliases = ours.alias.into_iter().chain(serde.alias);
        Some(VariantModel {
            ident: variant.ident.clone(),
            name,
            name_span,
            description,
            aliases: self.aliases(aliases.chain(clap_aliases)),
            body: body.unwrap_or_else(|| self.body(&variant.fields, case)),
            lost,
        })
    }

    /// The content of a variant of an output that is written in the form of another type.
    fn other_form(&mut self, written: &mut WrittenAttrs<VariantAttrs>) -> Option<VariantBody> {
        if !self.is_output() {
            return None;
        }
        if let Some(recursive) = written.output.recursive {
            self.errors.span(
                recursive.span,
                "`recursive` belongs on the field that contains the type, not on a variant",
            );
        }
        if let Some(word) = &written.serde.untagged {
            self.errors.span(
                word.span,
                "one untagged variant among others cannot be said: tag all variants, or none",
            );
        }
        match (written.output.with.take(), written.serde.writer()) {
            (Some(with), _) => Some(self.form_of(&with.0)),
            (None, Some(writer)) => {
                self.refuse_writer(writer);
                Some(VariantBody::Unit)
            }
            (None, None) => None,
        }
    }

    /// A body in the form of a type.
    pub(crate) fn form_of(&mut self, ty: &Type) -> VariantBody {
        let field: Fields = Fields::Unnamed(syn::parse_quote!((#ty)));
        self.body(&field, None)
    }

    pub(crate) fn body(&mut self, fields: &Fields, case: Option<RenameCase>) -> VariantBody {
        let mut all = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            if !self.is_unwritten(&field.attrs, AttributePlace::Field) {
                all.push(self.field(index, field, case));
            } else if field.ident.is_none() && fields.len() == 1 {
                self.errors.at(
                    &field.ty,
                    "serde writes the only unnamed field of a type even where it is told to skip it: name the field",
                );
            }
        }
        match (fields, fields.len()) {
            (Fields::Named(_), _) => VariantBody::Struct(all),
            (Fields::Unnamed(_), 1) => all.pop().map_or(VariantBody::Unit, |field| {
                VariantBody::Newtype(Box::new(field))
            }),
            (Fields::Unnamed(_), count) if count > 0 || self.is_output() => {
                for field in &mut all {
                    field.in_a_tuple = true;
                }
                VariantBody::Tuple(all)
            }
            (Fields::Unit | Fields::Unnamed(_), _) => VariantBody::Unit,
        }
    }
}

/// Adds what clap's attributes mean to the settings of a field.
fn fill_from_clap(
    clap: ClapAttrs,
    attrs: &mut FieldAttrs,
    field: &syn::Field,
    has_default: bool,
    errors: &mut AttributeErrors,
) {
    let optional = types::inside_option(&field.ty);
    let is_list = types::is_list(&field.ty);
    let inner = types::ungroup(optional.unwrap_or(&field.ty));
    let item = types::first_argument(inner).filter(|_| is_list);
    let of = ClapField {
        ty: types::ungroup(&field.ty),
        item: item.unwrap_or(inner),
        is_list,
        may_be_absent: optional.is_some() || field.ident.is_none(),
        has_docs: !doc::description(&field.attrs).is_empty(),
        has_default,
    };
    clap.fill(attrs, &of, errors);
}

/// Whether clap reads the type too, as far as its attributes show.
fn is_of_clap(input: &DeriveInput) -> bool {
    let any = |attrs: &[Attribute]| attrs.iter().any(clap::is_of_clap);
    let of_fields = |fields: &Fields| fields.iter().any(|field| any(&field.attrs));
    any(&input.attrs)
        || match &input.data {
            Data::Struct(data) => of_fields(&data.fields),
            Data::Enum(data) => {
                let mut variants = data.variants.iter();
                variants.any(|variant| any(&variant.attrs) || of_fields(&variant.fields))
            }
            Data::Union(_) => false,
        }
}

/// Whether a path is `Option::is_none`.
fn is_none(path: &Path) -> bool {
    let mut last = path.segments.iter().rev();
    last.next().is_some_and(|name| name.ident == "is_none")
        && last.next().is_some_and(|name| name.ident == "Option")
}

/// The error about a type whose schema would contain itself.
pub(crate) fn contains_itself(ident: &Ident, attribute: &str) -> String {
    format!(
        "`{ident}` contains itself, and its schema would never end: add `#[{attribute}(recursive)]` to leave it open here"
    )
}
