#[allow(deprecated, unused_qualifications)]
const _: () = {
    #[allow(unused_imports)]
    use ::callpact::__private::{
        self, Option as __Option, Option::{None as __None, Some as __Some},
    };
    const _: () = __private::tagged_object(
        <Square as __private::ToolInput>::SCHEMA,
        "type",
    );
    #[automatically_derived]
    impl __private::ToolInput for Form {
        const SCHEMA: &'static __private::Schema = &__private::Schema {
            kind: __private::Kind::Union(__private::UnionRules {
                tagging: __private::Tagging::Internal {
                    tag: __private::Held::Static {
                        0: "type",
                    },
                },
                variants: __private::Held::Static {
                    0: const {
                        &[
                            __private::Variant {
                                name: __private::Held::Static {
                                    0: "Circle",
                                },
                                aliases: &[],
                                description: __private::Held::Static { 0: "" },
                                content: __Some {
                                    0: __private::Held::Static {
                                        0: <__Variant0<Self> as __private::QuickObject>::OBJECT,
                                    },
                                },
                            },
                            __private::Variant {
                                name: __private::Held::Static {
                                    0: "Square",
                                },
                                aliases: &[],
                                description: __private::Held::Static { 0: "" },
                                content: __Some {
                                    0: __private::Held::Static {
                                        0: <Square as __private::ToolInput>::SCHEMA,
                                    },
                                },
                            },
                            __private::Variant {
                                name: __private::Held::Static {
                                    0: "Nothing",
                                },
                                aliases: &[],
                                description: __private::Held::Static { 0: "" },
                                content: __None,
                            },
                        ]
                    },
                },
                unknown: __private::Unknown::Report,
            }),
            description: __private::Held::Static { 0: "" },
            nullable: false,
            default: __None,
            example: __None,
            secret: false,
            name: __private::Held::Static(""),
            mark: 0,
            code: __private::CodeRules::NONE,
            extra: __None,
        };
        const AGAIN: &'static __private::Schema = &__private::inside_itself(
            __private::OBJECT_AGAIN,
            "Form",
            __private::whole_schema::<Self>,
        );
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
            __private::quick_union::<Self>(__input)
        }
    }
    #[automatically_derived]
    impl __private::QuickUnion for Form {
        const UNION: &'static __private::Schema = <Self as __private::ToolInput>::SCHEMA;
        fn read_quick(
            __variant: __private::usize,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<Self> {
            match __variant {
                0 => __private::quick_object::<__Variant0<Self>>(__input),
                1 => {
                    match <Square as __private::ToolInput>::read_quick(__input, __None) {
                        __Some(__value0) => __Some(Self::Square(__value0)),
                        __None => __None,
                    }
                }
                _ => __None,
            }
        }
        fn unit(__variant: __private::usize) -> __Option<Self> {
            match __Some(__variant) {
                __Some(2) => __Some(Self::Nothing {}),
                _ => __None,
            }
        }
    }
    struct __Variant0<__T>(__private::PhantomData<__T>);
    #[automatically_derived]
    impl __private::QuickObject for __Variant0<Form> {
        type Out = Form;
        const OBJECT: &'static __private::Schema = __private::tree::<Self, 1>();
        type Slots = (__Option<f64>,);
        const FILLED: __private::u64 = 1;
        fn slots() -> Self::Slots {
            (__None,)
        }
        #[inline]
        fn read_quick(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<__private::FieldValue> {
            match __field {
                0 => {
                    <f64 as __private::ToolInput>::read_field(
                        &mut __slots.0,
                        __input,
                        __private::facts::<Self>(0),
                    )
                }
                _ => __None,
            }
        }
        fn fill(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __refusal: __private::Refusal<'_>,
        ) {
            match __field {
                0 => <f64 as __private::ToolInput>::leave_out(&mut __slots.0),
                _ => {}
            }
        }
        #[inline]
        fn build(
            __slots: Self::Slots,
            mut __refusal: __private::Refusal<'_>,
        ) -> __Option<Self::Out> {
            let _ = &mut __refusal;
            let (__Some(__value0),) = __slots else {
                return __None;
            };
            __Some(Form::Circle { radius: __value0 })
        }
    }
    #[automatically_derived]
    impl __private::Declared<1> for __Variant0<Form> {
        const MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE: __private::Said<1> = (
            "",
            __private::Unknown::Report,
            [("radius", "", <f64 as __private::ToolInput>::FIELD, __private::NO_RULES)],
        );
    }
};
