//! Signing keys that are expensive to unlock.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use pgp::{
    composed::{ArmorOptions, Deserializable, SignedKeyDetails, SignedSecretKey},
    crypto::{aead::AeadAlgorithm, sym::SymmetricKeyAlgorithm},
    ser::Serialize,
    types::{Password, S2kParams, StringToKey},
};
use serde_json::json;
use suite::{Call, Gpg, NewKey, Person, TestHouse};

const SALT: [u8; 16] = *b"sixteen bytes ok";

/// Creates a private key that is protected by cheap Argon2 parameters.
fn locked_by_argon2(t: u8, p: u8, m_enc: u8) -> SignedSecretKey {
    let armoured = Gpg::new().private_key(NewKey::default());
    let (mut key, _) = SignedSecretKey::from_string(&armoured).expect("a key");
    let s2k = StringToKey::Argon2 { salt: SALT, t, p, m_enc };
    let (sym_alg, aead_mode) = (SymmetricKeyAlgorithm::AES256, AeadAlgorithm::Ocb);
    let nonce = vec![7; aead_mode.nonce_size()].into();
    let params = S2kParams::Aead { sym_alg, aead_mode, s2k, nonce };
    key.primary_key.set_password_with_s2k(&Password::from("open sesame"), params).expect("it is locked");
    key
}

/// Returns the same key with other parameters written into it, which would be as expensive as they say.
fn claiming(t: u8, p: u8, m_enc: u8) -> String {
    let mut bytes = locked_by_argon2(1, 1, 10).to_bytes().expect("bytes");
    let at = bytes.windows(16).position(|sixteen| sixteen == SALT).expect("the salt") + 16;
    bytes[at..at + 3].copy_from_slice(&[t, p, m_enc]);
    armour(&bytes)
}

fn armour(bytes: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).expect("base64")).collect();
    let (begin, end) = ("-----BEGIN PGP PRIVATE KEY BLOCK-----", "-----END PGP PRIVATE KEY BLOCK-----");
    format!("{begin}\n\n{}\n{end}\n", lines.join("\n"))
}

fn store(by: &Person, key: &str) -> Call {
    by.put("/users/ada/keys/gpg").json(json!({"private_key": key, "passphrase": "open sesame"}))
}

async fn refuses(by: &Person, key: &str, reason: &str) {
    store(by, key).await.refuses(400, &format!("private_key: {reason}"));
}

#[tokio::test]
async fn what_opening_a_key_costs_is_known_before_it_is_opened() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let argon2 = "its passphrase is protected by Argon2 with";
    let memory = |power: u8| {
        format!(
            "{argon2} a memory exponent of {power} (2 to this power KiB); at most 16 (2 to this power KiB) is taken"
        )
    };
    refuses(&ada, &claiming(32, 1, 18), &memory(18)).await;
    refuses(&ada, &claiming(1, 4, 21), &memory(21)).await;
    refuses(&ada, &claiming(1, 4, 17), &memory(17)).await;
    refuses(&ada, &claiming(5, 4, 16), &format!("{argon2} a number of passes of 5; at most 4 is taken")).await;
    refuses(&ada, &claiming(1, 9, 16), &format!("{argon2} a number of lanes of 9; at most 8 is taken")).await;
    // The recommendation of RFC 9106 for little memory, which other programs use.
    let common = locked_by_argon2(3, 4, 16).to_armored_string(ArmorOptions::default()).expect("armour");
    store(&ada, &common).await.expect(200);
}

#[tokio::test]
async fn a_key_that_came_with_the_call_is_held_to_the_same_bounds() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(json!({"gpg_sign_files": true})).await.expect(201);
    ada.post("/packages/ada/tools").json(json!({"name": "cat"})).await.expect(201);
    ada.put("/content/ada/tools/cat/1.0/cat.tar").body("meow").await.expect(201);
    let body = json!({"private_key": claiming(32, 1, 18), "passphrase": "open sesame"});
    let refused = ada.post("/gpg/ada/tools/cat.tar").json(body).await.expect(400);
    assert!(refused.message().contains("Argon2"), "{}", refused.message());
}

/// Returns the peak memory of this process, in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1_024
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn keys_whose_senders_hang_up_take_no_more_memory_than_four() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let (costly, cheap) = (claiming(4, 4, 16), claiming(1, 1, 10));
    let before = peak_mib();
    for _ in 0..20 {
        let gone = tokio::time::timeout(Duration::from_millis(50), store(&ada, &costly).into_future()).await;
        assert!(gone.is_err(), "it takes longer than that");
    }
    // At most four of them are still running, and this one waits.
    store(&ada, &cheap).await.expect(200);
    let taken = peak_mib() - before;
    assert!(taken < 4 * 64 + 100, "{taken} MiB");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn callers_beyond_those_who_wait_are_told_to_come_back() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let costly = claiming(1, 4, 15);
    let calls: Vec<_> = (0..80).map(|_| tokio::spawn(store(&ada, &costly).into_future())).collect();
    let mut statuses = Vec::new();
    for call in calls {
        let answer = call.await.expect("it ends");
        assert!(answer.status != 503 || answer.header("retry-after") == "2");
        statuses.push(answer.status);
    }
    assert!(statuses.iter().all(|status| matches!(status, 400 | 503)), "{statuses:?}");
    assert!(statuses.contains(&503), "{statuses:?}");
    store(&ada, &claiming(1, 1, 10)).await.expect(200);
}

#[tokio::test]
async fn keys_with_too_much_in_them_are_refused() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let large = format!("{}\n{}", "x".repeat(130 << 10), Gpg::new().private_key(NewKey::default()));
    refuses(&ada, &large, &format!("it has {} bytes; at most 131072 are taken", large.len())).await;
    let (key, _) = SignedSecretKey::from_string(&Gpg::new().private_key(NewKey::default())).expect("a key");
    let fewer = "export a key with fewer, such as with `gpg --export-options export-minimal`";
    let users = vec![key.details.users[0].clone(); 33];
    let details = SignedKeyDetails::new(vec![], vec![], users, vec![]);
    let crowded = SignedSecretKey::new(key.primary_key.clone(), details, vec![], vec![]);
    let crowded = crowded.to_armored_string(ArmorOptions::default()).expect("armour");
    refuses(&ada, &crowded, &format!("it has more than 32 user ids; {fewer}")).await;
    let mut certified = key.details.users[0].clone();
    certified.signatures = vec![certified.signatures[0].clone(); 97];
    let details = SignedKeyDetails::new(vec![], vec![], vec![certified], vec![]);
    let certified = SignedSecretKey::new(key.primary_key.clone(), details, vec![], vec![]);
    let certified = certified.to_armored_string(ArmorOptions::default()).expect("armour");
    refuses(&ada, &certified, &format!("it has more than 96 signatures; {fewer}")).await;
}

/// Returns the first packet of a private key with these public numbers, without the rest.
fn key_packet(algorithm: u8, numbers: &[u16]) -> String {
    let mut body = vec![4, 0x60, 0, 0, 0, algorithm];
    for bits in numbers {
        body.extend(bits.to_be_bytes());
        body.extend(vec![0xff; usize::from(*bits).div_ceil(8)]);
    }
    body.push(0);
    let length = u16::try_from(body.len()).expect("short").to_be_bytes();
    armour(&[&[0x95][..], &length, &body].concat())
}

#[tokio::test]
async fn keys_with_huge_numbers_are_refused_before_anything_is_computed() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    refuses(&ada, &key_packet(1, &[16_384, 17]), "one of its RSA numbers has 16384 bits; at most 4096 are taken").await;
    refuses(&ada, &key_packet(1, &[4_096, 33]), "its RSA exponent has 33 bits; at most 32 are taken").await;
    refuses(&ada, &key_packet(17, &[8_192]), "one of its DSA numbers has 8192 bits; at most 4096 are taken").await;
    refuses(
        &ada,
        &key_packet(17, &[2_048, 256, 9_000]),
        "one of its DSA numbers has 9000 bits; at most 4096 are taken",
    )
    .await;
    refuses(&ada, &key_packet(1, &[4_096, 17]), "it is not an armoured OpenPGP private key").await;
}
