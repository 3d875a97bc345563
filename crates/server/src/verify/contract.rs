//! Checks the receipt of a contract from the receipt alone. It recomputes the head, the entries, the terms, both samples, the prices of
//! opening and closing, the result, the fees and what came back (`docs/verify.md`). The app does the same in
//! `web/src/lib/verify/contract.ts`.

use engine::amount::{Amount, MAX_AMOUNT, PRICE_SCALE, Price, Rate, parse_decimal};
use engine::codec;
use engine::command::Command;
use engine::contracts::figures::{Figures, Stops, check_stops};
use engine::contracts::formulas::{Direction, Insurance, Profit, TickPrice, fee, settle};
use engine::contracts::position::{EndReason, reason_at};
use engine::contracts::terms::WAITING_MS;
use engine::ids::PositionId;
use engine::index::FRESH_MS;
use engine::time::DAY_MS;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::http::decimal::signed;
use crate::verify::contract_log::{Course, End};
use crate::verify::contract_order::{Asked, Claims, check_owner, number};
use crate::verify::contract_stops::{SettableSpan, StopsOfReceipt};
use crate::verify::evidence::{Proof, same, same_value};
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::receipt::Checked;
use crate::verify::samples::Sample;

/// Checks the receipt of a contract.
///
/// # Errors
/// The first check that fails.
pub(super) fn check(receipt: &Json, known: Option<&[u8]>) -> Result<Checked, Fault> {
    let claims = Claims::deserialize(receipt).map_err(|error| Reason::Format.because(error.to_string()))?;
    let (proof, genesis) = Proof::checked(claims.proof.as_ref(), known)?;
    let mut unshown = Vec::new();
    let asked = Asked::of(&claims, &proof, &genesis, &mut unshown)?;
    let open = asked.opening(&claims, &proof, &mut unshown)?;
    let (close, stops) = match &open {
        Some((sample, figures)) => asked.closing(&claims, &proof, (sample.seq, figures), &mut unshown)?,
        None => asked.never_opened(&claims, &proof, &mut unshown).map(|stops| (None, stops))?,
    };
    let word = |name: &str| claims.position.get(name).and_then(Json::as_str).map(str::to_owned);
    let status = word("reason").unwrap_or_else(|| if open.is_some() { "open" } else { "waiting" }.to_owned());
    let course = Some(asked.course(&claims, &proof, &open, &close));
    let samples = open.into_iter().map(|(sample, _)| sample).chain(close).collect();
    let samples = (asked.market.symbol.clone(), samples);
    let head = (proof.head.seq, proof.head.key.clone());
    Ok(Checked { id: claims.open_seq, status, payout: word("returned"), head, samples, stops, course, unshown })
}

impl Asked<'_> {
    /// What the whole log can add to a receipt that has passed every other check.
    fn course(&self, claims: &Claims, proof: &Proof, open: &Option<(Sample, Figures)>, close: &Option<Sample>) -> Course {
        let claimed = claims.position.get("reason").and_then(Json::as_str).unwrap_or_default();
        let reason = ENDS.into_iter().chain([EndReason::Expired, EndReason::Refused]).find(|reason| reason.name() == claimed);
        let ended = claims.end_seq.zip(number(claims, "complete_time_ms")).zip(reason);
        Course {
            asked: (self.entry.seq, self.entry.time_ms),
            direction: self.order.direction,
            limit: self.order.limit.and_then(|limit| self.terms.ticks(limit)),
            terms: self.terms.clone(),
            opened: open.clone(),
            end: ended.map(|((seq, at_ms), reason)| End { reason, seq, at_ms, sample: close.clone() }),
            stops: ((self.order.take_profit, self.order.stop_loss), claims.stop_seqs.clone().unwrap_or_default()),
            head: (proof.head.seq, proof.head.time_ms),
        }
    }

    /// The sample of the opening and the figures of the position; `None` for an order that never became one.
    fn opening(&self, claims: &Claims, proof: &Proof, unshown: &mut Vec<&'static str>) -> Result<Option<(Sample, Figures)>, Fault> {
        let Some(opened_ms) = number(claims, "transaction_time_ms") else {
            return same_value(Reason::OpenSample, "open_sample", &claims.open_sample, &Json::Null).map(|()| None);
        };
        let reason = Reason::OpenSample;
        let limit = self.order.limit.and_then(|limit| self.terms.ticks(limit));
        // An order that waited is filled by a later sample, which may be of the same millisecond.
        let at_once = claims.open_sample.get("seq").and_then(Json::as_u64).is_none_or(|seq| seq < self.entry.seq);
        let sample = if at_once {
            same(reason, &claims.position, &json!({ "transaction_time_ms": self.entry.time_ms }))?;
            self.known_before((&claims.open_sample, reason), proof, self.entry, unshown)?
        } else {
            self.made_at((&claims.open_sample, reason), proof, self.entry.seq, Some(opened_ms))?
        };
        if !at_once && (limit.is_none() || sample.at_ms >= self.entry.time_ms.saturating_add(WAITING_MS)) {
            return Err(reason.because("what has no limit does not wait, and nothing waits for more than 30 days"));
        }
        let mark = self.mark(&sample, reason)?;
        let executed = self.order.direction.opening(mark, self.terms.spread);
        if limit.is_some_and(|limit| !self.order.direction.admits(limit, executed)) {
            return Err(reason.because("the limit was not reached"));
        }
        // A short whose owner cannot pay the margin at the better price, or that no tier admits there, fills at its limit (4.7).
        let at_limit = limit.filter(|limit| !at_once && claims.position.get("price") == Some(&Json::from(self.ticks(*limit))));
        let entry = at_limit.filter(|_| self.order.direction == Direction::Short).unwrap_or(executed);
        // The stops of an order that waited were checked when it was placed.
        let stops = if at_once { [self.order.take_profit, self.order.stop_loss] } else { [None; 2] };
        let figures = self.may_open(mark, entry, stops)?;
        let expected = json!({ "origin_price": self.ticks(mark), "price": self.ticks(entry) });
        same(reason, &claims.position, &expected)?;
        let cap_price = TickPrice(u64::try_from(figures.stake.cap_price(figures.cap)).unwrap_or(0));
        let expected = json!({
            "origin_caution_money": self.amount(figures.margin),
            "trade_fee": self.amount(figures.fee),
            "cap_price": self.ticks(cap_price),
        });
        same(Reason::Terms, &claims.position, &expected)?;
        Ok(Some((sample, figures)))
    }

    /// The figures of a position that no guard of 4.4 refuses, of those that ask for nothing but the order, the terms and the prices.
    fn may_open(&self, mark: TickPrice, entry: TickPrice, stops: [Option<Price>; 2]) -> Result<Figures, Fault> {
        let refused = |_| Reason::Terms.because("no such position may be opened under these terms");
        self.terms.check_size(self.size()).map_err(refused)?;
        let figures = self.terms.figures(self.scales(), self.size(), entry).map_err(refused)?;
        figures.check_alive(mark).map_err(refused)?;
        let [take_profit, stop_loss] = stops.map(|price| price.and_then(|price| self.terms.ticks(price)));
        let liquidation = figures.stake.liquidation_price(figures.margin, figures.required);
        let fits = check_stops(figures.stake, figures.cap, liquidation, mark, Stops { take_profit, stop_loss });
        fits.map_err(|_| Reason::Terms.because("no position may be opened with these stops"))?;
        Ok(figures)
    }

    /// The margin after overnight fees, whose prices the receipt does not show.
    fn margin(&self, claims: &Claims, figures: &Figures, unshown: &mut Vec<&'static str>) -> Result<Amount, Fault> {
        let paid = claims.position.get("overnight_money").and_then(Json::as_str);
        let paid = paid.and_then(|paid| parse_decimal(paid, self.quote.scale, MAX_AMOUNT).ok()).filter(|paid| *paid <= figures.margin);
        let paid = paid.ok_or_else(|| Reason::Terms.because("overnight_money is no part of the margin"))?;
        let day = |name: &str| number(claims, name).map(|ms| ms / DAY_MS);
        let nights = day("complete_time_ms").map_or(paid > 0, |end| Some(end) > day("transaction_time_ms"));
        if paid > 0 && !nights {
            return Err(Reason::Terms.because("no night lies between opening and closing"));
        }
        if nights {
            unshown.push("nights");
        }
        let margin = figures.margin - paid;
        let liquidation = figures.stake.liquidation_price(margin, figures.required);
        let expected = json!({ "caution_money": self.amount(margin), "liquidation_price": self.ticks(liquidation) });
        same(Reason::Terms, &claims.position, &expected)?;
        Ok(margin)
    }

    /// How a position was closed, by which sample and with which stops.
    fn closing(
        &self,
        claims: &Claims,
        proof: &Proof,
        (opened, figures): (u64, &Figures),
        unshown: &mut Vec<&'static str>,
    ) -> Result<(Option<Sample>, Option<StopsOfReceipt>), Fault> {
        // An order that waited was opened by its sample.
        let after = opened.max(self.entry.seq);
        let Some(end) = claims.end_seq else {
            let none = json!({ "status": 1, "reason": null, "fact_profits": null, "returned": null, "complete_time_ms": null });
            same(Reason::Outcome, &claims.position, &none)?;
            self.margin(claims, figures, unshown)?;
            same_value(Reason::DeliverySample, "close_sample", &claims.close_sample, &Json::Null)?;
            let stops = self.stops(claims, proof, Some(SettableSpan { figures, after, before: None }), unshown)?;
            return Ok((None, stops));
        };
        let margin = self.margin(claims, figures, unshown)?;
        let claimed = claims.position.get("reason").and_then(Json::as_str).unwrap_or_default();
        let reason = ENDS.into_iter().find(|reason| reason.name() == claimed);
        let reason = reason.ok_or_else(|| Reason::Outcome.because("a position does not end like this"))?;
        let shown = (&claims.close_sample, Reason::DeliverySample);
        let ended = number(claims, "complete_time_ms");
        let sample = match reason {
            EndReason::User => {
                let entry = self.ended_by(claims, proof, (end, after), unshown)?;
                let sample = self.known_before(shown, proof, entry, unshown)?;
                if sample.seq < opened {
                    return Err(Reason::DeliverySample.because("it came before the one of the opening"));
                }
                Some(sample)
            }
            // The closing price is the mean of half an hour.
            EndReason::Retired => {
                unshown.push("mean");
                None
            }
            EndReason::Deleveraged => {
                unshown.push("pool");
                let sample = self.made_at(shown, proof, after, None)?;
                let age = ended.filter(|ended| sample.at_ms <= *ended).map(|ended| ended - sample.time_ms);
                if age.is_none_or(|age| age > FRESH_MS) {
                    return Err(Reason::DeliverySample.because("it came later, or was too old"));
                }
                Some(sample)
            }
            _ => Some(self.made_at(shown, proof, after, ended)?),
        };
        if sample.as_ref().is_some_and(|sample| sample.seq > end) {
            return Err(Reason::DeliverySample.because("it came after the end"));
        }
        // A sample fixes what it triggers, and the stops with it (4.6).
        let by_itself = sample.as_ref().filter(|_| !matches!(reason, EndReason::User | EndReason::Deleveraged));
        let before = Some(by_itself.map_or(end, |sample| sample.seq));
        let stops = self.stops(claims, proof, Some(SettableSpan { figures, after, before }), unshown)?;
        self.check_result(claims, figures, margin, (reason, sample.as_ref()))?;
        Ok((sample, stops))
    }

    /// The entry by which its owner closed the position, or cancelled the order that never became one.
    fn ended_by<'a>(
        &self,
        claims: &Claims,
        proof: &'a Proof,
        (end, after): (u64, u64),
        unshown: &mut Vec<&'static str>,
    ) -> Result<&'a Entry, Fault> {
        let entry = proof.entry(end).ok_or_else(|| Reason::Proof.because(format!("the end, entry {end}, is missing")))?;
        let opened = number(claims, "transaction_time_ms").is_some();
        let ended = match codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) {
            Ok(Some(Command::CloseContract { position, .. })) if opened => Some(position),
            Ok(Some(Command::CancelContract { position, .. })) if !opened => Some(position),
            _ => None,
        };
        let then = end > after && number(claims, "complete_time_ms") == Some(entry.time_ms);
        if !then || ended != Some(PositionId(self.entry.seq)) {
            return Err(Reason::Outcome.because(format!("entry {end} did not end it then")));
        }
        check_owner(claims, entry, Reason::Outcome, unshown)?;
        Ok(entry)
    }

    /// Reason, closing price, result, fee and the returned amount (4.5, 4.6).
    fn check_result(
        &self,
        claims: &Claims,
        figures: &Figures,
        margin: Amount,
        (reason, sample): (EndReason, Option<&Sample>),
    ) -> Result<(), Fault> {
        let stake = figures.stake;
        let claimed = |name: &str| claims.position.get(name).and_then(Json::as_str);
        let claimed_ticks = |name: &str| claimed(name).and_then(|price| parse_decimal(price, PRICE_SCALE, u64::MAX).ok()).map(Price);
        let stop = |name: &str| claimed_ticks(name).filter(|price| price.0 > 0).and_then(|price| self.terms.ticks(price));
        let mark = sample.map(|sample| self.mark(sample, Reason::DeliverySample)).transpose()?;
        let (spread, costs) = (self.terms.spread, self.terms.fee);
        let (close, rate) = match (reason, mark) {
            (EndReason::Liquidation, Some(mark)) => (mark, self.terms.liquidation_fee),
            (EndReason::Deleveraged, Some(mark)) => (mark, Rate(0)),
            (_, Some(mark)) => (self.order.direction.closing(mark, spread), costs),
            (_, None) => {
                let close = claimed_ticks("update_price").and_then(|price| self.terms.ticks(price));
                (close.ok_or_else(|| Reason::Outcome.because("update_price does not lie on the step"))?, Rate(0))
            }
        };
        if let Some(mark) = mark
            && !matches!(reason, EndReason::User | EndReason::Deleveraged)
        {
            let stops = Stops { take_profit: stop("target_profit_price"), stop_loss: stop("stop_loss_price") };
            let liquidation = stake.liquidation_price(margin, figures.required);
            if reason_at(stake, liquidation, figures.cap, stops, mark) != Some(reason) {
                return Err(Reason::Outcome.because("at this price it does not close for this reason"));
            }
        }
        let most = stake.profit(close).min(i128::from(figures.cap));
        let settlement = settle(margin, Profit(most), fee(stake.notional(close), rate), Insurance(0));
        let shown = most.max(-i128::from(margin));
        let exact = |atoms: i128| signed(atoms, self.quote.scale);
        let expected = json!({
            "status": 3,
            "settled": 1,
            "update_price": self.ticks(close),
            "market_value": exact(stake.notional(close)),
            "profits": exact(shown),
            "fact_profits": exact(shown),
        });
        same(Reason::Outcome, &claims.position, &expected)?;
        let paid = json!({ "close_fee": self.amount(settlement.fee), "returned": self.amount(settlement.returned) });
        same(Reason::Payout, &claims.position, &paid)
    }

    /// An order that waits, or ended before it was filled: its hold came back.
    fn never_opened(&self, claims: &Claims, proof: &Proof, unshown: &mut Vec<&'static str>) -> Result<Option<StopsOfReceipt>, Fault> {
        let limit = self.order.limit.and_then(|limit| self.terms.ticks(limit));
        let limit = limit.ok_or_else(|| Reason::Terms.because("what has no limit does not wait"))?;
        let figures = self.terms.figures(self.scales(), self.size(), limit);
        let hold = figures.map_err(|_| Reason::Terms.because("no such order may wait under these terms"))?.cost();
        same_value(Reason::DeliverySample, "close_sample", &claims.close_sample, &Json::Null)?;
        let stops = self.stops(claims, proof, None, unshown)?;
        let expires_ms = self.entry.time_ms.saturating_add(WAITING_MS);
        let Some(end) = claims.end_seq else {
            if proof.is_long_after(expires_ms) {
                return Err(Reason::Outcome.because("it still waits after 30 days"));
            }
            let waiting = json!({ "status": 0, "reason": null, "returned": null, "fact_profits": null, "complete_time_ms": null });
            same(Reason::Outcome, &claims.position, &waiting)?;
            return same(Reason::Payout, &claims.position, &json!({ "caution_money": self.amount(hold) })).map(|()| stops);
        };
        same(Reason::Outcome, &claims.position, &json!({ "status": 4, "fact_profits": null }))?;
        match claims.position.get("reason").and_then(Json::as_str) {
            Some("USER") => drop(self.ended_by(claims, proof, (end, self.entry.seq), unshown)?),
            Some("EXPIRED") => same(Reason::Outcome, &claims.position, &json!({ "complete_time_ms": expires_ms }))?,
            // The reason why it could not open depends on the state of its owner and of the pool.
            Some("REFUSED" | "RETIRED") => unshown.push("pool"),
            _ => return Err(Reason::Outcome.because("an order does not end like this")),
        }
        same(Reason::Payout, &claims.position, &json!({ "returned": self.amount(hold) })).map(|()| stops)
    }
}

/// How a position may end.
const ENDS: [EndReason; 7] = [
    EndReason::User,
    EndReason::TakeProfit,
    EndReason::StopLoss,
    EndReason::Liquidation,
    EndReason::ProfitCap,
    EndReason::Deleveraged,
    EndReason::Retired,
];
