impl Math {
    #[allow(clippy::missing_const_for_fn, clippy::needless_pass_by_value)]
    /// Halves a number
    fn halve(&self, number: f64) -> f64 {
        number / 2.0
    }
    fn helper(&self) {}
}
#[allow(
    dead_code,
    deprecated,
    missing_docs,
    non_snake_case,
    unreachable_pub,
    unused_mut,
    missing_debug_implementations,
    missing_copy_implementations,
    unnameable_types,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
const _: () = {
    struct __Halve(::callpact::__private::Arc<Math>);
    const _: () = {
        #[derive(::callpact::ToolInput)]
        #[tool_input(crate = ::callpact)]
        struct __HalveInput {
            number: f64,
        }
        #[automatically_derived]
        impl ::callpact::__private::TypedAgentTool for __Halve {
            type Input = __HalveInput;
            type Output = f64;
            const SECRET_PARAMS: &'static [&'static ::callpact::__private::str] = &[];
            fn name(&self) -> &::callpact::__private::str {
                "halve"
            }
            fn description(&self) -> &::callpact::__private::str {
                "Halves a number"
            }
            fn permission(&self) -> ::callpact::__private::Permission {
                ::callpact::__private::Permission::ReadOnly
            }
            async fn execute(
                &self,
                __input: __HalveInput,
                __cx: &::callpact::__private::ToolContext,
            ) -> f64 {
                <Math>::halve(&self.0, __input.number)
            }
        }
    };
    #[automatically_derived]
    impl ::callpact::__private::ToolMethods for Math {
        fn method_tools(
            self: ::callpact::__private::Arc<Self>,
        ) -> ::callpact::__private::Tools {
            let mut __tools = ::callpact::__private::Tools::new();
            __tools.push(__Halve(::callpact::__private::Clone::clone(&self)));
            __tools
        }
    }
    #[automatically_derived]
    impl ::callpact::__private::ToolProvider for Math {
        fn tools(self) -> ::callpact::__private::Tools {
            ::callpact::__private::ToolMethods::method_tools(
                ::callpact::__private::Arc::new(self),
            )
        }
    }
};
