//! Calls of tools, at a server on this machine.

use callpact::{Halt, Permission, ToolCall, ToolContext, Toolset};
use callpact_openapi::{OpenApi, OpenApiError};
use serde_json::{Value, json};

use crate::{Tested, server::Server};

/// Every place, style, body and scheme.
const EVERYTHING: &str = r##"{"openapi": "3.0.3", "servers": [{"url": "https://api.example/{version}", "variables":
    {"version": {"default": "v1"}}}], "security": [{"key": []}], "components": {
  "securitySchemes": {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "inUrl": {"type": "apiKey", "in": "query", "name": "token"},
    "inCookie": {"type": "apiKey", "in": "cookie", "name": "session"},
    "login": {"type": "http", "scheme": "basic"}, "bearer": {"type": "oauth2"}},
  "schemas": {"Pet": {"type": "object", "required": ["id", "name"], "properties": {
    "id": {"type": "integer", "readOnly": true}, "name": {"type": "string"},
    "friend": {"$ref": "#/components/schemas/Pet"}}}}},
  "paths": {
    "/pets/{id}/notes": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"operationId": "notes/list", "summary": "Lists notes", "parameters": [
        {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
        {"name": "ids", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "integer"}}},
        {"name": "where", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
        {"name": "id", "in": "query", "schema": {"type": "integer"}},
        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
        {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
        {"name": "theme", "in": "cookie", "schema": {"type": "string"}}]},
      "post": {"operationId": "notes/add", "security": [{"bearer": []}, {"inUrl": []}], "requestBody": {"required": true,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}},
      "put": {"security": [{"login": []}], "requestBody": {"content": {"application/x-www-form-urlencoded":
        {"schema": {"type": "object"}}}}},
      "patch": {"security": [{}, {"inCookie": []}], "requestBody": {"content": {"multipart/form-data":
        {"schema": {"type": "object"}}}}},
      "delete": {"security": []}}}}"##;

fn tools(api: OpenApi) -> Result<Toolset, Box<dyn std::error::Error>> {
    let api = api.build()?;
    assert_eq!(api.left_out, []);
    Ok(Toolset::builder().tools(api.tools).build()?)
}

async fn call(tools: &Toolset, name: &str, arguments: &Value) -> Result<String, Halt> {
    let call = ToolCall::new("1", name, arguments.to_string());
    let reply = tools.call(&call, &ToolContext::new()).await?;
    Ok(reply.to_model().into_owned())
}

#[tokio::test]
async fn arguments_go_to_their_places() -> Tested {
    let server = Server::start("200 OK", r#"{"answer": 1}"#)?;
    let api = OpenApi::parse(EVERYTHING)?
        .server(format!("{}/v1/", server.url))
        .allow_internal(true);
    let tools = tools(api.credential("key", "k-12345678"))?;
    let arguments = json!({"id": "a/../b c", "tag": ["x", "y&z"], "ids": [1, 2], "where": {"k": "v"}, "id_2": 7,
        "X-Trace": "t", "theme": "dark mode"});
    assert_eq!(
        call(&tools, "notes_list", &arguments).await?,
        r#"{"answer": 1}"#
    );
    let heard = server.last();
    assert_eq!(
        heard.line,
        "GET /v1/pets/a%2F..%2Fb%20c/notes?tag=x&tag=y%26z&ids=1%2C2&where%5Bk%5D=v&id=7"
    );
    for header in [
        "x-trace: t",
        "x-key: k-12345678",
        "cookie: theme=dark%20mode",
    ] {
        assert!(
            heard.headers.iter().any(|line| line == header),
            "{header}: {heard:?}"
        );
    }
    assert!(
        !heard
            .headers
            .iter()
            .any(|line| line.starts_with("authorization"))
    );
    // A segment that leads to another path is refused before it is sent.
    for id in ["..", ".", ""] {
        let refused = call(&tools, "notes_list", &json!({ "id": id })).await?;
        assert!(
            refused.starts_with("Error: id: expected a text"),
            "{refused}"
        );
    }
    assert_eq!(server.count(), 1);
    let missing = call(&tools, "notes_list", &json!({})).await?;
    assert!(missing.contains("id: missing"), "{missing}");
    Ok(())
}

#[tokio::test]
async fn bodies_have_the_form_of_the_document() -> Tested {
    let server = Server::start("200 OK", "")?;
    let api = || {
        let api =
            OpenApi::parse(EVERYTHING).map(|api| api.server(&server.url).allow_internal(true));
        api.map(|api| {
            api.credential("inUrl", "u-12345678")
                .credential("login", "ada:p-12345678")
        })
    };
    let set = tools(api()?)?;
    let pet = json!({"name": "a", "friend": {"name": "b"}});
    assert_eq!(
        call(&set, "notes_add", &json!({"id": "1", "body": pet})).await?,
        "HTTP 200"
    );
    let heard = server.last();
    assert_eq!(heard.line, "POST /pets/1/notes?token=u-12345678");
    assert_eq!(serde_json::from_str::<Value>(&heard.body)?, pet);
    assert!(
        heard
            .headers
            .contains(&"content-type: application/json".to_owned())
    );
    // An answer has an id, a request has none; the friend is checked too.
    let wrong = call(
        &set,
        "notes_add",
        &json!({"id": "1", "body": {"name": "a", "friend": {"name": 5}}}),
    )
    .await?;
    assert!(
        wrong.contains("body.friend.name: expected a string"),
        "{wrong}"
    );

    call(
        &set,
        "put_pets_id_notes",
        &json!({"id": "1", "body": {"a": "x y", "b": [1, 2]}}),
    )
    .await?;
    let heard = server.last();
    assert_eq!(heard.body, "a=x+y&b=1&b=2");
    assert!(
        heard
            .headers
            .contains(&"authorization: Basic YWRhOnAtMTIzNDU2Nzg=".to_owned()),
        "{heard:?}"
    );

    call(
        &set,
        "patch_pets_id_notes",
        &json!({"id": "1", "body": {"a": "x"}}),
    )
    .await?;
    let heard = server.last();
    assert!(
        heard.body.contains("name=\"a\"\r\n\r\nx\r\n--"),
        "{heard:?}"
    );
    assert!(
        heard
            .headers
            .iter()
            .any(|line| line.starts_with("content-type: multipart/form-data; boundary="))
    );
    assert!(!heard.headers.iter().any(|line| line.starts_with("cookie")));

    // A better set of credentials is used where there is one.
    let set = tools(
        api()?
            .credential("inCookie", "c 12345678")
            .credential("bearer", "b-12345678"),
    )?;
    call(&set, "patch_pets_id_notes", &json!({"id": "1"})).await?;
    assert!(
        server
            .last()
            .headers
            .contains(&"cookie: session=c%2012345678".to_owned())
    );
    call(
        &set,
        "notes_add",
        &json!({"id": "1", "body": {"name": "a"}}),
    )
    .await?;
    assert!(
        server
            .last()
            .headers
            .contains(&"authorization: Bearer b-12345678".to_owned())
    );
    assert_eq!(
        set.permission("delete_pets_id_notes"),
        Some(Permission::Destructive)
    );
    assert_eq!(set.permission("notes_list"), Some(Permission::ReadOnly));
    assert_eq!(set.permission("put_pets_id_notes"), Some(Permission::Write));
    Ok(())
}

#[tokio::test]
async fn a_model_sees_neither_credentials_nor_the_server() -> Tested {
    let server = Server::start("403 Forbidden", "the key k-12345678 is not valid")?;
    let api = |url: &str| -> Result<OpenApi, OpenApiError> {
        Ok(OpenApi::parse(EVERYTHING)?
            .server(url)
            .allow_internal(true)
            .credential("key", "k-12345678"))
    };
    let denied = call(
        &tools(api(&server.url)?)?,
        "notes_list",
        &json!({"id": "1"}),
    )
    .await?;
    assert_eq!(denied, "Error: HTTP 403: the key *** is not valid");
    let gone = call(
        &tools(api("http://127.0.0.1:1")?)?,
        "notes_list",
        &json!({"id": "1"}),
    )
    .await?;
    assert!(
        gone.starts_with("Error: GET /pets/{id}/notes failed: could not connect to the server"),
        "{gone}"
    );
    assert!(!gone.contains("127.0.0.1"), "{gone}");
    // Without the permission of the program nothing inside is reached.
    let inside = OpenApi::parse(EVERYTHING)?
        .server(&server.url)
        .credential("key", "k-12345678");
    let inside = call(&tools(inside)?, "notes_list", &json!({"id": "1"})).await?;
    assert!(inside.contains("failed: access denied"), "{inside}");
    assert_eq!(server.count(), 1);
    Ok(())
}

#[tokio::test]
async fn reports_wrong_setup_of_program() -> Tested {
    let unknown = OpenApi::parse(EVERYTHING)?
        .credential("nothing", "x")
        .build()
        .map(drop);
    assert_eq!(unknown, Err(OpenApiError::Credential("nothing".to_owned())));
    let built = OpenApi::parse(EVERYTHING)?
        .server("nothing")
        .build()
        .map(drop);
    let words = "relative URL without a base";
    assert_eq!(built, Err(OpenApiError::Server(words.to_owned())));
    let no_key = call(
        &tools(OpenApi::parse(EVERYTHING)?)?,
        "notes_list",
        &json!({"id": "1"}),
    )
    .await;
    let words = "the operation needs a credential for key";
    assert_eq!(no_key, Err(Halt::misconfigured(words)));
    let relative =
        r#"{"openapi": "3.1.0", "servers": [{"url": "/v1"}], "paths": {"/a": {"get": {}}}}"#;
    let no_server = call(&tools(OpenApi::parse(relative)?)?, "get_a", &json!({})).await;
    let words = "the document names no server: set one";
    assert_eq!(no_server, Err(Halt::misconfigured(words)));
    let cut = OpenApi::parse("{").map(drop);
    assert!(matches!(cut, Err(OpenApiError::Json(_))), "{cut:?}");
    for text in [
        "[]",
        r#"{"openapi": "3.0.0"}"#,
        r#"{"openapi": "4.0.0", "paths": {}}"#,
    ] {
        let fault = OpenApi::parse(text).map(drop);
        assert_eq!(fault, Err(OpenApiError::Version), "{text}");
    }
    Ok(())
}

#[test]
fn what_cannot_be_a_tool_is_named() -> Tested {
    let document = r##"{"openapi": "3.1.0", "paths": {
        "/a": {"get": {"operationId": "lost", "parameters": [{"$ref": "#/components/parameters/None"}]}},
        "/b": {"post": {"operationId": "outside", "requestBody": {"content": {"application/json": {"schema":
            {"$ref": "other.json#/X"}}}}}},
        "/c": {"$ref": "#/paths/~1c"}, "/d": 7, "/e": {"get": {"deprecated": true, "tags": ["t"]}}}}"##;
    let api = OpenApi::parse(document)?.prefix("my_").build()?;
    let names: Vec<&str> = api.left_out.iter().map(|left| left.name.as_str()).collect();
    assert_eq!(names, ["my_lost", "my_outside"]);
    assert!(api.left_out.iter().all(|left| !left.reason.is_empty()));
    assert_eq!(api.tools.len(), 1);
    let kept = OpenApi::parse(document)?
        .filter(|operation| !operation.deprecated)
        .build()?;
    assert_eq!(kept.tools.len(), 0);
    Ok(())
}
