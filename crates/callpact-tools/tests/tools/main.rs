//! The built-in tools through a real `Toolset::call`: the contracts of the originals (rows of sections
//! 1.9 and 1.10 of the reference), and their proved faults (1.11), which ours must not have.
#![cfg(target_os = "linux")]

mod approval;
mod bench;
mod calculator;
mod changed_files;
mod changes;
mod configured;
mod datetime;
mod faults_files;
mod faults_processes;
mod faults_review;
mod faults_web;
mod files;
mod human;
mod json;
// The helpers of the engine tests, of which these tests need some.
#[path = "../net/connects.rs"]
mod connects;
#[path = "../local/support.rs"]
#[allow(dead_code)]
mod local;
mod process_agent;
mod scrape;
mod search;
mod secrets;
#[path = "../net/server.rs"]
#[allow(dead_code)]
mod server;
mod set;
mod shell;
mod shell_process;
mod stale;
mod words;
