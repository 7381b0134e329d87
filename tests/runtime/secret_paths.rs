//! Which parameters take secrets.

use crate::kit::{Add, call, echo};
use callpact::{
    AgentTool, ToolContext, Toolset,
    secret::{MemorySecrets, SecretPaths},
};

#[test]
fn secret_params_have_no_default() {
    // See the `compile_fail` examples of `TypedAgentTool`. String tools take none unless they say so.
    assert_eq!(AgentTool::secret_params(&echo("e")), &[] as &[&str]);
    assert_eq!(AgentTool::secret_params(&Add), &[] as &[&str]);
}

#[test]
fn eligibility_is_by_exact_path() {
    let paths = SecretPaths::new(["env"]).unwrap();
    assert!(
        paths
            .check_text(r#"{"env":{"A":"<secret_ref:a>"}}"#)
            .is_ok()
    );
    assert!(
        paths
            .check_text(r#"{"other":{"env":"<secret_ref:a>"}}"#)
            .is_err()
    );
    assert!(
        paths
            .check_text(r#"{"env":{"<secret_ref:a>":"x"}}"#)
            .is_err(),
        "keys are looked at"
    );
}

#[tokio::test]
async fn missing_secret_is_error_without_replacement_text() {
    let tools = Toolset::builder()
        .tool(crate::kit::text("secret_t", |_, _| panic!("must not run")))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_secrets(MemorySecrets::new());
    let reply = tools
        .call(&call("secret_t", r#"{"input":"<secret_ref:gone>"}"#), &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "Error: secret `gone` does not exist");
}

#[tokio::test]
async fn nothing_is_resolved_without_placeholders() {
    let tools = Toolset::builder().tool(echo("secret_t")).build().unwrap();
    let reply = tools
        .call(
            &call("secret_t", r#"{"input":"a < b > c"}"#),
            &ToolContext::new(),
        )
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "a < b > c");
}
