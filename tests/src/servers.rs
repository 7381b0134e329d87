//! Tools as well-known MCP servers declare them: as zod, pydantic and people write schemas. Each with good calls.
#![allow(clippy::too_many_lines)] // tables

use serde_json::{Value, json};

/// The schema of a tool's arguments, and calls that its server takes.
pub struct Declared {
    pub name: &'static str,
    pub schema: Value,
    pub calls: Vec<Value>,
}

fn declared(name: &'static str, schema: Value, calls: impl IntoIterator<Item = Value>) -> Declared {
    Declared {
        name,
        schema,
        calls: calls.into_iter().collect(),
    }
}

/// An object as zod's converter writes it.
fn zod(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object", "properties": properties, "required": required,
        "additionalProperties": false, "$schema": "http://json-schema.org/draft-07/schema#",
    })
}

/// An object as pydantic writes it.
fn pydantic(properties: &Value, required: &[&str], definitions: &Value) -> Value {
    json!({
        "$defs": definitions, "properties": properties, "required": required,
        "title": "Arguments", "type": "object",
    })
}

/// An optional parameter as pydantic writes it.
fn or_none(schema: &Value, title: &str) -> Value {
    json!({"anyOf": [schema, {"type": "null"}], "default": null, "title": title})
}

/// Tools of twenty kinds of servers.
pub fn declared_by_servers() -> Vec<Declared> {
    let mut all = files_and_code();
    all.extend(services());
    all.extend(browsers_and_data());
    all
}

fn files_and_code() -> Vec<Declared> {
    let text = json!({"type": "string"});
    vec![
        declared(
            "edit_file",
            zod(
                &json!({
                    "path": text,
                    "edits": {"type": "array", "items": {
                        "type": "object",
                        "properties": {
                            "oldText": {"type": "string", "description": "Text to search for - must match exactly"},
                            "newText": {"type": "string", "description": "Text to replace with"},
                        },
                        "required": ["oldText", "newText"],
                        "additionalProperties": false,
                    }},
                    "dryRun": {"type": "boolean", "default": false, "description": "Preview changes using git-style diff format"},
                }),
                &["path", "edits"],
            ),
            [
                json!({"path": "a", "edits": [{"oldText": "x", "newText": ""}]}),
                json!({"path": "a", "edits": [], "dryRun": true}),
            ],
        ),
        declared(
            "read_text_file",
            zod(
                &json!({
                    "path": text,
                    "tail": {"type": "number", "description": "If provided, returns only the last N lines of the file"},
                    "head": {"type": "number"},
                }),
                &["path"],
            ),
            [json!({"path": "a", "tail": 5})],
        ),
        declared(
            "directory_tree",
            zod(
                &json!({"path": text, "excludePatterns": {"type": "array", "items": text, "default": []}}),
                &["path"],
            ),
            [json!({"path": ".", "excludePatterns": ["*.md"]})],
        ),
        declared(
            "create_or_update_file",
            json!({
                "type": "object",
                "properties": {
                    "owner": {"type": "string", "description": "Repository owner (username or organization)"},
                    "repo": text,
                    "path": text,
                    "content": text,
                    "message": text,
                    "branch": text,
                    "sha": {"type": "string", "description": "Required if updating an existing file. The blob SHA of the file being replaced."},
                },
                "required": ["owner", "repo", "path", "content", "message", "branch"],
            }),
            [
                json!({"owner": "o", "repo": "r", "path": "p", "content": "", "message": "m", "branch": "b"}),
                json!({"owner": "o", "repo": "r", "path": "p", "content": "{\"a\":1}", "message": "m", "branch": "b", "sha": "1"}),
            ],
        ),
        declared(
            "create_pull_request_review",
            zod(
                &json!({
                    "pull_number": {"type": "number"},
                    "event": {"type": "string", "enum": ["APPROVE", "REQUEST_CHANGES", "COMMENT"]},
                    "comments": {"type": "array", "items": {"anyOf": [
                        {"type": "object", "properties": {"path": text, "position": {"type": "number"}, "body": text},
                         "required": ["path", "position", "body"], "additionalProperties": false},
                        {"type": "object", "properties": {"path": text, "line": {"type": "number"}, "body": text},
                         "required": ["path", "line", "body"], "additionalProperties": false},
                    ]}},
                }),
                &["pull_number", "event"],
            ),
            [
                json!({"pull_number": 5, "event": "COMMENT", "comments": [{"path": "a", "line": 3, "body": "b"}, {"path": "a", "position": 1, "body": ""}]}),
            ],
        ),
        declared(
            "list_issues",
            json!({
                "type": "object",
                "properties": {
                    "state": {"type": "string", "enum": ["open", "closed", "all"]},
                    "labels": {"type": "array", "items": text},
                    "perPage": {"type": "number", "minimum": 1, "maximum": 100},
                    "page": {"type": "number", "minimum": 1},
                    "since": {"type": "string", "format": "date-time"},
                },
            }),
            [
                json!({}),
                json!({"state": "all", "labels": ["bug"], "perPage": 100, "page": 2}),
            ],
        ),
        declared(
            "git_log",
            pydantic(
                &json!({
                    "repo_path": {"title": "Repo Path", "type": "string"},
                    "max_count": {"default": 10, "title": "Max Count", "type": "integer"},
                    "start_timestamp": or_none(&text, "Start Timestamp"),
                }),
                &["repo_path"],
                &json!({}),
            ),
            [
                json!({"repo_path": "."}),
                json!({"repo_path": ".", "max_count": 3, "start_timestamp": null}),
                json!({"repo_path": ".", "start_timestamp": "yesterday"}),
            ],
        ),
        declared(
            "sequential_thinking",
            json!({
                "type": "object",
                "properties": {
                    "thought": {"type": "string", "description": "Your current thinking step"},
                    "nextThoughtNeeded": {"type": "boolean"},
                    "thoughtNumber": {"type": "integer", "minimum": 1},
                    "branchId": text,
                },
                "required": ["thought", "nextThoughtNeeded", "thoughtNumber"],
            }),
            [json!({"thought": "t", "nextThoughtNeeded": false, "thoughtNumber": 1})],
        ),
    ]
}

fn services() -> Vec<Declared> {
    let text = json!({"type": "string"});
    let rich_text = json!({"type": "object", "properties": {
        "type": {"type": "string", "enum": ["text"]},
        "text": {"type": "object", "properties": {"content": {"type": "string", "maxLength": 2000}, "link": {"type": ["object", "null"], "properties": {"url": text}, "required": ["url"]}}, "required": ["content"]},
    }, "required": ["text"], "additionalProperties": true});
    vec![
        declared(
            "slack_post_message",
            json!({
                "type": "object",
                "properties": {
                    "channel_id": {"type": "string", "description": "The ID of the channel to post to"},
                    "text": {"type": "string"},
                    "blocks": {"type": "array", "items": {"type": "object"}},
                },
                "required": ["channel_id", "text"],
            }),
            [
                json!({"channel_id": "C1", "text": "", "blocks": [{"type": "section", "n": 1}]}),
                json!({"channel_id": "C1", "text": "[1, 2]"}),
            ],
        ),
        declared(
            "API-post-page",
            json!({
                "type": "object",
                "$defs": {
                    "rich": rich_text,
                    "parent": {"oneOf": [
                        {"type": "object", "properties": {"page_id": {"type": "string", "format": "uuid"}}, "required": ["page_id"], "additionalProperties": false},
                        {"type": "object", "properties": {"database_id": {"type": "string", "format": "uuid"}}, "required": ["database_id"], "additionalProperties": false},
                    ]},
                    "block": {"oneOf": [
                        {"type": "object", "properties": {"type": {"const": "paragraph"}, "paragraph": {"type": "object", "properties": {"rich_text": {"type": "array", "items": {"$ref": "#/$defs/rich"}, "maxItems": 100}}, "required": ["rich_text"]}}, "required": ["type", "paragraph"]},
                        {"type": "object", "properties": {"type": {"const": "divider"}, "divider": {"type": "object"}}, "required": ["type"]},
                    ]},
                },
                "properties": {
                    "parent": {"$ref": "#/$defs/parent"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/block"}},
                    "icon": {"type": ["string", "null"]},
                    "properties": {"type": "object", "additionalProperties": true},
                },
                "required": ["parent"],
            }),
            [
                json!({"parent": {"page_id": "67e55044-10b1-426f-9247-bb680e5fe0c8"}, "icon": null}),
                json!({"parent": {"database_id": "67e55044-10b1-426f-9247-bb680e5fe0c8"}, "properties": {"a": {"b": [1]}}, "children": [
                    {"type": "paragraph", "paragraph": {"rich_text": [{"type": "text", "text": {"content": "x", "link": null}}]}},
                    {"type": "divider"},
                ]}),
            ],
        ),
        declared(
            "create_event",
            zod(
                &json!({
                    "summary": text,
                    "start": {"type": "object", "properties": {"dateTime": {"type": "string", "format": "date-time"}, "timeZone": text}, "required": ["dateTime"], "additionalProperties": false},
                    "attendees": {"type": "array", "items": {"type": "object", "properties": {"email": {"type": "string", "format": "email"}}, "required": ["email"], "additionalProperties": false}},
                    "reminders": {"type": "object", "properties": {"useDefault": {"type": "boolean"}, "overrides": {"type": "array", "items": {"type": "object", "properties": {"method": {"type": "string", "enum": ["email", "popup"], "default": "popup"}, "minutes": {"type": "number"}}, "required": ["minutes"], "additionalProperties": false}}}, "required": ["useDefault"], "additionalProperties": false},
                    "colorId": {"type": ["string", "null"], "default": null},
                }),
                &["summary", "start"],
            ),
            [
                json!({"summary": "s", "start": {"dateTime": "2026-01-01T10:00:00Z"}, "reminders": {"useDefault": false, "overrides": [{"minutes": 10}]}}),
            ],
        ),
        declared(
            "create_issue_linear",
            zod(
                &json!({
                    "title": text,
                    "priority": {"type": "integer", "minimum": 0, "maximum": 4},
                    "labelIds": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
                    "estimate": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
                    "due": {"anyOf": [{"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"}, {"type": "null"}]},
                }),
                &["title"],
            ),
            [
                json!({"title": "t", "priority": 0, "labelIds": ["a", "b"], "estimate": 1.5, "due": null}),
                json!({"title": "t", "due": "2026-01-01"}),
            ],
        ),
        declared(
            "fetch",
            pydantic(
                &json!({
                    "url": {"description": "URL to fetch", "format": "uri", "minLength": 1, "title": "Url", "type": "string"},
                    "max_length": {"default": 5000, "description": "Maximum number of characters to return.", "exclusiveMaximum": 1_000_000, "exclusiveMinimum": 0, "title": "Max Length", "type": "integer"},
                    "raw": {"default": false, "title": "Raw", "type": "boolean"},
                }),
                &["url"],
                &json!({}),
            ),
            [json!({"url": "https://a.example", "max_length": 1, "raw": true})],
        ),
        declared(
            "convert_time",
            json!({"type": "object", "properties": {
                "source_timezone": {"type": "string"}, "time": {"type": "string", "description": "Time to convert in 24-hour format (HH:MM)"},
                "target_timezone": {"type": "string"},
            }, "required": ["source_timezone", "time", "target_timezone"]}),
            [json!({"source_timezone": "UTC", "time": "10:30", "target_timezone": "CET"})],
        ),
        declared(
            "send_email",
            pydantic(
                &json!({
                    "to": {"anyOf": [{"type": "string"}, {"items": {"type": "string"}, "type": "array"}], "title": "To"},
                    "body": or_none(&text, "Body"),
                    "attachments": or_none(&json!({"items": {"$ref": "#/$defs/Attachment"}, "type": "array"}), "Attachments"),
                    "headers": {"additionalProperties": {"type": "string"}, "title": "Headers", "type": "object"},
                }),
                &["to"],
                &json!({"Attachment": {"properties": {"name": {"title": "Name", "type": "string"}, "size": {"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "Size"}}, "required": ["name", "size"], "title": "Attachment", "type": "object"}}),
            ),
            [
                json!({"to": "a@b.example", "body": null}),
                json!({"to": ["a@b.example"], "attachments": [{"name": "a", "size": null}], "headers": {"X-A": ""}}),
            ],
        ),
    ]
}

fn browsers_and_data() -> Vec<Declared> {
    let text = json!({"type": "string"});
    vec![
        declared(
            "browser_click",
            zod(
                &json!({
                    "element": {"type": "string", "description": "Human-readable element description"},
                    "ref": text,
                    "doubleClick": {"type": "boolean"},
                    "button": {"type": "string", "enum": ["left", "right", "middle"]},
                    "modifiers": {"type": "array", "items": {"type": "string", "enum": ["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]}},
                }),
                &["element", "ref"],
            ),
            [json!({"element": "e", "ref": "r", "button": "left", "modifiers": ["Alt", "Shift"]})],
        ),
        declared(
            "browser_fill_form",
            zod(
                &json!({"fields": {"type": "array", "items": {"type": "object", "properties": {
                    "name": text, "type": {"type": "string", "enum": ["textbox", "checkbox", "radio", "combobox", "slider"]},
                    "ref": text, "value": text,
                }, "required": ["name", "type", "ref", "value"], "additionalProperties": false}}}),
                &["fields"],
            ),
            [json!({"fields": [{"name": "n", "type": "checkbox", "ref": "r", "value": "true"}]})],
        ),
        declared(
            "create_entities",
            json!({"type": "object", "properties": {"entities": {"type": "array", "items": {"type": "object", "properties": {
                "name": {"type": "string"}, "entityType": {"type": "string"}, "observations": {"type": "array", "items": {"type": "string"}},
            }, "required": ["name", "entityType", "observations"]}}}, "required": ["entities"]}),
            [json!({"entities": [{"name": "n", "entityType": "t", "observations": ["1", ""]}]})],
        ),
        declared(
            "query",
            json!({"type": "object", "properties": {
                "sql": {"type": "string"},
                "params": {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}},
            }, "required": ["sql"]}),
            [json!({"sql": "select $1", "params": ["1", 1, true, null]})],
        ),
        declared(
            "filter",
            json!({
                "type": "object",
                "definitions": {"Filter": {"anyOf": [
                    {"type": "object", "properties": {"and": {"type": "array", "items": {"$ref": "#/definitions/Filter"}}}, "required": ["and"], "additionalProperties": false},
                    {"type": "object", "properties": {"field": {"type": "string"}, "op": {"enum": ["=", "<", ">"]}, "value": {}}, "required": ["field", "op", "value"], "additionalProperties": false},
                ]}},
                "properties": {"filter": {"$ref": "#/definitions/Filter"}, "limit": {"type": "integer"}},
                "required": ["filter"],
            }),
            [
                json!({"filter": {"and": [{"field": "a", "op": "=", "value": "1"}, {"and": []}]}, "limit": 5}),
                json!({"filter": {"field": "a", "op": "<", "value": null}}),
            ],
        ),
        declared(
            "set_value",
            json!({
                "type": "object",
                "properties": {"cell": text, "value": {"type": ["string", "number", "boolean"]}},
                "required": ["cell", "value"],
            }),
            [
                json!({"cell": "A1", "value": "5"}),
                json!({"cell": "A1", "value": 5}),
            ],
        ),
        declared(
            "no_parameters",
            json!({"type": "object"}),
            [json!({}), json!({"more": 1})],
        ),
    ]
}
