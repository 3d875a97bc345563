//! The pages that a newcomer reads first, in a terminal or an editor.

use super::{none, read};

/// Columns of a line.
const COLUMNS: usize = 100;

#[test]
fn the_first_pages_fit_a_terminal() {
    let long = |page: &str| {
        let lines =
            read(page).lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS).map(|(at, _)| at + 1).collect::<Vec<_>>();
        lines.into_iter().map(|line| format!("{page}:{line}")).collect::<Vec<_>>()
    };
    none("lines of more than 100 columns", ["README.md", "CONTRIBUTING.md"].into_iter().flat_map(long).collect());
}
