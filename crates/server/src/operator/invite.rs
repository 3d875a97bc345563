//! `meridian operator add`: the first operators come from the machine itself.

use engine::ids::UserId;

use super::Roles;
use crate::app::{Clock, StartError};
use crate::config::OperatorArgs;
use crate::db::Db;
use crate::store::{self, operators};

/// Adds the operator, or changes the roles of a known one, and makes a one-time link.
pub fn run(args: &OperatorArgs) -> Result<String, StartError> {
    let wrong = |why: &str| StartError(format!("operator add: {why}"));
    let name = args.name.trim().to_lowercase();
    if !(2..=64).contains(&name.chars().count()) {
        return Err(wrong("a name of 2 to 64 characters is needed"));
    }
    let parsed: Option<Vec<Roles>> = args.roles.split(',').map(|word| Roles::parse(word.trim())).collect();
    let roles = parsed.ok_or_else(|| wrong(&format!("roles are {}", Roles::WORDS.join(", "))))?;
    let roles = roles.into_iter().fold(Roles(0), Roles::or);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let db = match args.database.as_deref() {
            Some(url) => Db::postgres(url)?,
            None => {
                // The first start makes it after the journal; people without a journal look like what is left of a lost one.
                let file = args.data.join("meridian.db");
                if !file.is_file() {
                    return Err(wrong(&format!("no meridian.db in {}: start the server there once first", args.data.display())));
                }
                Db::sqlite(&file)?
            }
        };
        db.migrate(&store::migrations()).await?;
        let now = Clock::default().wall_ms();
        let id = operators::put(&db, &name, roles.0, true, now).await?;
        let (link, statement) = operators::new_link(id, now)?;
        let member = args.member.map(|member| operators::set_member(id, UserId(member)));
        db.run(std::iter::once(statement).chain(member).collect()).await?;
        Ok(link)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_link_is_for_one_operator_and_a_new_one_ends_the_old() {
        let folder = tempfile::tempdir().unwrap();
        let args = |roles: &str| OperatorArgs {
            data: folder.path().join("data"),
            database: None,
            name: " Ann ".to_owned(),
            roles: roles.to_owned(),
            member: None,
        };
        assert!(run(&args("treasury,owner")).is_err());
        assert!(run(&args("admin")).is_err(), "nothing was served there");
        assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "made something");
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join("data/meridian.db"), []).unwrap();
        let (old, new) = (run(&args("treasury, admin")).unwrap(), run(&args("admin")).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Db::sqlite(&folder.path().join("data/meridian.db")).unwrap();
            let now = Clock::default().wall_ms();
            assert!(operators::invited(&db, &old, now).await.unwrap().is_none());
            let found = operators::invited(&db, &new, now).await.unwrap().unwrap();
            assert_eq!((found.name.as_str(), found.roles), ("ann", Roles::ADMIN.0));
            assert!(operators::invited(&db, &new, now + operators::LINK_MS + 1_000).await.unwrap().is_none());
        });
    }
}
