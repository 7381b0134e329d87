#[allow(deprecated, unused_qualifications)]
const _: () = {
    #[automatically_derived]
    impl ::toolwright::ToolInput for Mode {
        const SCHEMA: &'static ::toolwright::__private::Schema = &::toolwright::__private::Schema {
            kind: ::toolwright::__private::Kind::Text(
                ::toolwright::__private::Text::one_of(
                    <Self as ::toolwright::__private::MapKey>::KEYS,
                ),
            ),
            description: ::toolwright::__private::Held::Static {
                0: "",
            },
            nullable: false,
            default: ::toolwright::__private::Option::None,
            example: ::toolwright::__private::Option::None,
            secret: false,
            mark: 0,
        };
        fn read(
            __input: &mut ::toolwright::__private::Input<'_>,
            mut __at: ::toolwright::At<'_>,
        ) -> ::toolwright::__private::Option<Self> {
            ::toolwright::__private::nth(
                ::toolwright::__private::read_choice(
                    __input,
                    <Self as ::toolwright::__private::MapKey>::KEYS,
                    __at.reborrow(),
                ),
            )
        }
    }
    #[automatically_derived]
    impl ::toolwright::__private::MapKey for Mode {
        const KEYS: &'static [::toolwright::__private::Choice] = &[
            ::toolwright::__private::Choice {
                name: ::toolwright::__private::Held::Static {
                    0: "fast",
                },
                aliases: &[],
                description: ::toolwright::__private::Held::Static {
                    0: "As fast as it goes",
                },
            },
            ::toolwright::__private::Choice {
                name: ::toolwright::__private::Held::Static {
                    0: "very_slow",
                },
                aliases: &["careful"],
                description: ::toolwright::__private::Held::Static {
                    0: "",
                },
            },
        ];
        fn from_text(
            __text: &::toolwright::__private::str,
        ) -> ::toolwright::__private::Option<Self> {
            match __text {
                "fast" => ::toolwright::__private::Option::Some(Self::Fast {}),
                "very_slow" => ::toolwright::__private::Option::Some(Self::VerySlow {}),
                _ => ::toolwright::__private::Option::None,
            }
        }
        fn nth(
            __number: ::toolwright::__private::usize,
        ) -> ::toolwright::__private::Option<Self> {
            match ::toolwright::__private::Option::Some(__number) {
                ::toolwright::__private::Option::Some(0) => {
                    ::toolwright::__private::Option::Some(Self::Fast {})
                }
                ::toolwright::__private::Option::Some(1) => {
                    ::toolwright::__private::Option::Some(Self::VerySlow {})
                }
                _ => ::toolwright::__private::Option::None,
            }
        }
    }
    impl Mode {
        #[doc(hidden)]
        #[allow(dead_code)]
        pub const __VARIANTS: ::toolwright::__private::VariantNames = &[
            ("Fast", "fast"),
            ("VerySlow", "very_slow"),
        ];
    }
};
