//! Invitations over the wire: who was invited, rebates at midnight, the leaderboard, the poster.

use serde_json::{Value as Json, json};
use server::i18n::Lang;

use crate::harness::{Server, both, sign_up, token};
use crate::people::Member;
use crate::spot::place;

async fn advance(server: &Server, ms: &str) {
    server.post("/sandbox/clock", &[("advance_ms", ms)]).await.ok();
}

/// A member whom another invited.
pub async fn invited(server: &Server, email: &str, by: &Member) -> Member {
    let invitation = by.get(server, "/api/user/invite").await["extension_code"].as_str().unwrap().to_owned();
    let code = server.mail_code(email, "register").await;
    // In the form in which a person types it.
    let typed = format!(" {} ", invitation.to_lowercase());
    let form = [&sign_up(email, &code)[..], &[("extension_code", typed.as_str())]].concat();
    let id = server.post("/api/user/register", &form).await.data()["user_id"].as_u64().unwrap();
    let token = server.login(email, "secret1").await.ok().as_str().unwrap().to_owned();
    Member { id: engine::ids::UserId(id), email: email.to_owned(), token }
}

/// Buys 0.01 BTC at 100 000 from a member who was not invited: a fee of 0.00001 BTC.
async fn buy(server: &Server, who: &Member, other: &Member) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
    for (member, coin, amount) in [(other, "BTC", "0.01"), (who, "USDT", "1000")] {
        member.post(server, "/sandbox/faucet", &[("asset", coin), ("amount", amount)]).await.ok();
    }
    place(server, &other.token, "2", "0.01", "100000", &[]).await.ok();
    place(server, &who.token, "1", "0.01", "100000", &[]).await.ok();
}

const DAY: &str = "86400000";

#[test]
fn two_levels_are_paid_at_midnight_and_everybody_sees_their_own() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let ben = invited(&server, "ben@example.com", &ann).await;
        let cat = invited(&server, "cat@example.com", &ben).await;
        let zoe = Member::new(&server, "zoe@example.com").await;
        assert_eq!(server.get("/api/user/invite_list").await.ok(), json!([]), "an empty board is empty");
        ben.verify(&server, "X0000001").await;
        buy(&server, &cat, &zoe).await;
        buy(&server, &ben, &zoe).await;
        buy(&server, &ben, &zoe).await;
        let before = ann.get(&server, "/api/user/my_account_return").await;
        assert_eq!((&before["total"], &before["data"]), (&json!(0), &json!([])));
        advance(&server, DAY).await;

        let mine = ann.get(&server, "/api/user/invite").await;
        let shown = ["invite_num", "invite_return_total", "role", "return_rate1", "return_rate2", "return_rate3", "authorization_code"];
        let shown = shown.map(|field| mine[field].clone());
        // 20 % of 0.00002 BTC from ben, 5 % of 0.00001 from cat.
        assert_eq!(json!(shown), json!([1, "0.450000", "user", "20", "5", "0", ""]));
        let link = mine["share_url"].as_str().unwrap();
        assert!(link.starts_with("http://") && link.ends_with(mine["extension_code"].as_str().unwrap()), "{link}");

        let friends = ann.post(&server, "/api/user/my_invite_list", &[("limit", "5")]).await.ok();
        let friend = &friends["data"][0];
        assert_eq!((&friends["total"], &friend["id"], &friend["verified"]), (&json!(1), &json!(ben.id.0), &json!(1)));
        assert_eq!((friend["email"].as_str(), friend["phone"].as_str()), (Some("be***@example.com"), Some("")));
        let number = friend["account_number"].as_str().unwrap();
        // 0.000004 BTC at 100 000; what cat paid came through ben and is not part of it.
        assert_eq!(friend["rebate"], "0.400000");
        assert!(number.len() == 8 && number[2..6] == *"****" && friend["account"] == number, "{number}");

        let rows = ann.get(&server, "/api/user/my_account_return").await["data"].clone();
        let shown = |row: &Json| (row["level"].clone(), row["value"].clone(), row["currency_name"].clone());
        let mut levels: Vec<_> = rows.as_array().unwrap().iter().map(shown).collect();
        levels.sort_by_key(|(level, ..)| level.as_u64());
        let coin = json!("BTC");
        assert_eq!(levels, [(json!(1), json!("0.00000400"), coin.clone()), (json!(2), json!("0.00000050"), coin)]);
        let (first, day) = (rows.as_array().unwrap().iter().find(|row| row["level"] == 1).unwrap(), rows[0]["day"].as_str().unwrap());
        assert_eq!(first["from_account_number"], friend["account_number"], "one member paid");
        let of_day = ann.get(&server, &format!("/api/user/my_account_return?time={day}&limit=1")).await;
        assert_eq!((&of_day["total"], of_day["data"].as_array().unwrap().len()), (&json!(2), 1));
        assert_eq!(ann.get(&server, "/api/user/my_account_return?time=2020-02-29").await["total"], 0);
        for bad in ["2020-02-30", "yesterday", "20200229", "2020-2-29"] {
            let refused = server.get_as(token(&ann.token), &format!("/api/user/my_account_return?time={bad}")).await;
            assert_eq!((refused.error().as_str(), refused.json()["data"]["field"].as_str()), ("E_FIELD", Some("time")), "{bad}");
        }
        // No member sees another's.
        for (who, friends, rebates) in [(&ben, 1, 1), (&cat, 0, 0), (&zoe, 0, 0)] {
            assert_eq!(who.get(&server, "/api/user/my_invite_list").await["total"], friends);
            assert_eq!(who.get(&server, "/api/user/my_account_return").await["total"], rebates);
        }
        let told = ann.get(&server, "/api/notice/list").await["data"].clone();
        assert_eq!(told.as_array().unwrap().len(), 1, "one for both levels");
        let text = told[0]["content"].as_str().unwrap();
        assert!(told[0]["title"] == "Rebates credited" && text.contains(&server::i18n::day(Lang::En, day)), "{text}");
        let lines = ann.post(&server, "/api/wallet/legal_log", &[("currency", "1"), ("type", "2"), ("kind", "33")]).await.ok();
        assert!(lines.to_string().contains("Referral rebate"), "{lines}");

        let board = server.get("/api/user/invite_list").await;
        let to = board.data();
        let ranked: Vec<Json> =
            board.ok().as_array().unwrap().iter().map(|row| json!([row["rank"], row["user_id"], row["total"]])).collect();
        assert_eq!(ranked, [json!([1, 0, "0.450000"]), json!([2, 0, "0.200000"])]);
        assert!(to["from_seq"] == 1 && to["to_seq"].as_u64() > Some(10));
        // The parts of the first place, day by day; no log-in is needed, and the payers of the fees stay unknown.
        let parts = server.get("/api/public/rebates?rank=1").await;
        let last = rows.as_array().unwrap().iter().map(|row| row["id"].as_u64()).max().unwrap();
        let seq = parts.ok()[0]["seq"].clone();
        assert_eq!(parts.ok(), json!([{"id": last, "seq": seq, "day": day, "usdt": "0.450000"}]), "both levels in one figure");
        assert_eq!((&parts.data()["account"], &parts.data()["total"]), (&board.ok()[0]["account"], &json!("0.450000")));
        assert_eq!(server.get(&format!("/api/public/rebates?rank=1&after={}", last.unwrap())).await.ok(), json!([]));
        assert_eq!(server.get(&format!("/api/public/rebates?rank=1&limit=1&after={}", last.unwrap() - 1)).await.ok(), parts.ok());
        assert_eq!(server.get("/api/public/rebates?rank=3").await.ok(), json!([]));
        for bad in ["rank=0", "rank=x", "", "rank=1&limit=x", "rank=1&after=-1"] {
            assert_eq!(server.get(&format!("/api/public/rebates?{bad}")).await.error(), "E_FIELD", "{bad}");
        }
        let own = server.get_as(token(&ben.token), "/api/user/invite_list").await.ok();
        assert_eq!((&own[0]["user_id"], &own[1]["user_id"]), (&json!(0), &json!(ben.id.0)));
        assert_eq!(own[1]["account"], friend["account"]);
    });
}

#[test]
fn what_each_friend_brought_is_their_part_of_the_rebates_of_every_day() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let ben = invited(&server, "ben@example.com", &ann).await;
        let dan = invited(&server, "dan@example.com", &ann).await;
        let eve = invited(&server, "eve@example.com", &ann).await;
        let zoe = Member::new(&server, "zoe@example.com").await;
        ben.verify(&server, "X0000001").await;
        let brought = async || {
            let friends = ann.post(&server, "/api/user/my_invite_list", &[]).await.ok()["data"].clone();
            let of = |who: &Member| friends.as_array().unwrap().iter().find(|row| row["id"] == who.id.0).unwrap()["rebate"].clone();
            [of(&ben), of(&dan), of(&eve)].map(|rebate| rebate.as_str().unwrap().to_owned())
        };
        // Fees of a trade, 1 000 and 2 000 atoms; of a conversion, 999 atoms; and of an option, 0.5 USDT once it has ended.
        buy(&server, &ben, &zoe).await;
        buy(&server, &dan, &zoe).await;
        buy(&server, &dan, &zoe).await;
        for (asset, amount, account) in [("USDT", "1000", "change"), ("USDT", "200", "micro")] {
            ben.post(&server, "/sandbox/faucet", &[("asset", asset), ("amount", amount), ("account", account)]).await.ok();
        }
        let swap = [("l_currency_id", "3"), ("r_currency_id", "1"), ("num", "1000")];
        ben.post(&server, "/api/wallet/flashAgainst", &swap).await.ok();
        let option = [("match_id", "1"), ("currency_id", "3"), ("type", "1"), ("seconds", "60"), ("number", "100")];
        ben.post(&server, "/api/microtrade/submit", &option).await.ok();
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100005.01")]).await.ok();
        advance(&server, "60001").await;
        assert_eq!(brought().await, ["0.000000"; 3], "nothing before midnight");
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        advance(&server, DAY).await;
        // Of 3 999 atoms 799 were paid, worth 0.799: shares of 1 999 and 2 000. Of the option a fifth of 0.5.
        let rows = ann.get(&server, "/api/user/my_account_return").await["data"].clone();
        let mut paid: Vec<_> =
            rows.as_array().unwrap().iter().map(|row| (row["value"].clone(), row["from_account_number"] == "*")).collect();
        paid.sort_by_key(|(value, _)| value.to_string());
        assert_eq!(paid, [(json!("0.00000799"), true), (json!("0.100000"), false)]);
        assert_eq!(ann.get(&server, "/api/user/invite").await["invite_return_total"], "0.899000");
        assert_eq!(brought().await, ["0.499400", "0.399599", "0.000000"]);
        // The next day adds to it, and only for those who paid.
        buy(&server, &dan, &zoe).await;
        advance(&server, DAY).await;
        assert_eq!(brought().await, ["0.499400", "0.599599", "0.000000"]);
    });
}

#[test]
fn a_member_who_was_cut_off_at_sign_up_keeps_who_invited_them() {
    both(|mut server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let ben = invited(&server, "ben@example.com", &ann).await;
        let app = &server.running.app;
        let insert = "insert into users (account_number, invite_code, inviter_id, nickname, password, lang, country, created_at_ms) \
                      select '100000001', 'ZZZZZZZZ', $1, nickname, password, lang, country, created_at_ms from users where id = $2";
        app.db.exec(store::sql!(insert, ann.id.0, ben.id.0)).await.unwrap();
        server.restart().await;
        let invitees: Vec<_> = server.running.app.sequencer.engine().invitees(ann.id).collect();
        assert_eq!((invitees.len(), invitees[0]), (2, ben.id));
    });
}

#[test]
fn the_poster_is_a_picture_of_its_owner_in_their_language() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        ann.post(&server, "/api/user/edit_profile", &[("nickname", "<b>Ann</b>&")]).await.ok();
        let poster = ann.get(&server, "/api/user/my_poster").await;
        let pics = poster["pics"].as_array().unwrap();
        assert_eq!(pics.len(), 3);
        let mut pictures = std::collections::BTreeSet::new();
        for pic in pics {
            let (answer, bytes) = server.bytes(token(&ann.token), pic.as_str().unwrap()).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, "image/png"));
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
            pictures.insert(bytes);
        }
        for lang in ["jp", "th", "kr", "hk"] {
            let (answer, bytes) = server.bytes(token(&ann.token), &format!("/api/user/poster_image?lang={lang}")).await;
            assert_eq!(answer.status, 200, "{lang}");
            pictures.insert(bytes);
        }
        assert_eq!(pictures.len(), 7, "each is another");
        for (query, error) in
            [("index=3", "E_NOT_FOUND"), ("index=99999999999", "E_NOT_FOUND"), ("index=-1", "E_FIELD"), ("index=x", "E_FIELD")]
        {
            assert_eq!(server.get_as(token(&ann.token), &format!("/api/user/poster_image?{query}")).await.error(), error, "{query}");
        }
        let share = server.get_as(token(&ann.token), "/api/user/my_share?lang=deyu").await.ok();
        assert_eq!(share["share_title"], "Handle mit mir auf Meridian");
        let code = share["extension_code"].as_str().unwrap();
        assert!(share["share_content"].as_str().unwrap().contains(code) && share["share_url"] == poster["share_url"]);
    });
}

#[test]
fn a_role_of_two_operators_shows_its_rate() {
    both(|server| async move {
        let ann = Member::new(&server, "ann@example.com").await;
        let (first, second) =
            (crate::operator::operator(&server, "root", &["admin"]).await, crate::operator::operator(&server, "kim", &["admin"]).await);
        let id = ann.id.0.to_string();
        let form = [("id", id.as_str()), ("role", "partner"), ("reason", "agreed")];
        let proposal = crate::operator::post(&server, &first, "user/role", &form).await.ok();
        assert_eq!(ann.get(&server, "/api/user/invite").await["return_rate1"], "20");
        let (number, hash) = (proposal["id"].to_string(), proposal["hash"].as_str().unwrap());
        crate::operator::post(&server, &second, "proposal/confirm", &[("id", &number), ("hash", hash)]).await.ok();
        let mine = ann.get(&server, "/api/user/invite").await;
        let code = mine["extension_code"].as_str().unwrap();
        assert_eq!((&mine["return_rate1"], &mine["total_return_rate"], &mine["role"]), (&json!("40"), &json!("40"), &json!("partner")));
        assert_eq!(mine["authorization_code"], format!("PARTNER-{code}"));
        assert_eq!(ann.get(&server, "/api/user/center").await["role"], "partner");
    });
}
