#[allow(deprecated, unused_qualifications)]
const _: () = {
    #[allow(unused_imports)]
    use ::callpact::__private::{
        self, Option as __Option, Option::{None as __None, Some as __Some},
    };
    const _: () = __private::check_rule(
        <String as __private::ToolInput>::PRESENT,
        __private::Rule::Text(__private::TextRule::MinLength(1u64)),
    );
    const _: () = __private::check_rule(
        <String as __private::ToolInput>::PRESENT,
        __private::Rule::Text(__private::TextRule::Pattern("", __private::any_text)),
    );
    const _: () = __private::check_rule(
        <u8 as __private::ToolInput>::PRESENT,
        __private::Rule::Number(
            __private::NumberRule::Max(&__private::Literal::Integer(10i128)),
        ),
    );
    const _: () = __private::check_default(
        const {
            &__private::refine(
                <u8 as __private::ToolInput>::PRESENT,
                "",
                &[
                    __private::Rule::Number(
                        __private::NumberRule::Max(&__private::Literal::Integer(10i128)),
                    ),
                ],
            )
        },
        &__private::Literal::Integer(5i128),
    );
    #[automatically_derived]
    impl<T> __private::ToolInput for Search<T>
    where
        T: __private::ToolInput,
    {
        const SCHEMA: &'static __private::Schema = __private::tree::<Self, 4>();
        const AGAIN: &'static __private::Schema = &__private::inside_itself(
            __private::OBJECT_AGAIN,
            "Search",
            __private::whole_schema::<Self>,
        );
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
            const {
                __private::unique_names(<Search<T> as __private::ToolInput>::SCHEMA)
            };
            __private::quick_object::<Self>(__input)
        }
    }
    #[automatically_derived]
    impl<T> __private::Declared<4> for Search<T>
    where
        T: __private::ToolInput,
    {
        const MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE: __private::Said<4> = (
            "What to look for",
            __private::Unknown::Report,
            [
                (
                    "words",
                    "The words",
                    <String as __private::ToolInput>::FIELD,
                    &[
                        __private::Rule::Text(__private::TextRule::MinLength(1u64)),
                        __private::Rule::Text(
                            __private::TextRule::Pattern(
                                "^a",
                                {
                                    fn __matches(__text: &__private::str) -> __private::bool {
                                        static __CELL: __private::OnceLock<
                                            __Option<__private::CompiledPattern>,
                                        > = __private::OnceLock::new();
                                        __private::pattern(&__CELL, "^a", __text)
                                    }
                                    __matches
                                },
                            ),
                        ),
                    ],
                ),
                (
                    "limit",
                    "",
                    <u8 as __private::ToolInput>::FIELD.or_default(),
                    &[
                        __private::Rule::Number(
                            __private::NumberRule::Max(
                                &__private::Literal::Integer(10i128),
                            ),
                        ),
                        __private::Rule::Default(&__private::Literal::Integer(5i128)),
                    ],
                ),
                (
                    "",
                    "",
                    __private::FieldType::of(
                        <Page as __private::QuickObject>::OBJECT,
                        false,
                    ),
                    &[__private::Rule::Flatten],
                ),
                (
                    "of",
                    "",
                    <Option<T> as __private::ToolInput>::FIELD,
                    __private::NO_RULES,
                ),
            ],
        );
    }
    pub struct __Slots<T>(
        __Option<String>,
        __Option<u8>,
        <Page as __private::QuickObject>::Slots,
        __Option<Option<T>>,
        __private::PhantomData<fn() -> Search<T>>,
    )
    where
        T: __private::ToolInput;
    #[automatically_derived]
    impl<T> __private::QuickObject for Search<T>
    where
        T: __private::ToolInput,
    {
        type Out = Self;
        type Slots = __Slots<T>;
        const RULED: __private::u64 = 3;
        fn slots() -> Self::Slots {
            __Slots(
                __None,
                __None,
                <Page as __private::QuickObject>::slots(),
                <Option<T> as __private::ToolInput>::absent(),
                __private::PhantomData,
            )
        }
        #[inline]
        fn read_quick(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<__private::FieldValue> {
            if __field == 0 {
                return <String as __private::ToolInput>::read_field(
                    &mut __slots.0,
                    __input,
                    __private::facts::<Self>(0),
                );
            }
            let __field = __field - 1;
            if __field == 0 {
                return <u8 as __private::ToolInput>::read_field(
                    &mut __slots.1,
                    __input,
                    __private::facts::<Self>(1),
                );
            }
            let __field = __field - 1;
            if __field < __private::width(<Page as __private::QuickObject>::OBJECT) {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as __private::QuickObject>::read_quick(
                    __flat,
                    __field,
                    __input,
                );
            }
            let __field = __field
                - __private::width(<Page as __private::QuickObject>::OBJECT);
            if __field == 0 {
                return <Option<
                    T,
                > as __private::ToolInput>::read_field(
                    &mut __slots.3,
                    __input,
                    __private::facts::<Self>(3),
                );
            }
            let __field = __field - 1;
            let _ = __field;
            __None
        }
        fn fill(
            __slots: &mut Self::Slots,
            __field: __private::usize,
            __refusal: __private::Refusal<'_>,
        ) {
            if __field == 0 {
                return <String as __private::ToolInput>::leave_out(&mut __slots.0);
            }
            let __field = __field - 1;
            if __field == 0 {
                return <u8 as __private::ToolInput>::fill_literal(
                    &mut __slots.1,
                    &__private::Literal::Integer(5i128),
                );
            }
            let __field = __field - 1;
            if __field < __private::width(<Page as __private::QuickObject>::OBJECT) {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as __private::QuickObject>::fill(
                    __flat,
                    __field,
                    __refusal,
                );
            }
            let __field = __field
                - __private::width(<Page as __private::QuickObject>::OBJECT);
            if __field == 0 {
                return;
            }
            let __field = __field - 1;
            let _ = __field;
            {}
        }
        fn read_other(
            __slots: &mut Self::Slots,
            __key: &__private::str,
            __input: &mut __private::QuickInput<'_>,
        ) -> __Option<()> {
            if __private::takes_others(<Page as __private::QuickObject>::OBJECT) {
                let __Slots(_, _, __flat, ..) = __slots;
                return <Page as __private::QuickObject>::read_other(
                    __flat,
                    __key,
                    __input,
                );
            }
            __None
        }
        #[inline]
        fn build(
            __slots: Self::Slots,
            mut __refusal: __private::Refusal<'_>,
        ) -> __Option<Self::Out> {
            let _ = &mut __refusal;
            let __Slots(_, _, __flat, ..) = __slots;
            let __value2 = <Page as __private::QuickObject>::build(
                __flat,
                __refusal.reborrow(),
            );
            let (
                __Some(__value0),
                __Some(__value1),
                __Some(__value2),
                __Some(__value3),
            ) = (__slots.0, __slots.1, __value2, __slots.3) else {
                return __None;
            };
            __Some(Self {
                words: __value0,
                limit: __value1,
                page: __value2,
                of: __value3,
                seen: <bool as __private::Default>::default(),
            })
        }
    }
};
