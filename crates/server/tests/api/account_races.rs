//! Changes of an account that wait, for a lock or for a password to be compared, while its owner or an operator takes it from the caller.

use std::future::Future;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use server::hasher::Lane;
use server::http::App;
use store::{fund_passwords, sql, totp};

use crate::frozen::{bind_code, new_authenticator, reset, steal, stop_code};
use crate::harness::{Answer, Server, both, on_postgres, past_step, token};
use crate::operator::{operator, post};
use crate::people::{FUND, Member, TRON};

/// What a busy machine needs from the end of a check to the wait for a lock.
const PAUSE: Duration = Duration::from_secs(1);

/// A thief with session and password has changed the address of the account: the account, and the code by which its owner undoes that.
async fn stolen(server: &Server, name: &str) -> (Member, String) {
    let ann = Member::new(server, &format!("{name}@example.com")).await;
    ann.set_fund_password(server).await;
    steal(server, &ann.token, &format!("thief.of.{name}@example.com")).await;
    let code = stop_code(server, &ann.email).await;
    (ann, code)
}

async fn undo(server: &Server, code: &str) -> Answer {
    server.post("/api/user/stop_email_change", &[("code", code)]).await
}

async fn edit_email(server: &Server, who: &Member, email: &str, code: &str) -> Answer {
    who.post(server, "/api/user/edit_email", &[("email", email), ("code", code), ("password", "secret1")]).await
}

/// Until one more password was compared, and what follows that has come to its lock.
async fn compared(app: &App, before: u64) {
    while app.hasher.done() == before {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(PAUSE).await;
}

async fn in_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), work).await.expect("it never ends")
}

/// The answer to a change of the address that was checked, and then had to wait until something else was done.
async fn overtaken(server: &Server, change: impl Future<Output = Answer>, by: impl Future<Output = ()>) -> Answer {
    let app = &server.running.app;
    let (lock, before) = (app.member_locks.of_addresses().await, app.hasher.done());
    let first = async {
        compared(app, before).await;
        by.await;
        drop(lock);
    };
    in_time(async { tokio::join!(change, first).0 }).await
}

/// The mail address of the account, as its owner sees it.
async fn shown_email(server: &Server, email: &str, password: &str) -> String {
    let who = server.login(email, password).await.ok().as_str().unwrap().to_owned();
    server.get_as(token(&who), "/api/user/center").await.ok()["email"].as_str().unwrap().to_owned()
}

#[test]
fn a_change_of_the_address_does_not_outlive_that_the_owner_undid_the_one_before() {
    both(|server| async move {
        let (ann, stop) = stolen(&server, "ann").await;
        let code = bind_code(&server, &ann.token, "eve@example.com").await;
        let app = &server.running.app;
        let (lock, before) = (app.member_locks.of_addresses().await, app.hasher.done());
        // Both wait, the owner first.
        let theft = async {
            tokio::time::sleep(PAUSE).await;
            edit_email(&server, &ann, "eve@example.com", &code).await
        };
        let go_on = async {
            compared(app, before).await;
            drop(lock);
        };
        let (undone, theft, ()) = in_time(async { tokio::join!(undo(&server, &stop), theft, go_on) }).await;
        undone.ok();
        assert_eq!(theft.error(), "E_PASSWORD_OLD");
        reset(&server, "ann@example.com", "secret2").await;
        assert_eq!(shown_email(&server, "ann@example.com", "secret2").await, "an***@example.com");
    });
}

#[test]
fn the_owner_undoes_also_the_change_that_came_first() {
    both(|server| async move {
        let (ann, stop) = stolen(&server, "ann").await;
        let code = bind_code(&server, &ann.token, "eve@example.com").await;
        let app = &server.running.app;
        let (lock, before) = (app.member_locks.of_addresses().await, app.hasher.done());
        let owner = async {
            compared(app, before).await;
            undo(&server, &stop).await
        };
        let go_on = async {
            compared(app, before).await;
            tokio::time::sleep(PAUSE).await;
            drop(lock);
        };
        let theft = edit_email(&server, &ann, "eve@example.com", &code);
        let (theft, undone, ()) = in_time(async { tokio::join!(theft, owner, go_on) }).await;
        theft.ok();
        undone.ok();
        let told = server.newest_message("eve@example.com").await;
        assert_eq!((&told["purpose"], &told["code"]), (&json!("email"), &json!(null)), "the address that was removed is told: {told}");
        reset(&server, "ann@example.com", "secret2").await;
        assert_eq!(shown_email(&server, "ann@example.com", "secret2").await, "an***@example.com");
    });
}

#[test]
fn a_change_of_the_address_does_not_outlive_a_new_password_or_a_freeze() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let code = bind_code(&server, &ann.token, "eve1@example.com").await;
        let theft = edit_email(&server, &ann, "eve1@example.com", &code);
        assert_eq!(overtaken(&server, theft, reset(&server, "ann@example.com", "secret2")).await.error(), "E_PASSWORD_OLD");
        assert_eq!(shown_email(&server, "ann@example.com", "secret2").await, "an***@example.com");

        let bob = Member::new(&server, "bob@example.com").await;
        let desk = operator(&server, "sue", &["support"]).await;
        let code = bind_code(&server, &bob.token, "eve2@example.com").await;
        let id = bob.id.0.to_string();
        let freeze = async {
            post(&server, &desk, "user/freeze", &[("id", &id), ("scope", "withdraw"), ("reason", "stolen phone")]).await.ok();
        };
        let theft = edit_email(&server, &bob, "eve2@example.com", &code);
        assert_eq!(overtaken(&server, theft, freeze).await.error(), "E_ACCOUNT_FROZEN");
        assert_eq!(shown_email(&server, "bob@example.com", "secret1").await, "bo***@example.com");
    });
}

#[test]
fn of_two_changes_at_once_the_first_new_address_is_told_of_the_second() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let (one, two) = (bind_code(&server, &ann.token, "one@example.com").await, bind_code(&server, &ann.token, "two@example.com").await);
        let app = &server.running.app;
        let (lock, before) = (app.member_locks.of_addresses().await, app.hasher.done());
        let second = async {
            compared(app, before).await;
            edit_email(&server, &ann, "two@example.com", &two).await
        };
        let go_on = async {
            compared(app, before).await;
            compared(app, before + 1).await;
            drop(lock);
        };
        let first = edit_email(&server, &ann, "one@example.com", &one);
        let (first, second, ()) = in_time(async { tokio::join!(first, second, go_on) }).await;
        first.ok();
        second.ok();
        let stop = stop_code(&server, "one@example.com").await;
        undo(&server, &stop).await.ok();
        reset(&server, "one@example.com", "secret2").await;
    });
}

#[test]
fn a_code_that_was_replaced_meanwhile_is_wrong_also_for_an_operator() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        // The row of an operator who is known as this member by the address comes into the transaction.
        let text =
            "insert into operators (name, roles, active, listed, last_step, created_at_ms) values ('ann@example.com', 0, 0, 0, 0, 0)";
        server.running.app.db.exec(sql!(text)).await.unwrap();
        let code = bind_code(&server, &ann.token, "new@example.com").await;
        let replace = async { while bind_code(&server, &ann.token, "new@example.com").await == code {} };
        assert_eq!(overtaken(&server, edit_email(&server, &ann, "new@example.com", &code), replace).await.error(), "E_CODE");
    });
}

#[test]
fn a_new_password_by_mail_ends_with_the_address_that_it_came_by() {
    both(|server| async move {
        let (ann, stop) = stolen(&server, "ann").await;
        let thief = "thief.of.ann@example.com";
        let code = server.mail_code(thief, "forget").await;
        let form = [("account", thief), ("code", &*code), ("password", "stolen11"), ("repassword", "stolen11")];
        let slow = server.running.app.hasher.done();
        let owner = async {
            // The undoing hashes nothing, so it overtakes.
            tokio::time::sleep(Duration::from_millis(20)).await;
            let undone = undo(&server, &stop).await;
            (undone, server.running.app.hasher.done() == slow)
        };
        let (forgotten, (undone, overtook)) = in_time(async { tokio::join!(server.post("/api/user/forget", &form), owner) }).await;
        undone.ok();
        assert_eq!(server.login(&ann.email, "stolen11").await.error(), "E_CREDENTIALS");
        if overtook {
            assert_eq!(forgotten.error(), "E_CODE");
        }
    });
}

/// The forms of the two changes of a fund password and of a new address for withdrawals, with codes that the thief received.
async fn thefts(server: &Server, who: &Member, thief: &str) -> [Vec<(&'static str, String)>; 3] {
    let thief = Member { id: who.id, email: thief.to_owned(), token: who.token.clone() };
    let (fund, operation) = (thief.code(server, "fund").await, thief.code(server, "operation").await);
    [
        vec![("password", "111111".into()), ("re_password", "111111".into()), ("login_password", "secret1".into()), ("code", fund)],
        vec![("type", "2".into()), ("old_password", FUND.into()), ("password", "111111".into())],
        vec![
            ("currency_id", "3".into()),
            ("netType", "TRC20".into()),
            ("address", TRON.into()),
            ("pay_password", FUND.into()),
            ("code", operation),
        ],
    ]
}

async fn send(server: &Server, who: &Member, path: &str, form: &[(&'static str, String)]) -> Answer {
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    who.post(server, path, &form).await
}

#[test]
fn what_waits_for_the_turn_of_the_member_does_not_outlive_that_the_owner_undid_a_change() {
    both(|server| async move {
        let (ann, stop) = stolen(&server, "ann").await;
        let app = &server.running.app;
        let before = fund_passwords::hash(&app.db, ann.id).await.unwrap();
        let [first, second, address] = thefts(&server, &ann, "thief.of.ann@example.com").await;
        let lock = app.member_locks.of(ann.id).await;
        let owner = async {
            tokio::time::sleep(PAUSE * 2).await;
            undo(&server, &stop).await.ok();
            drop(lock);
        };
        let thief = async {
            tokio::join!(
                send(&server, &ann, "/api/wallet/addaddress", &address),
                async {
                    // The new address for withdrawals has its turn first, while the fund password is still the owner's.
                    tokio::time::sleep(PAUSE / 2).await;
                    send(&server, &ann, "/api/user/e_pwd", &second).await
                },
                async {
                    tokio::time::sleep(PAUSE / 2).await;
                    send(&server, &ann, "/api/safe/update_password", &first).await
                },
            )
        };
        let ((address, second, first), ()) = in_time(async { tokio::join!(thief, owner) }).await;
        assert_eq!([first.error(), second.error(), address.error()], ["E_PASSWORD_OLD", "E_PASSWORD_OLD", "E_CODE"].map(str::to_owned));
        assert_eq!(fund_passwords::hash(&app.db, ann.id).await.unwrap(), before);
        assert_eq!(app.sequencer.engine().addresses(ann.id).count(), 0);
    });
}

#[test]
fn no_fund_password_of_a_thief_outlives_that_the_owner_undid_a_change() {
    both(|server| async move {
        for (name, path, which) in [("ann", "/api/safe/update_password", 0), ("bob", "/api/user/e_pwd", 1)] {
            let (who, stop) = stolen(&server, name).await;
            let app = &server.running.app;
            let before = fund_passwords::hash(&app.db, who.id).await.unwrap();
            let forms = thefts(&server, &who, &format!("thief.of.{name}@example.com")).await;
            let hashed = app.hasher.done();
            let owner = async {
                while app.hasher.done() == hashed {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                undo(&server, &stop).await.ok();
            };
            let (theft, ()) = in_time(async { tokio::join!(send(&server, &who, path, &forms[which]), owner) }).await;
            assert!(["", "E_PASSWORD_OLD"].contains(&theft.error().as_str()), "{}", theft.text);
            assert_eq!(fund_passwords::hash(&app.db, who.id).await.unwrap(), before, "{path}");
        }
    });
}

/// Does something at every write to a table. Attempts are counted in `waits` after the first checks of a call and before its transaction.
async fn at_each_write(server: &Server, table: &str, act: &str) {
    let run = async |text: String| server.running.app.db.exec(sql!(text)).await.unwrap();
    if server.database().is_some() {
        run(format!("create function act() returns trigger language plpgsql as 'begin {act}; return null; end'")).await;
        run(format!("create trigger act after insert or update on {table} execute function act()")).await;
    } else {
        for event in ["insert", "update"] {
            run(format!("create trigger act_{event} after {event} on {table} begin {act}; end")).await;
        }
    }
}

/// Only PostgreSQL has the log, and with it the begin of the hold, in the same database.
#[test]
fn a_change_of_the_address_does_not_outlive_a_password_that_changes_as_its_hold_begins() {
    on_postgres(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let code = bind_code(&server, &ann.token, "eve@example.com").await;
        let owner = at_each_write(&server, "journal", "update users set password = 1");
        assert_eq!(overtaken(&server, edit_email(&server, &ann, "eve@example.com", &code), owner).await.error(), "E_PASSWORD_OLD");
        assert_eq!(ann.get(&server, "/api/user/center").await["email"], "an***@example.com");
    });
}

#[test]
fn a_set_up_of_an_authenticator_that_was_ended_meanwhile_switches_nothing_on() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let setup = ann.post(&server, "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let secret = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        at_each_write(&server, "waits", "delete from totp_setups").await;
        let code = totp::code(&secret, past_step().await);
        let form = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &code)];
        assert_eq!(ann.post(&server, "/api/user/totp/enable", &form).await.error(), "E_CHALLENGE");
        assert_eq!(ann.get(&server, "/api/user/center").await["totp"], 0);
    });
}

#[test]
fn no_change_of_the_second_factor_outlives_the_password_that_it_was_made_with() {
    both(|server| async move {
        let (ann, bob) = (Member::new(&server, "ann@example.com").await, Member::new(&server, "bob@example.com").await);
        let (secret, recovery) = new_authenticator(&server, &ann.token).await;
        let setup = bob.post(&server, "/api/user/totp/setup", &[("password", "secret1")]).await.ok();
        let his = data_encoding::BASE32_NOPAD.decode(setup["secret"].as_str().unwrap().as_bytes()).unwrap();
        let operation = bob.code(&server, "operation").await;
        let app = &server.running.app;
        let passwords = app.db.query(sql!("select id, password from users")).await.unwrap().rows;
        at_each_write(&server, "waits", "update users set password = 1").await;
        let tried = async |who: &Member, path: &str, form: &[(&str, &str)]| {
            for row in &passwords {
                app.db.exec(sql!("update users set password = $1 where id = $2", row.text(1).unwrap(), row.id(0).unwrap())).await.unwrap();
            }
            who.post(&server, path, form).await.error()
        };
        let off = [("password", "secret1"), ("code", &*recovery[0])];
        let renew = [("password", "secret1"), ("code", &*totp::code(&secret, past_step().await + 1))];
        let choice = [("on", "0"), ("password", "secret1"), ("code", &*operation)];
        let on = [("setup_id", setup["setup_id"].as_str().unwrap()), ("code", &*totp::code(&his, past_step().await))];
        let refused = [
            tried(&ann, "/api/user/totp/disable", &off).await,
            tried(&ann, "/api/user/totp/recovery", &renew).await,
            tried(&bob, "/api/user/withdraw_code", &choice).await,
            tried(&bob, "/api/user/totp/enable", &on).await,
        ];
        assert_eq!(refused, ["E_PASSWORD_OLD", "E_PASSWORD_OLD", "E_PASSWORD_OLD", "E_CHALLENGE"]);
        assert_eq!(ann.get(&server, "/api/user/center").await["totp"], 1);
        assert_eq!(bob.get(&server, "/api/user/center").await["totp"], 0);
    });
}

/// The answer to a change that began before an operator froze its member, and whose password was compared only after that.
async fn frozen_meanwhile(server: &Server, desk: &str, who: &Member, path: &str, form: &[(&str, &str)]) -> String {
    let hasher = &server.running.app.hasher;
    let before = hasher.done();
    let others = [Lane::Guests, Lane::Members].into_iter().flat_map(|lane| (0..16).map(move |_| hasher.slot(lane).unwrap().hash("x")));
    let others = join_all(others);
    let change = async {
        while hasher.done() < before + 32 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        who.post(server, path, form).await.error()
    };
    let freeze = async {
        while hasher.done() < before + 33 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let id = who.id.0.to_string();
        post(server, desk, "user/freeze", &[("id", &id), ("scope", "withdraw"), ("reason", "stolen phone")]).await.ok();
    };
    in_time(async { tokio::join!(others, change, freeze).1 }).await
}

#[test]
fn no_change_of_a_secret_outlives_a_freeze_that_came_while_its_password_was_compared() {
    both(|server| async move {
        let desk = operator(&server, "sue", &["support"]).await;
        let new = async |name: &str| Member::new(&server, &format!("{name}@example.com")).await;
        let (ann, bob, cat, dan) = (new("ann").await, new("bob").await, new("cat").await, new("dan").await);
        let (_, recovery) = new_authenticator(&server, &ann.token).await;
        let (secret, _) = new_authenticator(&server, &bob.token).await;
        let operation = cat.code(&server, "operation").await;
        let forgotten = server.mail_code(&dan.email, "forget").await;

        let off = [("password", "secret1"), ("code", &*recovery[0])];
        let renew = [("password", "secret1"), ("code", &*totp::code(&secret, past_step().await + 1))];
        let choice = [("on", "0"), ("password", "secret1"), ("code", &*operation)];
        let password = [("account", &*dan.email), ("code", &*forgotten), ("password", "stolen11"), ("re_password", "stolen11")];
        let refused = [
            frozen_meanwhile(&server, &desk, &ann, "/api/user/totp/disable", &off).await,
            frozen_meanwhile(&server, &desk, &bob, "/api/user/totp/recovery", &renew).await,
            frozen_meanwhile(&server, &desk, &cat, "/api/user/withdraw_code", &choice).await,
            frozen_meanwhile(&server, &desk, &dan, "/api/user/forget", &password).await,
        ];
        assert_eq!(refused, ["E_ACCOUNT_FROZEN"; 4].map(str::to_owned));
        assert_eq!(server.login(&dan.email, "stolen11").await.error(), "E_CREDENTIALS");
    });
}
