#[allow(deprecated, unused_qualifications)]
const _: () = {
    const _: () = ::toolwright::__private::check_rule(
        <String as ::toolwright::ToolInput>::PRESENT,
        ::toolwright::__private::Rule::Text(
            ::toolwright::__private::TextRule::MinLength(1u64),
        ),
    );
    const _: () = ::toolwright::__private::check_rule(
        <String as ::toolwright::ToolInput>::PRESENT,
        ::toolwright::__private::Rule::Text(
            ::toolwright::__private::TextRule::Pattern("", |_| true),
        ),
    );
    const _: () = ::toolwright::__private::check_rule(
        <u8 as ::toolwright::ToolInput>::PRESENT,
        ::toolwright::__private::Rule::Number(
            ::toolwright::__private::NumberRule::Max(
                &::toolwright::__private::Literal::Integer(10i128),
            ),
        ),
    );
    const _: () = ::toolwright::__private::check_default(
        const {
            &::toolwright::__private::refine(
                <u8 as ::toolwright::ToolInput>::PRESENT,
                &[
                    ::toolwright::__private::Rule::Number(
                        ::toolwright::__private::NumberRule::Max(
                            &::toolwright::__private::Literal::Integer(10i128),
                        ),
                    ),
                ],
            )
        },
        &::toolwright::__private::Literal::Integer(5i128),
    );
    #[automatically_derived]
    impl<T> ::toolwright::ToolInput for Search<T>
    where
        T: ::toolwright::ToolInput,
    {
        const SCHEMA: &'static ::toolwright::__private::Schema = &::toolwright::__private::Schema {
            kind: ::toolwright::__private::Kind::Object(::toolwright::__private::ObjectRules {
                fields: ::toolwright::__private::Held::Static {
                    0: const {
                        &[
                            ::toolwright::__private::Field {
                                name: ::toolwright::__private::Held::Static {
                                    0: "words",
                                },
                                aliases: &[],
                                schema: ::toolwright::__private::Held::Static {
                                    0: &::toolwright::__private::refine(
                                        <String as ::toolwright::ToolInput>::PRESENT,
                                        &[
                                            ::toolwright::__private::Rule::Description("The words"),
                                            ::toolwright::__private::Rule::Text(
                                                ::toolwright::__private::TextRule::MinLength(1u64),
                                            ),
                                            ::toolwright::__private::Rule::Text(
                                                ::toolwright::__private::TextRule::Pattern(
                                                    "^a",
                                                    {
                                                        fn __matches(
                                                            __text: &::toolwright::__private::str,
                                                        ) -> ::toolwright::__private::bool {
                                                            static __CELL: ::toolwright::__private::OnceLock<
                                                                ::toolwright::__private::Option<
                                                                    ::toolwright::__private::Regex,
                                                                >,
                                                            > = ::toolwright::__private::OnceLock::new();
                                                            ::toolwright::__private::pattern(&__CELL, "^a", __text)
                                                        }
                                                        __matches
                                                    },
                                                ),
                                            ),
                                        ],
                                    ),
                                },
                                required: !<String as ::toolwright::ToolInput>::OPTIONAL,
                                keep_empty: false,
                                flatten: false,
                            },
                            ::toolwright::__private::Field {
                                name: ::toolwright::__private::Held::Static {
                                    0: "limit",
                                },
                                aliases: &[],
                                schema: ::toolwright::__private::Held::Static {
                                    0: &::toolwright::__private::refine(
                                        <u8 as ::toolwright::ToolInput>::PRESENT,
                                        &[
                                            ::toolwright::__private::Rule::Number(
                                                ::toolwright::__private::NumberRule::Max(
                                                    &::toolwright::__private::Literal::Integer(10i128),
                                                ),
                                            ),
                                            ::toolwright::__private::Rule::Default(
                                                &::toolwright::__private::Literal::Integer(5i128),
                                            ),
                                        ],
                                    ),
                                },
                                required: false,
                                keep_empty: false,
                                flatten: false,
                            },
                            ::toolwright::__private::Field {
                                name: ::toolwright::__private::Held::Static {
                                    0: "",
                                },
                                aliases: &[],
                                schema: ::toolwright::__private::Held::Static {
                                    0: <Page as ::toolwright::__private::Object>::OBJECT,
                                },
                                required: true,
                                keep_empty: false,
                                flatten: true,
                            },
                            ::toolwright::__private::Field {
                                name: ::toolwright::__private::Held::Static {
                                    0: "of",
                                },
                                aliases: &[],
                                schema: ::toolwright::__private::Held::Static {
                                    0: <Option<T> as ::toolwright::ToolInput>::PRESENT,
                                },
                                required: !<Option<T> as ::toolwright::ToolInput>::OPTIONAL,
                                keep_empty: false,
                                flatten: false,
                            },
                        ]
                    },
                },
                unknown: ::toolwright::__private::Unknown::Report,
                extra: ::toolwright::__private::extra(
                    ::toolwright::__private::extra_of(
                        <Page as ::toolwright::__private::Object>::OBJECT,
                        ::toolwright::__private::Option::None,
                    ),
                ),
            }),
            description: ::toolwright::__private::Held::Static {
                0: "What to look for",
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
            const {
                ::toolwright::__private::unique_names(
                    <Search<T> as ::toolwright::ToolInput>::SCHEMA,
                )
            };
            ::toolwright::__private::read_object::<Self>(__input, __at)
        }
    }
    pub struct __Slots<T>(
        ::toolwright::__private::Option<String>,
        ::toolwright::__private::Option<u8>,
        <Page as ::toolwright::__private::Object>::Slots,
        ::toolwright::__private::Option<Option<T>>,
        ::toolwright::__private::PhantomData<fn() -> Search<T>>,
    )
    where
        T: ::toolwright::ToolInput;
    #[automatically_derived]
    impl<T> ::toolwright::__private::Object for Search<T>
    where
        T: ::toolwright::ToolInput,
    {
        type Out = Self;
        type Slots = __Slots<T>;
        const OBJECT: &'static ::toolwright::__private::Schema = <Self as ::toolwright::ToolInput>::SCHEMA;
        fn slots() -> Self::Slots {
            __Slots(
                ::toolwright::__private::Option::None,
                ::toolwright::__private::Option::None,
                <Page as ::toolwright::__private::Object>::slots(),
                <Option<T> as ::toolwright::ToolInput>::absent(),
                ::toolwright::__private::PhantomData,
            )
        }
        #[inline]
        fn read(
            __slots: &mut Self::Slots,
            __field: ::toolwright::__private::usize,
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::__private::At<'_>,
        ) {
            let _ = (&__input, &mut __at);
            if __field == 0 {
                {
                    __slots.0 = <String as ::toolwright::ToolInput>::read(
                        __input,
                        __at.reborrow(),
                    );
                }
                return;
            }
            let __field = __field - 1;
            if __field == 0 {
                {
                    __slots.1 = <u8 as ::toolwright::ToolInput>::read(
                        __input,
                        __at.reborrow(),
                    );
                }
                return;
            }
            let __field = __field - 1;
            if __field
                < ::toolwright::__private::width(
                    <Page as ::toolwright::__private::Object>::OBJECT,
                )
            {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as ::toolwright::__private::Object>::read(
                    __flat,
                    __field,
                    __input,
                    __at,
                );
            }
            let __field = __field
                - ::toolwright::__private::width(
                    <Page as ::toolwright::__private::Object>::OBJECT,
                );
            if __field == 0 {
                {
                    __slots.3 = <Option<
                        T,
                    > as ::toolwright::ToolInput>::read(__input, __at.reborrow());
                }
                return;
            }
            let __field = __field - 1;
            let _ = __field;
        }
        fn fill(
            __slots: &mut Self::Slots,
            __field: ::toolwright::__private::usize,
            mut __at: ::toolwright::__private::At<'_>,
        ) {
            let _ = (&__slots, &mut __at);
            if __field == 0 {
                {
                    __slots.0 = <String as ::toolwright::ToolInput>::absent();
                }
                return;
            }
            let __field = __field - 1;
            if __field == 0 {
                {
                    __slots.1 = <u8 as ::toolwright::ToolInput>::read_default(
                        &::toolwright::__private::Literal::Integer(5i128),
                        __at.reborrow(),
                    );
                }
                return;
            }
            let __field = __field - 1;
            if __field
                < ::toolwright::__private::width(
                    <Page as ::toolwright::__private::Object>::OBJECT,
                )
            {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as ::toolwright::__private::Object>::fill(
                    __flat,
                    __field,
                    __at,
                );
            }
            let __field = __field
                - ::toolwright::__private::width(
                    <Page as ::toolwright::__private::Object>::OBJECT,
                );
            if __field == 0 {
                {
                    __slots.3 = <Option<T> as ::toolwright::ToolInput>::absent();
                }
                return;
            }
            let __field = __field - 1;
            let _ = __field;
        }
        fn read_other(
            __slots: &mut Self::Slots,
            __key: &::toolwright::__private::str,
            __input: &mut ::toolwright::__private::Input<'_>,
            __at: ::toolwright::__private::At<'_>,
        ) {
            if ::toolwright::__private::takes_others(
                <Page as ::toolwright::__private::Object>::OBJECT,
            ) {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as ::toolwright::__private::Object>::read_other(
                    __flat,
                    __key,
                    __input,
                    __at,
                );
            }
            ::toolwright::__private::skip_value(__input)
        }
        #[inline]
        fn build(
            __slots: Self::Slots,
            mut __at: ::toolwright::__private::At<'_>,
        ) -> ::toolwright::__private::Option<Self::Out> {
            let _ = (&__slots, &mut __at);
            let __Slots(_, _, __flat, ..) = __slots;
            let __value2 = <Page as ::toolwright::__private::Object>::build(
                __flat,
                __at.reborrow(),
            );
            let (
                ::toolwright::__private::Option::Some(__value0),
                ::toolwright::__private::Option::Some(__value1),
                ::toolwright::__private::Option::Some(__value2),
                ::toolwright::__private::Option::Some(__value3),
            ) = (__slots.0, __slots.1, __value2, __slots.3) else {
                return ::toolwright::__private::Option::None;
            };
            ::toolwright::__private::Option::Some(Self {
                words: __value0,
                limit: __value1,
                page: __value2,
                of: __value3,
                seen: <bool as ::toolwright::__private::Default>::default(),
            })
        }
    }
};
