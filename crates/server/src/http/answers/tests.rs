use super::*;

async fn opened(folder: &std::path::Path) -> (Answers, Vault, Db, u64) {
    let db = Db::sqlite(&folder.join("meridian.db")).unwrap();
    db.migrate(&store::migrations()).await.unwrap();
    let clock = Clock::default();
    let secrets = store::secrets::Secrets::open(folder, &db).await.unwrap();
    let vault = Vault::open(&folder.join("keys"), &secrets, &db).await.unwrap();
    (Answers::load(db.clone(), &vault, &clock).await.unwrap(), vault, db, clock.wall_ms())
}

fn write(name: &str) -> Write {
    Write { caller: name.to_owned(), content: [7; 32] }
}

fn held(at_ms: u64, of_guest: bool) -> Entry {
    Entry { content: [7; 32], held: Progress::Done { body: Vec::new(), seq: None, at_ms }, of_guest }
}

#[tokio::test]
async fn an_answer_that_memory_gave_up_is_found_in_sql() {
    let folder = tempfile::tempdir().unwrap();
    let (answers, vault, db, now_ms) = opened(folder.path()).await;
    let old = now_ms - KEEP_MS * 3 / 4;
    db.exec(answers::insert(&vault, "ann", write("ann").content, b"1", None, old).unwrap()).await.unwrap();
    {
        let entries = &mut answers.memory.lock().unwrap().entries;
        entries.extend((0..MAX_HELD).map(|number| (number.to_string(), held(now_ms, false))));
        entries.insert(stored_name(&vault, "ann"), held(old, false));
    }
    answers.prune(now_ms).await.unwrap();
    let enter = async |name: &str| answers.enter(&vault, &write(name), Effect::Command).await;
    assert!(matches!(enter("ann").await, Ok(Gate::Done(done)) if done.body == b"1"));
    assert!(matches!(enter("bob").await, Ok(Gate::First)));
}

#[tokio::test]
async fn an_answer_that_only_sql_has_is_found_for_a_write_beside_the_log_and_no_command_looks_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let (answers, vault, db, now_ms) = opened(folder.path()).await;
    // As left by a write that was committed and whose call then failed.
    db.exec(answers::insert(&vault, "ann", write("ann").content, b"1", None, now_ms).unwrap()).await.unwrap();
    let enter = async |effect| answers.enter(&vault, &write("ann"), effect).await;
    assert!(matches!(enter(Effect::Write).await, Ok(Gate::Done(done)) if done.body == b"1"));
    assert!(matches!(answers.settle(&vault, &write("ann")).await, Ok(Gate::Done(_))));
    assert!(matches!(enter(Effect::Command).await, Ok(Gate::First)));
}

#[tokio::test]
async fn answers_of_guests_leave_memory_first_and_cost_the_orders_of_members_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (answers, _, _, now_ms) = opened(folder.path()).await;
    answers.memory.lock().unwrap().entries.extend((0..=MAX_HELD).map(|number| (number.to_string(), held(now_ms, true))));
    answers.prune(now_ms).await.unwrap();
    assert_eq!(answers.memory.lock().unwrap().entries.len(), 0);
    assert!(!answers.is_cut.load(Ordering::Relaxed));
}

#[tokio::test]
async fn of_each_caller_so_many_answers_are_kept_and_the_oldest_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (answers, vault, db, now_ms) = opened(folder.path()).await;
    for (owner, most) in [("user 7", OF_MEMBER), ("address 203.0.113.9", OF_GUEST)] {
        for number in 0..most + 20 {
            let write = write(&format!("{owner} key-{number}"));
            assert!(matches!(answers.enter(&vault, &write, Effect::Write).await, Ok(Gate::First)));
            let finished = Finished::repeated(b"{}".to_vec(), None);
            answers.finish(&vault, &write, &finished, Keep::Both, now_ms).await;
        }
        assert_eq!(answers::newest(&db, 0, 2 * most as u64).await.unwrap().len(), most, "{owner}");
        assert_eq!(answers.memory.lock().unwrap().entries.len(), most);
        let newest = write(&format!("{owner} key-{}", most + 19));
        assert!(matches!(answers.enter(&vault, &newest, Effect::Command).await, Ok(Gate::Done(_))));
        db.exec(answers::forget_before(now_ms + KEEP_MS)).await.unwrap();
        answers.memory.lock().unwrap().entries.clear();
    }
}

#[tokio::test]
async fn a_closed_key_is_never_forgotten_so_a_member_closes_only_so_many() {
    let folder = tempfile::tempdir().unwrap();
    let (answers, vault, _, now_ms) = opened(folder.path()).await;
    let closed = |number: usize| write(&format!("user 7 key-{number}"));
    for number in 0..CLOSED {
        assert_eq!(answers.closing_waits_ms(&closed(number), now_ms), None);
        answers.finish(&vault, &closed(number), &Finished::repeated(Vec::new(), None), Keep::Memory, now_ms).await;
    }
    assert_eq!(answers.closing_waits_ms(&closed(CLOSED), now_ms + 1), Some(KEEP_MS - 1));
    assert_eq!(answers.closing_waits_ms(&write("user 8 key"), now_ms), None);
    assert!(matches!(answers.enter(&vault, &closed(0), Effect::Command).await, Ok(Gate::Done(_))));
}

#[test]
fn networks_of_a_site_are_one_guest() {
    let owner = |address: &str| write(&format!("{GUEST}{address} key")).owner();
    assert_eq!(owner("2001:db8:1:2::3"), owner("2001:db8:1:ff::9"));
    assert_ne!(owner("2001:db8:1::1"), owner("2001:db8:2::1"));
    assert_ne!(owner("203.0.113.9"), owner("203.0.113.8"));
}
