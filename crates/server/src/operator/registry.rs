//! Operators that the machine itself declares: those older than the log's record of operators, and those from the command line or the
//! first-run screen of a sandbox. Each becomes an entry of the log and a row of the audit log.

use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{Proposal, Proposed};
use engine::command::Command;
use engine::feature::Feature;
use engine::ids::OperatorId;
use engine::operators::{Cause, Declared, Operator};
use store::audit::{self as log, MACHINE, Note};
use store::documents::plain_digest;
use store::operator_changes::{self, Announced};
use store::operators::{self, Unlogged};

use crate::api::command::done;
use crate::http::App;
use crate::http::reply::{Code, Refusal, refuse};

fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Before => "import",
        Cause::Machine => "add",
        Cause::Rescue => "rescue",
        Cause::Sandbox => "sandbox",
        Cause::Linked => "link",
    }
}

/// Logs an operator declared by the machine.
///
/// # Errors
/// The name of the engine's refusal.
pub async fn declare(app: &App, declared: Declared) -> Result<(), Refusal> {
    let object_id = u64::from(declared.operator.0);
    let note = Note { operator: MACHINE, action: word(declared.cause), kind: "operator", object_id, reason: "" };
    let id = log::begin(app, &note).await?;
    let logged = app.sequencer.submit(Command::DeclareOperator(declared), None).await?;
    log::finish(app, id, logged.seq.0, "", &note, &[]).await?;
    done(&logged, |reject| refuse(reject.into())).map(drop)
}

/// Logs which operators have become members, before anything is signed: one person never counts as two, not even for what they signed
/// earlier.
///
/// # Errors
/// The log or the database could not be read or written.
pub async fn learn_links(app: &App) -> Result<(), Refusal> {
    if operators::unlinked(app).await?.is_empty() {
        return Ok(());
    }
    // A caller that waited finds the links known, so each is one entry and one row of the audit log.
    let _lock = app.member_locks.of_links().await;
    for (operator, member) in operators::unlinked(app).await? {
        // If a sign-up was interrupted between its two databases, the log does not know the member yet.
        let known = logged(app, operator).filter(|_| app.sequencer.engine().security(member).is_some());
        let Some(known) = known else { continue };
        let Operator { name, roles, active, .. } = known;
        match declare(app, Declared { operator, name, roles, active, member: Some(member), cause: Cause::Linked }).await {
            // The log already had the link.
            Err(refusal) if refusal.code == Code::WrongState => {}
            linked => linked?,
        }
    }
    Ok(())
}

/// Logs what the command line announced since. No one can log in with it before that.
///
/// # Errors
/// The log or the database could not be written.
pub async fn log_announced(app: &App) -> Result<(), Refusal> {
    for announced in operator_changes::announced(&app.db).await? {
        let Announced { operator, cause, roles, member, .. } = announced;
        let _lock = app.member_locks.of_addresses().await;
        // A name that belongs to a member states a link as well.
        let named = operators::member_of(app, &announced.name, None).await?;
        if cause == Cause::Machine && member.is_some() && named.is_some() && member != named {
            tracing::error!(operator = operator.0, "a change of an operator names another member than the log-in name does");
            app.db.run(vec![announced.drop()]).await?;
            continue;
        }
        let member = member.or(named);
        let declared = Declared { operator, name: plain_digest(&announced.name), roles, active: true, member, cause };
        let statements = match declare(app, declared).await {
            Ok(()) => announced.done(),
            Err(refusal) if refusal.seq.is_none() && [Code::NotReady, Code::OutcomeUnknown, Code::Internal].contains(&refusal.code) => {
                return Err(refusal);
            }
            Err(refusal) => {
                tracing::error!(operator = operator.0, refusal.name = refusal.code.name(), "a change of an operator was refused");
                vec![announced.drop()]
            }
        };
        match app.db.run(statements).await {
            // Another call did it in the meantime.
            Ok(_) | Err(store::db::DbError::Missed(0)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Logs the operators from before the log knew any. From this rule on it takes two, or the machine, to change one.
///
/// # Errors
/// The log could not be written.
pub async fn begin(app: &App) -> Result<(), Refusal> {
    if !app.sequencer.engine().active(Feature::OperatorRegistry) {
        write_agreed(app).await?;
        for Unlogged { id: operator, name, member, roles, active } in operators::unlogged(&app.db).await? {
            let member = match member {
                Some(member) => Some(member),
                None => operators::member_of(app, &name, None).await?,
            };
            declare(app, Declared { operator, name: plain_digest(&name), roles, active, member, cause: Cause::Before }).await?;
        }
        app.db.exec(operators::end_old_links()).await?;
    }
    Ok(())
}

/// Records what an earlier release agreed on but did not record.
async fn write_agreed(app: &App) -> Result<(), Refusal> {
    let done: Vec<Proposal> = app.sequencer.engine().proposals().filter(|kept| kept.status == Status::Done).cloned().collect();
    for kept in done {
        if let Proposed::SetOperator { subject, roles, active, .. } = kept.proposed {
            app.db.exec(operators::agree(subject, kept.id, roles, active)).await?;
        }
    }
    Ok(())
}

/// The operator as the log has them.
pub fn logged(app: &App, id: OperatorId) -> Option<Operator> {
    app.sequencer.engine().operator(id).copied()
}
