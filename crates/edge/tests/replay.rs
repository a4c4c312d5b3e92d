//! Tests that replayed responses equal ordinary ones.

use edge::testing::{Step, differential, script};
use proptest::prelude::*;

/// Runs a script, and returns the number of replays.
fn play(script: &[Step]) -> Result<usize, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(differential(script))
}

fn get(path: &str) -> Step {
    Step::Write(format!("GET {path} HTTP/1.1\r\nhost: house\r\nuser-agent: test\r\n\r\n").into_bytes())
}

// The head of a connection's first request is read in two parts, to detect the protocol, and so is not cached.

#[test]
fn equal_requests_are_replayed() {
    assert_eq!(play(&[get("/small"), get("/small"), get("/small"), get("/small")]), Ok(2));
}

#[test]
fn an_invalidation_is_seen_by_the_next_request() {
    let thrice = [get("/small"), get("/small"), get("/small")];
    assert_eq!(play(&[&thrice[..], &[Step::Invalidate], &thrice[..]].concat()), Ok(1 + 2));
}

#[test]
fn a_server_that_stops_replays_nothing() {
    let thrice = [get("/small"), get("/small"), get("/small")];
    assert_eq!(play(&[&thrice[..], &[Step::Drain], &thrice[..]].concat()), Ok(1));
}

#[test]
fn large_responses_are_not_replayed() {
    assert_eq!(play(&[get("/large"), get("/large"), get("/large")]), Ok(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_script_tells_a_replay_from_an_ordinary_response(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let outcome = play(&script(&bytes));
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }
}
