//! Callpact tools with [async-openai](https://docs.rs/async-openai): chat completions and the
//! responses API.
//!
//! | | chat completions | responses |
//! |---|---|---|
//! | the tool list | [`chat_tools`] | [`response_tools`] |
//! | runs the calls, gives what to append | [`chat_choice`], [`chat_turn`] | [`response_turn`] |
//! | the calls, one reply | [`chat_calls`], [`chat_message`] | [`response_calls`], [`response_item`] |
//! | what the model said, for the next request | [`chat_replay`] | [`response_replay`] |
//!
//! This crate needs only async-openai's types; the program turns on its client, with the features
//! `chat-completion` and `responses`.
//!
//! ```no_run
//! use async_openai::{
//!     Client,
//!     types::chat::{ChatCompletionRequestUserMessage, CreateChatCompletionRequestArgs},
//! };
//! use callpact::{Dialect, ToolContext, Toolset, tool};
//! use callpact_adapters::async_openai::{chat_choice, chat_tools};
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, b: i64) -> Result<i64, &'static str> {
//!     a.checked_add(b).ok_or("the sum is too large")
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let toolset = Toolset::builder().tool(Add).build()?;
//!     let (client, cx) = (Client::new(), ToolContext::new());
//!     let mut messages = vec![ChatCompletionRequestUserMessage::from("What is 2 + 3?").into()];
//!     for _ in 0..8 {
//!         let request = CreateChatCompletionRequestArgs::default()
//!             .model("gpt-5-mini")
//!             .messages(messages.clone())
//!             .tools(chat_tools(&toolset, Dialect::OpenAiStrict))
//!             .build()?;
//!         let response = client.chat().create(request).await?;
//!         let choice = response.choices.first().ok_or("no choice")?;
//!         let turn = chat_choice(&toolset, choice, &cx).await?;
//!         if turn.is_empty() {
//!             println!("{}", choice.message.content.as_deref().unwrap_or_default());
//!             break;
//!         }
//!         messages.extend(turn);
//!     }
//!     Ok(())
//! }
//! ```

mod chat;
mod responses;

pub use chat::{
    chat_calls, chat_choice, chat_message, chat_replay, chat_tool, chat_tools, chat_turn,
};
pub use responses::{
    response_calls, response_item, response_replay, response_tool, response_tools, response_turn,
};
