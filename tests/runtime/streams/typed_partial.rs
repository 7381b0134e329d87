//! Typed values that grow.

use std::collections::BTreeMap;

use callpact::{
    Policy, ToolInput,
    input::stream::StreamReader,
    read_str,
    stream::{GrowingDocument, TurnAssembler},
};
use callpact_tests::rng::Rng;
use serde_json::{Value, json};

#[derive(Debug, ToolInput)]
#[tool_input(partial)]
struct Mail {
    to: Vec<String>,
    #[tool_param(alias = "body")]
    text: String,
    #[tool_param(required)]
    answer_to: Option<String>,
    size: Option<u32>,
    urgency: Option<Urgency>,
    attachment: Option<Attachment>,
    #[tool_param(recursive)]
    parts: Option<Vec<MailPart>>,
    labels: Option<BTreeMap<String, String>>,
    #[tool_param(secret)]
    key: Option<String>,
    point: Option<(i32, String)>,
    shape: Option<OpenShape>,
    change: Option<AdjacentChange>,
    #[tool_param(skip)]
    #[allow(dead_code)] // skipped
    seen: bool,
    #[tool_param(flatten)]
    rest: MailRest,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial)]
struct MailRest {
    #[tool_param(rename = "copyTo")]
    copy_to: Option<MailAddress>,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial)]
struct MailAddress(String);

#[derive(Clone, Copy, Debug, PartialEq, ToolInput)]
#[tool_input(partial, rename_all = "snake_case")]
enum Urgency {
    Low,
    Lowest,
    High,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial, tag = "kind", rename_all = "snake_case")]
enum Attachment {
    Text {
        text: String,
        #[tool_param(secret)]
        password: Option<String>,
    },
    #[tool_param(alias = "url")]
    Link(AttachedLink),
    Nothing,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial)]
struct AttachedLink {
    address: String,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial)]
struct MailPart {
    name: String,
    #[tool_param(recursive)]
    next: Option<Box<MailPart>>,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial, rename_all = "snake_case")]
enum OpenShape {
    Circle { radius: f64 },
    Label(String),
    Pair(String, i64),
    Dot,
}

#[derive(Debug, ToolInput)]
#[tool_input(partial, tag = "op", content = "value")]
enum AdjacentChange {
    Set(String),
    Clear,
}

fn text(rng: &mut Rng) -> Value {
    let words = [
        "",
        "a",
        "Dear \"Ada\"\n\\ ",
        "ä日🙂",
        "{\"a\": [1]}",
        "null",
    ];
    (*rng.pick(&words)).into()
}

fn part(rng: &mut Rng, depth: usize) -> Value {
    let mut part = json!({"name": text(rng)});
    if depth > 0 && rng.one_in(2) {
        part["next"] = self::part(rng, depth - 1);
    }
    part
}

fn mail(rng: &mut Rng) -> Value {
    let to: Vec<Value> = (0..rng.below(4)).map(|_| text(rng)).collect();
    let mut mail = json!({"to": to, "text": text(rng), "answer_to": null});
    if rng.one_in(2) {
        mail["answer_to"] = text(rng);
    }
    let attachments = [
        json!({"kind": "text", "text": text(rng), "password": "secret-1"}),
        json!({"text": text(rng), "kind": "text"}),
        json!({"kind": "link", "address": text(rng)}),
        json!({"kind": "nothing"}),
    ];
    let shapes = [
        json!({"circle": {"radius": 1.5}}),
        json!({"label": text(rng)}),
        json!({"pair": [text(rng), -3]}),
        json!("dot"),
    ];
    let changes = [
        json!({"op": "Set", "value": text(rng)}),
        json!({"value": text(rng), "op": "Set"}),
        json!({"op": "Clear"}),
    ];
    let others = [
        ("size", json!(rng.below(100_000))),
        ("urgency", json!(["low", "lowest", "high"][rng.below(3)])),
        ("attachment", rng.pick(&attachments).clone()),
        ("parts", json!([part(rng, 3), part(rng, 1)])),
        ("labels", json!({"a": text(rng), "ü": text(rng)})),
        ("key", json!("secret-2")),
        ("point", json!([7, text(rng)])),
        ("shape", rng.pick(&shapes).clone()),
        ("change", rng.pick(&changes).clone()),
        ("copyTo", text(rng)),
    ];
    for (key, value) in others {
        if rng.one_in(2) {
            mail[key] = value;
        }
    }
    mail
}

fn is_start_of_part(a: &MailPartPartial, b: &MailPartPartial) -> bool {
    let name = match (&a.name, &b.name) {
        (None, _) => true,
        (Some(a), Some(b)) => b.starts_with(a.as_str()),
        (Some(_), None) => false,
    };
    name && match (&a.next, &b.next) {
        (None, _) => true,
        (Some(a), Some(b)) => is_start_of_part(a, b),
        (Some(_), None) => false,
    }
}

/// Whether what was shown at first is the start of what is shown later: at each place the later value is longer, or
/// `None` became a value.
fn is_start(first: &MailPartial, whole: &MailPartial) -> bool {
    let strings = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (None, _) => true,
        (Some(a), Some(b)) => b.starts_with(a.as_str()),
        (Some(_), None) => false,
    };
    let same = |a: &Option<_>, b: &Option<_>| a.is_none() || a == b;
    let lists = match (&first.to, &whole.to) {
        (None, _) => true,
        (Some(a), Some(b)) => {
            a.len() <= b.len() && a.iter().zip(b).all(|(a, b)| b.starts_with(a.as_str()))
        }
        (Some(_), None) => false,
    };
    let attachment = match (&first.attachment, &whole.attachment) {
        (None, _) => true,
        (
            Some(AttachmentPartial::Text { text: a, password }),
            Some(AttachmentPartial::Text {
                text: b,
                password: other,
            }),
        ) => strings(a, b) && strings(password, other),
        (Some(AttachmentPartial::Link(a)), Some(AttachmentPartial::Link(b))) => match (a, b) {
            (None, _) => true,
            (Some(a), Some(b)) => strings(&a.address, &b.address),
            (Some(_), None) => false,
        },
        (a, b) => a == b,
    };
    let nested = match (&first.parts, &whole.parts) {
        (None, _) => true,
        (Some(a), Some(b)) => {
            a.len() <= b.len() && a.iter().zip(b).all(|(a, b)| is_start_of_part(a, b))
        }
        (Some(_), None) => false,
    };
    let labels = match (&first.labels, &whole.labels) {
        (None, _) => true,
        (Some(a), Some(b)) => a
            .iter()
            .all(|(key, a)| b.get(key).is_some_and(|b| b.starts_with(a.as_str()))),
        (Some(_), None) => false,
    };
    let shape = match (&first.shape, &whole.shape) {
        (None, _) => true,
        (
            Some(OpenShapePartial::Circle { radius }),
            Some(OpenShapePartial::Circle { radius: b }),
        ) => radius.is_none() || radius == b,
        (Some(OpenShapePartial::Label(a)), Some(OpenShapePartial::Label(b))) => strings(a, b),
        (Some(OpenShapePartial::Pair(a, n)), Some(OpenShapePartial::Pair(b, m))) => {
            strings(a, b) && (n.is_none() || n == m)
        }
        (a, b) => a == b,
    };
    let change = match (&first.change, &whole.change) {
        (None, _) => true,
        (Some(AdjacentChangePartial::Set(a)), Some(AdjacentChangePartial::Set(b))) => strings(a, b),
        (a, b) => a == b,
    };
    let point = match (&first.point, &whole.point) {
        (None, _) => true,
        (Some((n, a)), Some((m, b))) => (n.is_none() || n == m) && strings(a, b),
        (Some(_), None) => false,
    };
    let copy = match (&first.rest, &whole.rest) {
        (None, _) => true,
        (Some(a), Some(b)) => match (&a.copy_to, &b.copy_to) {
            (None, _) => true,
            (Some(a), Some(b)) => strings(&a.0, &b.0),
            (Some(_), None) => false,
        },
        (Some(_), None) => false,
    };
    strings(&first.text, &whole.text)
        && strings(&first.answer_to, &whole.answer_to)
        && strings(&first.key, &whole.key)
        && (first.size.is_none() || first.size == whole.size)
        && same(&first.urgency, &whole.urgency)
        && lists
        && attachment
        && nested
        && labels
        && shape
        && change
        && point
        && copy
}

fn part_agrees(partial: &MailPartPartial, value: &MailPart) -> bool {
    let next = match (&partial.next, &value.next) {
        (None, None) => true,
        (Some(a), Some(b)) => part_agrees(a, b),
        _ => false,
    };
    partial.name.as_ref() == Some(&value.name) && next
}

fn shape_agrees(partial: &OpenShapePartial, value: &OpenShape) -> bool {
    match (partial, value) {
        (OpenShapePartial::Circle { radius }, OpenShape::Circle { radius: whole }) => {
            radius.as_ref() == Some(whole)
        }
        (OpenShapePartial::Label(text), OpenShape::Label(whole)) => text.as_ref() == Some(whole),
        (OpenShapePartial::Pair(text, number), OpenShape::Pair(whole, count)) => {
            text.as_ref() == Some(whole) && number.as_ref() == Some(count)
        }
        (OpenShapePartial::Dot, OpenShape::Dot) => true,
        _ => false,
    }
}

fn change_agrees(partial: &AdjacentChangePartial, value: &AdjacentChange) -> bool {
    match (partial, value) {
        (AdjacentChangePartial::Set(text), AdjacentChange::Set(whole)) => {
            text.as_ref() == Some(whole)
        }
        (AdjacentChangePartial::Clear, AdjacentChange::Clear) => true,
        _ => false,
    }
}

/// Whether both are there and agree, or none is.
fn both<A, B>(a: Option<&A>, b: Option<&B>, agree: impl Fn(&A, &B) -> bool) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => agree(a, b),
        _ => false,
    }
}

/// The partial value of the whole has every field of the value.
fn agrees(partial: &MailPartial, value: &Mail) -> bool {
    let attachment = match (&partial.attachment, &value.attachment) {
        (None, None) | (Some(AttachmentPartial::Nothing), Some(Attachment::Nothing)) => true,
        (
            Some(AttachmentPartial::Text { text, password }),
            Some(Attachment::Text {
                text: whole,
                password: secret,
            }),
        ) => text.as_ref() == Some(whole) && password == secret,
        (Some(AttachmentPartial::Link(Some(link))), Some(Attachment::Link(whole))) => {
            link.address.as_ref() == Some(&whole.address)
        }
        _ => false,
    };
    let urgency = match (&partial.urgency, value.urgency) {
        (None, None) => true,
        (Some(a), Some(b)) => format!("{a:?}") == format!("{b:?}"),
        _ => false,
    };
    let copy = partial.rest.as_ref().and_then(|rest| rest.copy_to.as_ref());
    partial.to.as_ref() == Some(&value.to)
        && partial.text.as_ref() == Some(&value.text)
        && partial.answer_to == value.answer_to
        && partial.size == value.size
        && partial.labels == value.labels
        && partial.key == value.key
        && copy.and_then(|it| it.0.as_ref()) == value.rest.copy_to.as_ref().map(|it| &it.0)
        && both(partial.parts.as_ref(), value.parts.as_ref(), |a, b| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| part_agrees(a, b))
        })
        && both(partial.shape.as_ref(), value.shape.as_ref(), shape_agrees)
        && both(
            partial.change.as_ref(),
            value.change.as_ref(),
            change_agrees,
        )
        && both(partial.point.as_ref(), value.point.as_ref(), |a, b| {
            a.0 == Some(b.0) && a.1.as_ref() == Some(&b.1)
        })
        && attachment
        && urgency
}

#[test]
fn each_byte_gives_a_start_of_the_value() {
    let mut rng = Rng::new(42);
    for _ in 0..1_000 {
        let mail = mail(&mut rng);
        let text = match rng.below(3) {
            0 => mail.to_string(),
            1 => format!("{mail:#}"),
            _ => mail
                .to_string()
                .replace('日', "\\u65e5")
                .replace('🙂', "\\ud83d\\ude42"),
        };
        let value = read_str::<Mail>(&text, &Policy::exact())
            .expect("valid")
            .value;
        let mut document = GrowingDocument::new();
        let mut seen = Vec::new();
        for letter in text.chars() {
            document.push(letter.encode_utf8(&mut [0; 4]));
            seen.extend(document.partial::<Mail>());
        }
        let whole = document.partial::<Mail>().expect("it is whole");
        assert!(
            document.is_whole() && agrees(&whole, &value),
            "{text}\n{whole:?}\n{value:?}"
        );
        for pair in seen.windows(2) {
            assert!(is_start(&pair[0], &pair[1]), "{text}\n{pair:?}");
        }
        assert!(seen.iter().all(|it| is_start(it, &whole)), "{text}");
        // Reading at once and reading by bytes are the same.
        let mut at_once = GrowingDocument::new();
        at_once.push(&text);
        assert_eq!(at_once.partial::<Mail>(), Some(whole));
    }
}

#[test]
fn a_union_is_there_with_its_tag() {
    let mut reader = StreamReader::<Mail>::new(&Policy::lax());
    let attachment = |reader: &StreamReader<Mail>| reader.partial().and_then(|it| it.attachment);
    reader.push(r#"{"attachment": {"text": "ab", "ki"#);
    assert_eq!(attachment(&reader), None);
    reader.push(r#"nd": "te"#);
    assert_eq!(attachment(&reader), None);
    reader.push(r#"xt""#);
    let text = Some("ab".to_owned());
    assert_eq!(
        attachment(&reader),
        Some(AttachmentPartial::Text {
            text,
            password: None
        })
    );
    let mut reader = StreamReader::<Mail>::new(&Policy::lax());
    reader.push(r#"{"urgency": "low"#);
    assert_eq!(reader.partial().unwrap().urgency, None);
    reader.push("est\"");
    assert_eq!(
        reader.partial().unwrap().urgency,
        Some(UrgencyPartial::Lowest)
    );
}

#[test]
fn a_partial_value_hides_secrets() {
    let mut reader = StreamReader::<Mail>::new(&Policy::lax());
    reader.push(r#"{"key": "hidden", "attachment": {"kind": "text", "password": "hidden too"#);
    let partial = reader.partial().unwrap();
    assert_eq!(partial.key.as_deref(), Some("hidden"));
    let shown = format!("{partial:?} {partial:#?}");
    assert!(!shown.contains("hidden"), "{shown}");
    assert!(
        shown.contains("key: Some(***)") && shown.contains("password: Some(***)"),
        "{shown}"
    );
}

#[test]
fn a_call_of_a_turn_has_a_typed_partial() {
    let mut turn = TurnAssembler::new();
    turn.push(&json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "id": "a", "function": {"name": "mail", "arguments": "{\"to\": [\"ada\", \"b"}},
    ]}}]}));
    let mail = turn.partial_of::<Mail>(0).unwrap();
    assert_eq!(mail.to, Some(vec!["ada".to_owned(), "b".to_owned()]));
    assert_eq!((mail.text, turn.partial_of::<Mail>(1)), (None, None));
}

#[test]
fn a_broken_text_keeps_what_came_before() {
    for text in [
        "{\"text\": \"abc\", \"size\": 1e",
        "{\"text\": \"abc\", \"size\": truE, ",
        "{\"text\": \"abc\" \"size\"",
        "{\"text\": \"abc\", \"to\": [\"\\x",
        "{\"text\": \"abc\", 'to'",
    ] {
        let mut document = GrowingDocument::new();
        document.push(text);
        document.push("}");
        let partial = document.partial::<Mail>().unwrap();
        assert!(document.is_broken() && !document.is_whole(), "{text}");
        assert_eq!(partial.text.as_deref(), Some("abc"), "{text}");
        assert_eq!(partial.size, None, "{text}");
    }
    let mut document = GrowingDocument::new();
    document.push(&"[".repeat(100_000));
    assert!(document.is_broken());
    assert_eq!(
        document.value().map(|value| value.to_string().len()),
        Some(254)
    );
}
