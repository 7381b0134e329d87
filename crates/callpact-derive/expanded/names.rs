#[allow(deprecated, unused_qualifications)]
const _: () = {
    #[allow(unused_imports)]
    use ::callpact::__private::{
        self, Option as __Option, Option::{None as __None, Some as __Some},
    };
    #[automatically_derived]
    impl __private::ToolInput for Mode {
        const SCHEMA: &'static __private::Schema = &__private::Schema {
            kind: __private::Kind::Text(
                __private::Text::one_of(<Self as __private::MapKey>::KEYS),
            ),
            description: __private::Held::Static { 0: "" },
            nullable: false,
            default: __None,
            example: __None,
            secret: false,
            name: __private::Held::Static(""),
            mark: 0,
            code: __private::CodeRules::names::<Self>(),
            extra: __None,
        };
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
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
        fn from_text(__text: &__private::str) -> __Option<Self> {
            match __text {
                "fast" => __Some(Self::Fast {}),
                "very_slow" => __Some(Self::VerySlow {}),
                _ => __None,
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
