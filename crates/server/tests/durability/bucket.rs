//! Pictures in an S3 bucket instead of a folder: the real client against a local server that checks signatures, goes away and comes back.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use journal::testing::free_port;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::load::Member;
use crate::process::{Answer, Disk, PATIENCE, Server, block_on, client, write};

/// A bucket named `pictures` in a folder, behind a server that may be away.
struct Bucket {
    folder: PathBuf,
    address: SocketAddr,
    serving: Option<JoinHandle<()>>,
}

impl Bucket {
    async fn new(folder: &Path) -> Bucket {
        std::fs::create_dir_all(folder.join("pictures")).unwrap();
        let mut bucket = Bucket { folder: folder.to_owned(), address: ([127, 0, 0, 1], free_port()).into(), serving: None };
        bucket.come().await;
        bucket
    }

    async fn come(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(&self.folder).unwrap());
        builder.set_auth(SimpleAuth::from_single("meridian", "right secret"));
        let service = builder.build();
        self.serving = Some(tokio::spawn(async move {
            // The connections end with this task.
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service.clone()));
            }
        }));
    }

    async fn go(&mut self) {
        let serving = self.serving.take().unwrap();
        serving.abort();
        assert!(serving.await.unwrap_err().is_cancelled());
    }

    /// The stored objects of one prefix, by name.
    fn objects(&self, prefix: &str) -> Vec<(String, Vec<u8>)> {
        let Ok(folder) = std::fs::read_dir(self.folder.join("pictures").join(prefix)) else { return Vec::new() };
        folder
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
            .collect()
    }

    async fn serve(&self, data: &Path, prefix: &str, secret: &str, client: &reqwest::Client) -> Server {
        let mut server = self.launch(data, &format!("s3://pictures/{prefix}"), secret);
        server.wait_for(200, client).await;
        server
    }

    fn launch(&self, data: &Path, files: &str, secret: &str) -> Server {
        let endpoint = format!("http://{}", self.address);
        let variables = [
            ("AWS_ENDPOINT", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "eu-central-1"),
            ("AWS_ACCESS_KEY_ID", "meridian"),
            ("AWS_SECRET_ACCESS_KEY", secret),
        ];
        Server::launch(data, &["--files", files], &variables, Disk::Plain)
    }
}

/// A picture of one colour, as a member sends it.
pub async fn upload(client: &reqwest::Client, url: &str, token: &str, key: &str) -> Answer {
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(64, 48, image::Rgb([200, 30, 30])).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let head = b"--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".as_slice();
    let body = [head, png.get_ref(), b"\r\n--cut--\r\n"].concat();
    let request = client.post(format!("{url}/api/upload")).header("authorization", token).header("idempotency-key", key);
    Answer::to(request.header("content-type", "multipart/form-data; boundary=cut").body(body)).await.unwrap()
}

async fn look(client: &reqwest::Client, url: &str, token: &str, picture: &str) -> (u16, Vec<u8>) {
    let answer = client.get(format!("{url}{picture}")).header("authorization", token).send().await.unwrap();
    (answer.status().as_u16(), answer.bytes().await.unwrap().to_vec())
}

#[test]
fn a_bucket_keeps_pictures_sealed_and_nothing_is_lost_while_it_is_away() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let mut bucket = Bucket::new(&folder.path().join("bucket")).await;
        let server = bucket.serve(&folder.path().join("data"), "members", "right secret", &client).await;
        let (url, ann) = (&server.url, Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await.token);

        let picture = upload(&client, url, &ann, "first").await.ok()["message"].as_str().unwrap().to_owned();
        let (status, jpeg) = look(&client, url, &ann, &picture).await;
        assert_eq!((status, &jpeg[..2]), (200, &[0xff, 0xd8][..]));
        let stored = bucket.objects("members");
        assert_eq!(stored.len(), 1);
        assert_eq!(format!("/files/{}", stored[0].0), picture);
        assert!(stored[0].1.len() > jpeg.len() && !stored[0].1.windows(4).any(|part| part == b"JFIF"), "not sealed");

        // Unreachable: a clear answer in time, nothing counted, nothing forgotten.
        bucket.go().await;
        let asked = Instant::now();
        let refused = upload(&client, url, &ann, "second").await;
        assert_eq!((refused.status, refused.error().as_str()), (503, "E_NOT_READY"), "{}", refused.text);
        assert_eq!(look(&client, url, &ann, &picture).await.0, 503);
        assert!(asked.elapsed() < PATIENCE, "{:?}", asked.elapsed());

        // Reachable again: the old one is there, and the same attempt succeeds once.
        bucket.come().await;
        assert_eq!(look(&client, url, &ann, &picture).await, (200, jpeg));
        let again = upload(&client, url, &ann, "second").await;
        let second = again.ok()["message"].as_str().unwrap().to_owned();
        assert!(!again.replay);
        assert_eq!(upload(&client, url, &ann, "second").await.ok()["message"], second.as_str());
        assert_eq!(bucket.objects("members").len(), 2);

        // An unused picture is deleted from the bucket a day later.
        Answer::to(write(&client, url, "/sandbox/clock", "advance_ms=86460000", "")).await.unwrap().ok();
        let deadline = Instant::now() + 4 * PATIENCE;
        while !bucket.objects("members").is_empty() {
            assert!(Instant::now() < deadline, "not swept");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
}

#[test]
fn a_bucket_that_is_missing_or_refuses_the_signature_ends_the_start_with_the_reason() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let mut bucket = Bucket::new(&folder.path().join("bucket")).await;
        let data = folder.path().join("data");
        let mut server = bucket.launch(&data, "s3://pictures/members", "wrong secret");
        assert_eq!(server.ended().0.code(), Some(1), "{}", server.logged());
        assert!(server.logged().contains("meridian: files: "), "{}", server.logged());
        server = bucket.launch(&data, "s3://other/members", "right secret");
        assert_eq!(server.ended().0.code(), Some(1), "{}", server.logged());
        assert!(server.logged().contains("meridian: files: "), "{}", server.logged());
        assert!(bucket.objects("members").is_empty());

        // An unreachable store may come back, and a venue does not wait for its pictures.
        bucket.go().await;
        server = bucket.launch(&data, "s3://pictures/members", "right secret");
        server.wait_for(200, &client()).await;
    });
}
