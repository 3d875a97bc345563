//! Bank cards that withdrawals are paid out to (12). The engine knows keyed digests and ages; the fields are sealed documents.

use std::sync::LazyLock;

use engine::command::Command;
use engine::funding::bank_codes::{is_fedwire, is_iban, is_swift};
use engine::funding::destinations::{Card, usable_at};
use engine::ids::{CardId, Digest, UserId};
use engine::product::Product;
use engine::reply::Reply as EngineReply;
use serde::{Deserialize, Serialize};
use store::db::DbError;
use store::documents::{self, CardPaper};
use store::notices::{Topic, insert_once};
use utoipa::ToSchema;

use super::addresses::{Stored, refusal};
use crate::api::command::{answer, done, forget_refused};
use crate::http::code::Code;
use crate::http::page::ts;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::values::Line;
use crate::http::{App, Call, types};
use crate::i18n::Lang;

/// A bank to choose from. Members type the name of any other bank.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Bank {
    id: u64,
    name: String,
}

static BANKS: LazyLock<Vec<Bank>> = LazyLock::new(|| serde_json::from_str(include_str!("../../../data/banks.json")).unwrap_or_default());

/// A stored bank card.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Card)]
pub struct CardRow {
    id: u64,
    bank_id: Option<u64>,
    bank_name: String,
    bank_account: String,
    real_name: String,
    bank_branch: String,
    bank_address: String,
    swift_code: String,
    iban: String,
    residence_address: String,
    postal_code: String,
    #[schema(value_type = types::Flag)]
    is_international: u8,
    usable_at_ms: u64,
    create_time: String,
    create_time_ms: u64,
}

/// The member's newest card, and the choices for a new one.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct CashInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(extensions(("x-may-be-missing" = json!(true))))]
    bank_id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bank_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bank_account: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    real_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bank_branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bank_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    swift_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    iban: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    residence_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    create_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    create_time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    usable_at_ms: Option<u64>,
    count: usize,
    banks: Vec<Bank>,
}

/// All but the last four characters hidden.
pub(super) fn masked_number(number: &str) -> String {
    let length = number.chars().count();
    number.chars().enumerate().map(|(at, c)| if at + 4 < length { '*' } else { c }).collect()
}

/// A member's cards with their fields, newest first.
async fn stored(app: &App, user: UserId) -> Result<Vec<CardRow>, DbError> {
    let mut cards: Vec<Card> = app.sequencer.engine().cards(user).copied().collect();
    cards.reverse();
    let digests: Vec<Digest> = cards.iter().map(|card| card.destination).collect();
    let texts = documents::find(app, user, &digests).await?;
    let row = |card: Card| {
        let paper: CardPaper = texts.get(&card.destination).map(|text| documents::read(text)).transpose()?.unwrap_or_default();
        Ok(CardRow {
            id: card.id.0,
            bank_id: paper.bank_id,
            bank_name: paper.bank_name,
            bank_account: masked_number(&paper.bank_account),
            real_name: paper.real_name,
            bank_branch: paper.bank_branch,
            bank_address: paper.bank_address,
            swift_code: paper.swift_code,
            iban: masked_number(&paper.iban),
            residence_address: paper.residence_address,
            postal_code: paper.postal_code,
            is_international: paper.is_international.into(),
            usable_at_ms: usable_at(card.created).0,
            create_time: ts(card.created.0),
            create_time_ms: card.created.0,
        })
    };
    cards.into_iter().map(row).collect()
}

/// `GET user/cash_list`
pub async fn list(call: Call) -> Answer {
    Ok(Reply::ok(stored(&call.app, call.user()?).await?))
}

request! {
    /// What `user/cash_info` takes. The language is that of the answer.
    pub struct ShowNewest checked by handler {
        optional lang: Input<Lang>,
    }
}

/// `POST user/cash_info`
pub async fn newest(call: Call, _request: ShowNewest) -> Answer {
    let rows = stored(&call.app, call.user()?).await?;
    let (count, banks) = (rows.len(), BANKS.clone());
    let Some(card) = rows.into_iter().next() else { return Ok(Reply::ok(CashInfo { count, banks, ..CashInfo::default() })) };
    Ok(Reply::ok(CashInfo {
        id: Some(card.id),
        bank_id: card.bank_id,
        bank_name: Some(card.bank_name),
        bank_account: Some(card.bank_account),
        real_name: Some(card.real_name),
        bank_branch: Some(card.bank_branch),
        bank_address: Some(card.bank_address),
        swift_code: Some(card.swift_code),
        iban: Some(card.iban),
        residence_address: Some(card.residence_address),
        postal_code: Some(card.postal_code),
        create_time: Some(card.create_time),
        create_time_ms: Some(card.create_time_ms),
        usable_at_ms: Some(card.usable_at_ms),
        count,
        banks,
    }))
}

request! {
    /// What `user/cash_save` takes.
    pub struct AddCard checked by handler {
        required bank_name: Input<Line<1, 100>>,
        required bank_account: Input<Line<1, 300>>,
        required real_name: Input<Line<1, 100>>,
        required bank_branch: Input<Line<1, 100>>,
        optional bank_id: Input<u64>,
        optional is_international: Input<bool>,
        optional bank_address: Input<Line<1, 300>>,
        optional swift_code: Input<Line<1, 100>>,
        optional iban: Input<Line<1, 100>>,
        optional residence_address: Input<Line<1, 300>>,
        optional postal_code: Input<Line<1, 20>>,
    }
}

/// K-1: every field of the chosen variant, in its form.
fn paper(request: &AddCard) -> Result<CardPaper, Refusal> {
    request.complete()?;
    let is_international = request.is_international.optional()?.unwrap_or(false);
    let bank_id = request.bank_id.optional()?;
    if bank_id.is_some_and(|id| BANKS.iter().all(|bank| bank.id != id)) {
        return Err(bad_field("bank_id", "enum"));
    }
    let (Line(bank_name), Line(real_name)) = (request.bank_name.required()?, request.real_name.required()?);
    let (Line(bank_branch), Line(bank_account)) = (request.bank_branch.required()?, request.bank_account.required()?);
    if !(8..=30).contains(&bank_account.len()) || !bank_account.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad_field("bank_account", "format"));
    }
    let domestic = CardPaper { bank_id, bank_name, bank_account, real_name, bank_branch, ..CardPaper::default() };
    if !is_international {
        // A domestic card ignores these, but they must be readable too.
        request.bank_address.optional()?;
        request.swift_code.optional()?;
        request.iban.optional()?;
        request.residence_address.optional()?;
        request.postal_code.optional()?;
        return Ok(domestic);
    }
    let (Line(bank_address), Line(residence_address)) = (request.bank_address.required()?, request.residence_address.required()?);
    let Line(postal_code) = request.postal_code.required()?;
    let capitals = |text: String| text.split_whitespace().collect::<String>().to_ascii_uppercase();
    let (iban, swift_code) = (capitals(request.iban.required()?.0), capitals(request.swift_code.required()?.0));
    if !is_iban(&iban) {
        return Err(refuse(Code::BadIban));
    }
    if !is_swift(&swift_code) && !is_fedwire(&swift_code) {
        return Err(refuse(Code::BadSwift));
    }
    Ok(CardPaper { bank_address, swift_code, iban, residence_address, postal_code, is_international, ..domestic })
}

/// K-2: trimmed, in capitals, blanks joined.
fn as_holder(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}

/// The card that is to be stored, under the verified name.
async fn wanted(app: &App, me: UserId, request: &AddCard) -> Result<CardPaper, Refusal> {
    let verified = documents::verified(app, me).await?.or_refuse(Code::BasicIdentityMissing)?;
    let paper = paper(request)?;
    if as_holder(&paper.real_name) == as_holder(&verified.name) { Ok(paper) } else { Err(refuse(Code::HolderMismatch)) }
}

/// `POST user/cash_save`
pub async fn add(call: Call, request: AddCard) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let paper = match wanted(app, me, &request).await {
        Ok(paper) => paper,
        // What cannot be stored is refused in the order of K-3 as well, and does not reach the log.
        Err(fault) => {
            let earlier = app.sequencer.engine().check_card(me).err();
            return Err(earlier.map_or(fault, |reject| refusal(&app.catalog, None, Product::BankWithdrawal, &reject)));
        }
    };
    let (text, destination) = documents::written(app, "card", &paper)?;
    let _lock = app.member_locks.of(me).await;
    let stored = app.db.exec(documents::keep(app, me, destination, &text)?).await?;
    let number = documents::keyed_digest(app, "card number", &paper.bank_account);
    let applied = app.sequencer.submit(Command::AddCard { user: me, number, destination }, call.request).await?;
    forget_refused(app, (me, destination), &stored, &applied).await?;
    let EngineReply::Card(card) = done(&applied, |reject| refusal(&app.catalog, None, Product::BankWithdrawal, reject))? else {
        return Err(refuse(Code::Internal));
    };
    // Also on a repetition, because the first attempt may have been interrupted between the command and this row.
    app.db.exec(insert_once(me, Topic::CardAdded, &[], card.id.0, app.now_ms())).await?;
    app.notices.tell(me).await;
    Ok(answer("ok.card_added", &applied).data(Stored { id: card.id.0, usable_at_ms: usable_at(card.created).0 }))
}

/// `POST user/cash_del`
pub async fn remove(call: Call, request: ById) -> Answer {
    let command = Command::RemoveCard { user: call.user()?, card: CardId(request.id.or(Code::NotFound)?) };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    done(&applied, |reject| refusal(&call.app.catalog, None, Product::BankWithdrawal, reject).in_state(Some("in_use")))?;
    Ok(answer("ok.card_removed", &applied))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_shows_its_last_four() {
        assert_eq!(masked_number("12345678"), "****5678");
        assert_eq!(masked_number(""), "");
    }

    #[test]
    fn holders_are_compared_without_case_and_blanks() {
        assert_eq!(as_holder("  Ann   lee "), as_holder("ANN LEE"));
        assert_ne!(as_holder("Ann Lee"), as_holder("Annlee"));
        assert!(BANKS.len() > 10);
    }
}
