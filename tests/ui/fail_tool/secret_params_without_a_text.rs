use callpact::{Permission, ToolContext, ToolInput, TypedAgentTool, secret_params};

#[derive(ToolInput)]
struct LogIn {
    token: String,
    port: i64,
    headers: Vec<Header>,
}

#[derive(ToolInput)]
struct Header {
    value: String,
}

struct LogInTool;

impl TypedAgentTool for LogInTool {
    type Input = LogIn;
    type Output = ();
    const SECRET_PARAMS: &'static [&'static str] =
        secret_params!(LogIn: token, tokne, port, headers[].value, "headers[].name");

    fn name(&self) -> &str {
        "log_in"
    }

    fn description(&self) -> &str {
        "Logs in"
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    async fn execute(&self, _: LogIn, _: &ToolContext) {}
}

fn main() {}
