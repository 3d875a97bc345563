//! The connection to PostgreSQL uses TLS as the address requires.

use journal::Journal;
use journal::testing::PostgresServer;

/// How the session of the journal came in.
fn sealed(server: &PostgresServer, port: u16, query: &str) -> Result<bool, String> {
    let data = tempfile::tempdir().expect("a folder");
    let url = format!("postgres://meridian@localhost:{port}/postgres{query}");
    let journal = Journal::postgres(&url, data.path()).map_err(|error| error.to_string())?;
    let asked = "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'meridian journal'";
    let sealed = server.connect().query_one(asked, &[]).expect("one session").get(0);
    drop(journal);
    // The next question opens the next session.
    let others = "select count(*) from pg_stat_activity where application_name = 'meridian journal'";
    while server.connect().query_one(others, &[]).expect("a count").get::<_, i64>(0) > 0 {}
    Ok(sealed)
}

#[test]
fn the_line_is_sealed_as_the_address_says() {
    let server = PostgresServer::start_with_tls();
    let port = server.port();
    let trusted = format!("?sslmode=verify-full&sslrootcert={}", server.certificate().display());
    assert_eq!(sealed(&server, port, "?sslmode=disable"), Ok(false));
    for query in ["", "?sslmode=prefer", "?sslmode=require", &trusted] {
        assert_eq!(sealed(&server, port, query), Ok(true), "{query}");
    }
    // No authority signed it, and the certificate is for another name.
    assert!(sealed(&server, port, "?sslmode=verify-full").is_err());
    let data = tempfile::tempdir().expect("a folder");
    let other = format!("postgres://meridian@127.0.0.1:{port}/postgres{trusted}");
    assert!(Journal::postgres(&other, data.path()).is_err());
}

#[test]
fn a_server_without_tls_is_used_unless_tls_is_required() {
    let server = PostgresServer::start();
    let port = server.port();
    assert_eq!(sealed(&server, port, "?sslmode=prefer"), Ok(false));
    for query in ["?sslmode=require", "?sslmode=verify-full"] {
        assert!(sealed(&server, port, query).is_err(), "{query}");
    }
}
