#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::callpact::__private;
    const _: () = __private::check_rule(
        <u16 as __private::ToolInput>::PRESENT,
        __private::Rule::Number(
            __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
        ),
    );
    #[automatically_derived]
    impl __private::ToolInput for Port {
        const SCHEMA: &'static __private::Schema = &__private::refine(
            <u16 as __private::ToolInput>::SCHEMA,
            "",
            &[
                __private::Rule::Number(
                    __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
                ),
            ],
        );
        const PRESENT: &'static __private::Schema = &__private::refine(
            <u16 as __private::ToolInput>::PRESENT,
            "",
            &[
                __private::Rule::Number(
                    __private::NumberRule::Min(&__private::Literal::Integer(1i128)),
                ),
            ],
        );
        const OPTIONAL: __private::bool = <u16 as __private::ToolInput>::OPTIONAL;
        const AGAIN: &'static __private::Schema = <u16 as __private::ToolInput>::AGAIN;
        fn absent() -> __private::Option<Self> {
            match <u16 as __private::ToolInput>::absent() {
                __private::Option::Some(__value) => {
                    __private::Option::Some(Self { 0: __value })
                }
                __private::Option::None => __private::Option::None,
            }
        }
        fn read(
            __input: &mut __private::Input<'_>,
            mut __at: __private::At<'_>,
        ) -> __private::Option<Self> {
            let __value = match <u16 as __private::ToolInput>::read(
                __input,
                __at.reborrow(),
            ) {
                __private::Option::Some(__value) => {
                    __private::Option::Some(Self { 0: __value })
                }
                __private::Option::None => __private::Option::None,
            };
            __private::validated(__value, free, __at)
        }
    }
};
