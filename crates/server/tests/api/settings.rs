use std::path::Path;

use sha2::{Digest, Sha256};
use store::secrets::hex;

use crate::harness::{both, both_with, sign_up, token};

#[test]
fn the_app_is_told_the_hash_of_the_program_and_where_help_is() {
    both(|server| async move {
        let config = server.get("/api/app/config").await.ok();
        let program = std::fs::read(Path::new(&std::env::current_exe().unwrap())).unwrap();
        assert_eq!(config["build"], hex(&Sha256::digest(program)));
        assert_eq!(config["support_url"], "/h5/#/pages/help/center/chat");
        let service = server.post("/api/set/get_customer_url", &[]).await.ok();
        assert_eq!(service["customer_url"], "/h5/#/pages/help-center");
    });
}

#[test]
fn coins_have_the_names_that_people_call_them() {
    both(|server| async move {
        let config = server.get("/api/app/config").await.ok();
        let coins = config["currencies"].as_array().unwrap().iter().map(|coin| (coin["code"].clone(), coin["name"].clone()));
        let expected = [("BTC", "Bitcoin"), ("ETH", "Ethereum"), ("USDT", "Tether"), ("USDC", "USD Coin")];
        assert_eq!(coins.collect::<Vec<_>>(), expected.map(|(code, name)| (code.into(), name.into())));
    });
}

#[test]
fn numbers_about_the_server_stay_on_its_machine() {
    both_with(&["--trusted-proxy", "127.0.0.1"], |server| async move {
        assert_eq!(server.get("/metrics").await.status, 200);
        for (name, value) in [
            ("x-forwarded-for", "198.51.100.7"),
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-for", ""),
            ("x-real-ip", "127.0.0.1"),
            ("forwarded", "for=127.0.0.1"),
            ("via", "1.1 proxy"),
        ] {
            let answer = server.request("GET", "/metrics", &[(name, value)], "").await;
            assert_eq!((answer.status, answer.error().as_str()), (404, "E_PATH"), "{name}: {value}");
        }
    });
}

#[test]
fn common_passwords_of_members_are_refused_where_the_list_is_on() {
    both_with(&["--password-blocklist", "on"], |server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let form = |password: &'static str| {
            let mut form = sign_up("ann@example.com", &code);
            (form[3].1, form[4].1) = (password, password);
            form
        };
        for common in ["123456", "password", "meridian", "qwerty12"] {
            assert_eq!(server.post("/api/user/register", &form(common)).await.error(), "E_PASSWORD_COMMON", "{common}");
        }
        assert_eq!(server.post("/api/user/register", &form("12345")).await.error(), "E_PASSWORD_SHORT");
        server.post("/api/user/register", &form("lamp-otter-93")).await.ok();
        let who = server.login("ann@example.com", "lamp-otter-93").await.ok();
        let change = [("old_password", "lamp-otter-93"), ("password", "123456")];
        assert_eq!(server.post_as(token(who.as_str().unwrap()), "/api/user/e_pwd", &change).await.error(), "E_PASSWORD_COMMON");
    });
    both(|server| async move {
        let code = server.mail_code("ann@example.com", "register").await;
        let mut form = sign_up("ann@example.com", &code);
        (form[3].1, form[4].1) = ("123456", "123456");
        server.post("/api/user/register", &form).await.ok();
    });
    // Live refuses them unless it is configured otherwise. The code is compared later.
    both_with(&["--genesis", "live"], |server| async move {
        let answer = async |password: &'static str| {
            let mut form = sign_up("ann@example.com", "000000");
            (form[3].1, form[4].1) = (password, password);
            server.post("/api/user/register", &form).await.error()
        };
        for common in ["123456", "iloveyou", "Password1", "1q2w3e4r", "letmein"] {
            assert_eq!(answer(common).await, "E_PASSWORD_COMMON", "{common}");
        }
        assert_eq!(answer("lamp-otter-93").await, "E_CODE");
    });
}

#[test]
fn amounts_of_a_pair_have_the_scale_of_their_coin() {
    both(|server| async move {
        let pair = server.get("/api/app/config").await.ok()["markets"][0].clone();
        assert_eq!((&pair["step"], &pair["min_qty"], &pair["qty_digits"]), (&"0.00001000".into(), &"0.00001000".into(), &5.into()));
        assert_eq!(pair["min_notional"], "5.000000");
    });
}
