//! The time of an answer does not tell who has an account: names that exist and names that do not, in turn (A15).

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::http::{Connection, Outcome, Server, members};
use crate::report::{Ratios, Section};

const NAMES: usize = 200;
/// Largest difference of the median times, ms.
const APART_MS: f64 = 5.0;
/// Smallest p-value of a Mann-Whitney test of both kinds of times.
const CHANCE: f64 = 0.01;
/// What is asked about each name, and how often: too seldom to make the caller wait.
const KINDS: [(&str, &str, usize, [&str; 2]); 3] = [
    ("/api/sms_mail", "type=forget&user_string=", 1, ["code sent: medians / 5 ms", "code sent: 0.01 / p"]),
    (
        "/api/user/forget",
        "code=12345x&password=secret2&re_password=secret2&repassword=secret2&account=",
        4,
        ["reset: medians / 5 ms", "reset: 0.01 / p"],
    ),
    ("/api/user/login", "password=wrong+horse+battery&user_string=", 5, ["log-in: medians / 5 ms", "log-in: 0.01 / p"]),
];

/// Measures each kind of request.
pub fn run(meridian: &Path, _rounds: usize) -> Outcome<Section> {
    let data = tempfile::tempdir()?;
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--genesis", "sandbox", "--house-liquidity", "off", "--chart-days", "1"];
    let server = Server::start(Command::new(meridian).args(arguments).args(["--trusted-proxy", "127.0.0.1", "--data"]).arg(data.path()))?;
    members(&server, NAMES)?;
    let (mut connection, mut notes, mut ratios, mut asked) = (Connection::open(server.address)?, Vec::new(), Vec::new(), 0);
    for (path, form, times, goals) in KINDS {
        let mut late = [Vec::new(), Vec::new()];
        for turn in 0..times * NAMES * 2 {
            // Which kind comes first alternates.
            let (name, unknown) = (turn / 2 % NAMES, (turn + turn / 2) % 2);
            let body = format!("{form}{}{name}@example.org", ["bench", "nobody"][unknown]);
            let start = Instant::now();
            let answer = connection.call_from(asked, path, &body)?;
            late[unknown].push(start.elapsed().as_secs_f64() * 1e3);
            asked += 1;
            if ["E_RATE", "E_LOGIN_WAIT", "E_CODE_LOCKED"].iter().any(|name| answer.contains(name)) {
                return Err(format!("{path}: {answer}").into());
            }
        }
        let p = probability(&late);
        let [known, unknown] = late.map(median);
        for (goal, value) in goals.into_iter().zip([(known - unknown).abs() / APART_MS, CHANCE / p]) {
            let mut ratio = Ratios::new(goal, 1.0);
            ratio.add(value);
            ratios.push(ratio);
        }
        notes.push(format!("{path} {known:.2} and {unknown:.2} ms, p {p:.3}"));
    }
    Ok(Section { title: format!("{NAMES} known names and as many unknown ones"), note: notes.join("; "), ratios })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The p-value of these ranks: two-sided, normal approximation, no ties.
fn probability(times: &[Vec<f64>; 2]) -> f64 {
    let mut all: Vec<(f64, usize)> =
        times.iter().enumerate().flat_map(|(kind, times)| times.iter().map(move |time| (*time, kind))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ranks: f64 = all.iter().zip(1..).filter(|((_, kind), _)| *kind == 0).map(|(_, rank)| f64::from(rank)).sum();
    let (n, m) = (times[0].len() as f64, times[1].len() as f64);
    let z = (ranks - n * (n + m + 1.0) / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt();
    upper_tail(z.abs()) * 2.0
}

/// The tail of the normal distribution beyond `z >= 0` by Simpson's rule: to eight places, and zero beyond 10.
fn upper_tail(z: f64) -> f64 {
    const STEPS: u32 = 1_000;
    let width = (10.0 - z).max(0.0) / f64::from(STEPS);
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let weight = |step: u32| if step == 0 || step == STEPS { 1.0 } else { 2.0 + 2.0 * f64::from(step % 2) };
    (0..=STEPS).map(|step| weight(step) * density(z + width * f64::from(step))).sum::<f64>() * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_tells_two_sources_from_one() {
        assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-6 && (upper_tail(0.0) - 0.5).abs() < 1e-6);
        let mut rng = fastrand::Rng::with_seed(1);
        let mut source = |shift: f64| (0..1_000).map(|_| rng.f64() + shift).collect::<Vec<f64>>();
        assert!(probability(&[source(0.0), source(0.0)]) > 0.01);
        assert!(probability(&[source(0.0), source(0.1)]) < 0.001);
    }
}
