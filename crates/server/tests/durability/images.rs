//! Disk images of crashes at random instants under load, whole and torn. Whole images must contain everything that was answered before.
//! Torn ones must be refused, unless nothing that was answered is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use journal::testing::size;
use tokio::sync::Notify;

use crate::load::{Member, Told, all};
use crate::process::{Answer, Disk, Server, block_on, client, copy, run, write};

const MEMBERS: usize = 4;
/// Answers that one member may ask for again at once.
const REPEATED: usize = 20;

/// A copy of the data directory, and what its clients had been answered by then.
struct Image {
    data: PathBuf,
    told: Told,
}

impl Image {
    /// The highest entry in any answer.
    fn answered(&self) -> u64 {
        self.told.lock().unwrap().iter().map(|(_, _, seq)| *seq).max().unwrap_or(0)
    }

    /// A copy to tear.
    fn torn(&self, name: &str, tear: impl FnOnce(&Path)) -> PathBuf {
        let data = self.data.with_extension(name);
        copy(&self.data, &data);
        tear(&data);
        data
    }
}

/// Entries of a journal that `meridian verify` accepts, or why it does not.
fn verified(data: &Path) -> Result<u64, String> {
    let ended = run(&["verify", "--data", data.to_str().unwrap()]);
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(1) && said.contains("journal damaged at entry"), "{said}");
        return Err(said);
    }
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let entries = said.strip_prefix("verified: ").and_then(|rest| rest.split_once(' '));
    Ok(entries.unwrap_or_else(|| panic!("{said}")).0.parse().unwrap())
}

/// Copies of the data directory of a server under load, at random instants.
async fn images(folder: &Path, rng: &mut Rng, client: &reqwest::Client) -> Vec<Image> {
    let data = folder.join("data");
    let mut server = Server::start(&data, &["--house-liquidity", "off"], Disk::Plain, client).await;
    Answer::to(write(client, &server.url, "/sandbox/price", "symbol=BTC/USDT&price=100000", "")).await.unwrap().ok();
    let (mut members, told) = (Vec::new(), Told::default());
    for number in 0..MEMBERS {
        let mut member = Member::new(client, &server.url, number, rng.fork()).await;
        member.told = told.clone();
        members.push(member);
    }
    let answered = Arc::new(Notify::new());
    let heard = answered.clone();
    let load = tokio::spawn(all(members, move |member| member.load(false, heard.clone())));
    let mut images = Vec::new();
    for number in 0..size(6, 24) {
        tokio::time::sleep(Duration::from_millis(rng.u64(100..500))).await;
        // Right after an answer, when an answer given too early would be missing.
        answered.notified().await;
        server.signal("STOP");
        let so_far = told.lock().unwrap().clone();
        let image = Image { data: folder.join(format!("image{number}")), told: Told::new(so_far.into()) };
        copy(&data, &image.data);
        server.signal("CONT");
        images.push(image);
    }
    server.kill();
    load.await.unwrap();
    images
}

/// A server that starts on the image gives every writer the newest answers again.
async fn expect_answers(image: &Image, client: &reqwest::Client) {
    let mut server = Server::start(&image.data, &["--house-liquidity", "off"], Disk::Plain, client).await;
    let told = image.told.lock().unwrap().clone();
    let mut asked = std::collections::BTreeMap::<String, usize>::new();
    for (token, earlier, _) in told.into_iter().rev() {
        let count = asked.entry(token.clone()).or_default();
        *count += 1;
        if *count > REPEATED {
            continue;
        }
        let request = write(client, &server.url, earlier.path, &earlier.form, &earlier.key).header("authorization", token);
        let again = Answer::to(request).await.unwrap();
        assert!(again.replay, "{} was lost", earlier.key);
        assert_eq!(Some(again.text), earlier.text, "{}", earlier.key);
    }
    assert_eq!(asked.len(), MEMBERS, "nobody was idle");
    server.kill();
}

#[test]
fn crash_images_have_what_was_answered_and_torn_ones_are_noticed() {
    let seed = std::env::var("MERIDIAN_TEST_SEED").map_or(1, |seed| seed.parse().unwrap());
    println!("MERIDIAN_TEST_SEED={seed}");
    let (mut rng, client, folder) = (Rng::with_seed(seed), client(), tempfile::tempdir().unwrap());
    block_on(async {
        let images = images(folder.path(), &mut rng, &client).await;
        let (mut refused, mut harmless) = (0, 0);
        for image in &images {
            let answered = image.answered();
            assert!(answered > 0, "nothing was answered before the copy");
            let mut judge = |what: String, found: Result<u64, String>| match found {
                Ok(entries) => {
                    assert!(entries >= answered, "{what}: ends at {entries}, {answered} was answered, and nobody noticed");
                    harmless += 1;
                }
                Err(_) => refused += 1,
            };
            let log = |data: &Path| data.join("journal.db-wal");
            let len = fs::metadata(log(&image.data)).unwrap().len();
            // Anywhere, and in the last twentieth, where the newest groups may be.
            for at in [rng.u64(..len), rng.u64(len - len / 20..len)] {
                let data = image.torn("cut", |data| fs::File::options().write(true).open(log(data)).unwrap().set_len(at).unwrap());
                judge(format!("log cut at {at} of {len}"), verified(&data));
                fs::remove_dir_all(data).unwrap();
            }
            let at = rng.u64(..len / 512) * 512;
            let sector: Vec<u8> = (0..512).map(|_| rng.u8(..)).collect();
            let data = image.torn("sector", |data| overwrite(&log(data), at, &sector));
            judge(format!("garbage at {at} of {len} of the log"), verified(&data));
            fs::remove_dir_all(data).unwrap();

            // A write that had only begun: after the log, or in one slot of the high-water file.
            let data = image.torn("begun", |data| {
                overwrite(&log(data), len, &sector);
                overwrite(&data.join("journal.high"), rng.u64(..2) * 4_096, &sector[..64]);
            });
            let found = verified(&data);
            assert!(found.as_ref().is_ok_and(|entries| *entries >= answered), "a write that had only begun: {found:?}, {answered}");
            fs::remove_dir_all(data).unwrap();

            let found = verified(&image.data);
            assert!(found.as_ref().is_ok_and(|entries| *entries >= answered), "a whole image: {found:?}, {answered} was answered");
        }
        println!("{} images; of their torn forms {refused} refused, {harmless} harmless", images.len());
        assert!(refused >= images.len(), "too few of the tears reached what counts");
        for image in [images.first(), images.last()].into_iter().flatten() {
            expect_answers(image, &client).await;
        }
    });
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    use std::os::unix::fs::FileExt;
    fs::File::options().write(true).open(path).unwrap().write_all_at(bytes, at).unwrap();
}
