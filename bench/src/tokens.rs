//! The memory of a coin with few holders: bytes for each holder at a million members.

use engine::Engine;
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Asset, Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, Digest, OperatorId, ProposalId, Seq, UserId};
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::time::Time;

use crate::http::Outcome;
use crate::report::{Ratios, Section};
use crate::requests::resident;

const MEMBERS: u64 = 1_000_000;
const HOLDERS: u64 = 1_000;
/// Coins listed in each round: enough that a page of memory more or less does not matter.
const TOKENS: u32 = 50;
/// A slot for every member would take 16,000 bytes a holder.
const GOAL: f64 = 128.0;
/// The first coin listed after genesis.
const FIRST: u32 = 1_000;
const START: Time = Time(1_767_225_600_000);
const WHY: Digest = Digest([7; 32]);

/// Lists coins and gives each to its holders, in every round. Must run before all other parts.
pub fn run(rounds: usize) -> Outcome<Section> {
    let mut bytes = Ratios::new("bytes a holder", GOAL);
    let mut engine = stage();
    let mut next = FIRST;
    for _ in 0..rounds {
        let before = resident()?;
        for _ in 0..TOKENS {
            list(&mut engine, AssetId(next));
            for holder in 0..HOLDERS {
                // Spread over all members, different ones for each coin.
                let user = UserId(1 + (holder * (MEMBERS / HOLDERS) + u64::from(next)) % MEMBERS);
                apply(&mut engine, Command::SandboxFaucet { user, asset: AssetId(next), wallet: Wallet::Spot, amount: 1_000_000 });
            }
            next += 1;
        }
        bytes.add((resident()? - before) / (u64::from(TOKENS) * HOLDERS) as f64);
    }
    // Memory freed here would be reused by the next part that measures memory.
    Box::leak(Box::new(engine));
    let note = format!("{TOKENS} coins a round, each with {HOLDERS} holders among {MEMBERS} members; growth of the resident memory");
    Ok(Section { title: "A coin that few hold".to_owned(), note, ratios: vec![bytes] })
}

fn apply(engine: &mut Engine, command: Command) {
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time: START, request: None, command };
    engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
}

/// A million members with USDT.
fn stage() -> Engine {
    let mut engine = Engine::default();
    apply(&mut engine, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() })));
    for user in (1..=MEMBERS).map(UserId) {
        apply(&mut engine, Command::RegisterMember { user, house: false });
        apply(&mut engine, Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: 1_000_000 });
    }
    engine
}

/// Lists it as two operators do.
fn list(engine: &mut Engine, id: AssetId) {
    let coin = Asset { id, code: format!("T{}", id.0), scale: 6, wallets: vec![Wallet::Spot, Wallet::Earn], faucet_max: 1_000_000_000_000 };
    let proposed = Proposed::ChangeCatalog { change: CatalogChange::ListCoin(Box::new(coin)), effective: Time(0) };
    operate(engine, 1, OperatorAct::Propose { proposed, reason: WHY });
    let proposal = ProposalId(engine.seq().0);
    let hash = engine.proposal(proposal).expect("it was proposed").hash();
    operate(engine, 2, OperatorAct::Confirm { proposal, hash });
}

fn operate(engine: &mut Engine, operator: u32, act: OperatorAct) {
    apply(engine, Command::Operate(Box::new(Operate { by: Reviewer { operator: OperatorId(operator), member: None }, act })));
}
