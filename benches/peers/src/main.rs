//! Does one piece of work many times with one library: `peers nested-200B rig-tool 1000`.
//!
//! `scripts/bench` counts and times it. `peers list` names all work, `peers faults` prints what
//! each library tells a model about seven faults.

mod dispatch;
mod now;
mod read;
mod schema;
mod types;
mod way;
mod work;

#[cfg(feature = "autoagents")]
mod autoagents;
mod ours;
mod rig;
mod rmcp_tools;

use std::process::ExitCode;

use way::Way;
use work::Work;

/// Every piece of work.
const ROWS: [&str; 9] = [
    "nested-200B",
    "string-200kB",
    "items-2000",
    "faults-7",
    "schema-1000",
    "list-1000",
    "dispatch-10",
    "dispatch-1000",
    "dispatch-10000",
];

fn work(row: &str, way: Way) -> Option<Work> {
    match row.split_once('-')? {
        ("schema", _) => schema::schemas(way),
        ("list", _) => schema::list(way),
        ("dispatch", count) => dispatch::calls(way, count.parse().ok()?),
        _ => read::reading(row, way),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["list"] => {
            for row in ROWS {
                for way in Way::ALL {
                    if work(row, way).is_some() {
                        println!("{row} {}", way.name());
                    }
                }
            }
        }
        ["faults"] => {
            for way in Way::ALL {
                if let Some((count, told)) = read::told(way) {
                    println!("{}\t{count}\t{}", way.name(), told.replace('\n', "\\n"));
                }
            }
        }
        [row, way, times] => {
            let found = Way::named(way).and_then(|way| work(row, way));
            let (Some(mut work), Ok(times)) = (found, times.parse::<u64>()) else {
                eprintln!("no such row, way or number: {row} {way} {times}");
                return ExitCode::FAILURE;
            };
            for _ in 0..times {
                work();
            }
        }
        _ => {
            eprintln!("peers ROW WAY TIMES, peers list, peers faults");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
