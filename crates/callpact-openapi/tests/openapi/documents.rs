//! Documents of services: every operation becomes a tool that every dialect can be told.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};

use callpact::{Dialect, Toolset, adapter::Severity};
use callpact_openapi::OpenApi;

use crate::Tested;

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

/// Those in this repository, and those that `scripts/openapi_documents` has fetched.
#[test]
fn every_operation_is_a_tool_for_every_dialect() -> Tested {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = documents(&root.join("tests/data"));
    assert!(!files.is_empty());
    files.extend(documents(&root.join("../../target/openapi")));
    let mut faults = BTreeMap::new();
    for file in &files {
        let start = Instant::now();
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let api = OpenApi::parse(&std::fs::read_to_string(file)?)?.build()?;
        for left in &api.left_out {
            faults.insert(format!("{name}: {}", left.name), left.reason.clone());
        }
        let count = api.tools.len();
        assert!(count > 0, "{name}");
        let tools = Toolset::builder().tools(api.tools).build()?;
        for dialect in Dialect::ALL.iter().copied() {
            let specs = tools.spec_list(dialect);
            assert_eq!(specs.len(), count);
            let found = specs.iter().flat_map(callpact::ToolSpec::lint);
            for lint in found.filter(|lint| lint.severity == Severity::Error) {
                faults.insert(
                    format!("{name}: {dialect}: {}", lint.tool),
                    lint.to_string(),
                );
            }
        }
        println!("{name}: {count} tools, {:?}", start.elapsed());
    }
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
    Ok(())
}
