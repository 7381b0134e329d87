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
    struct __Halve(::toolwright::__private::Arc<Math>);
    const _: () = {
        #[derive(::toolwright::ToolInput)]
        #[tool_input(crate = ::toolwright)]
        struct __HalveInput {
            number: f64,
        }
        #[automatically_derived]
        impl ::toolwright::__private::TypedAgentTool for __Halve {
            type Input = __HalveInput;
            type Output = f64;
            const SECRET_PARAMS: &'static [&'static ::toolwright::__private::str] = &[];
            fn name(&self) -> &::toolwright::__private::str {
                "halve"
            }
            fn description(&self) -> &::toolwright::__private::str {
                "Halves a number"
            }
            fn permission(&self) -> ::toolwright::__private::Permission {
                ::toolwright::__private::Permission::ReadOnly
            }
            async fn execute(
                &self,
                __input: __HalveInput,
                __cx: &::toolwright::__private::ToolContext,
            ) -> f64 {
                <Math>::halve(&self.0, __input.number)
            }
        }
    };
    #[automatically_derived]
    impl ::toolwright::__private::ToolMethods for Math {
        fn method_tools(
            self: ::toolwright::__private::Arc<Self>,
        ) -> ::toolwright::__private::Tools {
            let mut __tools = ::toolwright::__private::Tools::new();
            __tools.push(__Halve(::toolwright::__private::Clone::clone(&self)));
            __tools
        }
    }
    #[automatically_derived]
    impl ::toolwright::__private::ToolProvider for Math {
        fn tools(self) -> ::toolwright::__private::Tools {
            ::toolwright::__private::ToolMethods::method_tools(
                ::toolwright::__private::Arc::new(self),
            )
        }
    }
};
