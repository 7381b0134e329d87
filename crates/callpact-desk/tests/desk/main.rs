//! Tests of the desk: its safety over plain HTTP, and the page in a real browser.

#![allow(clippy::unnecessary_literal_bound)] // the signature of the trait, as users write it
#![allow(clippy::option_option, clippy::similar_names, clippy::too_many_lines)] // shapes and long walks

mod browser;
#[cfg(unix)]
#[path = "../../../callpact-tools/tests/tools/changed_files.rs"]
mod changed_files;
#[cfg(unix)]
mod changes;
mod console;
mod crowd;
mod events;
mod kit;
mod lists;
mod people;
#[path = "../../../callpact-http/tests/http/process.rs"]
mod process;
mod reading;
mod safety;
mod stored;
mod tries;
