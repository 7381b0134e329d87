//! Tests of the runtime by subject. `docs/decisions-runtime.md` lists the differences from the systems
//! that it learnt from.
#![allow(clippy::unnecessary_literal_bound)] // the signature of the trait, as users write it
#![allow(clippy::format_push_string, clippy::format_collect)] // the shortest way to collect all that is said

mod agent_loop;
mod approval;
mod arguments;
mod checks;
mod compile;
mod counting;
mod cut_off;
mod execution;
mod inside;
mod kit;
mod layers;
mod list;
mod metrics;
mod observer;
mod pipeline;
mod replies;
mod resolution;
mod results;
mod reviews;
mod secret_paths;
mod secrets;
mod shared;
mod specs;
mod stored;
mod streams;
mod text_calls;
mod text_forms;
