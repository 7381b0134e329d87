//! `calculator`: arithmetic on a line of text.

use callpact::{AgentTool, Permission, ToolContext, ToolResult};

use crate::engine::calculator::evaluate;
use crate::text_input::check_is_text;

/// Evaluates an expression of `+ - * / % ^` and parentheses.
///
/// Whole numbers and short decimals are exact up to 38 digits. A larger whole number is an error, and so is a result
/// that is not a number. Other results are binary floats, with 17 digits of which the last may be wrong, and more
/// wrong digits after a power with a large exponent. Length and depth are bounded.
///
/// ```
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::Calculator;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let cx = ToolContext::new();
/// assert_eq!(Calculator::new().execute("(2 + 3) * 7 / 2", &cx).await.output(), "17.5");
/// assert_eq!(Calculator::new().execute("1 / 0", &cx).await.to_model(), "Error: Division by zero");
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Calculator(());

impl Calculator {
    /// The calculator.
    pub fn new() -> Self {
        Self(())
    }
}

impl AgentTool for Calculator {
    fn name(&self) -> &'static str {
        "calculator"
    }

    fn description(&self) -> &'static str {
        "Works out an arithmetic expression. Input: the expression, with + - * / % ^ and parentheses, \
         for example (2 + 3) * 4 or 2^10."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    fn precheck_text(&self, input: &str) -> Result<(), String> {
        check_is_text(input, "2 + 3")?;
        match evaluate(input) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        match evaluate(input) {
            Ok(answer) => ToolResult::success(answer),
            Err(error) => ToolResult::failure(error.to_string()),
        }
    }
}
