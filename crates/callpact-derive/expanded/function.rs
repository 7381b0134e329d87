#[allow(clippy::missing_const_for_fn, clippy::needless_pass_by_value)]
/// Sends a message
pub(crate) async fn send_message(
    text: String,
    token: Option<String>,
    State(outbox): State<Outbox>,
    cx: &ToolContext,
) -> Result<u64, SendError> {
    outbox.send(text, token, cx).await
}
///Sends a message
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::default::Default
)]
pub(crate) struct SendMessage;
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
    #[derive(::callpact::ToolInput)]
    #[tool_input(crate = ::callpact)]
    pub(crate) struct __SendMessageInput {
        /// The words
        #[tool_param(min_length = 1)]
        text: String,
        token: Option<String>,
    }
    const _: () = ::callpact::__private::secret_path_exists(
        "token",
        <__SendMessageInput as ::callpact::ToolInput>::SCHEMA,
    );
    #[automatically_derived]
    impl ::callpact::__private::TypedAgentTool for SendMessage {
        type Input = __SendMessageInput;
        type Output = ::callpact::__private::Result<
            Result<u64, SendError>,
            ::callpact::__private::Halt,
        >;
        const SECRET_PARAMS: &'static [&'static ::callpact::__private::str] = &["token"];
        fn name(&self) -> &::callpact::__private::str {
            "send_message"
        }
        fn description(&self) -> &::callpact::__private::str {
            "Sends a message"
        }
        fn permission(&self) -> ::callpact::__private::Permission {
            ::callpact::__private::Permission::Write
        }
        async fn execute(
            &self,
            __input: __SendMessageInput,
            __cx: &::callpact::__private::ToolContext,
        ) -> ::callpact::__private::Result<
            Result<u64, SendError>,
            ::callpact::__private::Halt,
        > {
            let __state_2 = match ::callpact::__private::state::<State<Outbox>>(__cx) {
                ::callpact::__private::Result::Ok(__state) => __state,
                ::callpact::__private::Result::Err(__halt) => {
                    return ::callpact::__private::Result::Err(__halt);
                }
            };
            ::callpact::__private::Result::Ok(
                send_message(__input.text, __input.token, __state_2, __cx).await,
            )
        }
    }
};
