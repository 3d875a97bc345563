//! Runs many seeds of the simulation.

use std::ops::Range;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sim::Report;

/// Random work and faults for engine and journal, compared with a naive model of the rules.
#[derive(Parser)]
struct Arguments {
    /// Seeds to run, the end excluded.
    #[arg(long, default_value = "0..100", value_parser = range)]
    seeds: Range<u64>,
    /// Commands for each seed.
    #[arg(long, default_value_t = 500)]
    commands: usize,
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").ok_or("write it as 0..100")?;
    let number = |end: &str| end.parse::<u64>().map_err(|error| error.to_string());
    Ok(number(ends.0)?..number(ends.1)?)
}

fn main() -> ExitCode {
    let Arguments { seeds, commands } = Arguments::parse();
    let bar = ProgressBar::new(seeds.end.saturating_sub(seeds.start));
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} seeds, {eta} left") {
        bar.set_style(style);
    }
    let mut total = Report::default();
    for seed in seeds {
        match sim::simulate(seed, commands) {
            Ok(report) => total.add(&report),
            Err(failure) => {
                bar.abandon();
                eprintln!("{failure}");
                return ExitCode::FAILURE;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let Report { entries, refused, trades, triggered, withdrawn, deposited, proposals, faults, restarts, .. } = total;
    println!(
        "{entries} entries, {trades} trades, {triggered} stops triggered, {faults} faults, {restarts} restarts: all as the model says"
    );
    println!("{deposited} deposits, {withdrawn} withdrawals, {proposals} proposals acted");
    println!("refused: {refused:?}");
    ExitCode::SUCCESS
}
