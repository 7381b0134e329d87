//! The engines of the local tools, tried from outside.
#![cfg(target_os = "linux")]

mod calculator;
mod datetime;
mod files_kill;
mod files_race;
mod files_read;
mod files_traversal;
mod files_write;
mod process;
mod process_boundary;
mod process_kill;
mod process_table;
mod support;
