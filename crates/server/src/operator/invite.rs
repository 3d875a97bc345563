//! `meridian operator add` and `rescue`: the first operators, and lost secrets, come from the machine itself.
//!
//! The command line does not write the log, which belongs to the server. It announces the change in the database and ends the operator's
//! sessions; the server logs it, with a row in the audit log, at its start or at the next log-in, before the new link can be used.

use engine::ids::UserId;
use engine::operators::Cause;
use kernel::journal_clock::Clock;
use store::db::Db;
use store::{operator_changes, operators};

use super::Roles;
use super::appointment::NO_MEMBER;
use crate::config::{OperatorArgs, OperatorPlace, RescueArgs};
use crate::databases;
use crate::error::StartError;

fn wrong(why: &str) -> StartError {
    StartError(format!("operator: {why}"))
}

fn name(typed: &str) -> Result<String, StartError> {
    let name = typed.trim().to_lowercase();
    if (2..=64).contains(&name.chars().count()) { Ok(name) } else { Err(wrong("a name of 2 to 64 characters is needed")) }
}

/// Announces a new operator, or new roles of a known one: a one-time link.
///
/// # Errors
/// The input is invalid, or the database cannot be written.
pub fn add(args: &OperatorArgs) -> Result<String, StartError> {
    let name = name(&args.name)?;
    let parsed: Option<Vec<Roles>> = args.roles.split(',').map(|word| Roles::parse(word.trim())).collect();
    let roles = parsed.ok_or_else(|| wrong(&format!("roles are {}", Roles::WORDS.join(", "))))?;
    let roles = roles.into_iter().fold(Roles(0), Roles::or);
    within(&args.place, async |db| {
        let member = match args.member.trim() {
            NO_MEMBER => None,
            account => Some(operators::member_with(&db, account).await?.ok_or_else(|| wrong("no member has this account number"))?),
        };
        if let Some(found) = operators::member_with(&db, &name).await?
            && member != Some(found)
        {
            return Err(wrong("the name is the account number of a member: state it with --member"));
        }
        let now = Clock::default().wall_ms();
        let id = operators::number(&db, &name, now).await?;
        announce(&db, (id, Cause::Machine, roles, member), now).await
    })
}

/// Announces new secrets of an operator, who keeps roles and link: a one-time link.
///
/// # Errors
/// No operator has this name, or the database cannot be written.
pub fn rescue(args: &RescueArgs) -> Result<String, StartError> {
    let name = name(&args.name)?;
    within(&args.place, async |db| {
        let id = operators::number_of(&db, &name).await?.ok_or_else(|| wrong("no operator has this name"))?;
        announce(&db, (id, Cause::Rescue, Roles(0), None), Clock::default().wall_ms()).await
    })
}

async fn announce(
    db: &Db,
    (id, cause, roles, member): (engine::ids::OperatorId, Cause, Roles, Option<UserId>),
    now: u64,
) -> Result<String, StartError> {
    let (link, statements) = operator_changes::announce(id, cause, roles, member, now)?;
    db.run(statements).await?;
    Ok(link)
}

fn within(place: &OperatorPlace, work: impl AsyncFnOnce(Db) -> Result<String, StartError>) -> Result<String, StartError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let db = match place.database.as_deref() {
            Some(url) => databases::postgres(url)?,
            None => {
                // The first start creates it after the journal. A people database without a journal looks like the remains of a lost one.
                let file = place.data.join("meridian.db");
                if !file.is_file() {
                    return Err(wrong(&format!("no meridian.db in {}: start the server there once first", place.data.display())));
                }
                Db::sqlite(&file)?
            }
        };
        db.migrate(&store::migrations()).await?;
        work(db).await
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_is_made_where_nothing_was_served_and_no_stranger_is_rescued() {
        let folder = tempfile::tempdir().unwrap();
        let place = || OperatorPlace { data: folder.path().join("data"), database: None };
        let args = |roles: &str, member: &str| OperatorArgs {
            place: place(),
            name: " Ann ".to_owned(),
            roles: roles.to_owned(),
            member: member.to_owned(),
        };
        assert!(add(&args("treasury,owner", "none")).is_err());
        assert!(add(&args("admin", "none")).is_err(), "nothing was served there");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "made something");
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join("data/meridian.db"), []).unwrap();
        assert!(add(&args("admin", "12345678")).is_err(), "a member who does not exist");
        assert!(rescue(&RescueArgs { place: place(), name: "ann".to_owned() }).is_err(), "nobody to rescue");
        assert_ne!(add(&args("treasury, admin", "none")).unwrap(), add(&args("admin", "none")).unwrap());
    }
}
