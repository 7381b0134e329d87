//! Checks the tables and links of the guide.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    num::{NonZeroI64, NonZeroU8},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use callpact::{Dialect, schema_json};

/// A row of the tables in `docs/deriving.md`: its left column and the types it names.
macro_rules! rows {
    ($($label:literal: $($type:ty),+;)*) => {
        vec![$(($label, vec![$(schema_json!($type, Dialect::Portable)),+])),*]
    };
}

#[test]
fn the_tables_of_types_are_true() {
    let page = include_str!("../../docs/deriving.md");
    let rows = rows! {
        "`bool`": bool;
        "`i8`": i8;
        "`i16`": i16;
        "`i32`": i32;
        "`i64`, `i128`, `isize`": i64, i128, isize;
        "`u8`": u8;
        "`u16`": u16;
        "`u32`": u32;
        "`u64`, `u128`, `usize`": u64, u128, usize;
        "`NonZeroU8`": NonZeroU8;
        "`NonZeroI64`": NonZeroI64;
        "`f32`, `f64`, `serde_json::Number`": f32, f64, serde_json::Number;
        "`String`, `Box<str>`, `Rc<str>`, `Arc<str>`, `Cow<'static, str>`, `PathBuf`":
            String, Box<str>, Rc<str>, Arc<str>, std::borrow::Cow<'static, str>, PathBuf;
        "`char`": char;
        "`Vec<T>`, `VecDeque<T>`, `LinkedList<T>`, `Box<[T]>`":
            Vec<bool>, VecDeque<bool>, LinkedList<bool>, Box<[bool]>;
        "`HashSet<T>`, `BTreeSet<T>`": HashSet<bool>, BTreeSet<bool>;
        "`[T; N]`": [bool; 3];
        "tuples up to 8": (bool, String);
        "`HashMap<K, T>`, `BTreeMap<K, T>`": HashMap<String, bool>, BTreeMap<String, bool>;
        "`serde_json::Value`": serde_json::Value;
        "`serde_json::Map<String, Value>`": serde_json::Map<String, serde_json::Value>;
        "`Duration`": Duration;
        "`IpAddr`": IpAddr;
        "`Ipv4Addr`": Ipv4Addr;
        "`Ipv6Addr`": Ipv6Addr;
        "`SocketAddr`": SocketAddr;
        "`Option<T>` elsewhere": Option<bool>;
        "`url::Url`": url::Url;
        "`uuid::Uuid`": uuid::Uuid;
        "`chrono::DateTime<Utc>`": chrono::DateTime<chrono::Utc>;
        "`chrono::DateTime<FixedOffset>`": chrono::DateTime<chrono::FixedOffset>;
        "`chrono::NaiveDate`": chrono::NaiveDate;
        "`chrono::NaiveTime`": chrono::NaiveTime;
        "`chrono::NaiveDateTime`": chrono::NaiveDateTime;
        "`jiff::Timestamp`": jiff::Timestamp;
        "`jiff::Zoned`": jiff::Zoned;
        "`jiff::civil::Date`": jiff::civil::Date;
        "`jiff::civil::Time`": jiff::civil::Time;
        "`jiff::civil::DateTime`": jiff::civil::DateTime;
        "`jiff::Span`": jiff::Span;
        "`jiff::SignedDuration`": jiff::SignedDuration;
        "`rust_decimal::Decimal`": rust_decimal::Decimal;
        "`bytes::Bytes`": bytes::Bytes;
    };
    for (label, schemas) in rows {
        for schema in schemas {
            let row = format!("| {label} | `{schema}` |");
            assert!(
                page.lines().any(|line| line == row),
                "not in the page: {row}"
            );
        }
    }
}

#[derive(callpact::ToolInput)]
struct Count {
    #[tool_param(min = 1, max = 9)]
    #[allow(dead_code)] // only its schema is looked at
    count: Option<u8>,
}

#[test]
fn the_table_of_dialects_is_true() {
    let page = include_str!("../../docs/providers.md");
    let mut written: HashMap<String, &str> = HashMap::new();
    for dialect in Dialect::ALL {
        let schema = <Count as callpact::ToolInput>::SCHEMA.to_json(dialect);
        let start = format!("| `{dialect}` |");
        let row = page.lines().find(|line| line.starts_with(&start));
        let said = row
            .and_then(|row| row.trim_end_matches(" |").rsplit(" | ").next())
            .unwrap_or_default();
        // The first dialect of a form shows it in full; the others refer to it.
        let expected = match written.get(&schema) {
            None => format!("`{schema}`"),
            Some(first) => format!("as `{first}`"),
        };
        assert_eq!(said, expected, "{dialect}");
        written.entry(schema).or_insert(dialect.name());
    }
}

/// The Rust files in these folders of the repository.
fn rust_files(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// All Rust code of the crates, the examples and the tests.
fn source() -> String {
    let files = rust_files(&["crates", "examples", "tests"]);
    let texts = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("UTF-8"));
    texts.collect()
}

/// A `cargo test` command: its package, its target, and the names of tests that it selects.
struct TestCommand {
    package: Option<String>,
    target: Option<String>,
    filters: Vec<String>,
}

impl TestCommand {
    fn of(line: &str) -> Option<Self> {
        let (_, words) = line.split_once("cargo test ")?;
        let (mut package, mut target, mut filters) = (None, None, Vec::new());
        let mut words = words.split(['#', '`', ';', '|']).next()?.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "-p" => package = words.next().map(str::to_owned),
                "--test" => target = words.next().map(str::to_owned),
                "--test-threads" => drop(words.next()),
                // A wrapped line, or a command in prose.
                "\\" | "…" => break,
                word if word.starts_with('-') => {}
                word => filters.push(word.trim_end_matches(':').to_owned()),
            }
        }
        Some(Self {
            package,
            target,
            filters,
        })
    }

    /// Where the tests lie that it runs.
    fn folder(&self) -> Option<String> {
        let package = self.package.as_deref()?;
        let own = package.strip_prefix("callpact-").unwrap_or_default();
        Some(match own {
            "tests" | "examples" => own.to_owned(),
            "ui" => "tests/ui".to_owned(),
            _ => format!("crates/{package}"),
        })
    }
}

#[test]
fn commands_of_pages_select_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut commands = 0;
    let others = ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name));
    for page in pages().into_iter().chain(others) {
        let text = fs::read_to_string(&page).expect("UTF-8");
        for line in text.lines() {
            let command = TestCommand::of(line);
            let Some((command, folder)) =
                command.and_then(|command| command.folder().map(|folder| (command, folder)))
            else {
                continue;
            };
            commands += 1;
            let manifest = fs::read_to_string(root.join(&folder).join("Cargo.toml"));
            let manifest = manifest.unwrap_or_else(|_| panic!("no package: {line}"));
            let files = rust_files(&[&folder]);
            if let Some(target) = &command.target {
                let is_named = manifest.contains(&format!("name = \"{target}\""));
                let is_file = files
                    .iter()
                    .any(|file| file.ends_with(format!("tests/{target}.rs")));
                assert!(is_named || is_file, "no target: {line}");
            }
            for filter in &command.filters {
                let is_there = files.iter().any(|file| {
                    let text = fs::read_to_string(file).expect("UTF-8");
                    let mut names = text.split("fn ").skip(1);
                    let is_function = names.any(|rest| {
                        rest.split('(')
                            .next()
                            .is_some_and(|name| name.contains(filter))
                    });
                    // The rest of the path is the folder of a repository on this machine.
                    let own = file.strip_prefix(root.join(&folder)).unwrap_or(file);
                    is_function || own.to_string_lossy().contains(filter)
                });
                assert!(is_there, "no test: {line}");
            }
        }
    }
    assert!(commands > 20, "{commands} commands");
}

#[test]
fn the_tests_of_the_security_model_exist() {
    let source = source();
    let page = include_str!("../../docs/security.md");
    let mut claims = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, tests] = cells[..] else {
            // What survives under each boundary is a table of its own.
            assert_eq!(cells.len(), 4, "three columns: {row}");
            continue;
        };
        if !tests.starts_with('`') {
            continue;
        }
        claims += 1;
        for test in tests.split(", ").map(|test| test.trim_matches('`')) {
            assert!(source.contains(&format!("fn {test}()")), "no test {test}");
        }
    }
    assert!(claims > 50, "{claims} claims");
}

/// The pages of the guide.
fn pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let entries = fs::read_dir(docs).expect("the guide");
    entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn every_page_is_indexed_and_opens_with_program() {
    let index = include_str!("../../docs/README.md");
    let here = include_str!("../lib.rs");
    let elsewhere = source();
    for path in pages() {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name in UTF-8");
        let listed = name == "README.md" || index.contains(&format!("]({name})"));
        assert!(listed, "{name} is not in the index");
        let text = fs::read_to_string(&path).expect("UTF-8");
        let before = text.split("\n## ").next().unwrap_or_default();
        // A table that a test writes has no program.
        let opens = before.contains("\n```");
        assert!(opens, "{name} does not open with a program");
        let has_rust = text.lines().any(|line| line.starts_with("```rust"));
        let is_compiled = here.contains(&format!("\"../docs/{name}\";"))
            || elsewhere.contains(&format!("#[doc = include_str!(\"../../../docs/{name}\")]"));
        assert!(!has_rust || is_compiled, "{name} is not compiled");
    }
}

/// The links that stand at the end of a page, each with its label.
fn definitions(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix('['));
    lines.filter_map(|line| line.split_once("]: ")).collect()
}

/// Pages about the project itself, which the documentation of the crate leaves to the repository.
const OF_THE_PROJECT: [&str; 6] = [
    "README.md",
    "benchmarks.md",
    "decisions.md",
    "decisions-runtime.md",
    "release.md",
    "testing.md",
];

#[test]
fn crate_docs_include_every_user_page_and_link() {
    let module = include_str!("../../crates/callpact/src/guide.rs");
    let links = include_str!("../../crates/callpact/src/guide/links.md");
    // A label leads to one place, since the pages share their definitions there.
    let mut places: HashMap<String, String> = HashMap::new();
    for path in pages() {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name in UTF-8");
        if OF_THE_PROJECT.contains(&name) {
            continue;
        }
        let is_there = module.contains(&format!(" = \"{name}\";"));
        assert!(is_there, "{name} is not in crates/callpact/src/guide.rs");
        let text = fs::read_to_string(&path).expect("UTF-8");
        for (label, link) in definitions(&text) {
            let there = links.contains(&format!("\n[{label}]: "));
            assert!(there, "{name}: [{label}] is not in guide/links.md");
            assert!(!link.is_empty(), "{name}: {label}");
            let place = places.entry(label.to_owned()).or_insert(link.to_owned());
            assert_eq!(
                *place, link,
                "{name}: [{label}] leads elsewhere in another page"
            );
        }
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            let works = link.contains("://") || link.starts_with('#');
            // An array of Rust is followed by parentheses too.
            let is_file = link.contains('.') && !link.contains([' ', '"', '(']);
            assert!(
                works || !is_file,
                "{name}: write `[…][label]` and `[label]: {link}`"
            );
        }
    }
}

/// The anchor of a heading: lower case letters, digits, `_` and `-`, with `-` for a space.
fn anchor(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || matches!(c, '_' | '-') => Some(c),
            _ => None,
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let (mut links, mut broken) = (0, Vec::new());
    for page in pages().into_iter().chain([readme]) {
        let text = fs::read_to_string(&page).expect("UTF-8");
        let inline = text.split("](").skip(1);
        let inline = inline.map(|link| link.split(')').next().unwrap_or_default());
        let defined = definitions(&text).into_iter().map(|(_, link)| link);
        for link in inline.chain(defined) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            if file.contains(':') || !(link.contains(".md") || link.starts_with('#')) {
                continue;
            }
            links += 1;
            let target = match file {
                "" => page.clone(),
                file => page.with_file_name("").join(file),
            };
            let text = fs::read_to_string(&target).unwrap_or_default();
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            let found = headings.any(|line| place.is_empty() || anchor(line) == place);
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(links > 50, "{links} links");
}

#[test]
fn every_issue_kind_and_fix_kind_is_documented() {
    // The names and the variants that stand behind the start of a list, up to its end.
    let rows = |source: &'static str, start: &str, variant: &str, sign: &str| {
        let after = source.split(start).nth(1);
        let body = after
            .and_then(|text| text.split("\n    }").next())
            .unwrap_or_default();
        body.lines()
            .filter_map(|line| line.split(variant).nth(1)?.split_once(sign))
            .map(|(variant, rest)| (variant, rest.split('"').next().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let issues = rows(
        include_str!("../../crates/callpact-contract/src/report/issue.rs"),
        "const fn name(self)",
        "Self::",
        " => \"",
    );
    assert!(issues.len() >= 21, "{issues:?}");
    for (_, name) in issues {
        let written = format!("`{name}`");
        assert!(
            include_str!("../../docs/errors.md").contains(&written),
            "{name}"
        );
    }
    let pages = [
        include_str!("../../docs/leniency.md"),
        include_str!("../../docs/repair.md"),
        include_str!("../../docs/attributes.md"),
    ];
    let fixes = rows(
        include_str!("../../crates/callpact-contract/src/report/fix.rs"),
        "pub enum FixKind {\n        /// A number",
        "        ",
        " = \"",
    );
    assert!(fixes.len() >= 37, "{fixes:?}");
    for (variant, _) in fixes {
        let written = format!("`{variant}`");
        assert!(
            pages.iter().any(|page| page.contains(&written)),
            "{variant}"
        );
    }
}
