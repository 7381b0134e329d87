//! The model of a declaration: plain structs in which names and defaults are decided.

use proc_macro2::Span;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Fields, Generics, Ident, Member, Path, Type,
    Visibility, ext::IdentExt, spanned::Spanned,
};

use super::{
    case::{CASES, RenameCase, rename_as_clap},
    types,
};
use crate::attrs::{
    clap::{self, ClapAttrs, ClapField},
    doc,
    errors::{AttributeErrors, LostSettings},
    place::AttributePlace,
    receivers::{self, ContainerAttrs, FieldAttrs, VariantAttrs},
    schemars::{self, add_title},
    serde::{self, SerdeNames, ValueDirection},
    values::{DefaultValue, SpannedStr, SwitchValue},
};

/// The side of serde's attributes that counts here.
const INPUT: ValueDirection = ValueDirection::Input;

fn read_name(names: Option<SerdeNames>) -> Option<SpannedStr> {
    names.and_then(|names| names.into_name(INPUT))
}

pub(crate) struct InputModel {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
    pub(crate) description: String,
    pub(crate) unknown: UnknownRule,
    /// The word that denies unknown keys.
    pub(crate) denies: Option<Span>,
    pub(crate) validate: Option<Path>,
    /// The word that asks for the type of a value that grows.
    pub(crate) partial: Option<Span>,
    /// A default of the whole struct, whose fields fill absent fields.
    pub(crate) default_all: Option<DefaultValue>,
    pub(crate) shape: TypeShape,
    pub(crate) lost: LostSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownRule {
    Ignore,
    Report,
    Deny,
}

pub(crate) enum TypeShape {
    Struct(Vec<FieldModel>),
    /// A struct of one unnamed field.
    Newtype(Box<FieldModel>),
    /// An enum of unit variants: a value is the name of one.
    Names(Vec<VariantModel>),
    Union {
        tagging: UnionTagging,
        variants: Vec<VariantModel>,
    },
}

#[derive(Clone)]
pub(crate) enum UnionTagging {
    External,
    Internal(SpannedStr),
    Adjacent(SpannedStr, SpannedStr),
    None,
}

pub(crate) struct FieldModel {
    pub(crate) vis: Visibility,
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// The key on the wire.
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<SpannedStr>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) skip: Option<Span>,
    pub(crate) flatten: Option<Span>,
    /// Whether it is one of several unnamed fields of a variant, which can have no rules.
    pub(crate) in_a_tuple: bool,
    pub(crate) attrs: FieldAttrs,
    pub(crate) lost: LostSettings,
}

pub(crate) struct VariantModel {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<SpannedStr>,
    pub(crate) body: VariantBody,
    pub(crate) lost: LostSettings,
}

pub(crate) enum VariantBody {
    Unit,
    Newtype(Box<FieldModel>),
    Tuple(Vec<FieldModel>),
    Struct(Vec<FieldModel>),
}

impl UnionTagging {
    /// The key of the tag that stands among the fields of a variant.
    pub(crate) fn internal_tag(&self) -> Option<&str> {
        match self {
            Self::Internal(tag) => Some(&tag.value),
            _ => None,
        }
    }
}

impl VariantBody {
    pub(crate) fn fields(&self) -> Vec<&FieldModel> {
        match self {
            Self::Unit => Vec::new(),
            Self::Newtype(field) => vec![&**field],
            Self::Tuple(fields) | Self::Struct(fields) => fields.iter().collect(),
        }
    }
}

impl InputModel {
    /// Whether a field contains the type itself.
    pub(crate) fn is_recursive(&self) -> bool {
        let of = |fields: &[FieldModel]| {
            fields
                .iter()
                .any(|field| FieldModel::is(field.attrs.recursive))
        };
        match &self.shape {
            TypeShape::Struct(fields) => of(fields),
            TypeShape::Newtype(field) => of(std::slice::from_ref(field)),
            TypeShape::Names(_) => false,
            TypeShape::Union { variants, .. } => {
                variants.iter().any(|variant| match &variant.body {
                    VariantBody::Unit => false,
                    VariantBody::Newtype(field) => of(std::slice::from_ref(field)),
                    VariantBody::Tuple(fields) | VariantBody::Struct(fields) => of(fields),
                })
            }
        }
    }

    /// Reads a declaration. `None` if it has no meaning.
    pub(crate) fn new(input: &DeriveInput, errors: &mut AttributeErrors) -> Option<Self> {
        let attrs: ContainerAttrs =
            receivers::read(&input.attrs, AttributePlace::Container, errors);
        let (schemars, of_serde) =
            schemars::read(&input.attrs, AttributePlace::Container, INPUT, errors);
        let serde = serde::read(
            &input.attrs,
            of_serde,
            AttributePlace::Container,
            INPUT,
            errors,
        );
        let is_validated = attrs.validate.is_some();
        let mut clap = clap::read(
            &input.attrs,
            AttributePlace::Container,
            is_validated,
            errors,
        );
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
            (UnknownRule::Deny, Some(word)) => Some(word.span),
            (UnknownRule::Deny, None) => of_serde,
            (UnknownRule::Ignore | UnknownRule::Report, _) => None,
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
        let partial = attrs.partial.filter(|switch| switch.value);
        Some(Self {
            vis: input.vis.clone(),
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: receivers::krate(attrs.krate),
            description,
            unknown,
            denies,
            validate: attrs.validate.map(|path| path.0),
            partial: partial.map(|switch| switch.span),
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
    pub(crate) fn fields(&self) -> Vec<&FieldModel> {
        match &self.shape {
            TypeShape::Struct(fields) => fields.iter().collect(),
            TypeShape::Newtype(field) => vec![field],
            TypeShape::Names(_) => Vec::new(),
            TypeShape::Union { variants, .. } => variants
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
    all: Option<RenameCase>,
    all_fields: Option<RenameCase>,
    tag: Option<SpannedStr>,
    content: Option<SpannedStr>,
    untagged: Option<Span>,
    is_validated: bool,
    is_of_clap: bool,
    clap_case: Option<SpannedStr>,
}

impl FieldWords {
    fn style(&self, case: Option<RenameCase>) -> FieldStyle {
        FieldStyle {
            case,
            is_validated: self.is_validated,
            is_of_clap: self.is_of_clap,
        }
    }

    /// The name of a variant without a name of its own. Clap has a case of its own where nobody chooses one.
    fn variant_name(&self, name: &str, errors: &mut AttributeErrors) -> String {
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

/// What the container decides about its fields.
#[derive(Clone, Copy, Default)]
pub(crate) struct FieldStyle {
    case: Option<RenameCase>,
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
    errors: &mut AttributeErrors,
) -> Option<TypeShape> {
    for word in [&words.tag, &words.content].into_iter().flatten() {
        errors.span(word.span, "`tag` and `content` belong on an enum");
    }
    if let Some(span) = words.untagged {
        errors.span(span, "`untagged` belongs on an enum");
    }
    let itself = itself(&input.ident, &input.generics);
    match VariantBody::new(fields, words.style(words.all), &itself, errors) {
        VariantBody::Unit => Some(TypeShape::Struct(Vec::new())),
        VariantBody::Struct(fields) => Some(TypeShape::Struct(fields)),
        VariantBody::Newtype(field) => Some(TypeShape::Newtype(field)),
        VariantBody::Tuple(_) => {
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
    errors: &mut AttributeErrors,
) -> Option<TypeShape> {
    let itself = itself(&input.ident, &input.generics);
    let variants: Vec<VariantModel> = data
        .variants
        .iter()
        .filter_map(|variant| VariantModel::new(variant, &words, &itself, errors))
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
        .all(|variant| matches!(variant.body, VariantBody::Unit));
    Some(match tagging {
        UnionTagging::External if names => TypeShape::Names(variants),
        tagging => TypeShape::Union { tagging, variants },
    })
}

pub(crate) fn read_tagging(
    tag: Option<SpannedStr>,
    content: Option<SpannedStr>,
    untagged: Option<Span>,
    errors: &mut AttributeErrors,
) -> UnionTagging {
    match (tag, content, untagged) {
        (None, None, None) => UnionTagging::External,
        (Some(tag), None, None) => UnionTagging::Internal(tag),
        (Some(tag), Some(content), None) => {
            if tag.value == content.value {
                errors.span(
                    content.span,
                    "`tag` and `content` are the same key: rename one",
                );
            }
            UnionTagging::Adjacent(tag, content)
        }
        (None, None, Some(_)) => UnionTagging::None,
        (None, Some(content), _) => {
            errors.span(
                content.span,
                "`content` needs a `tag` beside it: `tag = \"…\", content = \"…\"`",
            );
            UnionTagging::External
        }
        (Some(_), _, Some(span)) => {
            errors.span(span, "`untagged` and `tag` exclude each other: keep one");
            UnionTagging::None
        }
    }
}

fn read_unknown(
    word: Option<&SpannedStr>,
    serde_denies: bool,
    errors: &mut AttributeErrors,
) -> UnknownRule {
    match word {
        None if serde_denies => UnknownRule::Deny,
        None => UnknownRule::Report,
        Some(word) => match word.value.as_str() {
            "ignore" => UnknownRule::Ignore,
            "report" => UnknownRule::Report,
            "deny" => UnknownRule::Deny,
            other => {
                errors.span(
                    word.span,
                    format!("unknown value `{other}`: write \"ignore\", \"report\" or \"deny\""),
                );
                UnknownRule::Report
            }
        },
    }
}

pub(crate) fn read_case(
    word: Option<&SpannedStr>,
    errors: &mut AttributeErrors,
) -> Option<RenameCase> {
    let word = word?;
    let case = RenameCase::parse(&word.value);
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
pub(crate) fn describe(
    written: Option<&SpannedStr>,
    docs: &[Attribute],
    errors: &mut AttributeErrors,
) -> String {
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

impl FieldModel {
    pub(crate) fn new(
        index: usize,
        field: &syn::Field,
        style: FieldStyle,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Self {
        let mut attrs: FieldAttrs = receivers::read(&field.attrs, AttributePlace::Field, errors);
        let (schemars, of_serde) =
            schemars::read(&field.attrs, AttributePlace::Field, INPUT, errors);
        let serde = serde::read(&field.attrs, of_serde, AttributePlace::Field, INPUT, errors);
        let clap = clap::read(
            &field.attrs,
            AttributePlace::Field,
            style.is_validated,
            errors,
        );
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
                SpannedStr::into_parts,
            );
        let on = |switch: Option<SwitchValue>| switch.filter(|on| on.value).map(|on| on.span);
        Self {
            vis: field.vis.clone(),
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

    pub(crate) fn is(switch: Option<SwitchValue>) -> bool {
        switch.is_some_and(|switch| switch.value)
    }
}

impl VariantModel {
    fn new(
        variant: &syn::Variant,
        words: &FieldWords,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Option<Self> {
        let attrs: VariantAttrs = receivers::read(&variant.attrs, AttributePlace::Variant, errors);
        let (schemars, of_serde) =
            schemars::read(&variant.attrs, AttributePlace::Variant, INPUT, errors);
        let serde = serde::read(
            &variant.attrs,
            of_serde,
            AttributePlace::Variant,
            INPUT,
            errors,
        );
        let mut clap = clap::read(
            &variant.attrs,
            AttributePlace::Variant,
            words.is_validated,
            errors,
        );
        let lost = errors.lost();
        if FieldModel::is(attrs.skip) || serde.skipped(INPUT).or(clap.skipped()).is_some() {
            return None;
        }
        let written = attrs.rename.or(read_name(serde.rename));
        let (of_clap, clap_aliases) = clap.variant_names(written.is_some(), errors);
        let (name, name_span) = written.or(of_clap).map_or_else(
            || {
                let name = variant.ident.unraw().to_string();
                (words.variant_name(&name, errors), variant.ident.span())
            },
            SpannedStr::into_parts,
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
            body: VariantBody::new(&variant.fields, words.style(fields_case), itself, errors),
            lost,
        })
    }
}

impl VariantBody {
    fn new(
        fields: &Fields,
        style: FieldStyle,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Self {
        let mut all: Vec<FieldModel> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| FieldModel::new(i, field, style, itself, errors))
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
