//! `meridian`: one binary. It reads settings, boots, and serves until told to stop.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use server::app::ROUTES;
use server::boot;
use server::config::{Cli, Command, Config, OperatorCommand, PublicArgs, ServeArgs};
use server::error::StartError;
use server::http::openapi;
use server::operator::invite;
use server::verify::venue::{self, Failed, Report};
use server::{shutdown, verify};
use store::secrets::hex;
use tokio::sync::watch;

/// Requests are many small allocations, often freed by another thread than the one that made them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let result = match Cli::read().command {
        Command::Serve(args) => serve(*args),
        Command::Verify(asked) => match asked.check(|args| args.database.as_deref()).map_err(StartError) {
            Ok(args) if args.public.is_asked() => return check_from_outside(&args.public),
            checked => checked.and_then(|args| verify::run(&args)).and_then(|done| {
                let (chain, state) = (hex(&done.hash), hex(&done.state_hash));
                let key = done.head_key.map(|key| format!("\nheads are signed with {key}")).unwrap_or_default();
                let snapshots = if done.snapshots == 1 { "snapshot" } else { "snapshots" };
                say(&format!("verified: {} entries, {} {snapshots}\nchain {chain}\nstate {state}{key}", done.entries, done.snapshots))
            }),
        },
        Command::Operator(OperatorCommand::Add(asked)) => {
            let args = asked.check(|args| args.place.database.as_deref()).map_err(StartError);
            args.and_then(|args| invite::add(&args)).and_then(|link| say_link(&link))
        }
        Command::Operator(OperatorCommand::Rescue(asked)) => {
            let args = asked.check(|args| args.place.database.as_deref()).map_err(StartError);
            args.and_then(|args| invite::rescue(&args)).and_then(|link| say_link(&link))
        }
        Command::Openapi => say(&format!("{:#}", openapi::document(&ROUTES))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If the reason cannot be written, the exit code must do.
            let _ = writeln!(std::io::stderr(), "meridian: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Exit codes: 1 for a failed check, 2 for unreadable input, and 3 for a check that could not show everything.
fn check_from_outside(args: &PublicArgs) -> ExitCode {
    let (text, code) = match venue::run(args) {
        Ok(Report { lines, unshown }) if unshown.is_empty() => {
            (format!("{}\ngreen: everything that was checked is right", lines.join("\n")), 0)
        }
        Ok(Report { lines, unshown }) => (format!("{}\nnot shown: {}", lines.join("\n"), unshown.join(", ")), 3),
        Err(Failed::Red(fault)) => (format!("RED  {fault}"), 1),
        Err(Failed::Unread(why)) => (format!("could not read: {why}"), 2),
    };
    match say(&text) {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}

fn say_link(link: &str) -> Result<(), StartError> {
    say(&format!("One-time link, good for 24 hours, shown this once:\n/console/#/setup/{link}"))
}

/// Prints to the standard output. If the reader has gone, as `head` does, the program ends silently.
fn say(text: &str) -> Result<(), StartError> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(1),
        written => Ok(written?),
    }
}

fn serve(args: ServeArgs) -> Result<(), StartError> {
    let config = args.check().map_err(|wrong| StartError(wrong.join("\nmeridian: ")))?;
    start_log(&config);
    let asked = shutdown::on_signal()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(config.workers).enable_all().build()?;
    let ended = runtime.block_on(until_asked(config, asked));
    // A thread that waits for a database or a disk is left behind.
    runtime.shutdown_background();
    ended
}

async fn until_asked(config: Config, mut asked: watch::Receiver<bool>) -> Result<(), StartError> {
    let mut to_end = asked.clone();
    let mut running = tokio::select! {
        started = boot::start(config) => started?,
        _ = to_end.wait_for(|asked| *asked) => return Ok(()),
    };
    shutdown::on_failure(running.app.sequencer.clone())?;
    // If no one reads the output, no one needs the address.
    let _ = writeln!(std::io::stdout(), "Meridian is ready on http://{}/", running.address);
    if let Some(console) = running.console {
        let _ = writeln!(std::io::stdout(), "The console is on http://{console}/");
    }
    tokio::select! {
        _ = asked.wait_for(|asked| *asked) => {}
        reason = running.app.sequencer.failure() => return Err(StartError(reason)),
    }
    running.stop().await;
    Ok(())
}

fn start_log(config: &Config) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MERIDIAN_LOG").unwrap_or_else(|_| "info".into());
    // A log that cannot be written, for example on a full disk, must not end the thread that writes it.
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    if config.json_log { log.json().init() } else { log.init() }
}
