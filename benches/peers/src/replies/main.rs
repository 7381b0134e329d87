//! The replies to bad calls, in characters and in tokens of o200k.
//!
//! `replies CALLS REPLIES…`: the calls as `[{"text", "faults"}]`, the replies of others as
//! `{"name": [reply or null]}`. It adds those of Callpact, and prints a table.

use std::{env, fs, process::ExitCode};

use serde::Deserialize;
use callpact::{Policy, ToolInput, read_str};

#[derive(Deserialize)]
struct Call {
    text: String,
    /// The names of the faulty parameters; the empty one for a text that is not JSON.
    faults: Vec<String>,
}

#[derive(ToolInput)]
#[tool_input(rename_all = "lowercase")]
enum Mode {
    Quick,
    Thorough,
}

#[derive(ToolInput)]
struct Filter {
    #[expect(dead_code, reason = "the calls are refused")]
    field: String,
    #[expect(dead_code, reason = "the calls are refused")]
    minimum: Option<i64>,
}

#[derive(ToolInput)]
#[expect(dead_code, reason = "the calls are refused")]
struct Search {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 80)]
    query: String,
    #[tool_param(min = 1, max = 50)]
    limit: u8,
    mode: Mode,
    tags: Vec<String>,
    filter: Filter,
    exact: bool,
    price_max: Option<f64>,
}

type Replies = Vec<Option<String>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut files = env::args().skip(1);
    let calls: Vec<Call> = serde_json::from_str(&fs::read_to_string(files.next().ok_or("which calls?")?)?)?;
    let ours = calls.iter().map(|call| {
        let report = read_str::<Search>(&call.text, &Policy::lax()).err();
        report.map(|report| report.with_excerpt(Search::SCHEMA))
    });
    let mut all: Vec<(String, Replies)> = vec![("callpact".to_owned(), ours.collect())];
    for file in files {
        let others: serde_json::Map<_, _> = serde_json::from_str(&fs::read_to_string(file)?)?;
        for (name, replies) in others {
            all.push((name, serde_json::from_value(replies)?));
        }
    }
    let tokens = tiktoken_rs::o200k_base()?;
    let count = |reply: &Option<String>| reply.as_ref().map_or(0, |reply| tokens.encode_ordinary(reply).len());
    if env::var_os("REPLIES").is_some() {
        for (number, call) in calls.iter().enumerate() {
            println!("{}", call.text);
            for (name, replies) in &all {
                println!("[{name}] {}\n", replies.get(number).cloned().flatten().unwrap_or_default());
            }
        }
    }
    println!("| | characters | tokens | longest reply | faults named, of {} | calls not refused |", faults(&calls));
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, replies) in &all {
        let characters = |reply: &Option<String>| reply.as_ref().map_or(0, |reply| reply.chars().count());
        println!(
            "| {name} | {} | {} | {} | {} | {} |",
            replies.iter().map(characters).sum::<usize>(),
            replies.iter().map(count).sum::<usize>(),
            replies.iter().map(characters).max().unwrap_or_default(),
            named(&calls, replies),
            replies.iter().filter(|reply| reply.is_none()).count(),
        );
    }
    Ok(())
}

fn faults(calls: &[Call]) -> usize {
    calls.iter().map(|call| call.faults.len()).sum()
}

fn named(calls: &[Call], replies: &Replies) -> usize {
    let of_call = |(call, reply): (&Call, &Option<String>)| {
        let says = |fault: &&String| reply.as_ref().is_some_and(|reply| reply.contains(fault.as_str()));
        call.faults.iter().filter(says).count()
    };
    calls.iter().zip(replies).map(of_call).sum()
}
