//! The `callpact` program.
#![forbid(unsafe_code)]

use std::{process::ExitCode, time::Duration};

use callpact_cli::{Cli, run};

fn main() -> ExitCode {
    // A shell that completes a command line starts the program with this variable.
    clap_complete::CompleteEnv::with_factory(callpact_cli::command).complete();
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(code) => return ExitCode::from(code.number()),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: the program cannot be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(run(cli));
    // This drops the calls under way, which ends the processes that they started. The time limit is
    // for a thread that reads a line of the console and would never end.
    runtime.shutdown_timeout(Duration::from_millis(500));
    ExitCode::from(code.number())
}
