use std::io::Write;
use std::time::Duration;

use serde_json::json;
use store::sql;

use crate::harness::{As, SMALL_PNG, both, flat_jpeg, on_threads, token};

/// A JPEG of 48 by 32 pixels, stored sideways, with a position, a comment, and a page of script after its end.
fn dirty_jpeg() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(48, 32, |x, _| image::Rgb(if x < 24 { [255, 0, 0] } else { [0, 0, 255] }));
    let mut plain = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut plain, 95).encode_image(&picture).unwrap();
    let exif: &[u8] = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0GPS 48.2082N 16.3738E";
    let segment = |marker: u8, bytes: &[u8]| {
        let length = u16::try_from(bytes.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker][..], &length, bytes].concat()
    };
    let head = [&plain[..2], &segment(0xe1, exif), &segment(0xfe, b"a comment of mine")].concat();
    [&head, &plain[2..], &b"<html><script>alert(1)</script>"[..]].concat()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn a_picture_is_stored_bare_upright_and_sealed_for_its_owner_alone() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let parts: [(&str, &str, &[u8]); 2] = [("purpose", "", b"ticket"), ("file", "../../etc/passwd.svg", &dirty_jpeg())];
        let sent = server.upload(token(&ann), &parts).await;
        let (url, facts) = (sent.ok().as_str().unwrap().to_owned(), sent.data());
        assert_eq!((&facts["width"], &facts["height"]), (&json!(32), &json!(48)));
        assert_eq!(url, format!("/files/{}", facts["key"].as_str().unwrap()));

        let (answer, bytes) = server.bytes(token(&ann), &url).await;
        assert_eq!((answer.status, answer.header("content-type"), answer.header("cache-control")), (200, "image/jpeg", "no-store"));
        assert_eq!((answer.header("x-content-type-options"), answer.header("content-disposition")), ("nosniff", "attachment"));
        assert!(answer.header("content-security-policy").starts_with("sandbox; default-src 'none'"));
        assert_eq!((bytes.len() as u64, &bytes[..2]), (facts["bytes"].as_u64().unwrap(), &[0xff, 0xd8][..]));
        for gone in ["GPS", "Exif", "comment", "script"] {
            assert!(!holds(&bytes, gone), "{gone}");
        }
        // It was stored sideways: red is on top now.
        let shown = image::load_from_memory(&bytes).unwrap().into_rgb8();
        assert!(shown.get_pixel(16, 4).0[0] > 200 && shown.get_pixel(16, 44).0[2] > 200);

        // Whatever its file was called, a picture gets a name of ours, or is refused.
        let long = "a".repeat(5_000);
        for hostile in ["\0", &long, "CON", "..\\..\\a.jpg", "a\"; name=\"purpose", "a.jpg\r\nx-evil: 1"] {
            let sent = server.upload(token(&ann), &[("purpose", "", b"ticket"), ("file", hostile, &dirty_jpeg())]).await;
            assert!(sent.status < 500 && sent.header("x-evil").is_empty(), "{hostile:?}: {}", sent.text);
            if sent.error().is_empty() {
                let key = sent.data()["key"].as_str().unwrap().to_owned();
                assert!(
                    key.len() == facts["key"].as_str().unwrap().len() && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
                    "{hostile:?}: {key}"
                );
            }
        }

        // Another member, a guess and a guest learn nothing.
        assert_eq!(server.get_as(token(&bob), &url).await.error(), "E_NOT_FOUND");
        for guess in ["/files/0", "/files/..%2f..%2fmeridian.db", "/files/%00", "/files/kit-%00", &format!("/files/{}", "a".repeat(3_000))]
        {
            assert_eq!(server.get_as(token(&ann), guess).await.error(), "E_NOT_FOUND", "{guess}");
        }
        assert_eq!(server.get(&url).await.error(), "E_AUTH");
        for nowhere in ["/files/", "/files/a/b"] {
            assert_eq!(server.get_as(token(&ann), nowhere).await.error(), "E_PATH");
        }

        // On the disk it is not readable as a picture.
        let stored = server.running.app.config.data.join("files").join(facts["key"].as_str().unwrap());
        let sealed = std::fs::read(stored).unwrap();
        assert!(!holds(&sealed, "JFIF") && sealed.len() > bytes.len());
    });
}

#[test]
fn what_is_no_picture_is_refused_whatever_it_says_it_is() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let send = |bytes: Vec<u8>| {
            let (server, who) = (&server, &who);
            async move { server.upload(token(who), &[("file", "a.jpg", &bytes)]).await }
        };
        let jpeg = dirty_jpeg();
        for (bytes, rule) in [
            (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".to_vec(), "type"),
            (b"%PDF-1.7".to_vec(), "type"),
            (vec![], "type"),
            (jpeg[..200].to_vec(), "damaged"),
            (vec![0; 5 * 1024 * 1024 + 1], "size"),
        ] {
            let answer = send(bytes).await;
            assert_eq!((answer.error().as_str(), &answer.json()["data"]["rule"]), ("E_FILE", &json!(rule)), "{}", answer.text);
        }
        // Nothing of it is stored, but decoding counts; only a picture that is too large is not decoded.
        let db = &server.running.app.db;
        let done =
            db.query(sql!("select (select count(*) from files), (select cast(sum(files) as bigint) from upload_days)")).await.unwrap();
        assert_eq!((done.rows[0].int(0), done.rows[0].int(1)), (Ok(0), Ok(4)));
        db.exec(sql!("update upload_days set files = 49")).await.unwrap();
        assert_eq!(send(b"%PDF-1.7".to_vec()).await.error(), "E_FILE");
        assert_eq!(send(b"%PDF-1.7".to_vec()).await.error(), "E_UPLOAD_QUOTA");
    });
}

#[test]
fn a_picture_of_papers_is_large_enough_to_be_read() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let send = async |purpose: &str, (width, height)| {
            server.upload(token(&who), &[("purpose", "", purpose.as_bytes()), ("file", "a.jpg", &flat_jpeg(width, height, 1))]).await
        };
        for size in [(479, 2_000), (2_000, 479)] {
            let refused = send("kyc", size).await;
            assert_eq!(refused.error(), "E_FILE", "{size:?}");
            assert_eq!((&refused.json()["data"]["rule"], &refused.json()["data"]["min"]), (&json!("dimensions"), &json!(480)));
            send("ticket", size).await.ok();
        }
        send("kyc", (480, 640)).await.ok();
    });
}

#[test]
fn a_picture_of_almost_five_mib_comes_through_with_fields_on_either_side() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let mut random = fastrand::Rng::with_seed(7);
        // Noise does not shrink: 1,300 by 1,300 pixels of three bytes.
        let noise = image::RgbImage::from_fn(1_300, 1_300, |_, _| image::Rgb([random.u8(..), random.u8(..), random.u8(..)]));
        let mut png = std::io::Cursor::new(Vec::new());
        noise.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let png = png.into_inner();
        assert!(png.len() > 4_900_000 && png.len() < 5 * 1024 * 1024, "{}", png.len());
        let parts: [(&str, &str, &[u8]); 3] = [("other", "", b"x"), ("file", "a.png", &png), ("purpose", "", b"kyc")];
        let facts = server.upload(token(&who), &parts).await.data();
        assert_eq!((&facts["width"], &facts["height"]), (&json!(1_300), &json!(1_300)));
        let purpose = server.running.app.db.query(sql!("select purpose from files")).await.unwrap();
        assert_eq!(purpose.rows[0].text(0), Ok("kyc".to_owned()));
    });
}

#[test]
fn a_broken_upload_is_a_broken_request() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let post = |kind: &'static str, body: Vec<u8>| {
            let (server, who) = (&server, &who);
            async move { server.request("POST", "/api/upload", &[("content-type", kind), ("authorization", who)], body).await }
        };
        let parts = "multipart/form-data; boundary=cut";
        let part = |name: &str, text: &str| format!("--cut\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
        let answer = |answer: crate::harness::Answer| (answer.status, answer.error());
        let fault = |status, name: &str| (status, name.to_owned());
        assert_eq!(answer(post("application/x-www-form-urlencoded", b"file=x".to_vec()).await), fault(415, "E_MEDIA_TYPE"));
        assert_eq!(answer(post("multipart/form-data", vec![]).await), fault(415, "E_MEDIA_TYPE"));
        assert_eq!(answer(post(parts, part("file", "x").into_bytes()).await), fault(400, "E_BODY"));
        assert_eq!(answer(post(parts, format!("{0}{0}--cut--", part("purpose", "kyc")).into_bytes()).await), fault(400, "E_BODY"));
        assert_eq!(answer(post(parts, format!("{}--cut--", part("a[]", "kyc")).into_bytes()).await), fault(400, "E_BODY"));
        let many: String = (0..1_000).map(|at| part(&format!("f{at}"), "")).collect();
        assert_eq!(answer(post(parts, format!("{many}--cut--").into_bytes()).await), fault(400, "E_BODY"));
        // An endless header does not fill the memory.
        assert_eq!(answer(post(parts, [b"--cut\r\nx: ".as_slice(), &[b'a'; 1_000_000]].concat()).await), fault(400, "E_BODY"));
        assert_eq!(
            answer(post(parts, [part("file", "").into_bytes(), vec![0; 7 * 1024 * 1024]].concat()).await),
            fault(413, "E_TOO_LARGE")
        );
        assert_eq!(answer(post(parts, b"--cut--".to_vec()).await), fault(200, "E_FIELD"));
        let wrong = server.upload(token(&who), &[("file", "a", SMALL_PNG), ("purpose", "", b"other")]).await;
        assert_eq!(wrong.error(), "E_FIELD");
        assert_eq!(server.upload(As::default(), &[("file", "a", SMALL_PNG)]).await.error(), "E_AUTH");
    });
}

#[test]
fn a_repeated_upload_is_one_file_and_the_day_has_room_for_fifty() {
    both(|server| async move {
        let registered = server.register("ann@example.com").await;
        let who = server.login("ann@example.com", "secret1").await.ok().as_str().unwrap().to_owned();
        let (db, id) = (&server.running.app.db, registered["user_id"].as_u64().unwrap());
        let again = As { token: &who, key: "once", ..As::default() };
        let first = server.upload(again, &[("file", "a", SMALL_PNG)]).await;
        let second = server.upload(again, &[("file", "a", SMALL_PNG)]).await;
        assert_eq!((first.ok(), second.header("x-idempotent-replay")), (second.ok(), "1"));
        assert_eq!(server.upload(again, &[("file", "a", &dirty_jpeg())]).await.error(), "E_DUP_REQUEST");
        let count = db.query(sql!("select files, bytes from upload_days where user_id = $1", id)).await.unwrap();
        assert_eq!((count.rows[0].int(0), count.rows[0].int(1)), (Ok(1), Ok(SMALL_PNG.len() as i64)));

        db.exec(sql!("update upload_days set files = 48 where user_id = $1", id)).await.unwrap();
        let five =
            futures_util::future::join_all((0..5).map(|_| async { server.upload(token(&who), &[("file", "a", SMALL_PNG)]).await.error() }));
        let mut answers = five.await;
        answers.sort();
        assert_eq!(answers, ["", "", "E_UPLOAD_QUOTA", "E_UPLOAD_QUOTA", "E_UPLOAD_QUOTA"]);
        db.exec(sql!("update upload_days set files = 1, bytes = $2 where user_id = $1", id, 200 * 1024 * 1024u64 - 10)).await.unwrap();
        assert_eq!(server.upload(token(&who), &[("file", "a", SMALL_PNG)]).await.error(), "E_UPLOAD_QUOTA");
        // Another day, another count.
        server.post("/sandbox/clock", &[("advance_ms", "86400000")]).await.ok();
        server.upload(token(&who), &[("file", "a", SMALL_PNG)]).await.ok();
    });
}

#[test]
fn a_file_serves_its_owner_and_purpose_and_goes_when_nothing_uses_it() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let (first, second) = (server.picture(&ann, "avatar").await, server.picture(&ann, "avatar").await);
        let (unused, foreign) = (server.picture(&ann, "ticket").await, server.picture(&bob, "avatar").await);
        let wear = |url: &str| {
            let (server, ann, url) = (&server, &ann, url.to_owned());
            async move { server.post_as(token(ann), "/api/user/edit_profile", &[("avatar", &url)]).await }
        };
        for (url, rule) in
            [(&unused, "purpose"), (&foreign, "owner"), (&"//evil.com/a.jpg".to_owned(), "owner"), (&"/files/a\0b".to_owned(), "owner")]
        {
            let answer = wear(url).await;
            assert_eq!((answer.error().as_str(), &answer.json()["data"]["rule"]), ("E_FILE", &json!(rule)), "{url}");
        }
        wear(&first).await.ok();
        wear(&second).await.ok();
        assert_eq!(server.get_as(token(&ann), "/api/user/center").await.ok()["avatar"], json!(second));

        let app = &server.running.app;
        let place = |url: &str| app.config.data.join("files").join(url.trim_start_matches("/files/"));
        let there = |url: &str| place(url).exists();
        app.files.sweep(&app.store).await.unwrap();
        assert!(there(&first) && there(&unused));
        server.post("/sandbox/clock", &[("advance_ms", "86460000")]).await.ok();
        // A failed deletion ends the round: an unreachable store is asked once.
        std::fs::remove_file(place(&first)).unwrap();
        std::fs::create_dir(place(&first)).unwrap();
        app.files.sweep(&app.store).await.unwrap();
        assert!(there(&unused));
        std::fs::remove_dir(place(&first)).unwrap();
        app.files.sweep(&app.store).await.unwrap();
        assert!(!there(&first) && !there(&unused) && there(&second));
        assert_eq!(server.get_as(token(&ann), &first).await.error(), "E_NOT_FOUND");
        assert_eq!(server.bytes(token(&ann), &second).await.0.status, 200);
        assert_eq!(wear(&first).await.error(), "E_FILE");
    });
}

#[test]
fn pictures_that_are_decoded_delay_no_password_and_no_call() {
    on_threads(2, |server| async move {
        server.register("ann@example.com").await;
        let (app, jpeg) = (&server.running.app, flat_jpeg(2_500, 2_500, 1));
        let pictures: Vec<_> = (0..2)
            .map(|_| {
                let (app, mut file) = (app.clone(), tempfile::tempfile().unwrap());
                file.write_all(&jpeg).unwrap();
                tokio::spawn(async move { app.files.picture(file).await })
            })
            .collect();
        while app.files.decoding() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.login("ann@example.com", "secret1").await.ok();
        for _ in 0..10 {
            server.get("/api/currency/quotation_new").await.ok();
        }
        assert!(!pictures.iter().any(|picture| picture.is_finished()), "they waited for a picture");
    });
}
