//! Undoing a change that a thief made: the message that tells the owner about it, and the call that restores the previous state.

use engine::command::Command;
use engine::ids::UserId;
use engine::time::Time;
use store::db::{DbError, Sql};
use store::notices::{Topic, insert as notice};
use store::people::{self, Identity, Person};
use store::second_factor::end_challenges;
use store::{account_changes, operators, outbox, sessions};

use super::security::start_hold;
use crate::api::contact;
use crate::http::auth::Ended;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::request;
use crate::http::{App, Call};
use crate::i18n::{filled, text};

/// A change of an account, and the displayed form of the new value.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The mail address, to this one.
    Email(&'a str),
    /// The phone, to this one.
    Phone(&'a str),
    /// An authenticator was switched on.
    TotpOn,
    /// It was switched off.
    TotpOff,
    /// It got new recovery codes.
    RecoveryCodes,
}

/// The statements that tell the account's present mail address how to undo this change within 24 hours. None without an address. A phone
/// cannot undo anything, because anyone who has it can reset the password with it.
pub async fn offer(app: &App, me: &Person, change: Change<'_>) -> Result<Vec<Sql>, Refusal> {
    let Some(email) = me.email.as_deref() else { return Ok(Vec::new()) };
    let (purpose, subject, body, to) = match change {
        Change::Email(to) => ("email", "message.email.subject", "message.email.undo", to),
        Change::Phone(to) => ("phone", "message.phone.subject", "message.phone.undo", to),
        Change::TotpOn => ("totp", "message.totp.subject", "message.totp.on", ""),
        Change::TotpOff => ("totp", "message.totp.subject", "message.totp.off", ""),
        Change::RecoveryCodes => ("totp", "message.totp.subject", "message.totp.recovery", ""),
    };
    let (code, keep) = account_changes::keep(app, me, email).await?;
    let (subject, body) = (text(me.lang, subject).to_owned(), filled(me.lang, body, &[("to", to), ("code", &code)]));
    Ok(vec![keep, outbox::insert(app, outbox::Message { target: email, purpose, subject, body, code: None, expires_ms: None }, false)?])
}

request! {
    /// What `user/stop_email_change` takes.
    pub struct StopEmailChange {
        required code: String,
    }
}

/// `POST user/stop_email_change`: with the code that came with any of these changes. The author of the change had a session and the
/// password, so both are revoked, and everything changed since is restored: the owner sets a new password with the previous mail address.
pub async fn stop_email_change(call: Call, request: StopEmailChange) -> Answer {
    let app = &call.app;
    let change = account_changes::find(app, &request.code).await?.or_refuse(Code::WrongCode)?;
    let _lock = app.member_locks.of_addresses().await;
    // The address may have changed once more during the wait.
    let me = people::get(app, change.user).await.or_refuse(Code::WrongCode)?;
    if operators::reserves(app, &Identity::Email(change.email.clone()), Some(me.id)).await? {
        return Err(refuse(Code::WrongState));
    }
    let back = contact::masked(&change.email);
    let seq = start_hold(app, me.id).await?;
    forget_destinations(app, me.id, change.made).await?;
    let mut statements = account_changes::use_up(&change).to_vec();
    statements.extend(operators::bind(app, &me).await?);
    statements.extend(account_changes::undo(app, &me, &change)?);
    statements.extend([
        end_challenges(me.id),
        sessions::end_all_but(me.id, None),
        notice(me.id, Topic::EmailRestored, &[("to", &back)], None, app.now_ms()),
    ]);
    // The address that is removed gets a message: it may be the owner's, and the previous one may be read by a thief.
    if let Some(gone) = me.email.as_deref().filter(|gone| *gone != change.email) {
        let subject = text(me.lang, "notice.email_restored.title").to_owned();
        let body = filled(me.lang, "notice.email_restored.text", &[("to", &back)]);
        statements.push(outbox::insert(
            app,
            outbox::Message { target: gone, purpose: "email", subject, body, code: None, expires_ms: None },
            false,
        )?);
    }
    let reply = call.commit(statements, Reply::say("ok.email_restored").at(seq)).await;
    let reply = reply.map_err(|error| match error {
        DbError::Missed(0) => refuse(Code::WrongCode),
        // Another account has the address by now.
        DbError::Unique => refuse(Code::WrongState),
        error => error.into(),
    })?;
    app.sessions.forget(Ended::AllBut(me.id, None));
    // Also removes destinations stored while the sessions were being ended.
    forget_destinations(app, me.id, change.made).await?;
    Ok(reply)
}

/// Removes the addresses and cards that were stored at this journal time or later; the hold keeps withdrawals from using them meanwhile.
async fn forget_destinations(app: &App, user: UserId, since: Time) -> Result<(), Refusal> {
    let commands: Vec<Command> = {
        let engine = app.sequencer.engine();
        let addresses = engine.addresses(user).filter(|stored| stored.created >= since);
        let addresses = addresses.map(|stored| Command::RemoveAddress { user, address: stored.id });
        let cards = engine.cards(user).filter(|stored| stored.created >= since);
        addresses.chain(cards.map(|stored| Command::RemoveCard { user, card: stored.id })).collect()
    };
    for command in commands {
        app.sequencer.submit(command, None).await?;
    }
    Ok(())
}
