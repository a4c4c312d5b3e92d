//! Replays: repeated requests are answered without parsing, and responses do not differ.

use std::time::Duration;

use serde_json::json;
use suite::TestHouse;

use crate::wire::{Wire, authorization};

const CAT: &str = "GET /dl/admin/tools/cat.txt HTTP/1.1\r\nHost: house\r\nUser-Agent: test\r\n\r\n";
const OBJECT: &str = "GET /api/packages/admin/tools/pets HTTP/1.1\r\nHost: house\r\n\r\n";
const DOG: &str = "GET /dl/admin/tools/dog.txt HTTP/1.1\r\nHost: house\r\n\r\n";

/// Starts a house with two small published files.
async fn house_with(settings: &[(&str, &str)]) -> TestHouse {
    let house = TestHouse::start_with(settings).await;
    let admin = house.admin();
    admin.post("/repos/admin/tools").await.expect(201);
    admin.post("/packages/admin/tools").json(json!({"name": "pets"})).await.expect(201);
    for (name, says) in [("cat", "meow"), ("dog", "woof")] {
        admin.put(&format!("/content/admin/tools/pets/1/{name}.txt?publish=1")).body(says).await.expect(201);
    }
    house
}

/// Returns the number of replayed responses, of files and of objects.
async fn repeated(house: &TestHouse) -> u64 {
    let metrics = house.anyone().get("//metrics").await.expect(200).text();
    let count = |name: &str| {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name));
        line.map_or(0, |count| count.trim().parse::<u64>().expect("a number"))
    };
    count("packhouse_repeated_downloads_total ") + count("packhouse_repeated_objects_total ")
}

/// Sends the request until a response is replayed.
async fn ask_until_repeated(house: &TestHouse, wire: &mut Wire, request: &str) -> Vec<String> {
    let (before, mut answers) = (repeated(house).await, Vec::new());
    while repeated(house).await == before {
        assert!(answers.len() < 100, "nothing is repeated");
        for _ in 0..3 {
            wire.send(request).await;
            answers.push(wire.answer().await);
        }
    }
    answers
}

/// Removes the parts of a response that differ each time.
fn comparable(answer: &str) -> String {
    let differs = |line: &&str| !line.starts_with("x-request-id: ") && !line.starts_with("date: ");
    answer.split("\r\n").filter(differs).collect::<Vec<_>>().join("\r\n")
}

fn request_id(answer: &str) -> &str {
    answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).expect("a name")
}

#[tokio::test]
async fn what_goes_past_the_parser_is_the_same_to_the_byte() {
    let house = house_with(&[]).await;
    let mut wire = Wire::open(&house).await;
    let answers = ask_until_repeated(&house, &mut wire, CAT).await;
    assert!(answers[0].starts_with("HTTP/1.1 200 OK\r\n") && answers[0].ends_with("\r\n\r\nmeow"), "{}", answers[0]);
    for answer in &answers {
        assert_eq!(comparable(answer), comparable(&answers[0]));
        assert_eq!(answer.len(), answers[0].len());
    }
    assert_ne!(request_id(&answers[0]), request_id(&answers[answers.len() - 1]));
}

#[tokio::test]
async fn an_object_goes_past_the_parser_the_same_to_the_byte_until_it_changes() {
    let house = house_with(&[]).await;
    let (admin, mut wire) = (house.admin(), Wire::open(&house).await);
    let list = OBJECT.replace("/packages/admin/tools/pets", "/repos/admin/tools/packages?start_name=p");
    for request in [OBJECT, &list] {
        let answers = ask_until_repeated(&house, &mut wire, request).await;
        assert!(answers[0].starts_with("HTTP/1.1 200 OK\r\n") && answers[0].contains("\"pets\""), "{}", answers[0]);
        for answer in &answers {
            assert_eq!(comparable(answer), comparable(&answers[0]));
        }
    }
    admin.patch("/packages/admin/tools/pets").json(json!({"desc": "Cats and dogs"})).await.expect(200);
    wire.send(OBJECT).await;
    assert!(wire.answer().await.contains("Cats and dogs"));
    ask_until_repeated(&house, &mut wire, OBJECT).await;
    admin.patch("/repos/admin/tools").json(json!({"private": true})).await.expect(200);
    for request in [OBJECT, &list] {
        wire.send(request).await;
        let hidden = wire.answer().await;
        assert!(hidden.starts_with("HTTP/1.1 404 "), "{hidden}");
    }
}

#[tokio::test]
async fn a_file_that_the_kernel_copies_goes_past_the_parser_the_same_to_the_byte() {
    let house = house_with(&[]).await;
    let (admin, mut wire) = (house.admin(), Wire::open(&house).await);
    let [old, new] = ["purr ", "hiss "].map(|says| says.repeat(60_000));
    let publish = |says: String| admin.put("/content/admin/tools/pets/1/cat.log?publish=1&override=1").body(says);
    publish(old.clone()).await.expect(201);
    let request = CAT.replace("cat.txt", "cat.log");
    let answers = if house.stack().is_cluster() {
        // The store streams it.
        let mut answers = Vec::new();
        for _ in 0..10 {
            wire.send(&request).await;
            answers.push(wire.answer().await);
        }
        assert_eq!(repeated(&house).await, 0);
        answers
    } else {
        ask_until_repeated(&house, &mut wire, &request).await
    };
    assert!(answers[0].ends_with(&old));
    for answer in &answers {
        assert!(comparable(answer) == comparable(&answers[0]));
    }
    publish(new.clone()).await.expect(201);
    wire.send(&request).await;
    assert!(wire.answer().await.ends_with(&new));
}

#[tokio::test]
async fn other_connections_are_answered_so_too_but_not_to_their_first_request() {
    let house = house_with(&[]).await;
    ask_until_repeated(&house, &mut Wire::open(&house).await, CAT).await;
    let mut wire = Wire::open(&house).await;
    let before = repeated(&house).await;
    wire.send(CAT).await;
    assert!(wire.answer().await.ends_with("meow"));
    assert_eq!(repeated(&house).await, before);
    ask_until_repeated(&house, &mut wire, CAT).await;
}

#[tokio::test]
async fn what_changes_is_seen_in_the_middle_of_a_conversation() {
    let house = house_with(&[]).await;
    let (admin, mut anyone, mut owner) = (house.admin(), Wire::open(&house).await, Wire::open(&house).await);
    let as_owner = DOG.replace("\r\n\r\n", &format!("\r\n{}\r\n", authorization(&admin)));
    ask_until_repeated(&house, &mut anyone, DOG).await;
    ask_until_repeated(&house, &mut owner, &as_owner).await;
    admin.patch("/repos/admin/tools").json(json!({"private": true})).await.expect(200);
    for _ in 0..3 {
        anyone.send(DOG).await;
        assert!(anyone.answer().await.starts_with("HTTP/1.1 401 "));
        owner.send(&as_owner).await;
        assert!(owner.answer().await.ends_with("woof"));
    }
    admin.delete("/content/admin/tools/dog.txt").await.expect(200);
    owner.send(&as_owner).await;
    assert!(owner.answer().await.starts_with("HTTP/1.1 404 "));
}

/// Returns requests of all kinds, with the start and the end of their responses.
fn kinds(authorization: &str) -> Vec<(String, &'static str, &'static str)> {
    let posted = r#"{"name":""}"#;
    let post = format!("POST /api/orgs HTTP/1.1\r\nHost: house\r\n{authorization}Content-Length: 11\r\n\r\n{posted}");
    vec![
        (CAT.to_owned(), "200", "meow"),
        (CAT.to_owned(), "200", "meow"),
        (DOG.to_owned(), "200", "woof"),
        (CAT.replace("\r\n\r\n", "\r\nRange: bytes=1-2\r\n\r\n"), "206", "eo"),
        ("GET /livez HTTP/1.1\r\nHost: house\r\n\r\n".to_owned(), "200", "{\"message\":\"alive\"}"),
        (DOG.replace("dog", "fish"), "404", "}"),
        (OBJECT.to_owned(), "200", "}"),
        (OBJECT.to_owned(), "200", "}"),
        (OBJECT.replace("pets", "plants"), "404", "}"),
        (post, "400", "}"),
    ]
}

/// Reproducible pseudo-random numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    /// Waits for a moment, or not.
    async fn wait(&mut self) {
        if self.below(2) == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Sends requests in one of the ways that clients do; returns the responses.
async fn converse(wire: &mut Wire, requests: &[&str], chance: &mut Chance) -> Vec<String> {
    let mut answers = Vec::new();
    match chance.below(3) {
        // Each one after the previous response.
        0 => {
            for request in requests {
                wire.send(request).await;
                answers.push(wire.answer().await);
            }
        }
        // One after the other, without waiting for responses.
        1 => {
            for request in requests {
                wire.send(request).await;
                chance.wait().await;
            }
        }
        // All at once, split at a random position.
        _ => {
            let requests = requests.concat();
            let (first, rest) = requests.split_at(chance.below(requests.len() + 1));
            wire.send(first).await;
            chance.wait().await;
            wire.send(rest).await;
        }
    }
    while answers.len() < requests.len() {
        answers.push(wire.answer().await);
    }
    answers
}

#[tokio::test]
async fn answers_come_in_the_order_of_requests_whatever_way_they_take() {
    let house = house_with(&[]).await;
    let kinds = kinds(&authorization(&house.admin()));
    let (mut wire, mut chance) = (Wire::open(&house).await, Chance(7));
    ask_until_repeated(&house, &mut wire, CAT).await;
    for round in 0..200 {
        let asked: Vec<_> = (0..=chance.below(6)).map(|_| &kinds[chance.below(kinds.len())]).collect();
        let requests: Vec<_> = asked.iter().map(|(request, ..)| request.as_str()).collect();
        let answers = converse(&mut wire, &requests, &mut chance).await;
        for ((request, status, end), answer) in asked.iter().zip(answers) {
            let is_right = answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.ends_with(end);
            assert!(is_right, "round {round}: {request} got {answer}");
        }
    }
    let repeated = repeated(&house).await;
    assert!(repeated > 50, "{repeated} answers went past the parser");
}

#[tokio::test]
async fn a_connection_that_is_used_is_not_idle_and_one_that_is_not_used_is_closed() {
    let house = house_with(&[("limits.header_timeout_secs", "1")]).await;
    let mut wire = Wire::open(&house).await;
    ask_until_repeated(&house, &mut wire, CAT).await;
    for _ in 0..12 {
        tokio::time::sleep(Duration::from_millis(250)).await;
        wire.send(CAT).await;
        assert!(wire.answer().await.ends_with("meow"));
    }
    let time = wire.time_to_close(Duration::from_secs(8)).await.expect("the connection is closed");
    assert!(time > Duration::from_millis(800), "{time:?}");
}

#[tokio::test]
async fn the_wish_to_close_is_granted() {
    let house = house_with(&[]).await;
    let mut wire = Wire::open(&house).await;
    ask_until_repeated(&house, &mut wire, CAT).await;
    wire.send(CAT.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") + CAT).await;
    assert!(wire.answer().await.ends_with("meow"));
    wire.time_to_close(Duration::from_secs(5)).await.expect("the connection is closed");
    assert_eq!(wire.rest(), "");
}

#[tokio::test]
async fn what_is_left_of_the_day_is_told_past_the_parser_too() {
    let house = house_with(&[]).await;
    let (mut wire, ada) = (Wire::open(&house).await, house.user("ada").await);
    let request = CAT.replace("\r\n\r\n", &format!("\r\n{}\r\n", authorization(&ada)));
    let left = |answer: &String| {
        let line = answer.lines().find_map(|line| line.strip_prefix("x-ratelimit-remaining: "));
        line.expect("it is told").parse::<u64>().expect("a number")
    };
    let before: Vec<u64> = ask_until_repeated(&house, &mut wire, &request).await.iter().map(left).collect();
    assert!(before.iter().all(|left| *left == before[0]), "{before:?}");
    ada.get("/users/admin").await.expect(200);
    let after = ask_until_repeated(&house, &mut wire, &request).await;
    for answer in &after {
        assert_eq!(left(answer), before[0] - 1);
        assert!(answer.contains("\r\nx-ratelimit-limit: 50000\r\n") && answer.ends_with("\r\n\r\nmeow"), "{answer}");
        assert_eq!(comparable(answer), comparable(&after[0]));
    }
}

/// Requests that would be refused without a replay.
#[tokio::test]
async fn a_kept_answer_is_for_a_host_that_can_be_one() {
    let house = house_with(&[("api_host", "api.house")]).await;
    ask_until_repeated(&house, &mut Wire::open(&house).await, CAT).await;
    for (path, host, status) in [
        ("/dl/admin/tools/cat.txt", "ho use", "400"),
        ("/dl/admin/tools/cat.txt", "house,other", "400"),
        ("/dl/admin/tools/cat.txt", "house:x", "400"),
        ("http://other/dl/admin/tools/cat.txt", "house", "400"),
        ("http://house/dl/admin/tools/cat.txt", "house", "200"),
        ("/dl/admin/tools/cat.txt", "api.house", "404"),
        ("http://api.house/dl/admin/tools/cat.txt", "api.house", "404"),
    ] {
        let mut wire = Wire::open(&house).await;
        for _ in 0..3 {
            wire.send(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: test\r\n\r\n")).await;
            let answer = wire.answer().await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path} {host}: {answer}");
        }
    }
}
