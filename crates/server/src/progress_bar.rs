//! Bars for work that takes long.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for work over this many entries; hidden where there is no terminal.
pub fn over_entries(what: &'static str, entries: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} entries, {per_sec}, {eta} left");
    ProgressBar::new(entries).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
}
