//! The report: minimum, median and maximum of each ratio, beside its goal.

/// One comparison, measured in several rounds.
pub struct Ratios {
    name: &'static str,
    goal: f64,
    /// The largest median that does not fail.
    bound: f64,
    values: Vec<f64>,
}

/// Comparisons that belong together.
pub struct Section {
    pub title: String,
    pub note: String,
    pub ratios: Vec<Ratios>,
}

/// What a median is against its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Kept,
    /// Above the goal, which this release does not reach, and within the bound that holds it there.
    GoalMissed,
    Missed,
}

impl Ratios {
    /// A ratio that must be at most `goal`.
    pub fn new(name: &'static str, goal: f64) -> Ratios {
        Ratios::bounded(name, goal, goal)
    }

    /// A ratio that should be at most `goal`, is not, and must be at most `bound`, about the worst median measured so far: it may not get
    /// worse unseen.
    pub fn bounded(name: &'static str, goal: f64, bound: f64) -> Ratios {
        Ratios { name, goal, bound, values: Vec::new() }
    }

    pub fn add(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Minimum, median and maximum.
    fn figures(&self) -> [f64; 3] {
        let mut values = self.values.clone();
        values.sort_by(f64::total_cmp);
        [values[0], values[values.len() / 2], values[values.len() - 1]]
    }

    fn verdict(&self) -> Verdict {
        match self.figures()[1] {
            median if median <= self.goal => Verdict::Kept,
            median if median <= self.bound => Verdict::GoalMissed,
            _ => Verdict::Missed,
        }
    }
}

/// Prints the sections, and at the end in one line what missed its goal; true if every median is within its bound.
pub fn print(sections: &[Section]) -> bool {
    sections.iter().for_each(print_one);
    println!("\n{}", summary(sections));
    sections.iter().flat_map(|section| &section.ratios).all(|ratio| ratio.verdict() != Verdict::Missed)
}

fn print_one(section: &Section) {
    println!("\n{}\n  {}", section.title, section.note);
    println!("  {:<34} {:>7} {:>7} {:>7}   goal", "ratio", "min", "median", "max");
    for ratio in &section.ratios {
        let [least, median, most] = ratio.figures();
        let mark = match ratio.verdict() {
            Verdict::Kept => "kept".to_owned(),
            Verdict::GoalMissed => format!("goal missed, bound {} kept", ratio.bound),
            Verdict::Missed if ratio.bound > ratio.goal => format!("goal and bound {} MISSED", ratio.bound),
            Verdict::Missed => "MISSED".to_owned(),
        };
        println!("  {:<34} {least:>7.2} {median:>7.2} {most:>7.2}   <= {} {mark}", ratio.name, ratio.goal);
    }
}

/// Which goals were missed, and which of these misses fail.
fn summary(sections: &[Section]) -> String {
    let named = |verdict: Verdict| {
        let of_one = |section: &Section| {
            let names = section.ratios.iter().filter(|ratio| ratio.verdict() == verdict).map(|ratio| ratio.name);
            names.map(|name| format!("{name} ({})", section.title)).collect::<Vec<_>>()
        };
        sections.iter().flat_map(of_one).collect::<Vec<_>>().join("; ")
    };
    match [named(Verdict::GoalMissed), named(Verdict::Missed)] {
        [within, beyond] if within.is_empty() && beyond.is_empty() => "Every goal is met.".to_owned(),
        [within, beyond] if beyond.is_empty() => format!("Goals missed, no worse than known: {within}"),
        [within, beyond] if within.is_empty() => format!("MISSED: {beyond}"),
        [within, beyond] => format!("MISSED: {beyond}. Goals missed, no worse than known: {within}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(values: [f64; 3]) -> [Section; 1] {
        let mut ratio = Ratios::bounded("slow", 5.0, 6.5);
        values.iter().for_each(|value| ratio.add(*value));
        let mut other = Ratios::new("quick", 2.0);
        other.add(1.0);
        [Section { title: "Part".to_owned(), note: String::new(), ratios: vec![ratio, other] }]
    }

    #[test]
    fn a_missed_goal_is_named_and_only_a_missed_bound_fails() {
        for (values, kept, said) in [
            ([4.0, 5.0, 9.0], true, "Every goal is met."),
            ([5.1, 9.0, 1.0], true, "Goals missed, no worse than known: slow (Part)"),
            ([6.6, 9.0, 1.0], false, "MISSED: slow (Part)"),
        ] {
            let sections = section(values);
            assert_eq!((print(&sections), summary(&sections)), (kept, said.to_owned()), "{values:?}");
        }
    }

    #[test]
    fn a_goal_without_a_bound_of_its_own_fails_when_it_is_missed() {
        let mut ratio = Ratios::new("quick", 2.0);
        ratio.add(2.01);
        assert_eq!(ratio.verdict(), Verdict::Missed);
    }
}
