#[allow(deprecated, unused_qualifications)]
const _: () = {
    const _: () = ::toolwright::__private::check_rule(
        <u16 as ::toolwright::ToolInput>::PRESENT,
        ::toolwright::__private::Rule::Number(
            ::toolwright::__private::NumberRule::Min(
                &::toolwright::__private::Literal::Integer(1i128),
            ),
        ),
    );
    #[automatically_derived]
    impl ::toolwright::ToolInput for Port {
        const SCHEMA: &'static ::toolwright::__private::Schema = &::toolwright::__private::refine(
            <u16 as ::toolwright::ToolInput>::SCHEMA,
            &[
                ::toolwright::__private::Rule::Number(
                    ::toolwright::__private::NumberRule::Min(
                        &::toolwright::__private::Literal::Integer(1i128),
                    ),
                ),
            ],
        );
        const PRESENT: &'static ::toolwright::__private::Schema = &::toolwright::__private::refine(
            <u16 as ::toolwright::ToolInput>::PRESENT,
            &[
                ::toolwright::__private::Rule::Number(
                    ::toolwright::__private::NumberRule::Min(
                        &::toolwright::__private::Literal::Integer(1i128),
                    ),
                ),
            ],
        );
        const OPTIONAL: ::toolwright::__private::bool = <u16 as ::toolwright::ToolInput>::OPTIONAL;
        const AGAIN: &'static ::toolwright::__private::Schema = <u16 as ::toolwright::ToolInput>::AGAIN;
        fn absent() -> ::toolwright::__private::Option<Self> {
            match <u16 as ::toolwright::ToolInput>::absent() {
                ::toolwright::__private::Option::Some(__value) => {
                    ::toolwright::__private::Option::Some(Self { 0: __value })
                }
                ::toolwright::__private::Option::None => {
                    ::toolwright::__private::Option::None
                }
            }
        }
        fn read(
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::At<'_>,
        ) -> ::toolwright::__private::Option<Self> {
            let __value = match <u16 as ::toolwright::ToolInput>::read(
                __input,
                __at.reborrow(),
            ) {
                ::toolwright::__private::Option::Some(__value) => {
                    ::toolwright::__private::Option::Some(Self { 0: __value })
                }
                ::toolwright::__private::Option::None => {
                    ::toolwright::__private::Option::None
                }
            };
            ::toolwright::__private::validated(__value, free, __at)
        }
    }
};
