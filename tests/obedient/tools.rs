//! The tools of the obedient model, typed and at run time, and the calls that it means.

use std::{collections::BTreeMap, net::Ipv4Addr, time::Duration};

use callpact::{
    Dialect, Policy, ToolInput,
    input::{read_foreign, read_str},
    schema::ForeignSchema,
};
use callpact_testing::Rng;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(pub(crate) Rng);

impl Random {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0.below(most)
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn is(&mut self) -> bool {
        self.0.one_in(2)
    }
}

#[derive(ToolInput, Serialize)]
#[serde(rename_all = "lowercase")]
#[tool_input(rename_all = "lowercase")]
enum Mode {
    Quick,
    Thorough,
    Exhaustive,
}

#[derive(ToolInput, Serialize)]
struct Filter {
    field: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i64>,
}

/// Looks something up
#[derive(ToolInput, Serialize)]
struct Search {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 80)]
    query: String,
    #[tool_param(min = 1, max = 50)]
    limit: u8,
    mode: Mode,
    tags: Vec<String>,
    pages: Vec<u16>,
    filter: Filter,
    exact: bool,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_max: Option<f64>,
}

#[derive(ToolInput, Serialize)]
struct Crop {
    width: u16,
    height: u16,
}

#[derive(ToolInput, Serialize)]
struct Budget {
    #[tool_param(min = 0)]
    amount: f64,
    currency: Currency,
}

#[derive(ToolInput, Serialize)]
#[serde(rename_all = "UPPERCASE")]
#[tool_input(rename_all = "UPPERCASE")]
enum Currency {
    Eur,
    Usd,
    Nok,
    Gbp,
}

#[allow(clippy::ref_option)] // as serde calls it
fn as_words<S: Serializer>(wait: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match wait {
        Some(wait) => serializer.collect_str(&format_args!("{}s", wait.as_secs())),
        None => serializer.serialize_none(),
    }
}

/// Orders a job
#[derive(ToolInput, Serialize)]
struct Order {
    #[tool_param(pattern = "^[A-Z]{3}-[0-9]{4}$")]
    code: String,
    host: Ipv4Addr,
    #[serde(serialize_with = "as_words", skip_serializing_if = "Option::is_none")]
    wait: Option<Duration>,
    env: BTreeMap<String, String>,
    #[tool_param(min_items = 1, max_items = 5)]
    ports: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retries: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crop: Option<Crop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<Budget>,
    from_account: u32,
    to_account: u32,
}

#[derive(ToolInput, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[tool_input(tag = "kind", rename_all = "snake_case")]
enum Change {
    Create { title: String, body: String },
    Close { number: u32, reason: String },
    Label { number: u32, labels: Vec<String> },
}

#[derive(ToolInput, Serialize)]
#[serde(rename_all = "snake_case")]
#[tool_input(rename_all = "snake_case")]
enum Place {
    City { name: String, country: String },
    Point { lat: f64, lon: f64 },
    Anywhere,
}

/// Changes an issue
#[derive(ToolInput, Serialize)]
struct Edit {
    change: Change,
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What reads a call, and its schema.
pub(crate) struct Tool {
    pub(crate) foreign: ForeignSchema,
    pub(crate) typed: fn(&str, &Policy) -> Result<Value, String>,
    pub(crate) mean: fn(&mut Random) -> Value,
    /// The words that a reply must have for a value at a place to be known, beside the name of a choice.
    pub(crate) data: &'static [(&'static str, &'static str)],
    /// The places of choices.
    pub(crate) choices: &'static [&'static str],
}

impl Tool {
    fn of<T: ToolInput + Serialize>(
        mean: fn(&mut Random) -> Value,
        data: &'static [(&'static str, &'static str)],
        choices: &'static [&'static str],
    ) -> Self {
        let schema = T::SCHEMA.to_json(Dialect::Mcp20260728);
        Self {
            foreign: ForeignSchema::parse(&schema).expect("a schema"),
            typed: |text, policy| match read_str::<T>(text, policy) {
                Ok(read) => Ok(serde_json::to_value(&read.value).expect("a value")),
                Err(report) => Err(report.with_excerpt(T::SCHEMA)),
            },
            mean,
            data,
            choices,
        }
    }

    /// What the type at the other end reads of the arguments that are sent on, or the arguments if it refuses them.
    pub(crate) fn at_run_time(&self, text: &str, policy: &Policy) -> Result<Value, String> {
        match read_foreign(text, &self.foreign, policy) {
            Ok(read) => {
                let read_by_type = (self.typed)(&read.value.to_string(), &Policy::exact());
                Ok(read_by_type.unwrap_or(read.value))
            }
            Err(report) => Err(report.with_excerpt(self.foreign.tree())),
        }
    }
}

fn search(random: &mut Random) -> Value {
    let queries = [
        "rust",
        "it's \"so\"",
        "line\nbreak",
        "a\\d",
        "emoji 🙂",
        "two words",
        "17",
    ];
    let mut call = json!({
        "query": random.pick(&queries),
        "limit": 1 + random.below(50),
        "mode": random.pick(&["quick", "thorough", "exhaustive"]),
        "tags": random.pick(&[&["one", "two"][..], &["x"], &["a", "b", "c"]]),
        "pages": [1 + random.below(9), 2, 3 + random.below(90)],
        "filter": {"field": random.pick(&["name", "date"])},
        "exact": random.is(),
        "score": 0.5,
    });
    if random.is() {
        call["price_max"] = json!(9.5);
    }
    if random.is() {
        call["filter"]["minimum"] = json!(random.below(9));
    }
    call
}

fn order(random: &mut Random) -> Value {
    let mut call = json!({
        "code": random.pick(&["ABC-1234", "XYZ-0001", "QRS-9876"]),
        "host": random.pick(&["192.0.2.1", "10.0.0.7"]),
        "env": random.pick(&[
            &[("LANG", "C"), ("PATH", "/bin")][..],
            &[("TERM", "dumb")],
            &[("A", "1"), ("B", "2"), ("C", "3"), ("D", "4")],
        ])
        .iter()
        .map(|(key, value)| ((*key).to_owned(), json!(value)))
        .collect::<serde_json::Map<_, _>>(),
        "ports": random.pick(&[&[80, 443][..], &[22], &[1, 2, 3]]),
        "from_account": 1000 + random.below(50),
        "to_account": 2000 + random.below(50),
    });
    if random.is() {
        call["retries"] = json!(random.below(9));
    }
    if random.is() {
        call["wait"] = json!("90s");
    }
    if random.is() {
        call["crop"] = json!({"width": 10, "height": 20});
    }
    if random.is() {
        call["budget"] = json!({"amount": 12.5, "currency": random.pick(&["EUR", "NOK"])});
    }
    call
}

fn edit(random: &mut Random) -> Value {
    let change = match random.below(3) {
        0 => json!({"kind": "create", "title": "T", "body": "some text"}),
        1 => json!({"kind": "close", "number": random.below(99), "reason": "done"}),
        _ => json!({"kind": "label", "number": random.below(99), "labels": ["a", "b"]}),
    };
    let place = match random.below(3) {
        0 => json!({"city": {"name": "Oslo", "country": "NO"}}),
        1 => json!({"point": {"lat": 59.5, "lon": 10.5}}),
        _ => json!("anywhere"),
    };
    let mut call = json!({"change": change, "place": place});
    if random.is() {
        call["note"] = json!("please");
    }
    call
}

pub(crate) const SEARCH: usize = 0;
pub(crate) const ORDER: usize = 1;
pub(crate) const EDIT: usize = 2;

pub(crate) fn tools() -> [Tool; 3] {
    [
        Tool::of::<Search>(
            search,
            &[
                ("/limit", "50"),
                ("/query", "2"),
                ("/filter", "\"field\""),
                ("/tags", "array"),
                ("/pages", "array"),
                ("/pages/1", "65535"),
                ("/pages/2", "65535"),
                ("/exact", "true"),
                ("/score", "number"),
            ],
            &["/mode"],
        ),
        Tool::of::<Order>(
            order,
            &[
                ("/code", "^[A-Z]{3}-[0-9]{4}$"),
                ("/host", "IPv4"),
                ("/wait", "90s"),
                ("/env", "{key: string}"),
                ("/ports", "5"),
                ("/crop", "\"width\""),
                ("/budget", "\"amount\""),
            ],
            &["/budget/currency"],
        ),
        Tool::of::<Edit>(edit, &[("/place", "\"city\"")], &["/change/kind"]),
    ]
}
