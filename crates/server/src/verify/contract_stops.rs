//! The take-profit and stop-loss of a contract: those of its order, or of the last entry shown to have set them (C-15).
//!
//! Each entry sets both, so the last one decides. The receipt cannot show that no later one was left out; the whole log can.

use engine::amount::Price;
use engine::codec;
use engine::command::Command;
use engine::contracts::figures::{Figures, Stops, check_stops};
use engine::contracts::formulas::TickPrice;
use engine::contracts::terms::Terms;
use engine::ids::PositionId;
use engine::index::FRESH_MS;
use serde_json::{Value as Json, json};

use crate::verify::contract_order::{Asked, Claims, check_owner};
use crate::verify::evidence::{Proof, same, same_value};
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::samples::Sample;

/// Take-profit and stop-loss.
pub(super) type Prices = (Option<Price>, Option<Price>);

/// While its owner could set the stops of a position: after one entry, and before another once it was closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct SettableSpan<'a> {
    pub(super) figures: &'a Figures,
    pub(super) after: u64,
    pub(super) before: Option<u64>,
}

/// A receipt's data about the stops, to be compared with the whole log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopsOfReceipt {
    contract: PositionId,
    prices: Prices,
    /// The last entry that set them, and the sample that it took.
    last: Option<(u64, Sample)>,
    after: u64,
    before: Option<u64>,
    figures: Figures,
    terms: Terms,
}

/// The contract whose stops an entry sets, and the stops.
pub(super) fn wanted(entry: &Entry) -> Option<(PositionId, Prices)> {
    match codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) {
        Ok(Some(Command::SetContractStops { position, take_profit, stop_loss, .. })) => Some((position, (take_profit, stop_loss))),
        _ => None,
    }
}

/// C-15 at this mark. With the whole margin the liquidation price is the furthest, so what is refused here was refused, whatever overnight
/// fees were paid.
pub(super) fn admits(terms: &Terms, figures: &Figures, mark: TickPrice, (take_profit, stop_loss): Prices) -> bool {
    let ticks = |price: Option<Price>| price.map_or(Some(None), |price| terms.ticks(price).map(Some));
    let Some((take_profit, stop_loss)) = ticks(take_profit).zip(ticks(stop_loss)) else { return false };
    let liquidation = figures.stake.liquidation_price(figures.margin, figures.required);
    check_stops(figures.stake, figures.cap, liquidation, mark, Stops { take_profit, stop_loss }).is_ok()
}

impl Asked<'_> {
    /// The stops of the position follow from the order and the entries shown; `held` is `None` for an order that never became one. `None`
    /// when it was never opened, or when the receipt does not say which entries set them.
    pub(super) fn stops(
        &self,
        claims: &Claims,
        proof: &Proof,
        held: Option<SettableSpan<'_>>,
        unshown: &mut Vec<&'static str>,
    ) -> Result<Option<StopsOfReceipt>, Fault> {
        let of_order = (self.order.take_profit, self.order.stop_loss);
        let Some(seqs) = &claims.stop_seqs else {
            if same(Reason::Stops, &claims.position, &self.shown_stops(of_order)).is_err() {
                unshown.push("stops");
            }
            return Ok(None);
        };
        let (mut prices, mut last) = (of_order, None::<&Entry>);
        for seq in seqs {
            let entry = proof.entry(*seq).ok_or_else(|| Reason::Proof.because(format!("entry {seq}, which set stops, is missing")))?;
            prices = self.set_by(claims, entry, unshown)?;
            let could = held.is_some_and(|SettableSpan { after, before, .. }| {
                last.map_or(after, |earlier| earlier.seq) < *seq && before.is_none_or(|before| *seq < before)
            });
            if !could {
                return Err(Reason::Stops.because(format!("entry {seq} is not where it could set them")));
            }
            last = Some(entry);
        }
        let sample = match last.zip(held) {
            Some((entry, SettableSpan { figures, .. })) => {
                let sample = self.known_before((&claims.stop_sample, Reason::Stops), proof, entry, unshown)?;
                if !admits(&self.terms, figures, self.mark(&sample, Reason::Stops)?, prices) {
                    return Err(Reason::Stops.because(format!("entry {} was refused at this price", entry.seq)));
                }
                Some((entry.seq, sample))
            }
            None => same_value(Reason::Stops, "stop_sample", &claims.stop_sample, &Json::Null).map(|()| None)?,
        };
        same(Reason::Stops, &claims.position, &self.shown_stops(prices))?;
        Ok(held.map(|SettableSpan { figures, after, before }| StopsOfReceipt {
            contract: PositionId(self.entry.seq),
            prices,
            last: sample,
            after,
            before,
            figures: *figures,
            terms: self.terms.clone(),
        }))
    }

    /// The stops that an entry set, which is of this contract and of its owner.
    fn set_by(&self, claims: &Claims, entry: &Entry, unshown: &mut Vec<&'static str>) -> Result<Prices, Fault> {
        let set = wanted(entry).filter(|(contract, _)| *contract == PositionId(self.entry.seq));
        let (_, prices) = set.ok_or_else(|| Reason::Stops.because(format!("entry {} set no stops of this contract", entry.seq)))?;
        check_owner(claims, entry, Reason::Stops, unshown)?;
        Ok(prices)
    }

    fn shown_stops(&self, (take_profit, stop_loss): Prices) -> Json {
        let shown = |price: Option<Price>| self.price(price.unwrap_or(Price(0)));
        json!({ "target_profit_price": shown(take_profit), "stop_loss_price": shown(stop_loss) })
    }
}

impl StopsOfReceipt {
    /// Compares them with the whole log: `all` samples of the pair, and every entry that sets stops of the contract. Returns the entries
    /// that would have set other ones, unless they were refused: the public log does not say which member sent them.
    ///
    /// # Errors
    /// [`Reason::Stops`] when the last entry used another sample.
    pub fn check_log(&self, all: &[Sample], asking: &[Entry]) -> Result<Vec<u64>, Fault> {
        let known = |seq: u64| all.iter().rfind(|sample| sample.seq < seq);
        if let Some((seq, sample)) = &self.last
            && known(*seq).map(Sample::key) != Some(sample.key())
        {
            return Err(Reason::Stops.because("the log has another sample before the stops were set"));
        }
        let after = self.last.as_ref().map_or(self.after, |(seq, _)| *seq);
        let later = asking.iter().filter(|entry| entry.seq > after && self.before.is_none_or(|before| entry.seq < before));
        let differs = |entry: &&Entry| {
            let other = wanted(entry).filter(|(contract, prices)| *contract == self.contract && *prices != self.prices);
            let fresh = known(entry.seq).filter(|sample| entry.time_ms.saturating_sub(sample.time_ms) <= FRESH_MS);
            let mark = fresh.and_then(|sample| self.terms.ticks(sample.price));
            other.zip(mark).is_some_and(|((_, prices), mark)| admits(&self.terms, &self.figures, mark, prices))
        };
        Ok(later.filter(differs).map(|entry| entry.seq).collect())
    }

    /// What set them, in words.
    pub fn describe(&self) -> String {
        match self.last {
            Some((seq, _)) => format!("set by entry {seq}"),
            None => "those of the order".to_owned(),
        }
    }
}
