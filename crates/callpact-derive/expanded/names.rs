#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::callpact::__private;
    #[automatically_derived]
    impl __private::ToolInput for Mode {
        const SCHEMA: &'static __private::Schema = &__private::Schema {
            kind: __private::Kind::Text(
                __private::Text::one_of(<Self as __private::MapKey>::KEYS),
            ),
            description: __private::Held::Static { 0: "" },
            nullable: false,
            default: __private::Option::None,
            example: __private::Option::None,
            secret: false,
            name: __private::Held::Static(""),
            mark: 0,
            code: __private::CodeRules::names::<Self>(),
            extra: __private::Option::None,
        };
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __private::Option<Self> {
            __private::quick_choice::<Self>(__input, __rules)
        }
    }
    #[automatically_derived]
    impl __private::MapKey for Mode {
        const KEYS: &'static [__private::Choice] = &[
            __private::Choice {
                name: __private::Held::Static {
                    0: "fast",
                },
                aliases: &[],
                description: __private::Held::Static {
                    0: "As fast as it goes",
                },
            },
            __private::Choice {
                name: __private::Held::Static {
                    0: "very_slow",
                },
                aliases: &["careful"],
                description: __private::Held::Static { 0: "" },
            },
        ];
        fn from_text(__text: &__private::str) -> __private::Option<Self> {
            match __text {
                "fast" => __private::Option::Some(Self::Fast {}),
                "very_slow" => __private::Option::Some(Self::VerySlow {}),
                _ => __private::Option::None,
            }
        }
    }
    impl Mode {
        #[doc(hidden)]
        #[allow(dead_code)]
        pub const __VARIANTS: __private::VariantNames = &[
            ("Fast", "fast"),
            ("VerySlow", "very_slow"),
        ];
    }
};
