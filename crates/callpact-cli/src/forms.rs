//! Questions of MCP servers, answered by the person at the terminal or by an answer on the command line.

use std::io::{self, BufRead, IsTerminal};

use callpact::{Policy, input::read_foreign_value, review::visible, schema::ForeignSchema};
use callpact_mcp::client::{Elicitation, Elicited, McpConfig};
use serde_json::{Map, Value, json};

use crate::{
    arguments::read_value,
    screen::{Ink, Screen},
};

/// How often a person may write an answer that does not fit.
const TRIES: usize = 3;

/// Lets a server ask: the answer on the command line counts for every form; else the person at the terminal is asked.
/// Without both, the server learns that nobody can be asked.
pub(crate) fn let_ask(config: McpConfig, answer: Option<Value>, screen: &Screen) -> McpConfig {
    if answer.is_none() && !io::stdin().is_terminal() {
        return config;
    }
    let screen = screen.clone();
    config.on_elicitation(move |asked| {
        let (screen, answer) = (screen.clone(), answer.clone());
        async move {
            Screen::announce(Ink::Yellow, "question", &describe(&asked));
            if let Some(answer) = answer {
                return answer_form(&asked, answer, &screen);
            }
            let asking = tokio::task::spawn_blocking(move || ask(&asked));
            asking.await.unwrap_or(Elicited::Cancel)
        }
    })
}

fn describe(asked: &Elicitation) -> String {
    match (&asked.page, asked.host()) {
        (Some(page), Some(host)) => {
            format!("{}\nthe server sends you to {host}: {page}", asked.message)
        }
        _ => asked.message.clone(),
    }
}

/// Takes the answer of the command line if it fits.
fn answer_form(asked: &Elicitation, answer: Value, screen: &Screen) -> Elicited {
    if asked.page.is_some() {
        screen.say(
            Ink::Yellow,
            "declined",
            "--answer is for forms, not for a page",
        );
        return Elicited::Decline;
    }
    match find_faults(&asked.schema, &answer) {
        None => Elicited::Accept(answer),
        Some(faults) => {
            screen.say(Ink::Yellow, "declined", &format!("--answer: {faults}"));
            Elicited::Decline
        }
    }
}

/// The faults of an answer, in words.
fn find_faults(schema: &Value, answer: &Value) -> Option<String> {
    let schema = match ForeignSchema::from_value(schema.clone()) {
        Ok(schema) => schema,
        Err(fault) => return Some(fault.to_string()),
    };
    let read = read_foreign_value(answer, &schema, &Policy::exact());
    read.err().map(|report| report.to_string())
}

/// Asks the person at the terminal.
fn ask(asked: &Elicitation) -> Elicited {
    let prompt = if asked.page.is_some() {
        "y = you will open the page, n = decline, anything else cancels > "
    } else {
        "y = answer, n = decline, anything else cancels > "
    };
    match read_line(prompt).as_deref().map(str::trim) {
        Some("y") if asked.page.is_some() => Elicited::Consent,
        Some("y") => fill_in(asked),
        Some("n") => Elicited::Decline,
        _ => Elicited::Cancel,
    }
}

/// Asks for the fields of a form, one after the other.
fn fill_in(asked: &Elicitation) -> Elicited {
    let fields = asked.schema.get("properties").and_then(Value::as_object);
    let required = asked.schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|all| all.iter().any(|required| required == name));
    let mut fields: Vec<_> = fields.into_iter().flatten().collect();
    fields.sort_by_key(|(name, _)| !is_required(name));
    let mut answer = Map::new();
    for (name, field) in fields {
        match ask_field(name, field, is_required(name)) {
            Some(Value::Null) => {}
            Some(value) => drop(answer.insert(name.clone(), value)),
            None => return Elicited::Cancel,
        }
    }
    let answer = Value::Object(answer);
    match find_faults(&asked.schema, &answer) {
        None => Elicited::Accept(answer),
        Some(faults) => {
            Screen::announce(Ink::Red, "answer", &faults);
            Elicited::Cancel
        }
    }
}

/// The value of a field: null if the person left it out, nothing if there is no answer that fits.
fn ask_field(name: &str, field: &Value, is_required: bool) -> Option<Value> {
    let prompt = describe_field(name, field, is_required);
    for _ in 0..TRIES {
        let line = read_line(&prompt)?;
        let value = match line.trim() {
            "" => match field.get("default") {
                Some(default) => default.clone(),
                None if is_required => continue,
                None => return Some(Value::Null),
            },
            line => read_value(field, line),
        };
        let schema = json!({"type": "object", "properties": {name: field}, "required": [name]});
        match find_faults(&schema, &json!({name: value})) {
            None => return Some(value),
            Some(faults) => Screen::announce(Ink::Red, name, &faults),
        }
    }
    None
}

fn describe_field(name: &str, field: &Value, is_required: bool) -> String {
    let text = |key: &str| field.get(key).and_then(Value::as_str);
    let mut prompt = text("title").unwrap_or(name).to_owned();
    if let Some(description) = text("description") {
        prompt = format!("{prompt}: {description}");
    }
    let choices: Vec<String> = match (field.get("enum"), field.get("oneOf")) {
        (Some(Value::Array(all)), _) => all.iter().map(show).collect(),
        (_, Some(Value::Array(all))) => {
            let values = all.iter().filter_map(|one| one.get("const"));
            values.map(show).collect()
        }
        _ if field.get("type").is_some_and(|kind| kind == "boolean") => {
            vec!["true".to_owned(), "false".to_owned()]
        }
        _ => Vec::new(),
    };
    if !choices.is_empty() {
        prompt = format!("{prompt} ({})", choices.join(", "));
    }
    match field.get("default") {
        Some(default) => prompt = format!("{prompt}, Enter = {}", show(default)),
        None if is_required => {}
        None => prompt += ", Enter leaves it out",
    }
    format!("{} > ", visible(&prompt))
}

fn show(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A line that the person writes; nothing at the end of the input.
fn read_line(prompt: &str) -> Option<String> {
    use io::Write as _;

    let mut out = io::stderr().lock();
    out.write_all(prompt.as_bytes())
        .and_then(|()| out.flush())
        .ok()?;
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).ok()?;
    (read > 0).then_some(line)
}
