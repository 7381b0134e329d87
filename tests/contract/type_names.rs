//! A type name means one thing in a crate.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The source files under a folder, without tests and without the files of one operating system, which define the
/// same types as those of another.
fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        match name {
            Some("tests" | "tests.rs" | "system") => {}
            _ if path.is_dir() => source_files(&path, found),
            Some(_) if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// The name of the type that a line at the left margin defines.
fn defined_type(line: &str) -> Option<&str> {
    let item = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (keyword, rest) = item.split_once(' ')?;
    let mut name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    ["struct", "enum", "trait", "union", "type"]
        .contains(&keyword)
        .then(|| name.next())
        .flatten()
}

#[test]
fn crate_defines_no_type_name_twice() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut twice = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(crates).expect("the crates") {
        let mut files = Vec::new();
        source_files(&entry.expect("a crate").path().join("src"), &mut files);
        let mut known: BTreeMap<String, PathBuf> = BTreeMap::new();
        for file in files {
            let text = fs::read_to_string(&file).expect("a source file");
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            for name in code
                .into_iter()
                .flat_map(str::lines)
                .filter_map(defined_type)
            {
                count += 1;
                if let Some(other) = known.insert(name.to_owned(), file.clone()) {
                    twice.push(format!(
                        "{name}: {} and {}",
                        other.display(),
                        file.display()
                    ));
                }
            }
        }
    }
    assert!(count > 500, "only {count} types were found");
    assert!(twice.is_empty(), "{}", twice.join("\n"));
}
