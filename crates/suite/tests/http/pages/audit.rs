//! The pages of the audit log.

use serde_json::json;
use suite::{Answer, TestHouse};

use crate::cluster::together::together;

#[tokio::test]
async fn pages_hold_fifty_entries_newest_first() {
    let house = long_log().await;
    let page = async |query: &str| house.admin().get(&format!("/audit{query}")).await.expect(200);
    let seen = [
        described(&page("").await),
        described(&page("?start_pos=0").await),
        described(&page("?start_pos=50").await),
        described(&page("?start_pos=100").await),
        described(&page("?start_pos=124").await),
        described(&page("?start_pos=7").await),
        described(&page("?start_pos=007").await),
    ];
    insta::assert_snapshot!(seen.join("\n"), @r#"
    50 entries 125..76; total 125, start 0, end 49
    50 entries 125..76; total 125, start 0, end 49
    50 entries 75..26; total 125, start 50, end 99
    25 entries 25..1; total 125, start 100, end 124
    1 entries 1..1; total 125, start 124, end 124
    50 entries 118..69; total 125, start 7, end 56
    50 entries 118..69; total 125, start 7, end 56
    "#);
}

#[tokio::test]
async fn a_page_past_the_end_is_empty_and_tells_the_total_only() {
    let house = TestHouse::start().await;
    for start in ["1", "50", "9007199254740992"] {
        let answer = house.admin().get(&format!("/audit?start_pos={start}")).await.expect(200);
        assert_eq!((answer.text().as_str(), answer.header("x-rangelimit-total")), ("[]", "1"), "{start}");
        assert!(!answer.headers.contains_key("x-rangelimit-startpos"), "{start}");
        assert!(!answer.headers.contains_key("x-rangelimit-endpos"), "{start}");
    }
}

#[tokio::test]
async fn a_start_that_is_no_position_is_refused() {
    let house = TestHouse::start().await;
    let bad = ["", "-1", "1.5", "9007199254740993", "1e3", "+1", "%2B1", "0x10", "ten", "%20", "99999999999999999999"];
    let mut refusals = String::new();
    for start in bad {
        let answer = house.admin().get(&format!("/audit?start_pos={start}")).await.expect(400);
        refusals += &format!("{}\n", answer.message());
    }
    insta::assert_snapshot!(refusals, @r#"
    start_pos: '' is not a number from 0 to 9007199254740992
    start_pos: '-1' is not a number from 0 to 9007199254740992
    start_pos: '1.5' is not a number from 0 to 9007199254740992
    start_pos: '9007199254740993' is not a number from 0 to 9007199254740992
    start_pos: '1e3' is not a number from 0 to 9007199254740992
    start_pos: ' 1' is not a number from 0 to 9007199254740992
    start_pos: '+1' is not a number from 0 to 9007199254740992
    start_pos: '0x10' is not a number from 0 to 9007199254740992
    start_pos: 'ten' is not a number from 0 to 9007199254740992
    start_pos: ' ' is not a number from 0 to 9007199254740992
    start_pos: '99999999999999999999' is not a number from 0 to 9007199254740992
    "#);
    let twice = house.admin().get("/audit?start_pos=1&start_pos=2").await;
    twice.refuses(400, "a parameter was given several times with different values");
    house.admin().get("/audit?start_pos=1&start_pos=1").await.expect(200);
    house.admin().get("/audit?start_pos").await.expect(400);
}

/// Starts a house whose log has 125 entries: the administrator's own, a user's, and 123 plans.
async fn long_log() -> TestHouse {
    let house = TestHouse::start().await;
    house.user("ada").await;
    for _ in 0..3 {
        let set = |_| house.admin().put("/subjects/ada/plan").json(json!({"plan": "free"}));
        for answer in together((0..41).map(set)).await {
            answer.expect(200);
        }
    }
    house
}

/// Returns the number of entries, the first and the last position of a page, and its three headers.
fn described(answer: &Answer) -> String {
    let list = answer.json();
    let list = list.as_array().expect("a list");
    let places = (list.first().map(|entry| &entry["seq"]), list.last().map(|entry| &entry["seq"]));
    let (Some(first), Some(last)) = places else { return "empty".into() };
    let [total, start, end] =
        ["total", "startpos", "endpos"].map(|name| answer.header(&format!("x-rangelimit-{name}")));
    format!("{} entries {first}..{last}; total {total}, start {start}, end {end}", list.len())
}
