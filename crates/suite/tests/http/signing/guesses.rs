//! Passphrases cannot be guessed, and the database contains no plain secrets.

use database::signing::gpg_keys;
use serde_json::json;
use suite::{Answer, Gpg, NewKey, Person};

use crate::{
    cluster::together::together,
    content::{SECOND, upload},
    signing::{is_signed, locked_cat},
};

fn guess(by: &Person, passphrase: &str) -> suite::Call {
    by.post("/gpg/ada/tools/cat.tar").json(json!({ "passphrase": passphrase }))
}

#[tokio::test]
async fn five_wrong_passphrases_a_minute_lock_the_key_for_the_right_one_too() {
    let (house, ada, gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    for number in 0..5 {
        guess(&ada, &format!("guess {number}")).await.refuses(400, "passphrase: it does not open the GPG key");
        house.clock.advance(SECOND);
    }
    let refusal = "There were 5 wrong passphrases for this GPG key within a minute; try again later";
    let refused = guess(&ada, "open sesame").await.refuses(429, refusal);
    assert_eq!(refused.header("retry-after"), "55");
    ada.post("/content/ada/tools/cat/1.0/publish").json(json!({"passphrase": "open sesame"})).await.expect(429);
    house.clock.advance(55 * SECOND);
    guess(&ada, "open sesame").await.refuses(200, "success");
    assert!(is_signed(&gpg, &ada, "/ada/tools/cat.tar").await);
    guess(&ada, "guess").await.expect(400);
    guess(&ada, "guess").await.expect(429);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_guesses_at_once_are_no_more_than_five() {
    let (_house, ada, _gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let answers = together((0..12).map(|number| guess(&ada, &format!("guess {number}")))).await;
    let count = |status: u16| answers.iter().filter(|answer: &&Answer| answer.status == status).count();
    assert_eq!((count(400), count(429)), (5, 7));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_passphrase_is_no_guess_however_often_it_comes() {
    let (_house, ada, _gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    let answers = together((0..8).map(|_| guess(&ada, "open sesame"))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer: &Answer| answer.status).collect();
    assert_eq!(statuses, [200; 8]);
}

#[tokio::test]
async fn the_guesses_of_one_key_are_not_those_of_another() {
    let (house, ada, _gpg) = locked_cat("open sesame").await;
    upload(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    for _ in 0..5 {
        guess(&ada, "guess").await.expect(400);
    }
    guess(&ada, "guess").await.expect(429);
    let other = Gpg::new().private_key(NewKey { name: "other", passphrase: "x y", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": other })).await.expect(200);
    guess(&ada, "x y").await.refuses(200, "success");
    drop(house);
}

#[tokio::test]
async fn private_keys_are_sealed_in_the_database_and_only_in_their_own_row() {
    let (house, ada, gpg) = locked_cat("open sesame").await;
    let open = gpg.private_key(NewKey { name: "open", ..NewKey::default() });
    ada.put("/users/ada/keys/gpg").json(json!({ "private_key": open })).await.expect(200);
    let eve = house.user("eve").await;
    eve.put("/users/eve/keys/gpg").json(json!({ "private_key": open })).await.expect(200);
    let db = &house.app().house().db;
    let mut sealed = Vec::new();
    for name in ["ada", "eve"] {
        let name = model::names::SubjectName::parse(name).expect("a name");
        let subject = database::accounts::subjects::find(db, &name).await.expect("read").expect("there");
        sealed.push(gpg_keys::find(db, subject.id).await.expect("read").expect("there").sealed_key);
    }
    assert_ne!(sealed[0], sealed[1]);
    let body: String = open.lines().skip(2).take(3).collect();
    assert!(!sealed[0].contains(&body[..40]) && !sealed[0].contains("PGP"), "{}", sealed[0]);
}
