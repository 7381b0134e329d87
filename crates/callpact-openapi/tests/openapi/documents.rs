//! Documents of services: every operation becomes a tool that every dialect can be told.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use callpact::{Dialect, Toolset, adapter::Severity};
use callpact_openapi::OpenApi;

/// The documents in a directory.
fn documents(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    files
}

/// The faults of a document, by their place.
fn check(file: &Path) -> BTreeMap<String, String> {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut faults = BTreeMap::new();
    let opened = std::fs::read_to_string(file).map_err(|error| error.to_string());
    let api = opened.and_then(|text| {
        let api = OpenApi::parse(&text).and_then(OpenApi::build);
        api.map_err(|error| error.to_string())
    });
    let api = match api {
        Ok(api) => api,
        Err(fault) => return BTreeMap::from([(name, fault)]),
    };
    for left in &api.left_out {
        faults.insert(format!("{name}: {}", left.name), left.reason.clone());
    }
    let count = api.tools.len();
    let tools = match Toolset::builder().tools(api.tools).build() {
        Ok(tools) if count > 0 => tools,
        Ok(_) => return BTreeMap::from([(name, "no tool".to_owned())]),
        Err(error) => return BTreeMap::from([(name, error.to_string())]),
    };
    for dialect in Dialect::ALL {
        let specs = tools.spec_list(dialect);
        if specs.len() != count {
            faults.insert(format!("{name}: {dialect}"), "a tool is missing".to_owned());
        }
        let found = specs.iter().flat_map(callpact::ToolSpec::lint);
        for lint in found.filter(|lint| lint.severity == Severity::Error) {
            faults.insert(
                format!("{name}: {dialect}: {}", lint.tool),
                lint.to_string(),
            );
        }
    }
    println!("{name}: {count} tools");
    faults
}

/// Those in this repository, and those that `scripts/openapi_documents` has fetched.
#[test]
fn every_operation_is_a_tool_for_every_dialect() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = documents(&root.join("tests/data"));
    assert!(!files.is_empty());
    files.extend(documents(&root.join("../../target/openapi")));
    let faults = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let found = check(file);
                    let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
                    faults.extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    let shown: Vec<String> = faults
        .iter()
        .take(40)
        .map(|(place, why)| format!("{place}: {why}"))
        .collect();
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        shown.join("\n")
    );
}
