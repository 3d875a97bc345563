//! Progress bars for long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for work over this many entries; hidden where there is no terminal.
pub fn over_entries(what: &'static str, entries: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} entries, {per_sec}, {eta} left");
    ProgressBar::new(entries).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
}

/// Moves a bar to this many entries of a total.
pub fn moving(bar: &ProgressBar) -> impl Fn(u64, u64) + '_ {
    |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    }
}
