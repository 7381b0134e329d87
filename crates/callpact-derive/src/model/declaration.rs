//! The model of a declaration: plain structs in which names and defaults are decided.

use proc_macro2::Span;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Fields, Generics, Ident, Member, Path, Type,
    ext::IdentExt, spanned::Spanned,
};

use super::{
    case::{CASES, Case, rename_as_clap},
    types,
};
use crate::attrs::{
    clap::{self, ClapAttrs, ClapField},
    doc,
    errors::{Errors, Lost},
    place::Place,
    receivers::{self, ContainerAttrs, FieldAttrs, VariantAttrs},
    schemars::{self, add_title},
    serde::{self, Direction, Names},
    values::{DefaultValue, Str, Switch},
};

/// The side of serde's attributes that counts here.
const INPUT: Direction = Direction::Input;

fn read_name(names: Option<Names>) -> Option<Str> {
    names.and_then(|names| names.into_name(INPUT))
}

pub(crate) struct Model {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
    pub(crate) description: String,
    pub(crate) unknown: Unknown,
    /// The word that denies unknown keys.
    pub(crate) denies: Option<Span>,
    pub(crate) validate: Option<Path>,
    /// A default of the whole struct, whose fields fill absent fields.
    pub(crate) default_all: Option<DefaultValue>,
    pub(crate) shape: Shape,
    pub(crate) lost: Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    Ignore,
    Report,
    Deny,
}

pub(crate) enum Shape {
    Struct(Vec<Field>),
    /// A struct of one unnamed field.
    Newtype(Box<Field>),
    /// An enum of unit variants: a value is the name of one.
    Names(Vec<Variant>),
    Union {
        tagging: Tagging,
        variants: Vec<Variant>,
    },
}

#[derive(Clone)]
pub(crate) enum Tagging {
    External,
    Internal(Str),
    Adjacent(Str, Str),
    None,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// The key on the wire.
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<Str>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) skip: Option<Span>,
    pub(crate) flatten: Option<Span>,
    /// Whether it is one of several unnamed fields of a variant, which can have no rules.
    pub(crate) in_a_tuple: bool,
    pub(crate) attrs: FieldAttrs,
    pub(crate) lost: Lost,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<Str>,
    pub(crate) body: Body,
    pub(crate) lost: Lost,
}

pub(crate) enum Body {
    Unit,
    Newtype(Box<Field>),
    Tuple(Vec<Field>),
    Struct(Vec<Field>),
}

impl Tagging {
    /// The key of the tag that stands among the fields of a variant.
    pub(crate) fn internal_tag(&self) -> Option<&str> {
        match self {
            Self::Internal(tag) => Some(&tag.value),
            _ => None,
        }
    }
}

impl Body {
    pub(crate) fn fields(&self) -> Vec<&Field> {
        match self {
            Self::Unit => Vec::new(),
            Self::Newtype(field) => vec![&**field],
            Self::Tuple(fields) | Self::Struct(fields) => fields.iter().collect(),
        }
    }
}

impl Model {
    /// Whether a field contains the type itself.
    pub(crate) fn is_recursive(&self) -> bool {
        let of = |fields: &[Field]| fields.iter().any(|field| Field::is(field.attrs.recursive));
        match &self.shape {
            Shape::Struct(fields) => of(fields),
            Shape::Newtype(field) => of(std::slice::from_ref(field)),
            Shape::Names(_) => false,
            Shape::Union { variants, .. } => variants.iter().any(|variant| match &variant.body {
                Body::Unit => false,
                Body::Newtype(field) => of(std::slice::from_ref(field)),
                Body::Tuple(fields) | Body::Struct(fields) => of(fields),
            }),
        }
    }

    /// Reads a declaration. `None` if it has no meaning.
    pub(crate) fn new(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let attrs: ContainerAttrs = receivers::read(&input.attrs, Place::Container, errors);
        let (schemars, of_serde) = schemars::read(&input.attrs, Place::Container, INPUT, errors);
        let serde = serde::read(&input.attrs, of_serde, Place::Container, INPUT, errors);
        let is_validated = attrs.validate.is_some();
        let mut clap = clap::read(&input.attrs, Place::Container, is_validated, errors);
        let lost = errors.lost();
        for param in input.generics.lifetimes() {
            errors.at(
                &param.lifetime,
                "a tool input owns its data: use `String` instead of `&str`, `Vec<T>` instead of `&[T]`",
            );
        }
        let rename_all = attrs.rename_all.or(read_name(serde.rename_all));
        let all = read_case(rename_all.as_ref(), errors);
        let rename_all_fields = attrs
            .rename_all_fields
            .or(read_name(serde.rename_all_fields));
        let all_fields = read_case(rename_all_fields.as_ref(), errors);
        let tag = attrs.tag.clone().or(serde.tag);
        let content = attrs.content.clone().or(serde.content);
        let untagged = attrs
            .untagged
            .filter(|switch| switch.value)
            .map(|switch| switch.span)
            .or(serde.untagged.map(|word| word.span));
        let help = clap.help();
        let written = attrs.description.as_ref().or(schemars.description.as_ref());
        let written = written.or(help.as_ref());
        let description = add_title(schemars.title, describe(written, &input.attrs, errors));
        let of_serde = serde.deny_unknown_fields.map(|word| word.span);
        let unknown = read_unknown(attrs.unknown.as_ref(), of_serde.is_some(), errors);
        let denies = match (unknown, &attrs.unknown) {
            (Unknown::Deny, Some(word)) => Some(word.span),
            (Unknown::Deny, None) => of_serde,
            (Unknown::Ignore | Unknown::Report, _) => None,
        };
        let words = FieldWords {
            all,
            all_fields,
            tag,
            content,
            untagged,
            is_validated,
            is_of_clap: is_of_clap(input),
            clap_case: clap.rename_all,
        };
        let default_all = serde.default.map(|default| default.0);
        if let Some(default) = &default_all
            && !matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_)))
        {
            errors.span(
                default.span(),
                "`default` belongs on a struct with named fields",
            );
        }
        if let (Data::Struct(_), Some(word)) = (&input.data, rename_all_fields) {
            errors.span(
                word.span,
                "`rename_all_fields` belongs on an enum: write `rename_all`",
            );
        }
        let shape = match &input.data {
            Data::Struct(data) => read_struct(input, &data.fields, &words, errors)?,
            Data::Enum(data) => read_enum(input, data, words, errors)?,
            Data::Union(data) => {
                errors.at(data.union_token, "a union has no JSON form: use an enum");
                return None;
            }
        };
        Some(Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: receivers::krate(attrs.krate),
            description,
            unknown,
            denies,
            validate: attrs.validate.map(|path| path.0),
            default_all,
            shape,
            lost,
        })
    }

    /// The names of the parameters.
    pub(crate) fn params(&self) -> Vec<&Ident> {
        types::params(&self.generics)
    }

    /// The fields of the declaration and of its variants.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        match &self.shape {
            Shape::Struct(fields) => fields.iter().collect(),
            Shape::Newtype(field) => vec![field],
            Shape::Names(_) => Vec::new(),
            Shape::Union { variants, .. } => variants
                .iter()
                .flat_map(|variant| variant.body.fields())
                .collect(),
        }
    }

    /// The declared type with its parameters.
    pub(crate) fn itself(&self) -> Type {
        itself(&self.ident, &self.generics)
    }

    /// Whether the declaration has parameters, so that constants may depend on them.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }
}

/// The attributes of the container that concern its fields and variants.
struct FieldWords {
    all: Option<Case>,
    all_fields: Option<Case>,
    tag: Option<Str>,
    content: Option<Str>,
    untagged: Option<Span>,
    is_validated: bool,
    is_of_clap: bool,
    clap_case: Option<Str>,
}

impl FieldWords {
    fn style(&self, case: Option<Case>) -> FieldStyle {
        FieldStyle {
            case,
            is_validated: self.is_validated,
            is_of_clap: self.is_of_clap,
        }
    }

    /// The name of a variant without a name of its own. Clap has a case of its own where nobody chooses one.
    fn variant_name(&self, name: &str, errors: &mut Errors) -> String {
        if let Some(case) = self.all {
            return case.variant(name);
        }
        if !self.is_of_clap {
            return name.to_owned();
        }
        let case = self.clap_case.as_ref();
        rename_as_clap(name, case.map(|case| case.value.as_str())).unwrap_or_else(|| {
            if let Some(case) = case {
                errors.span(case.span, format!("unknown case `{}`", case.value));
            }
            name.to_owned()
        })
    }
}

/// Adds what clap's attributes mean to the settings of a field.
fn fill_from_clap(
    clap: ClapAttrs,
    attrs: &mut FieldAttrs,
    field: &syn::Field,
    has_default: bool,
    errors: &mut Errors,
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

/// What the container decides about its fields.
#[derive(Clone, Copy, Default)]
pub(crate) struct FieldStyle {
    case: Option<Case>,
    /// Whether a function checks rules across fields.
    is_validated: bool,
    /// Whether clap reads the type too, so that a flag may be left out.
    is_of_clap: bool,
}

/// Whether clap reads the type too, as far as its attributes show.
fn is_of_clap(input: &DeriveInput) -> bool {
    let of_fields = |fields: &Fields| {
        let mut attrs = fields.iter().flat_map(|field| &field.attrs);
        attrs.any(clap::is_of_clap)
    };
    input.attrs.iter().any(clap::is_of_clap)
        || match &input.data {
            Data::Struct(data) => of_fields(&data.fields),
            Data::Enum(data) => data.variants.iter().any(|variant| {
                variant.attrs.iter().any(clap::is_of_clap) || of_fields(&variant.fields)
            }),
            Data::Union(_) => false,
        }
}

/// The declared type with its parameters.
pub(crate) fn itself(ident: &Ident, generics: &Generics) -> Type {
    let generics = generics.split_for_impl().1;
    syn::parse_quote!(#ident #generics)
}

fn read_struct(
    input: &DeriveInput,
    fields: &Fields,
    words: &FieldWords,
    errors: &mut Errors,
) -> Option<Shape> {
    for word in [&words.tag, &words.content].into_iter().flatten() {
        errors.span(word.span, "`tag` and `content` belong on an enum");
    }
    if let Some(span) = words.untagged {
        errors.span(span, "`untagged` belongs on an enum");
    }
    let itself = itself(&input.ident, &input.generics);
    match Body::new(fields, words.style(words.all), &itself, errors) {
        Body::Unit => Some(Shape::Struct(Vec::new())),
        Body::Struct(fields) => Some(Shape::Struct(fields)),
        Body::Newtype(field) => Some(Shape::Newtype(field)),
        Body::Tuple(_) => {
            errors.at(
                fields,
                "parameters have names: give the fields names, or keep one unnamed field",
            );
            None
        }
    }
}

fn read_enum(
    input: &DeriveInput,
    data: &DataEnum,
    words: FieldWords,
    errors: &mut Errors,
) -> Option<Shape> {
    let itself = itself(&input.ident, &input.generics);
    let variants: Vec<Variant> = data
        .variants
        .iter()
        .filter_map(|variant| Variant::new(variant, &words, &itself, errors))
        .collect();
    let tagging = read_tagging(words.tag, words.content, words.untagged, errors);
    if variants.is_empty() {
        errors.at(
            &input.ident,
            if data.variants.is_empty() {
                "an enum without variants has no values: declare one"
            } else {
                "an enum whose variants are all skipped has no values: keep one"
            },
        );
        return None;
    }
    let names = variants
        .iter()
        .all(|variant| matches!(variant.body, Body::Unit));
    Some(match tagging {
        Tagging::External if names => Shape::Names(variants),
        tagging => Shape::Union { tagging, variants },
    })
}

pub(crate) fn read_tagging(
    tag: Option<Str>,
    content: Option<Str>,
    untagged: Option<Span>,
    errors: &mut Errors,
) -> Tagging {
    match (tag, content, untagged) {
        (None, None, None) => Tagging::External,
        (Some(tag), None, None) => Tagging::Internal(tag),
        (Some(tag), Some(content), None) => {
            if tag.value == content.value {
                errors.span(
                    content.span,
                    "`tag` and `content` are the same key: rename one",
                );
            }
            Tagging::Adjacent(tag, content)
        }
        (None, None, Some(_)) => Tagging::None,
        (None, Some(content), _) => {
            errors.span(
                content.span,
                "`content` needs a `tag` beside it: `tag = \"…\", content = \"…\"`",
            );
            Tagging::External
        }
        (Some(_), _, Some(span)) => {
            errors.span(span, "`untagged` and `tag` exclude each other: keep one");
            Tagging::None
        }
    }
}

fn read_unknown(word: Option<&Str>, serde_denies: bool, errors: &mut Errors) -> Unknown {
    match word {
        None if serde_denies => Unknown::Deny,
        None => Unknown::Report,
        Some(word) => match word.value.as_str() {
            "ignore" => Unknown::Ignore,
            "report" => Unknown::Report,
            "deny" => Unknown::Deny,
            other => {
                errors.span(
                    word.span,
                    format!("unknown value `{other}`: write \"ignore\", \"report\" or \"deny\""),
                );
                Unknown::Report
            }
        },
    }
}

pub(crate) fn read_case(word: Option<&Str>, errors: &mut Errors) -> Option<Case> {
    let word = word?;
    let case = Case::parse(&word.value);
    if case.is_none() {
        let names: Vec<String> = CASES
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        errors.span(
            word.span,
            format!(
                "unknown case `{}`: write one of {}",
                word.value,
                names.join(", ")
            ),
        );
    }
    case
}

/// The description: that of the attribute, or the doc comment.
pub(crate) fn describe(written: Option<&Str>, docs: &[Attribute], errors: &mut Errors) -> String {
    match written {
        Some(text) if text.value.trim().is_empty() => {
            errors.span(
                text.span,
                "the description is empty: say what the value is for, or remove it",
            );
            String::new()
        }
        Some(text) => text.value.clone(),
        None => {
            if let Some(made) = doc::find_macro(docs) {
                errors.at(
                    made,
                    "the text of a macro is not known here: write it out, `description = \"…\"`",
                );
            }
            doc::description(docs)
        }
    }
}

impl Field {
    pub(crate) fn new(
        index: usize,
        field: &syn::Field,
        style: FieldStyle,
        itself: &Type,
        errors: &mut Errors,
    ) -> Self {
        let mut attrs: FieldAttrs = receivers::read(&field.attrs, Place::Field, errors);
        let (schemars, of_serde) = schemars::read(&field.attrs, Place::Field, INPUT, errors);
        let serde = serde::read(&field.attrs, of_serde, Place::Field, INPUT, errors);
        let clap = clap::read(&field.attrs, Place::Field, style.is_validated, errors);
        let lost = errors.lost();
        let (of_clap, clap_aliases) = clap.names();
        let title = schemars.title.clone();
        schemars.fill(&mut attrs, types::is_list(&field.ty));
        if style.is_of_clap {
            fill_from_clap(clap, &mut attrs, field, serde.default.is_some(), errors);
        }
        let description = describe(attrs.description.as_ref(), &field.attrs, errors);
        let description = add_title(title, description);
        let (member, span) = match &field.ident {
            Some(ident) => (Member::Named(ident.clone()), ident.span()),
            None => (Member::Unnamed(index.into()), field.ty.span()),
        };
        let skip = serde.skipped(INPUT);
        let (name, name_span) = attrs
            .rename
            .clone()
            .or(read_name(serde.rename))
            .or(of_clap)
            .map_or_else(
                || {
                    let name = field.ident.as_ref().map(IdentExt::unraw);
                    let name = name.map_or_else(|| index.to_string(), |name| name.to_string());
                    (
                        style.case.map_or(name.clone(), |case| case.field(&name)),
                        span,
                    )
                },
                Str::into_parts,
            );
        let on = |switch: Option<Switch>| switch.filter(|on| on.value).map(|on| on.span);
        Self {
            member,
            ty: types::spell_out_self(&field.ty, itself),
            name,
            name_span,
            description,
            aliases: attrs
                .alias
                .iter()
                .cloned()
                .chain(serde.alias)
                .chain(clap_aliases)
                .collect(),
            default: attrs
                .default
                .clone()
                .or(serde.default.map(|default| default.0)),
            skip: on(attrs.skip).or(skip),
            flatten: on(attrs.flatten).or(serde.flatten.map(|word| word.span)),
            in_a_tuple: false,
            attrs,
            lost,
        }
    }

    pub(crate) fn is(switch: Option<Switch>) -> bool {
        switch.is_some_and(|switch| switch.value)
    }
}

impl Variant {
    fn new(
        variant: &syn::Variant,
        words: &FieldWords,
        itself: &Type,
        errors: &mut Errors,
    ) -> Option<Self> {
        let attrs: VariantAttrs = receivers::read(&variant.attrs, Place::Variant, errors);
        let (schemars, of_serde) = schemars::read(&variant.attrs, Place::Variant, INPUT, errors);
        let serde = serde::read(&variant.attrs, of_serde, Place::Variant, INPUT, errors);
        let mut clap = clap::read(&variant.attrs, Place::Variant, words.is_validated, errors);
        let lost = errors.lost();
        if Field::is(attrs.skip) || serde.skipped(INPUT).or(clap.skipped()).is_some() {
            return None;
        }
        let written = attrs.rename.or(read_name(serde.rename));
        let (of_clap, clap_aliases) = clap.variant_names(written.is_some(), errors);
        let (name, name_span) = written.or(of_clap).map_or_else(
            || {
                let name = variant.ident.unraw().to_string();
                (words.variant_name(&name, errors), variant.ident.span())
            },
            Str::into_parts,
        );
        let help = clap.help();
        let written = attrs.description.as_ref().or(schemars.description.as_ref());
        let written = written.or(help.as_ref());
        let description = describe(written, &variant.attrs, errors);
        let description = add_title(schemars.title, description);
        let fields_case =
            read_case(read_name(serde.rename_all).as_ref(), errors).or(words.all_fields);
        Some(Self {
            ident: variant.ident.clone(),
            name,
            name_span,
            description,
            aliases: attrs
                .alias
                .into_iter()
                .chain(serde.alias)
                .chain(clap_aliases)
                .collect(),
            body: Body::new(&variant.fields, words.style(fields_case), itself, errors),
            lost,
        })
    }
}

impl Body {
    fn new(fields: &Fields, style: FieldStyle, itself: &Type, errors: &mut Errors) -> Self {
        let mut all: Vec<Field> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| Field::new(i, field, style, itself, errors))
            .collect();
        match (fields, all.len()) {
            (Fields::Named(_), _) => Self::Struct(all),
            (Fields::Unnamed(_), 1) => all
                .pop()
                .map_or(Self::Unit, |field| Self::Newtype(Box::new(field))),
            (Fields::Unnamed(_), 2..) => {
                for field in &mut all {
                    field.in_a_tuple = true;
                }
                Self::Tuple(all)
            }
            (Fields::Unit | Fields::Unnamed(_), _) => Self::Unit,
        }
    }
}
