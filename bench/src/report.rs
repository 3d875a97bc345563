//! The report: minimum, median and maximum of each ratio, beside its goal.

/// One comparison, measured in several rounds.
pub struct Ratios {
    name: &'static str,
    goal: f64,
    values: Vec<f64>,
}

/// Comparisons that belong together.
pub struct Section {
    pub title: String,
    pub note: String,
    pub ratios: Vec<Ratios>,
}

impl Ratios {
    /// A ratio that should be at most `goal`.
    pub fn new(name: &'static str, goal: f64) -> Ratios {
        Ratios { name, goal, values: Vec::new() }
    }

    pub fn add(&mut self, value: f64) {
        self.values.push(value);
    }
}

/// Prints a section; true if every median meets its goal.
pub fn print(section: &Section) -> bool {
    println!("\n{}\n  {}", section.title, section.note);
    println!("  {:<34} {:>7} {:>7} {:>7}   goal", "ratio", "min", "median", "max");
    let mut kept = true;
    for ratio in &section.ratios {
        let mut values = ratio.values.clone();
        values.sort_by(f64::total_cmp);
        let median = values[values.len() / 2];
        let holds = median <= ratio.goal;
        kept &= holds;
        let mark = if holds { "kept" } else { "MISSED" };
        println!("  {:<34} {:>7.2} {:>7.2} {:>7.2}   <= {} {mark}", ratio.name, values[0], median, values[values.len() - 1], ratio.goal);
    }
    kept
}
