//! Rows of the catalogue of bad input (reliability 4) that no other test has.

use serde_json::json;

use crate::harness::{Server, both, sign_up, token};

#[test]
fn an_amount_of_json_is_a_text() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let post = async |path: &str, body: String| {
            server.request("POST", path, &[("content-type", "application/json"), ("authorization", &who)], body).await
        };
        let faucet = |amount: &str| format!(r#"{{"asset":"USDT","amount":{amount}}}"#);
        let order = |amount: &str| format!(r#"{{"legal_id":3,"currency_id":1,"type":"1","target_price":"100000","amount":{amount}}}"#);
        let price = |price: &str| format!(r#"{{"legal_id":3,"currency_id":1,"type":"1","target_price":{price},"amount":"1"}}"#);
        for amount in ["null", "1", "1.5", "-1", "0", "1e2", "1e400", "true", "false", "[]", "{}", r#"["1"]"#, r#""1e2""#, r#""１""#] {
            for (path, body) in
                [("/sandbox/faucet", faucet(amount)), ("/api/coin/trade", order(amount)), ("/api/coin/trade", price(amount))]
            {
                let answer = post(path, body).await;
                assert_eq!((answer.status, answer.error().as_str()), (200, "E_AMOUNT"), "{path} {amount}");
                let reason = if amount == "null" { "required" } else { "format" };
                assert_eq!(answer.json()["data"]["reason"], reason, "{path} {amount}");
            }
        }
        // A missing field is refused as missing.
        let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("order_type", "market"), ("amount", "1")];
        server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", "100000")]).await.ok();
        let missing = server.post_as(token(&who), "/api/coin/trade", &form).await;
        assert_eq!(
            (missing.error().as_str(), &missing.json()["data"]["field"], &missing.json()["data"]["reason"]),
            ("E_AMOUNT", &json!("funds"), &json!("required"))
        );
        for body in [faucet("NaN"), faucet("01"), faucet("+1"), faucet("Infinity")] {
            assert_eq!(post("/sandbox/faucet", body).await.status, 400);
        }
        post("/sandbox/faucet", faucet(r#""1.50""#)).await.ok();
        let usdt = server.post_as(token(&who), "/api/wallet/detail", &[("currency", "3"), ("type", "change")]).await.ok();
        assert_eq!(usdt["balance"], json!("1.500000"));
    });
}

/// Signs up with this password: the name of the refusal.
async fn sign_up_with(server: &Server, email: &str, password: &str) -> String {
    let code = server.mail_code(email, "register").await;
    let mut form = sign_up(email, &code);
    (form[3].1, form[4].1) = (password, password);
    server.post("/api/user/register", &form).await.error()
}

#[test]
fn a_password_is_taken_as_it_is_typed() {
    both(|server| async move {
        let longest = "😀".repeat(128);
        for (at, (password, same, others)) in [
            // Leading and trailing blanks count, and so does every character.
            ("  secret 1  ", "  secret 1  ", ["secret 1", "  secret 1"]),
            ("🔑🔑🔑🔑🔑🔑", "🔑🔑🔑🔑🔑🔑", ["🔑🔑🔑🔑🔑", "🔒🔒🔒🔒🔒🔒"]),
            (longest.as_str(), longest.as_str(), ["😀", "😀😀😀😀😀😀"]),
            // Composed and decomposed letters are the same.
            ("caf\u{e9}-1", "cafe\u{301}-1", ["cafe-1", "caf\u{e8}-1"]),
            ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "éééééé", ["eeeeee", "èèèèèè"]),
        ]
        .into_iter()
        .enumerate()
        {
            let email = format!("ann{at}@example.com");
            assert_eq!(sign_up_with(&server, &email, password).await, "", "{password}");
            server.login(&email, same).await.ok();
            for other in others {
                assert_eq!(server.login(&email, other).await.error(), "E_CREDENTIALS", "{other}");
            }
        }
        let email = "bob@example.com";
        // Six code points that compose to three letters count as three.
        for (password, error) in [
            ("e\u{301}e\u{301}e\u{301}".to_owned(), "E_PASSWORD_SHORT"),
            ("🔑🔑🔑🔑🔑".to_owned(), "E_PASSWORD_SHORT"),
            ("😀".repeat(129), "E_PASSWORD_LONG"),
            ("secret\0one".to_owned(), "E_FIELD"),
        ] {
            assert_eq!(sign_up_with(&server, email, &password).await, error, "{password}");
        }
        let megabyte = "x".repeat(1_000_000);
        for path in ["/api/user/register", "/api/user/login"] {
            let answer = server.post(path, &[("user_string", email), ("password", &megabyte)]).await;
            assert_eq!((answer.status, answer.error().as_str()), (413, "E_TOO_LARGE"), "{path}");
        }
    });
}

#[test]
fn parts_within_parts_are_no_picture() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let inner = "--in\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\nx\r\n--in--";
        for name in ["file", "purpose", "other"] {
            let kind = "content-type: multipart/mixed; boundary=in";
            let body =
                format!("--cut\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"a\"\r\n{kind}\r\n\r\n{inner}\r\n--cut--\r\n");
            let headers = [("content-type", "multipart/form-data; boundary=cut"), ("authorization", who.as_str())];
            let answer = server.request("POST", "/api/upload", &headers, body).await;
            assert!(!answer.error().is_empty() && answer.status < 500, "{name}: {} {}", answer.status, answer.text);
        }
    });
}

#[test]
fn a_line_break_in_a_language_makes_no_header() {
    both(|server| async move {
        for lang in ["en\r\nset-cookie: a=b", "en\r\n\r\nHTTP/1.1 200 OK", "en\n", "en\0"] {
            let answer = server.post("/api/set/lang", &[("lang", lang)]).await;
            assert_eq!(answer.status, 200);
            assert!(matches!(answer.error().as_str(), "E_LANG" | "E_FIELD"), "{}", answer.text);
            assert_eq!(answer.header("set-cookie"), "");
        }
    });
}
