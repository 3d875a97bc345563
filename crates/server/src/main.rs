//! `meridian`: one binary. Settings, then boot, then serve until told to stop.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use server::app::StartError;
use server::boot;
use server::config::{Cli, Command, Config, OperatorCommand, ServeArgs};
use server::http::openapi;
use server::operator::invite;
use server::secrets::hex;
use server::verify;
use tokio::signal::unix::{SignalKind, signal};

/// Requests are many small allocations, often freed by another thread than the one that made them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let result = match Cli::read().command {
        Command::Serve(args) => serve(*args),
        Command::Verify(args) => verify::run(&args).and_then(|done| {
            let (chain, state) = (hex(&done.hash), hex(&done.state_hash));
            say(&format!("verified: {} entries, {} snapshots\nchain {chain}\nstate {state}", done.entries, done.snapshots))
        }),
        Command::Operator(OperatorCommand::Add(args)) => invite::run(&args).map(|link| {
            println!("One-time link, good for 24 hours, shown this once:");
            println!("/console/#/setup/{link}");
        }),
        Command::Openapi => say(&format!("{:#}", openapi::document())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a place for the reason the exit code must do.
            let _ = writeln!(std::io::stderr(), "meridian: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Answers on the standard output. A reader who has gone, as `head` does, ends the program without a word.
fn say(text: &str) -> Result<(), StartError> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(1),
        written => Ok(written?),
    }
}

fn serve(args: ServeArgs) -> Result<(), StartError> {
    let config = args.check().map_err(|wrong| StartError(wrong.join("\nmeridian: ")))?;
    start_log(&config);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(config.workers).enable_all().build()?;
    runtime.block_on(async {
        let mut running = boot::start(config).await?;
        // Who does not listen any more needs no address.
        let _ = writeln!(std::io::stdout(), "Meridian is ready on http://{}/", running.address);
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
            reason = running.app.sequencer.failure() => return Err(StartError(reason)),
        }
        running.stop().await;
        Ok(())
    })
}

fn start_log(config: &Config) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MERIDIAN_LOG").unwrap_or_else(|_| "info".into());
    // A log that cannot be written, as on a full disk, must not end the thread that writes it.
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    if config.json_log { log.json().init() } else { log.init() }
}
