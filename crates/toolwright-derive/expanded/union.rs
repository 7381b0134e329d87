#[allow(deprecated, unused_qualifications)]
const _: () = {
    const _: () = ::toolwright::__private::tagged_object(
        <Square as ::toolwright::ToolInput>::SCHEMA,
        "type",
    );
    #[automatically_derived]
    impl ::toolwright::ToolInput for Form {
        const SCHEMA: &'static ::toolwright::__private::Schema = &::toolwright::__private::Schema {
            kind: ::toolwright::__private::Kind::Union(::toolwright::__private::UnionRules {
                tagging: ::toolwright::__private::Tagging::Internal {
                    tag: ::toolwright::__private::Held::Static {
                        0: "type",
                    },
                },
                variants: ::toolwright::__private::Held::Static {
                    0: &[
                        ::toolwright::__private::Variant {
                            name: ::toolwright::__private::Held::Static {
                                0: "Circle",
                            },
                            aliases: &[],
                            description: ::toolwright::__private::Held::Static {
                                0: "",
                            },
                            content: ::toolwright::__private::Option::Some {
                                0: ::toolwright::__private::Held::Static {
                                    0: <__Variant0<
                                        Self,
                                    > as ::toolwright::__private::Object>::OBJECT,
                                },
                            },
                        },
                        ::toolwright::__private::Variant {
                            name: ::toolwright::__private::Held::Static {
                                0: "Square",
                            },
                            aliases: &[],
                            description: ::toolwright::__private::Held::Static {
                                0: "",
                            },
                            content: ::toolwright::__private::Option::Some {
                                0: ::toolwright::__private::Held::Static {
                                    0: <Square as ::toolwright::ToolInput>::SCHEMA,
                                },
                            },
                        },
                        ::toolwright::__private::Variant {
                            name: ::toolwright::__private::Held::Static {
                                0: "Nothing",
                            },
                            aliases: &[],
                            description: ::toolwright::__private::Held::Static {
                                0: "",
                            },
                            content: ::toolwright::__private::Option::None,
                        },
                    ],
                },
                unknown: ::toolwright::__private::Unknown::Report,
            }),
            description: ::toolwright::__private::Held::Static {
                0: "",
            },
            nullable: false,
            default: ::toolwright::__private::Option::None,
            example: ::toolwright::__private::Option::None,
            secret: false,
            mark: 0,
        };
        const AGAIN: &'static ::toolwright::__private::Schema = ::toolwright::__private::OBJECT_AGAIN;
        fn read(
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::At<'_>,
        ) -> ::toolwright::__private::Option<Self> {
            ::toolwright::__private::read_union::<Self>(__input, __at.reborrow())
        }
    }
    #[automatically_derived]
    impl ::toolwright::__private::Union for Form {
        const UNION: &'static ::toolwright::__private::Schema = <Self as ::toolwright::ToolInput>::SCHEMA;
        fn read(
            __variant: ::toolwright::__private::usize,
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::__private::At<'_>,
        ) -> ::toolwright::__private::Option<Self> {
            match __variant {
                0 => {
                    ::toolwright::__private::read_object::<
                        __Variant0<Self>,
                    >(__input, __at.reborrow())
                }
                1 => {
                    match <Square as ::toolwright::ToolInput>::read(
                        __input,
                        __at.reborrow(),
                    ) {
                        ::toolwright::__private::Option::Some(__value) => {
                            ::toolwright::__private::Option::Some(Self::Square(__value))
                        }
                        ::toolwright::__private::Option::None => {
                            ::toolwright::__private::Option::None
                        }
                    }
                }
                _ => ::toolwright::__private::unusable(__input, __at.reborrow()),
            }
        }
        fn unit(
            __variant: ::toolwright::__private::usize,
        ) -> ::toolwright::__private::Option<Self> {
            match ::toolwright::__private::Option::Some(__variant) {
                ::toolwright::__private::Option::Some(2) => {
                    ::toolwright::__private::Option::Some(Self::Nothing {})
                }
                _ => ::toolwright::__private::Option::None,
            }
        }
    }
    struct __Variant0<__T>(::toolwright::__private::PhantomData<__T>);
    #[automatically_derived]
    impl ::toolwright::__private::Object for __Variant0<Form> {
        type Out = Form;
        const OBJECT: &'static ::toolwright::__private::Schema = &::toolwright::__private::Schema {
            kind: ::toolwright::__private::Kind::Object(::toolwright::__private::ObjectRules {
                fields: ::toolwright::__private::Held::Static {
                    0: const {
                        &[
                            ::toolwright::__private::Field {
                                name: ::toolwright::__private::Held::Static {
                                    0: "radius",
                                },
                                aliases: &[],
                                schema: ::toolwright::__private::Held::Static {
                                    0: <f64 as ::toolwright::ToolInput>::PRESENT,
                                },
                                required: !<f64 as ::toolwright::ToolInput>::OPTIONAL,
                                keep_empty: false,
                                flatten: false,
                            },
                        ]
                    },
                },
                unknown: ::toolwright::__private::Unknown::Report,
                extra: ::toolwright::__private::Option::None,
            }),
            description: ::toolwright::__private::Held::Static {
                0: "",
            },
            nullable: false,
            default: ::toolwright::__private::Option::None,
            example: ::toolwright::__private::Option::None,
            secret: false,
            mark: 0,
        };
        type Slots = (::toolwright::__private::Option<f64>,);
        const FILLED: ::toolwright::__private::u64 = 1;
        fn slots() -> Self::Slots {
            (::toolwright::__private::Option::None,)
        }
        #[inline]
        fn read(
            __slots: &mut Self::Slots,
            __field: ::toolwright::__private::usize,
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::__private::At<'_>,
        ) {
            let _ = (&__input, &mut __at);
            match __field {
                0 => {
                    __slots.0 = <f64 as ::toolwright::ToolInput>::read(
                        __input,
                        __at.reborrow(),
                    );
                }
                _ => {}
            }
        }
        fn fill(
            __slots: &mut Self::Slots,
            __field: ::toolwright::__private::usize,
            mut __at: ::toolwright::__private::At<'_>,
        ) {
            let _ = (&__slots, &mut __at);
            match __field {
                0 => {
                    __slots.0 = <f64 as ::toolwright::ToolInput>::absent();
                }
                _ => {}
            }
        }
        #[inline]
        fn build(
            __slots: Self::Slots,
            mut __at: ::toolwright::__private::At<'_>,
        ) -> ::toolwright::__private::Option<Self::Out> {
            let _ = (&__slots, &mut __at);
            let (::toolwright::__private::Option::Some(__value0),) = (__slots.0,) else {
                return ::toolwright::__private::Option::None;
            };
            ::toolwright::__private::Option::Some(Form::Circle { radius: __value0 })
        }
    }
};
