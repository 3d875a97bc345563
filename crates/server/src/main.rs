//! `meridian`: one binary. Settings, then boot, then serve until told to stop.

use std::process::ExitCode;

use clap::Parser;
use server::app::StartError;
use server::boot;
use server::config::{Cli, Command, Config, ServeArgs};
use server::http::openapi;
use server::secrets::hex;
use server::verify;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(args) => serve(*args),
        Command::Verify(args) => verify::run(&args).map(|done| {
            println!("verified: {} entries, {} snapshots", done.entries, done.snapshots);
            println!("chain {}", hex(&done.hash));
            println!("state {}", hex(&done.state_hash));
        }),
        Command::Openapi => {
            println!("{:#}", openapi::document());
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("meridian: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(args: ServeArgs) -> Result<(), StartError> {
    let config = args.check().map_err(|wrong| StartError(wrong.join("\nmeridian: ")))?;
    start_log(&config);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(config.workers).enable_all().build()?;
    runtime.block_on(async {
        let mut running = boot::start(config).await?;
        println!("Meridian is ready on http://{}/", running.address);
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
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if config.json_log { log.json().init() } else { log.init() }
}
