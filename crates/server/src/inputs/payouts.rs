//! What chains report about payouts that operators marked as sent (W-8). Only news becomes an entry of the log.

use chain::watch::{Observation, Watcher};
use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::payouts::{Paid, PayoutReport, WatchedPayout};
use engine::ids::WithdrawalId;
use engine::time::MINUTE_MS;
use kernel::sequencer::{Sequencer, SubmitError};
use store::Store;
use store::documents::{self, plain_digest};
use store::payments::Reference;

/// The most payouts per round; the next round continues after them.
const AT_ONCE: usize = 50;
/// A sandbox without a watcher confirms a mark after this time, ms of journal time.
const PRETENDED_MS: u64 = 10 * MINUTE_MS;

/// Looks up what the chain holds at the marked outputs after this withdrawal, and advances it. A failure does not hold up the others: the
/// next round continues after it.
///
/// # Errors
/// When the chain or the database cannot be asked, or the sequencer takes no commands.
pub async fn look(
    store: &Store,
    sequencer: &Sequencer,
    chain: Chain,
    watcher: &mut Watcher,
    after: &mut WithdrawalId,
) -> Result<(), String> {
    let behind = |payout: &WatchedPayout| payout.withdrawal > *after;
    let marked: Vec<WatchedPayout> = sequencer.engine().watched_payouts(chain).filter(behind).take(AT_ONCE).collect();
    let last = marked.len() < AT_ONCE;
    for WatchedPayout { withdrawal, user, tx: mark, owed, .. } in marked {
        *after = withdrawal;
        let coin = sequencer.engine().catalog().asset(owed.asset).map(|asset| asset.code.clone());
        let text = documents::one(store, user, mark).await.map_err(|error| error.to_string())?;
        let (Some(coin), Some(text)) = (coin, text) else { continue };
        let Reference { tx, output } = Reference::of_chain(&text);
        let found = watcher.output(&tx, output, &coin).await.map_err(|error| error.to_string())?;
        let paid = found.as_ref().and_then(|found| paid(sequencer, found));
        let confirmations = found.map_or(0, |found| u32::try_from(found.confirmations).unwrap_or(u32::MAX));
        let said = PayoutReport { withdrawal, tx: mark, paid, confirmations };
        report(sequencer, chain, said).await.map_err(|error| error.to_string())?;
    }
    if last {
        *after = WithdrawalId(0);
    }
    Ok(())
}

/// The payment found, in our coins.
fn paid(sequencer: &Sequencer, found: &Observation) -> Option<Paid> {
    let engine = sequencer.engine();
    let asset = engine.catalog().assets.iter().find(|asset| asset.code == found.coin)?.id;
    Some(Paid { asset, amount: found.amount, destination: plain_digest(&found.address) })
}

/// A sandbox has no chains. On chains without a configured watcher, a mark is confirmed after ten minutes as if it had paid exactly what
/// was owed.
///
/// # Errors
/// When the sequencer takes no commands.
pub async fn pretend(sequencer: &Sequencer, unwatched: &[Chain]) -> Result<(), SubmitError> {
    for chain in unwatched.iter().copied() {
        let due: Vec<PayoutReport> = {
            let engine = sequencer.engine();
            let networks = &engine.catalog().funding;
            let old = engine.watched_payouts(chain).filter(|payout| payout.marked.plus(PRETENDED_MS) <= engine.time());
            old.filter_map(|payout| {
                let WatchedPayout { withdrawal, tx, owed, .. } = payout;
                let confirmations = networks.network(owed.asset, chain)?.confirmations;
                Some(PayoutReport { withdrawal, tx, paid: Some(owed), confirmations })
            })
            .collect()
        };
        for report in due {
            self::report(sequencer, chain, report).await?;
        }
    }
    Ok(())
}

async fn report(sequencer: &Sequencer, chain: Chain, report: PayoutReport) -> Result<(), SubmitError> {
    if sequencer.engine().check_payout(&report).is_err() {
        return Ok(());
    }
    sequencer.submit(Command::ReportPayout(report), None).await?;
    let (id, engine) = (report.withdrawal, sequencer.engine());
    if let Some(dispute) = engine.payout_dispute(id) {
        metrics::counter!("payouts_disputed_total", "chain" => chain.name()).increment(1);
        tracing::warn!(chain = chain.name(), withdrawal = id.0, ?dispute.paid, "the chain contradicts the mark of a payout");
    }
    Ok(())
}
