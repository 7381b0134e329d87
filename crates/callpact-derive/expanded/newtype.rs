#[allow(deprecated, unused_qualifications)]
const _: () = {
    #[allow(unused_imports)]
    use ::callpact::__private::{
        self, Option as __Option, Option::{None as __None, Some as __Some},
    };
    const _: () = __private::check_rule(
        <u16 as __private::ToolInput>::PRESENT,
        __private::Rule::Number(
            __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
        ),
    );
    #[automatically_derived]
    impl __private::ToolInput for Port {
        const SCHEMA: &'static __private::Schema = &__private::checked_by(
            &__private::refine(
                <u16 as __private::ToolInput>::SCHEMA,
                "",
                &[
                    __private::Rule::Number(
                        __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
                    ),
                ],
            ),
            __private::check_by_reading::<Self>,
        );
        const PRESENT: &'static __private::Schema = &__private::checked_by(
            &__private::refine(
                <u16 as __private::ToolInput>::PRESENT,
                "",
                &[
                    __private::Rule::Number(
                        __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
                    ),
                ],
            ),
            __private::check_by_reading::<Self>,
        );
        const OPTIONAL: __private::bool = <u16 as __private::ToolInput>::OPTIONAL;
        const AGAIN: &'static __private::Schema = &__private::inside_itself(
            <u16 as __private::ToolInput>::AGAIN,
            "Port",
            __private::whole_schema::<Self>,
        );
        fn absent() -> __Option<Self> {
            match <u16 as __private::ToolInput>::absent() {
                __Some(__value) => __Some(Self { 0: __value }),
                __None => __None,
            }
        }
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
            let __value = match <u16 as __private::ToolInput>::read_quick(
                __input,
                match __rules {
                    __None => __Some(<Self as __private::ToolInput>::PRESENT),
                    __rules => __rules,
                },
            ) {
                __Some(__value) => __Some(Self { 0: __value }),
                __None => __None,
            };
            __private::validated(__value, free, __input.refusal())
        }
        fn read_present(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
            let __value = match <u16 as __private::ToolInput>::read_present(
                __input,
                match __rules {
                    __None => __Some(<Self as __private::ToolInput>::PRESENT),
                    __rules => __rules,
                },
            ) {
                __Some(__value) => __Some(Self { 0: __value }),
                __None => __None,
            };
            __private::validated(__value, free, __input.refusal())
        }
    }
};
