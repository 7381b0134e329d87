//! `datetime`: dates and times from a line of text.

use std::time::SystemTime;

use callpact::{AgentTool, Permission, ToolContext, ToolResult};

use crate::engine::datetime::Calendar;
use crate::text_input::check_is_text;

/// Answers commands about dates, times and zones.
///
/// The answer keeps offsets and zones, and says how a time was understood if clocks jump there. The
/// zone database is compiled in.
///
/// ```
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::DateTime;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let cx = ToolContext::new();
/// let tool = DateTime::new();
/// assert_eq!(tool.execute("2024-01-31 + 1 month", &cx).await.output(), "2024-02-29");
/// let command = "convert 2024-01-01T12:00:00 from America/New_York to UTC";
/// assert_eq!(tool.execute(command, &cx).await.output(), "2024-01-01T17:00:00 UTC");
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct DateTime(Calendar);

impl DateTime {
    /// Uses the clock of the system.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses your own clock.
    pub fn with_clock(clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Calendar::with_clock(clock))
    }
}

impl AgentTool for DateTime {
    fn name(&self) -> &'static str {
        "datetime"
    }

    fn description(&self) -> &'static str {
        "Answers commands about dates and times. Input, one of: now; now in <zone>; today; today in \
         <zone>; <date> + 3 days (also weeks, months, years, and - instead of +; the date may be \
         today); <datetime> + 90 minutes; convert <datetime> from <zone> to <zone>. Dates are \
         2024-01-31, datetimes 2024-01-31T12:00:00, zones such as Europe/Paris or UTC."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    fn precheck_text(&self, input: &str) -> Result<(), String> {
        check_is_text(input, "now in UTC")?;
        match self.0.answer(input) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        match self.0.answer(input) {
            Ok(answer) => ToolResult::success(answer),
            Err(error) => ToolResult::failure(error.to_string()),
        }
    }
}
