//! The rows of the table beside each other.

use super::{
    block::row_start,
    cursor::TextCursor,
    form::{BodyForm, JsonBody, TextForm},
    table::FORMS,
};

/// A head with something in each of its places.
fn fill(template: &str) -> Vec<String> {
    let filled = template
        .replace("{name}", "lamp")
        .replace("{quoted}", "\"lamp\"")
        .replace("{id}", "abcdefghi")
        .replace("{index}", "\"1\"")
        .replace("{type}", "\"string\"")
        .replace("{head}", "functions.lamp:0");
    vec![
        filled.replace("{space}", ""),
        filled.replace("{space}", " "),
    ]
}

/// The bodies of a row, of each kind that it may have.
fn bodies(row: &TextForm) -> Vec<String> {
    let object = r#"{"name": "lamp", "arguments": {"on": true}}"#;
    match &row.body {
        BodyForm::Json(JsonBody::Object) => vec![object.to_owned()],
        BodyForm::Json(JsonBody::List) => vec![format!("[{object}]")],
        BodyForm::Json(JsonBody::Either) => vec![object.to_owned(), format!("[{object}]")],
        BodyForm::Json(JsonBody::Objects) => vec![format!("{object}\n{object}")],
        BodyForm::Json(JsonBody::Arguments) => vec![r#"{"on": true}"#.to_owned()],
        BodyForm::Json(JsonBody::Fenced) => vec!["```json\n{\"on\": true}\n```".to_owned()],
        BodyForm::Python => vec!["[lamp(on=True)]".to_owned(), "lamp(on=True)".to_owned()],
        BodyForm::Parameters(form) => {
            let heads = form.heads.iter().flat_map(|head| fill(head));
            let mut bodies: Vec<String> = heads
                .map(|head| format!("{head}two words{}", form.closer))
                .collect();
            bodies.push(String::new());
            bodies.extend(form.takes_json.then(|| r#"{"on": true}"#.to_owned()));
            bodies
        }
        BodyForm::Gemma { quote } => vec![format!("{{note:{quote}a{quote}}}"), "{}".to_owned()],
        BodyForm::Elements { mark } => vec![format!("{mark}<note>a{mark}</note>")],
    }
}

/// The texts of a row: each section, mark, head and body with each other.
fn texts(row: &TextForm) -> Vec<String> {
    let mut sections: Vec<(&str, &str)> = row
        .sections
        .iter()
        .zip(&row.section_ends)
        .map(|(open, close)| (&**open, &**close))
        .collect();
    if !row.needs_section {
        sections.push(("", ""));
    }
    let heads: Vec<String> = match row.heads.as_slice() {
        [] => vec![String::new()],
        heads => heads.iter().flat_map(|head| fill(head)).collect(),
    };
    let closer = row.closers.first().map_or("", String::as_str);
    let mut texts = Vec::new();
    for (open, close) in sections {
        for opener in &row.openers {
            for head in &heads {
                for body in bodies(row) {
                    let text = format!("{opener}{head}{body}{closer}");
                    texts.push(format!("{open}{text}{close}"));
                    if !open.is_empty() {
                        texts.push(format!("{open}\n{text}\n{close}"));
                    }
                }
            }
        }
    }
    texts
}

/// The rows that begin at the start of a text.
fn rows_of(text: &str) -> Vec<&str> {
    let cursor = TextCursor {
        text,
        at: 0,
        is_whole: true,
    };
    let rows = FORMS.iter();
    rows.filter(|row| matches!(row_start(cursor, row), Ok(Some(_))))
        .map(|row| row.name.as_str())
        .collect()
}

#[test]
fn no_text_matches_two_rows() {
    let mut count = 0;
    for row in FORMS.iter() {
        for text in texts(row) {
            assert_eq!(rows_of(&text), [row.name.as_str()], "{text}");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn a_name_means_one_row() {
    let mut names: Vec<&str> = FORMS.iter().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
