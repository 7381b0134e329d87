//! Recorded calls, read by Callpact and by what users pick instead.
//!
//! `recorded FILE…` reads lines of `{"schema": …, "arguments": "…", "truth": …}`; the truth may be left out.
//! It prints a table: how many calls are accepted, how many of those have the intended value, how many would run with
//! another value, and how many of the faults in refused calls are named.

mod call;
#[path = "../now.rs"]
mod now;
mod readers;
mod shape;

use std::{env, fs, io, process::ExitCode};

use call::Call;
use readers::{READERS, Reader};

/// The results of one reader for all calls.
#[derive(Default)]
struct Row {
    accepted: usize,
    right: usize,
    wrong: usize,
    refused: usize,
    present: usize,
    named: usize,
    /// The characters of all replies, and the number of replies above 400 characters.
    characters: usize,
    long: usize,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut rows: Vec<Row> = READERS.iter().map(|_| Row::default()).collect();
    let (mut calls, mut with_truth, mut left_out) = (0, 0, 0);
    let mut wrong = env::var_os("RECORDED_WRONG").map(|_| Vec::new());
    for file in env::args().skip(1) {
        let file = fs::File::open(&file).map_err(|error| format!("{file}: {error}"))?;
        for line in io::BufRead::lines(io::BufReader::new(file)) {
            let line = line.map_err(|error| error.to_string())?;
            let Some(call) = Call::parse(&line)? else {
                left_out += 1;
                continue;
            };
            calls += 1;
            with_truth += usize::from(call.truth.is_some());
            for (reader, row) in READERS.iter().zip(&mut rows) {
                if !count(reader, row, &call)
                    && let Some(wrong) = &mut wrong
                {
                    wrong.push(format!("{}: {line}", reader.name));
                }
            }
        }
    }
    println!(
        "{calls} calls, {with_truth} with a truth; {left_out} left out, whose schema is none or does not take its truth\n"
    );
    println!(
        "| | accepted | as meant | another value | faults named, of those in refused calls | characters of a reply | replies above 400 |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (reader, row) in READERS.iter().zip(&rows) {
        println!(
            "| {} | {} | {} | {} | {} of {} | {} | {} |",
            reader.name,
            row.accepted,
            row.right,
            row.wrong,
            row.named,
            row.present,
            row.characters / row.refused.max(1),
            row.long,
        );
    }
    for line in wrong.into_iter().flatten() {
        println!("{line}");
    }
    Ok(())
}

/// Counts the result of a reader for a call; `false` if the call would run with a value that was not intended.
fn count(reader: &Reader, row: &mut Row, call: &Call) -> bool {
    match (reader.read)(call) {
        Ok(value) => {
            row.accepted += 1;
            let Some(truth) = &call.truth else {
                return true;
            };
            let right = call.is_meant(&value, truth);
            row.right += usize::from(right);
            row.wrong += usize::from(!right);
            right
        }
        Err(reply) => {
            if env::var_os("RECORDED_REFUSED").is_some_and(|name| name == reader.name) {
                println!("{}\n{reply}\n", call.arguments);
            }
            row.refused += 1;
            let characters = reply.chars().count();
            row.characters += characters;
            row.long += usize::from(characters > 400);
            row.present += call.faults.len();
            let named = |fault: &&String| reply.contains(fault.as_str());
            row.named += call.faults.iter().filter(named).count();
            true
        }
    }
}
