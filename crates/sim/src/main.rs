//! Runs many seeds of the simulation.

use std::ops::Range;
use std::process::ExitCode;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sim::{Failure, Report, kernel_node};

/// Random work and faults for engine and journal, compared with a naive model of the rules.
#[derive(Parser)]
struct Arguments {
    /// Seeds to run, the end excluded.
    #[arg(long, default_value = "0..100", value_parser = range)]
    seeds: Range<u64>,
    /// Commands for each seed.
    #[arg(long, default_value_t = 500)]
    commands: usize,
    /// Through the kernel's writer, which applies ahead of the log.
    #[arg(long)]
    kernel: bool,
}

fn range(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").ok_or("write it as 0..100")?;
    let number = |end: &str| end.parse::<u64>().map_err(|error| error.to_string());
    Ok(number(ends.0)?..number(ends.1)?)
}

fn main() -> ExitCode {
    let Arguments { seeds, commands, kernel } = Arguments::parse();
    let done = if kernel { through_the_kernel(seeds, commands) } else { compared_step_by_step(seeds, commands) };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn compared_step_by_step(seeds: Range<u64>, commands: usize) -> Result<(), Failure> {
    let mut total = Report::default();
    each(seeds, |seed| sim::simulate(seed, commands).map(|report| total.add(&report)))?;
    let Report { entries, refused, trades, triggered, withdrawn, deposited, proposals, faults, restarts, .. } = total;
    println!(
        "{entries} entries, {trades} trades, {triggered} stops triggered, {faults} faults, {restarts} restarts: all as the model says"
    );
    println!("{deposited} deposits, {withdrawn} withdrawals, {proposals} proposals acted");
    println!("refused: {refused:?}");
    Ok(())
}

fn through_the_kernel(seeds: Range<u64>, commands: usize) -> Result<(), Failure> {
    let mut total = kernel_node::Report::default();
    each(seeds, |seed| sim::simulate_kernel(seed, commands).map(|report| total.add(&report)))?;
    let kernel_node::Report { entries, own, appends, unanswered, poisoned, left, full, snapshots, restarts } = total;
    println!("{entries} entries, {own} of the writer's own, {full} full groups: all as the log says");
    println!("appends: {appends:?}; {left} so slow that the callers left");
    println!("{poisoned} commands that the engine could not apply, {snapshots} snapshots, {restarts} restarts");
    println!("without an answer: {unanswered:?}");
    Ok(())
}

/// Runs each seed, and shows how far it is.
fn each(seeds: Range<u64>, mut run: impl FnMut(u64) -> Result<(), Failure>) -> Result<(), Failure> {
    let bar = ProgressBar::new(seeds.end.saturating_sub(seeds.start));
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} seeds, {eta} left") {
        bar.set_style(style);
    }
    for seed in seeds {
        run(seed).inspect_err(|_| bar.abandon())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
