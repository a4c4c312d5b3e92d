//! Limits the cost of a private key, which is known from its packets before anything is computed with it.
//!
//! Keys of `gpg` are iterated and salted; their largest count is 65,011,712 bytes, for which hashing takes well below a
//! second, and the format has no larger one. Argon2 is limited to what RFC 9106 recommends for machines with little
//! memory, and what `rPGP` and `OpenPGP.js` write: 64 MiB, three passes, four lanes.

use std::io::Read;

use pgp::{
    armor::Dearmor,
    packet::PacketParser,
    types::{S2kParams, SecretParams, StringToKey, Tag},
};

use crate::{Result, signing::certificate::refused};

/// The longest armored key.
const TEXT_BYTES: usize = 128 << 10;

/// The maximum number of packets of a key, and of packets of one kind. Each signature on the key is verified.
const PACKETS: usize = 160;
const KEYS: usize = 16;
const USERS: usize = 32;
const SIGNATURES: usize = 96;

/// The largest number in an RSA, DSA or Elgamal key, which is the limit of `gpg` itself; and the largest public
/// exponent of RSA.
const BITS: u16 = 4_096;
const EXPONENT_BITS: u16 = 32;

/// The maximum cost of unlocking a key: memory as a power of two in KiB, passes and lanes of Argon2.
const MEMORY_POWER: u8 = 16;
const PASSES: u8 = 4;
const LANES: u8 = 8;

/// Rejects a key that would take long to read. Errors do not repeat its text.
pub(super) fn check_size(armoured: &str) -> Result<()> {
    if armoured.len() > TEXT_BYTES {
        return Err(refused(&format!("it has {} bytes; at most {TEXT_BYTES} are taken", armoured.len())));
    }
    let mut packets = PacketParser::new(std::io::BufReader::new(Dearmor::new(armoured.as_bytes())));
    let (mut all, mut keys, mut users, mut signatures) = (0, 0, 0, 0);
    while let Some(packet) = packets.next_ref() {
        // The parser that reads the key detects and reports invalid packets.
        let Ok(mut packet) = packet else { return Ok(()) };
        let mut body = Vec::new();
        let tag = packet.packet_header().tag();
        if packet.read_to_end(&mut body).is_err() {
            return Ok(());
        }
        all += 1;
        check_count(all, PACKETS, "packets")?;
        match tag {
            Tag::SecretKey | Tag::SecretSubkey | Tag::PublicKey | Tag::PublicSubkey => {
                keys += 1;
                check_count(keys, KEYS, "keys and subkeys")?;
                check_numbers(&body)?;
            }
            Tag::UserId | Tag::UserAttribute => {
                users += 1;
                check_count(users, USERS, "user ids")?;
            }
            Tag::Signature => {
                signatures += 1;
                check_count(signatures, SIGNATURES, "signatures")?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_count(count: usize, most: usize, what: &str) -> Result<()> {
    let reason = || {
        format!(
            "it has more than {most} {what}; export a key with fewer, such as with `gpg --export-options export-minimal`"
        )
    };
    if count > most { Err(refused(&reason())) } else { Ok(()) }
}

/// Checks the public numbers of a version 4 key. Each number follows its size; the order is version, time, algorithm,
/// then the numbers.
fn check_numbers(body: &[u8]) -> Result<()> {
    let Some((4, [_, _, _, _, algorithm, rest @ ..])) = body.split_first() else { return Ok(()) };
    let (name, count) = match algorithm {
        1..=3 => ("RSA", 2),
        16 | 20 => ("Elgamal", 3),
        17 => ("DSA", 4),
        _ => return Ok(()),
    };
    let mut rest = rest;
    for index in 0..count {
        let Some(([high, low], after)) = rest.split_first_chunk() else { return Ok(()) };
        let bits = u16::from_be_bytes([*high, *low]);
        if bits > BITS {
            return Err(refused(&format!("one of its {name} numbers has {bits} bits; at most {BITS} are taken")));
        }
        if name == "RSA" && index == 1 && bits > EXPONENT_BITS {
            let reason = format!("its RSA exponent has {bits} bits; at most {EXPONENT_BITS} are taken");
            return Err(refused(&reason));
        }
        rest = after.get(usize::from(bits).div_ceil(8)..).unwrap_or_default();
    }
    Ok(())
}

/// Rejects a secret that is too expensive to unlock.
pub(super) fn check_opening(secret: &SecretParams) -> Result<()> {
    let SecretParams::Encrypted(locked) = secret else { return Ok(()) };
    let (S2kParams::Aead { s2k, .. } | S2kParams::Cfb { s2k, .. } | S2kParams::MalleableCfb { s2k, .. }) =
        locked.string_to_key_params()
    else {
        return Ok(());
    };
    let StringToKey::Argon2 { t, p, m_enc, .. } = s2k else { return Ok(()) };
    let check = |what: &str, value: u8, most: u8, unit: &str| {
        let reason = || {
            format!("its passphrase is protected by Argon2 with {what} of {value}{unit}; at most {most}{unit} is taken")
        };
        if value > most { Err(refused(&reason())) } else { Ok(()) }
    };
    check("a memory exponent", *m_enc, MEMORY_POWER, " (2 to this power KiB)")?;
    check("a number of passes", *t, PASSES, "")?;
    check("a number of lanes", *p, LANES, "")
}
