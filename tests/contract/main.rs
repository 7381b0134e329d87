//! One binary with one module for each subject.
// Shapes come from many modules, and tables may be long.
#![allow(
    clippy::wildcard_imports,
    clippy::option_option,
    clippy::too_many_lines
)]

mod agreement;
mod allowed_keys;
mod clap_types;
mod datum;
mod depth;
mod dialects;
mod drafts;
mod exceptions;
mod foreign;
mod formats;
mod grammars;
mod growth;
mod handwritten;
mod hidden;
mod integer_keys;
mod keys;
mod lax;
mod leniency;
mod limits;
mod lints;
mod lists;
mod lowered_foreign;
mod lowering;
mod migration;
mod misplaced;
mod near_misses;
mod normalized;
mod outputs;
mod provider_lists;
mod providers;
mod quick;
mod references;
mod report;
mod root_unions;
mod roundtrip;
mod schema_and_reader;
mod schema_size;
mod schema_suite;
mod schema_text;
mod schemars;
mod secret;
mod serde_type;
mod server_tools;
mod servers;
mod smoke;
mod spread;
mod strict_shares;
mod tokens;
mod twins;
mod type_names;
mod types;
mod unions;
mod untagged;
