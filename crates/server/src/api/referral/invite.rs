//! Who was invited, and the leaderboard (`docs/api.md` 4.13).

use std::collections::HashMap;

use engine::ids::UserId;
use engine::referral::leaderboard::Place;
use engine::security::ReferralRole;
use serde::Serialize;
use store::people::{self, Person};
use store::{Page, fee_days};
use utoipa::ToSchema;

use super::share::share_url;
use crate::api::contact::masked;
use crate::http::decimal::trimmed;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Refusal, Reply};
use crate::http::types::EntryRange;
use crate::http::units::amount;
use crate::http::{App, Call, types, web};

/// The picture shown with the invitation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InviteAd)]
pub struct Ad {
    image: &'static str,
}

/// A member's own invitations (G-7).
#[derive(Debug, Serialize, ToSchema)]
pub struct Invite {
    extension_code: String,
    authorization_code: String,
    invite_num: usize,
    invite_return_total: String,
    #[schema(value_type = types::UserRole)]
    role: &'static str,
    return_rate1: String,
    return_rate2: String,
    return_rate3: &'static str,
    total_return_rate: String,
    share_url: String,
    ad: Ad,
}

/// `GET user/invite`
pub async fn invite(call: Call) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    let engine = call.app.sequencer.engine();
    let role = engine.security(me.id).unwrap_or_default().role;
    let [first, second] = engine.rebate_rates(me.id).map(|rate| trimmed(rate.0, 6));
    // The code of promoters and partners is their role and their invitation code, so they need to remember only one.
    let authorization_code = match role {
        ReferralRole::User => String::new(),
        ReferralRole::Promoter | ReferralRole::Partner => format!("{}-{}", role.word().to_uppercase(), me.invite_code),
    };
    Ok(Reply::ok(Invite {
        authorization_code,
        invite_num: engine.invitees(me.id).len(),
        invite_return_total: amount(&call.app.catalog, call.app.catalog.funding.bank.asset, engine.rebate_total(me.id)),
        role: role.word(),
        return_rate1: first.clone(),
        return_rate2: second,
        return_rate3: "0",
        total_return_rate: first,
        share_url: share_url(&call.site, &me.invite_code),
        ad: Ad { image: web::LOGO },
        extension_code: me.invite_code,
    })
    .at(engine.seq().0))
}

/// A member whom the caller invited, masked.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitee {
    id: u64,
    account: String,
    account_number: String,
    phone: String,
    email: String,
    #[schema(value_type = types::Flag)]
    verified: u8,
    /// What their fees brought the caller: a share of each day's rebate, at its value when it was credited.
    rebate: String,
    time: String,
    time_ms: u64,
}

/// `POST user/my_invite_list`
pub async fn invitees(call: Call, page: Page) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let (seq, total, shown) = {
        let engine = app.sequencer.engine();
        let all = engine.invitees(me);
        let total = all.len() as u64;
        let shown: Vec<(UserId, bool)> = all
            .rev()
            .skip(bound(page.offset()))
            .take(bound(page.limit))
            .map(|invitee| (invitee, engine.kyc_level(invitee).is_some()))
            .collect();
        (engine.seq().0, total, shown)
    };
    let users: Vec<UserId> = shown.iter().map(|(user, _)| *user).collect();
    let people = by_number(app, &users).await?;
    app.wait_for(seq).await?;
    let brought = fee_days::brought(&app.db, me, &users, seq).await?;
    let usdt = |atoms| amount(&app.catalog, app.catalog.funding.bank.asset, atoms);
    let row = |(user, verified): (UserId, bool)| {
        let person = people.get(&user)?;
        let hidden = |text: Option<&String>| text.map(|text| masked(text)).unwrap_or_default();
        Some(Invitee {
            id: user.0,
            account: account(Some(person)),
            account_number: masked(&person.account_number),
            phone: hidden(person.phone.as_ref()),
            email: hidden(person.email.as_ref()),
            verified: verified.into(),
            rebate: usdt(brought.get(&user).copied().unwrap_or_default()),
            time: ts(person.created_at_ms),
            time_ms: person.created_at_ms,
        })
    };
    Ok(Reply::ok(Paginator::new(shown.into_iter().filter_map(row).collect(), total, page)).at(seq))
}

/// A place on the leaderboard.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rank {
    rank: usize,
    user_id: u64,
    account: String,
    total: String,
    invitees: usize,
}

/// `POST user/invite_list`
pub async fn leaderboard(call: Call) -> Answer {
    let app = &call.app;
    let own = call.session.map(|session| session.user);
    let (seq, places) = {
        let engine = app.sequencer.engine();
        let places: Vec<(Place, usize)> = engine.leaderboard().map(|place| (place, engine.invitees(place.user).len())).collect();
        (engine.seq().0, places)
    };
    let users: Vec<UserId> = places.iter().map(|(place, _)| place.user).collect();
    let people = by_number(app, &users).await?;
    let row = |(rank, (place, invitees)): (usize, (Place, usize))| Rank {
        rank,
        // Other members' numbers stay hidden; the caller finds their own row.
        user_id: own.filter(|own| *own == place.user).map_or(0, |own| own.0),
        account: account(people.get(&place.user)),
        total: amount(&app.catalog, app.catalog.funding.bank.asset, place.total),
        invitees,
    };
    let rows: Vec<Rank> = (1..).zip(places).map(row).collect();
    // Every rebate since the first entry counts.
    Ok(Reply::ok(rows).data(EntryRange { from_seq: 1, to_seq: seq }).at(seq))
}

/// How others see an account: its number, masked.
pub(super) fn account(person: Option<&Person>) -> String {
    person.map(|person| masked(&person.account_number)).unwrap_or_default()
}

pub(super) async fn by_number(app: &App, users: &[UserId]) -> Result<HashMap<UserId, Person>, Refusal> {
    Ok(people::some(app, users).await?.into_iter().map(|person| (person.id, person)).collect())
}
