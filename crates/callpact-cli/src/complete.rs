//! Completion of tool names and of the ids of calls, which only the program knows.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use callpact_store::SqliteStore;
use clap_complete::CompletionCandidate;

use crate::{
    config::Config,
    listed::read_listed,
    session::{default_tools, store_file},
    text_file::is_regular,
};

/// The most ids that a shell gets.
const IDS: usize = 200;

/// The words of the command line that a shell completes.
struct CommandWords(Vec<OsString>);

impl CommandWords {
    fn now() -> Self {
        let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
        Self(words.collect())
    }

    /// The value of an option.
    fn value(&self, option: &str) -> Option<PathBuf> {
        let with_value = format!("{option}=");
        let mut words = self.0.iter();
        while let Some(word) = words.next() {
            if word == option {
                return words.next().map(PathBuf::from);
            }
            if let Some(value) = word
                .to_str()
                .and_then(|word| word.strip_prefix(&with_value))
            {
                return Some(value.into());
            }
        }
        None
    }

    /// The settings; a shell gets no message about a fault in them.
    fn config(&self) -> Config {
        Config::load(self.value("--config").as_deref()).unwrap_or_default()
    }
}

/// The names of the tools: those of the file that the command line names, or those of the settings.
pub(crate) fn tool_names() -> Vec<CompletionCandidate> {
    let words = CommandWords::now();
    if let Some(file) = words.value("--from").filter(|file| is_regular(file)) {
        let listed = read_listed(&file)
            .map(|(listed, _)| listed)
            .unwrap_or_default();
        let candidates = listed
            .iter()
            .map(|listed| CompletionCandidate::new(listed.name()));
        return candidates.collect();
    }
    let names = words.config().tools;
    let names = names.unwrap_or_else(|| default_tools().map(str::to_owned).collect());
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The ids of the calls in the file of calls, each with its tool.
pub(crate) fn call_ids() -> Vec<CompletionCandidate> {
    let words = CommandWords::now();
    let given = words.value("--store");
    let file = store_file(given.as_deref(), &words.config());
    file.and_then(|file| read_ids(&file)).unwrap_or_default()
}

fn read_ids(file: &Path) -> Option<Vec<CompletionCandidate>> {
    // To open a file that does not exist would make one.
    if !is_regular(file) {
        return None;
    }
    let store = SqliteStore::open_read_only(file).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().ok()?;
    let calls = runtime.block_on(store.all_calls()).ok()?;
    let candidates = calls.into_iter().take(IDS).map(|call| match call {
        Ok(call) => CompletionCandidate::new(call.call.id).help(Some(call.call.tool.into())),
        Err(damaged) => CompletionCandidate::new(damaged.id),
    });
    Some(candidates.collect())
}
