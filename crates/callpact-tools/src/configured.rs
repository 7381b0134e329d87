//! The settings that all configurable tools share: a name, a limit on the input, an approval.

use callpact::{ToolContext, ToolError};

use crate::ToolConfigError;
use crate::words::shorten;

/// The settings of a configured tool.
#[derive(Debug, Clone)]
pub(crate) struct ToolSettings {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The most bytes of input.
    pub(crate) max_input: usize,
    pub(crate) require_approval: bool,
}

/// The question to a reviewer about a call.
pub(crate) struct CallQuestion<'a> {
    /// The action of the call, as in `HTTP `.
    pub(crate) act: &'static str,
    /// The target of the action, as the reviewer sees it.
    pub(crate) target: &'a str,
    /// The role of the input in the call.
    pub(crate) input: &'static str,
    /// The word for the rejected thing, for the model.
    pub(crate) what: &'static str,
    /// The target of the action, as the model may know it.
    pub(crate) for_model: &'a str,
}

impl ToolSettings {
    pub(crate) const fn new() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            max_input: 1 << 20,
            require_approval: false,
        }
    }

    pub(crate) fn check(&self) -> Result<(), ToolConfigError> {
        let setting = |text| Err(ToolConfigError::Setting(text));
        if self.name.trim().is_empty() {
            return setting("name must be set and non-blank");
        }
        if !callpact::names::is_provider_name(&self.name) {
            return Err(ToolConfigError::Name(self.name.chars().take(80).collect()));
        }
        if self.description.trim().is_empty() {
            return setting("description must be set");
        }
        Ok(())
    }

    pub(crate) fn check_input(&self, input: &str) -> Result<(), String> {
        if input.len() > self.max_input {
            return Err(format!("Input is larger than {} bytes", self.max_input));
        }
        Ok(())
    }

    /// The approved input: the original, or the reviewer's edit.
    pub(crate) async fn approve(
        &self,
        input: &str,
        question: CallQuestion<'_>,
        cx: &ToolContext,
    ) -> Result<String, ToolError> {
        if !self.require_approval {
            return Ok(input.to_owned());
        }
        let CallQuestion {
            act,
            target,
            input: what_is_sent,
            what,
            for_model,
        } = question;
        let start = shorten(input);
        cx.approved(
            format!("{act}{target}\n{what_is_sent}: {start}"),
            input.to_owned(),
        )
        .check(|input| self.check_input(input))
        .refused(format!("{what} rejected by reviewer: {for_model}"))
        .await
    }
}
