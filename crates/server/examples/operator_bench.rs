//! What operators ask for with a million members: a search, and a page of a queue, against the read of a single row by its number. The rounds
//! are interleaved; the result is the ratio of the median times.
//! `cargo run --release -p server --example operator_bench -- [members] [options of meridian serve, such as --database URL]`
//! With `--data FOLDER` the members are kept there (or in the database), and the next run uses them at once.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use engine::catalog::funding::Chain;
use engine::funding::deposits::{Claimed, Deposit, Observation, Observed};
use engine::funding::status::{DepositStatus, ObservationStatus, WithdrawalStatus};
use engine::funding::withdrawals::{Destination, Withdrawal};
use engine::identity::Identity;
use engine::ids::{AssetId, CardId, DepositId, Digest, ObservationId, UserId, WithdrawalId};
use engine::time::Time;
use serde_json::json;
use server::boot;
use server::config::{Cli, Command};
use server::http::App;
use server::operator::users;
use store::Page;
use store::filling::{self, Filling, Imagined};
use store::queues::{self, QueuePart};
use store::{observations, people};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Rows in one transaction.
const ROWS: u64 = 10_000;
/// Items waiting in each queue.
const WAITING: u64 = 500;
const ROUNDS: usize = 400;
/// Largest ratio to the read of one row.
const GOAL: f64 = 2.0;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    match runtime.block_on(run()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Outcome<bool> {
    let mut arguments = std::env::args().skip(1);
    let members: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let fixed = ["meridian", "serve", "--listen", "127.0.0.1:0", "--chart-days", "1", "--genesis", "sandbox", "--house-liquidity", "off"];
    let mut words: Vec<String> = fixed.into_iter().map(str::to_owned).chain(arguments).collect();
    if !words.iter().any(|word| word == "--data") {
        words.extend(["--data".to_owned(), folder.path().to_string_lossy().into_owned()]);
    }
    let Command::Serve(options) = Cli::try_parse_from(words)?.command else { return Err("options of serve are wanted".into()) };
    let mut running = boot::start(options.check().map_err(|faults| format!("{faults:?}"))?).await.map_err(|error| error.to_string())?;
    if people::newest(&running.app.db).await? < members {
        let begun = Instant::now();
        fill(&running.app, members).await?;
        println!("{members} members, as many deposits and submissions, written in {:.0} s", begun.elapsed().as_secs_f64());
    }
    let kept = measure(&running.app, members).await?;
    running.stop().await;
    Ok(kept)
}

fn account(member: u64) -> String {
    // Spread over all numbers of nine digits. No two are equal, because factor and modulus have no common divisor.
    (100_000_000 + member * 618_033_989 % 899_999_963).to_string()
}

fn mail(member: u64) -> String {
    format!("member{member}@example.org")
}

fn phone(member: u64) -> String {
    format!("49-15{member:09}")
}

async fn fill(app: &App, members: u64) -> Outcome<()> {
    // Number 1 is the house.
    for first in (2..members + 2).step_by(usize::try_from(ROWS)?) {
        let numbers = first..(first + ROWS).min(members + 2);
        let open = |member: u64| member >= members + 2 - WAITING;
        let submissions: Outcome<Vec<Identity>> = numbers.clone().map(|member| submission(member, open(member))).collect();
        let filling = Filling {
            people: numbers.clone().map(person).collect(),
            deposits: numbers.clone().map(|member| deposit(member, open(member))).collect(),
            withdrawals: numbers.clone().map(|member| withdrawal(member, open(member))).collect(),
            observations: numbers.map(|member| payment(member, open(member))).collect(),
            submissions: submissions?,
        };
        filling::fill(app, &filling).await?;
        eprint!("\r{} of {members} members", (first - 2 + ROWS).min(members));
    }
    eprintln!();
    Ok(())
}

fn person(member: u64) -> Imagined {
    Imagined { id: UserId(member), account_number: account(member), email: mail(member), phone: phone(member) }
}

fn deposit(member: u64, open: bool) -> Deposit {
    Deposit {
        id: DepositId(member),
        user: UserId(member),
        claimed: Claimed::Bank { cents: 10_000 + member },
        rate: engine::amount::Price(1),
        proof: Some(Digest([7; 32])),
        observation: None,
        status: if open { DepositStatus::UnderReview } else { DepositStatus::Passed },
        approvals: Vec::new(),
        reference: None,
        credited: None,
        reason: None,
        created: Time(member),
        decided: None,
        version: 1,
    }
}

fn withdrawal(member: u64, open: bool) -> Withdrawal {
    Withdrawal {
        id: WithdrawalId(member),
        user: UserId(member),
        asset: AssetId(3),
        amount: 100_000_000,
        fee: 1_000_000,
        destination: Destination::Card(CardId(member)),
        destination_digest: Digest([7; 32]),
        payout_cents: None,
        value: 100_000_000,
        submitted: Time(member),
        // Withdrawals that wait to be sent have the same status on the wire as those that were sent.
        status: if open { WithdrawalStatus::Passed } else { WithdrawalStatus::Sent },
        approvals: Vec::new(),
        reason: None,
        tx: None,
        version: 3,
    }
}

fn payment(member: u64, open: bool) -> Observation {
    let mut tx = [7; 32];
    tx[..8].copy_from_slice(&member.to_be_bytes());
    Observation {
        id: ObservationId(member),
        tx: Digest(tx),
        observed: Observed { user: UserId(member), asset: AssetId(3), chain: Chain::Trc20, amount: 25_000_000 },
        confirmations: 20,
        watched: true,
        entries: Vec::new(),
        status: if open { ObservationStatus::Matched } else { ObservationStatus::Credited },
        claim: Some(DepositId(member)),
        vanished: false,
        taken_back: None,
    }
}

fn submission(member: u64, open: bool) -> Outcome<Identity> {
    let digest = Digest([7; 32]);
    Ok(serde_json::from_value(json!({
        "user": member, "level": "Basic", "status": if open { "UnderReview" } else { "Verified" }, "submission": member,
        "document": digest, "content": digest, "submitted": member, "approvals": [], "reason": null, "version": 1, "recent": [],
    }))?)
}

/// The compared queries, in the order of the columns of [`ask`].
const NAMES: [&str; 12] = [
    "search: mail address",
    "search: phone",
    "search: account number",
    "search: five digits of one",
    "queue: identity, open",
    "queue: identity, decided",
    "queue: bank deposits, decided",
    "queue: bank deposits, all",
    "queue: withdrawals, open",
    "payments: all",
    "payments: credited",
    "payments: matched",
];

async fn measure(app: &App, members: u64) -> Outcome<bool> {
    // The first page of a queue counts it.
    for which in [QueuePart::Done, QueuePart::All] {
        queues::submissions(&app.db, which, PAGE).await?;
        queues::deposits(&app.db, true, which, PAGE).await?;
    }
    for status in [None, Some(ObservationStatus::Credited)] {
        observations::list(&app.db, status, PAGE).await?;
    }
    let mut random = fastrand::Rng::with_seed(7);
    let mut bare = Vec::with_capacity(ROUNDS);
    let mut ours = vec![Vec::with_capacity(ROUNDS); NAMES.len()];
    for _ in 0..ROUNDS {
        let mut member = || random.u64(2..members + 2);
        let number = UserId(member());
        let begun = Instant::now();
        people::get(app, number).await?;
        bare.push(begun.elapsed());
        for (at, times) in ours.iter_mut().enumerate() {
            let member = member();
            let begun = Instant::now();
            let found = ask(app, at, member).await?;
            times.push(begun.elapsed());
            assert!(found > 0, "{} found nothing", NAMES[at]);
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let row = median(&mut bare);
    println!(
        "\nOperators' calls over {members} members\n  one row by its number: {row:.0} us\n  {:<34} {:>7} {:>7}   goal",
        "ratio", "median", "us"
    );
    let mut kept = true;
    for (name, times) in NAMES.iter().zip(&mut ours) {
        let time = median(times);
        let holds = time / row <= GOAL;
        kept &= holds;
        println!("  {name:<34} {:>7.2} {time:>7.0}   <= {GOAL} {}", time / row, if holds { "kept" } else { "MISSED" });
    }
    Ok(kept)
}

const PAGE: Page = Page { page: 1, limit: 10 };

/// The rows that one call finds.
async fn ask(app: &App, at: usize, member: u64) -> Outcome<u64> {
    let account = account(member);
    Ok(match at {
        0 => users::find(app, &mail(member), PAGE).await?.1,
        1 => users::find(app, &format!("+{}", phone(member)), PAGE).await?.1,
        2 => users::find(app, &account, PAGE).await?.1,
        3 => users::find(app, account.get(..5).unwrap_or_default(), PAGE).await?.1,
        4 => queues::submissions(&app.db, QueuePart::Open, PAGE).await?.1,
        5 => queues::submissions(&app.db, QueuePart::Done, PAGE).await?.1,
        6 => queues::deposits(&app.db, true, QueuePart::Done, PAGE).await?.1,
        7 => queues::deposits(&app.db, true, QueuePart::All, PAGE).await?.1,
        8 => queues::withdrawals(&app.db, QueuePart::Open, PAGE).await?.1,
        9 => observations::list(&app.db, None, PAGE).await?.1,
        10 => observations::list(&app.db, Some(ObservationStatus::Credited), PAGE).await?.1,
        _ => observations::list(&app.db, Some(ObservationStatus::Matched), PAGE).await?.1,
    })
}
