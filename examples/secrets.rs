//! A secret that the model names and never sees, in a request and in its answer.
//!
//! `cargo run --example secrets -p callpact-examples`

use callpact::{
    ToolCall, ToolContext, Toolset,
    review::{ReviewDecision, review_fn},
    secret::MemorySecrets,
    tool,
};

/// Sends a request to the shop; write `<secret_ref:shop_token>` where the token goes
// Only `authorization` takes placeholders; the compiler checks it against the parameters. A real
// host would use `EnvSecrets` or a vault.
#[tool(write, secrets(authorization))]
fn shop(
    path: String,
    /// The value of the header `Authorization`
    authorization: String,
) -> Result<String, String> {
    if authorization != "Bearer s3cr3t-t0ken/42" {
        return Err("401: not authorized".to_owned());
    }
    // A service that echoes its input: plainly, in base64 and in a link.
    Ok(format!(
        "200 {path}\nyou sent: {authorization}\nbase64: QmVhcmVyIHMzY3IzdC10MGtlbi80Mg==\n\
         next: /orders?token=s3cr3t-t0ken%2F42"
    ))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(Shop).build()?;
    let cx = ToolContext::new()
        .with_secrets(MemorySecrets::new().with("shop_token", "s3cr3t-t0ken/42"))
        // The reviewer sees the placeholder too: values are put in only after approval.
        .with_reviewer(review_fn(|request| async move {
            println!("  reviewer sees: {}", request.action);
            Ok(ReviewDecision::Continue)
        }));

    for arguments in [
        r#"{"path": "/orders", "authorization": "Bearer <secret_ref:shop_token>"}"#,
        // Secrets are not allowed in a path, because paths end up in logs.
        r#"{"path": "/orders?token=<secret_ref:shop_token>", "authorization": "none"}"#,
        // This secret does not exist, and nothing runs with half of its secrets.
        r#"{"path": "/orders", "authorization": "Bearer <secret_ref:bank_token>"}"#,
        // A token that the model invented is not a secret.
        r#"{"path": "/orders", "authorization": "Bearer guess"}"#,
    ] {
        println!("model: shop {arguments}");
        let reply = tools
            .call(&ToolCall::new("call-1", "shop", arguments), &cx)
            .await?;
        println!("reply: {}\n", reply.to_model());
    }
    Ok(())
}
