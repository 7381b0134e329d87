//! Emits the reader of structs: the slots and their fields, conversions, defaults.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::quote;
use syn::{Ident, spanned::Spanned};

use super::{
    bound,
    tokens::{call, implement, input, moved, object as object_of},
    wire::{conversion, converted, read_as},
};
use crate::{
    attrs::values::DefaultValue,
    model::{
        declaration::{FieldModel, InputModel},
        types,
    },
};

/// `impl QuickObject for Self`. The slots are a separate struct, because a tuple would expose the types of private fields.
pub(crate) fn object(model: &InputModel, fields: &[FieldModel]) -> TokenStream {
    let (itself, type_generics) = (model.itself(), model.generics.split_for_impl().1);
    let slots = bound::slots(model);
    let (slot_generics, _, slot_clause) = slots.split_for_impl();
    let types = slot_types(fields);
    let empty = empty(model, fields);
    // The span of the flattened type: if it cannot be flattened, the error appears only there.
    let place = fields
        .iter()
        .find(|field| field.flatten.is_some())
        .map_or_else(Span::call_site, |field| field.ty.span());
    let slots_here = Ident::new("__Slots", place);
    let members = members(
        model,
        fields,
        &ValueMaker {
            constructor: quote!(Self),
            empty: call(
                &quote!(#slots_here),
                quote!(#(#empty,)* __private::PhantomData),
                place,
            ),
            slots: Some(slots_here),
            validate: model.validate.as_ref(),
        },
    );
    let object = implement(
        &bound::generics(model),
        &quote!(QuickObject),
        &itself,
        &quote! {
            type Out = Self;
            type Slots = __Slots #type_generics;
            #members
        },
    );
    quote! {
        pub struct __Slots #slot_generics (
            #(#types,)*
            __private::PhantomData<fn() -> #itself>,
        ) #slot_clause;

        #object
    }
}

/// The members of a `QuickObject` impl for a variant, whose marker type is private.
pub(crate) fn variant(
    model: &InputModel,
    fields: &[FieldModel],
    constructor: TokenStream,
) -> TokenStream {
    let types = slot_types(fields);
    let empty = empty(model, fields);
    let members = members(
        model,
        fields,
        &ValueMaker {
            constructor,
            empty: if empty.is_empty() {
                TokenStream::new()
            } else {
                quote!((#(#empty,)*))
            },
            slots: None,
            validate: None,
        },
    );
    quote! {
        type Slots = (#(#types,)*);
        #members
    }
}

fn slot_types(fields: &[FieldModel]) -> Vec<TokenStream> {
    slots(fields)
        .iter()
        .map(|field| {
            let ty = &field.ty;
            if field.flatten.is_some() {
                object_of(ty, "Slots")
            } else {
                quote!(__Option<#ty>)
            }
        })
        .collect()
}

fn empty(model: &InputModel, fields: &[FieldModel]) -> Vec<TokenStream> {
    slots(fields)
        .iter()
        .map(|field| {
            if field.flatten.is_some() {
                let slots = object_of(&field.ty, "slots");
                call(&slots, TokenStream::new(), field.ty.span())
            } else if starts_absent(model, field) {
                let absent = input(&field.ty, "absent");
                quote!(#absent())
            } else {
                quote!(__None)
            }
        })
        .collect()
}

/// Whether the slot of a field starts with the value for an absent key.
fn starts_absent(model: &InputModel, field: &FieldModel) -> bool {
    field.default.is_none()
        && model.default_all.is_none()
        && field.attrs.with.is_none()
        && !FieldModel::is(field.attrs.required)
        && types::inside_option(&field.ty).is_some()
}

/// `FILLED`, with a bit for each field that does not start absent, and `RULED`, with one for each that has rules. A
/// flattened struct shifts the numbers of fields, so `FILLED` then keeps its default.
fn field_bits(model: &InputModel, slots: &[&FieldModel]) -> TokenStream {
    let bits = |is: &dyn Fn(&FieldModel) -> bool| {
        let slots = slots.iter().take(64).enumerate();
        let set = slots.filter(|(_, field)| is(field));
        Literal::u64_unsuffixed(set.fold(0, |all, (number, _)| all | 1 << number))
    };
    let filled = slots.iter().all(|field| field.flatten.is_none()).then(|| {
        let filled = bits(&|field| !starts_absent(model, field));
        quote!(const FILLED: __private::u64 = #filled;)
    });
    let ruled = slots.iter().any(|field| field.attrs.has_rules());
    let ruled = ruled.then(|| {
        let ruled = bits(&|field| field.attrs.has_rules());
        quote!(const RULED: __private::u64 = #ruled;)
    });
    quote!(#filled #ruled)
}

fn slots(fields: &[FieldModel]) -> Vec<&FieldModel> {
    fields.iter().filter(|field| field.skip.is_none()).collect()
}

/// The differences between a struct and a variant.
struct ValueMaker<'a> {
    constructor: TokenStream,
    /// The expression for empty slots.
    empty: TokenStream,
    /// The name of the struct of slots; `None` if the slots are a tuple.
    slots: Option<Ident>,
    validate: Option<&'a syn::Path>,
}

impl ValueMaker<'_> {
    /// Takes the slots of a flattened field out. The pattern and the name have the span of its type, because the
    /// compiler reports a type that cannot be flattened wherever its slots are used.
    fn taken(&self, field: &FieldModel, index: usize) -> (TokenStream, Ident) {
        let slots = &self.slots;
        let flat = Ident::new("__flat", field.ty.span());
        let before = std::iter::repeat_n(quote!(_,), index);
        let mut pattern = Group::new(Delimiter::Parenthesis, quote!(#(#before)* #flat, ..));
        pattern.set_span(field.ty.span());
        (quote!(let #slots #pattern = __slots;), flat)
    }
}

/// The members of a `QuickObject` impl, except its types.
fn members(model: &InputModel, fields: &[FieldModel], maker: &ValueMaker<'_>) -> TokenStream {
    let empty = &maker.empty;
    let slots = slots(fields);
    let bits = field_bits(model, &slots);
    let read_quick = dispatch(model, &slots, ReadStep::ReadQuick, maker);
    let fill = dispatch(model, &slots, ReadStep::Fill, maker);
    let read_other = read_other(&slots, maker);
    let build = build(model, fields, maker);
    quote! {
        #bits

        fn slots() -> Self::Slots {
            #empty
        }

        #[inline]
        fn read_quick(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<__private::FieldValue> {
            #read_quick
        }

        fn fill(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __refusal: __private::Refusal<'_>,
        ) {
            #fill
        }

        #read_other

        #[inline]
        fn build(
            __slots: Self::Slots,
            mut __refusal: __private::Refusal<'_>,
        ) -> __Option<Self::Out> {
            let _ = &mut __refusal;
            #build
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadStep {
    ReadQuick,
    Fill,
}

/// A `match` over the numbers of fields. With flattened structs, a walk that subtracts their widths, which only the
/// compiler knows.
fn dispatch(
    model: &InputModel,
    slots: &[&FieldModel],
    step: ReadStep,
    maker: &ValueMaker<'_>,
) -> TokenStream {
    if slots.iter().all(|field| field.flatten.is_none()) {
        let arms = slots.iter().enumerate().filter_map(|(index, field)| {
            let action = action(model, index, field, step)?;
            let number = Literal::usize_unsuffixed(index);
            Some(quote!(#number => #action,))
        });
        let other = step.other();
        return quote! {
            match __field {
                #(#arms)*
                _ => #other,
            }
        };
    }
    let steps = slots.iter().enumerate().map(|(index, field)| {
        if field.flatten.is_none() {
            let action = action(model, index, field, step);
            return quote! {
                if __field == 0 {
                    return #action;
                }
                let __field = __field - 1;
            };
        }
        let object = |name| object_of(&field.ty, name);
        let (take, flat) = maker.taken(field, index);
        let done = match step {
            ReadStep::ReadQuick => {
                let given = quote!(#flat, __field, __input);
                call(&object("read_quick"), given, flat.span())
            }
            ReadStep::Fill => {
                let given = quote!(#flat, __field, __refusal);
                call(&object("fill"), given, flat.span())
            }
        };
        let schema = object("OBJECT");
        quote! {
            if __field < __private::width(#schema) {
                #take
                return #done;
            }
            let __field = __field - __private::width(#schema);
        }
    });
    let other = step.other();
    quote! {
        #(#steps)*
        let _ = __field;
        #other
    }
}

impl ReadStep {
    /// The code for a number that no field has.
    fn other(self) -> TokenStream {
        match self {
            Self::ReadQuick => quote!(__None),
            Self::Fill => quote!({}),
        }
    }
}

/// The code of one field in a step. A field that is always required has no code to fill it.
fn action(
    model: &InputModel,
    index: usize,
    field: &FieldModel,
    step: ReadStep,
) -> Option<TokenStream> {
    let place = Literal::usize_unsuffixed(index);
    let slot = quote!(&mut __slots.#place);
    let input = |name| input(&read_as(model, field), name);
    let is_converted = field.attrs.with.is_some();
    let value = match step {
        ReadStep::ReadQuick => return Some(read_quick(model, index, field)),
        ReadStep::Fill => match (&field.default, whole_default(model, field)) {
            (Some(default), _) => match default.expression(&field.ty) {
                Some(expression) => quote!(__private::Option::Some(#expression)),
                None if is_converted => written_default(model, field, default, &quote!(__refusal)),
                None => {
                    let literal = literal(default)?;
                    let fill = input("fill_literal");
                    return Some(quote!(#fill(#slot, &#literal)));
                }
            },
            (None, Some((span, value))) => moved(quote!(__private::Option::Some(#value)), span),
            (None, None) if FieldModel::is(field.attrs.required) => return None,
            // The slot has the value from the start.
            (None, None) if starts_absent(model, field) => return None,
            (None, None) if is_converted => {
                let absent = input("absent");
                converted(field, &quote!(#absent()), &quote!(__refusal))
            }
            (None, None) => {
                let leave_out = input("leave_out");
                return Some(quote!(#leave_out(#slot)));
            }
        },
    };
    Some(quote!(__private::put(#slot, #value)))
}

/// The value of a field in the default of the whole struct, if there is such a default.
fn whole_default(model: &InputModel, field: &FieldModel) -> Option<(Span, TokenStream)> {
    let member = &field.member;
    match model.default_all.as_ref()? {
        DefaultValue::Function(path) => Some((path.span(), quote!(#path().#member))),
        other => Some((
            other.span(),
            quote!(<Self as __private::Default>::default().#member),
        )),
    }
}

/// A literal default, read by the reader of the type. No tokens for any other default.
fn written_default(
    model: &InputModel,
    field: &FieldModel,
    default: &DefaultValue,
    refusal: &TokenStream,
) -> TokenStream {
    let Some(literal) = literal(default) else {
        return TokenStream::new();
    };
    let value = input(&read_as(model, field), "from_literal");
    let value = quote!(#value(&#literal));
    converted(field, &value, refusal)
}

fn literal(default: &DefaultValue) -> Option<TokenStream> {
    match default {
        DefaultValue::Literal(value) => Some(value.kind.tokens()),
        _ => None,
    }
}

fn read_other(slots: &[&FieldModel], maker: &ValueMaker<'_>) -> TokenStream {
    let arms: Vec<TokenStream> = slots
        .iter()
        .enumerate()
        .filter(|(_, field)| field.flatten.is_some())
        .map(|(index, field)| {
            let (take, flat) = maker.taken(field, index);
            let object = |name| object_of(&field.ty, name);
            let schema = object("OBJECT");
            let given = quote!(#flat, __key, __input);
            let read = call(&object("read_other"), given, flat.span());
            quote! {
                if __private::takes_others(#schema) {
                    #take
                    return #read;
                }
            }
        })
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote! {
        fn read_other(
            __slots: &mut Self::Slots,
            __key: &__private::str,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<()> {
            #(#arms)*
            __None
        }
    }
}

/// One pattern matches all slots, so that the compiler cleans up for one early return only.
fn build(model: &InputModel, fields: &[FieldModel], maker: &ValueMaker<'_>) -> TokenStream {
    let constructor = &maker.constructor;
    let mut place = 0;
    let mut early = TokenStream::new();
    let (mut members, mut locals, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    for field in fields {
        let member = &field.member;
        if field.skip.is_some() {
            let value = skipped(model, field);
            members.push(quote!(#member: #value));
            continue;
        }
        let index = Literal::usize_unsuffixed(place);
        let local = Ident::new(&format!("__value{place}"), field.ty.span());
        if field.flatten.is_some() {
            let (take, flat) = maker.taken(field, place);
            let build = object_of(&field.ty, "build");
            let build = call(&build, quote!(#flat, __refusal.reborrow()), flat.span());
            early.extend(quote! {
                #take
                let #local = #build;
            });
            taken.push(quote!(#local));
        } else {
            taken.push(quote!(__slots.#index));
        }
        let value = moved(quote!(#local), field.ty.span());
        members.push(quote!(#member: #value));
        locals.push(local);
        place += 1;
    }
    let all = if locals.is_empty() {
        TokenStream::new()
    } else {
        // Straight from the slots, unless flattened fields were built before.
        let slots = maker.slots.as_ref().filter(|_| early.is_empty());
        let rest = slots.map(|_| quote!(_));
        let taken = if early.is_empty() {
            quote!(__slots)
        } else {
            quote!((#(#taken,)*))
        };
        quote! {
            let #slots (#(__Some(#locals),)* #rest) = #taken else {
                return __None;
            };
        }
    };
    let value = quote!(__Some(#constructor { #(#members,)* }));
    match maker.validate {
        None => quote! {
            #early
            #all
            #value
        },
        Some(rule) => quote! {
            #early
            #all
            __private::validated(#value, #rule, __refusal)
        },
    }
}

fn skipped(model: &InputModel, field: &FieldModel) -> TokenStream {
    let ty = &field.ty;
    match &field.default {
        None => match whole_default(model, field) {
            Some((span, value)) => moved(value, span),
            None => moved(quote!(<#ty as __private::Default>::default()), ty.span()),
        },
        Some(default) => default.expression(ty).unwrap_or_else(|| {
            let refusal = quote!(__refusal.reborrow());
            let value = written_default(model, field, default, &refusal);
            quote!(#value?)
        }),
    }
}

/// Reads a value in place and converts it to the field's type. `rules` are those of the place, without the rules of the
/// field.
pub(crate) fn in_place(
    model: &InputModel,
    field: &FieldModel,
    rules: &TokenStream,
    name: &str,
) -> TokenStream {
    let read = input(&read_as(model, field), name);
    converted(
        field,
        &quote!(#read(__input, #rules)),
        &quote!(__input.refusal()),
    )
}

/// Reads a field into its slot, for the quick reader.
fn read_quick(model: &InputModel, index: usize, field: &FieldModel) -> TokenStream {
    let place = Literal::usize_unsuffixed(index);
    let ty = read_as(model, field);
    let (read, conversion) = match conversion(field) {
        None => (input(&ty, "read_field"), None),
        Some(conversion) => (input(&ty, "read_field_as"), Some(quote!(, #conversion))),
    };
    quote!(#read(&mut __slots.#place, __input, __private::facts::<Self>(#place) #conversion))
}

/// The body of `read_quick`, passed through the author's `validate` function if there is one.
pub(crate) fn validated(model: &InputModel, value: TokenStream) -> TokenStream {
    match &model.validate {
        None => value,
        Some(rule) => quote! {
            let __value = #value;
            __private::validated(__value, #rule, __input.refusal())
        },
    }
}

/// The methods of a struct of one unnamed field: `absent` unless it is converted, `read_quick` and `read_present`.
pub(crate) fn newtype(model: &InputModel, field: &FieldModel, checks: &TokenStream) -> TokenStream {
    let member = &field.member;
    let rules = if field.attrs.has_rules() {
        quote! {
            match __rules {
                __None => __Some(<Self as __private::ToolInput>::PRESENT),
                __rules => __rules,
            }
        }
    } else {
        quote!(__rules)
    };
    let wrapped = |value: TokenStream| {
        quote!(match #value {
            __Some(__value) => __Some(Self { #member: __value }),
            __None => __None,
        })
    };
    let absent = field.attrs.with.is_none().then(|| {
        let absent = input(&field.ty, "absent");
        let value = wrapped(quote!(#absent()));
        quote!(fn absent() -> __Option<Self> { #value })
    });
    let methods = ["read_quick", "read_present"].map(|name| {
        let value = validated(model, wrapped(in_place(model, field, &rules, name)));
        let checks = (name == "read_quick").then_some(checks);
        let name = Ident::new(name, Span::call_site());
        quote! {
            fn #name(
                __input: &mut __private::QuickInput<'_>,
                __rules: __private::PlaceRules,
            ) -> __Option<Self> {
                #checks
                #value
            }
        }
    });
    absent.into_iter().chain(methods).collect()
}
