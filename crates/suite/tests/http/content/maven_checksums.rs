//! Checksum files: those that clients upload are compared, those that they download are computed.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use suite::Person;

use crate::content::{
    MEOW_MD5, MEOW_SHA1, MEOW_SHA256, PURR_SHA1,
    maven::{deploy, index, lib, pom, put},
    publish, read, stored,
};

const JAR: &str = "org/x/lib/1.0/lib-1.0.jar";
const MEOW_SHA512: &str = "e88348269bad036160f0d9558b7c5de68163b50e1a6ce46e85ee64692eba0745\
                           29a4a2b48db4d5c36496e845001e13e6d07c585eacd564defcbf719ec9033e17";

/// The checksums of `meow`, by the extensions of their files.
const MEOW: [(&str, &str); 4] =
    [("md5", MEOW_MD5), ("sha1", MEOW_SHA1), ("sha256", MEOW_SHA256), ("sha512", MEOW_SHA512)];

/// Compares a file at a path with its checksum files.
async fn check_beside(who: &Person, path: &str) {
    let text = read(who, path).await;
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(read(who, &format!("{path}.md5")).await, hex(&Md5::digest(&text)));
    assert_eq!(read(who, &format!("{path}.sha1")).await, hex(&Sha1::digest(&text)));
    assert_eq!(read(who, &format!("{path}.sha256")).await, hex(&Sha256::digest(&text)));
    assert_eq!(read(who, &format!("{path}.sha512")).await, hex(&Sha512::digest(&text)));
}

#[tokio::test]
async fn a_right_checksum_is_accepted_and_not_stored() {
    let (_house, ada) = lib().await;
    deploy(&ada, JAR, "meow").await;
    for (ending, sum) in MEOW {
        deploy(&ada, &format!("{JAR}.{ending}"), sum).await;
        deploy(&ada, &format!("{JAR}.{ending}"), &format!("{}  lib-1.0.jar\n", sum.to_uppercase())).await;
    }
    assert_eq!(stored(&ada, "ada/m2/lib").await, [JAR]);
}

#[tokio::test]
async fn a_wrong_checksum_conflicts() {
    let (house, ada) = lib().await;
    deploy(&ada, JAR, "meow").await;
    let reason = format!("The checksum of '{JAR}' is {MEOW_SHA1}, not {PURR_SHA1}");
    put(&ada, &format!(";publish=1/{JAR}.sha1"), PURR_SHA1).await.refuses(409, &reason);
    for (ending, sum) in MEOW {
        let wrong = sum.replace(['0', '1', '2', '3'], "f");
        put(&ada, &format!("{JAR}.{ending}"), &wrong).await.expect(409);
        put(&ada, &format!("{JAR}.{ending}?override=1"), &wrong).await.expect(409);
        assert_eq!(read(&house.anyone(), &format!("/ada/m2/{JAR}.{ending}")).await, sum);
    }
}

#[tokio::test]
async fn a_checksum_needs_its_file_and_has_its_form() {
    let (_house, ada) = lib().await;
    put(&ada, &format!("{JAR}.sha1"), MEOW_SHA1).await.refuses(404, &format!("File '{JAR}' was not found"));
    deploy(&ada, JAR, "meow").await;
    for bad in ["", "meow", MEOW_MD5, &MEOW_SHA1[1..], &"7".repeat(5_000)] {
        put(&ada, &format!("{JAR}.sha1"), bad).await.expect(400);
    }
    assert_eq!(stored(&ada, "ada/m2/lib").await, [JAR]);
}

#[tokio::test]
async fn the_checksum_of_what_waits_is_compared_with_that() {
    let (_house, ada) = lib().await;
    deploy(&ada, JAR, "purr").await;
    put(&ada, &format!("{JAR}?override=1"), "meow").await.expect(201);
    put(&ada, &format!("{JAR}.sha1"), MEOW_SHA1).await.expect(201);
    put(&ada, &format!("{JAR}.sha1"), PURR_SHA1).await.expect(409);
}

#[tokio::test]
async fn checksums_beside_files_are_computed() {
    let (house, ada) = lib().await;
    deploy(&ada, JAR, "meow").await;
    deploy(&ada, &format!("{JAR}.asc"), "signed").await;
    check_beside(&house.anyone(), &format!("/ada/m2/{JAR}")).await;
    check_beside(&house.anyone(), &format!("/ada/m2/{JAR}.asc")).await;
    house.anyone().download(&format!("/ada/m2/{JAR}.asc.asc")).await.expect(404);
    house.anyone().download("/ada/m2/org/x/lib/1.0/lib-1.0.pom.sha1").await.expect(404);
}

#[tokio::test]
async fn checksums_beside_indexes_follow_them() {
    let (house, ada) = lib().await;
    let plugin = pom("go-maven-plugin", "1-SNAPSHOT", "<packaging>maven-plugin</packaging>");
    deploy(&ada, "org/x/go-maven-plugin/1-SNAPSHOT/go-maven-plugin-1-20260101.120000-1.pom", &plugin).await;
    for number in 1..=3 {
        deploy(&ada, &format!("org/x/go-maven-plugin/{number}/go-maven-plugin-{number}.jar"), "meow").await;
        for folder in ["org/x", "org/x/go-maven-plugin", "org/x/go-maven-plugin/1-SNAPSHOT"] {
            check_beside(&house.anyone(), &format!("/ada/m2/{folder}/maven-metadata.xml")).await;
        }
    }
}

#[tokio::test]
async fn indexes_of_clients_are_taken_and_ignored() {
    let (house, ada) = lib().await;
    deploy(&ada, JAR, "meow").await;
    let before = index(&house.anyone(), "org/x/lib").await;
    for folder in ["org/x", "org/x/lib", "org/x/lib/1.0", "org/x/none"] {
        let path = format!("{folder}/maven-metadata.xml");
        deploy(&ada, &path, "<metadata><versioning/></metadata>").await;
        deploy(&ada, &path, "no XML at all").await;
        deploy(&ada, &format!("{path}.sha1"), MEOW_SHA1).await;
        deploy(&ada, &format!("{path}.asc"), "signed").await;
    }
    assert_eq!(publish(&ada, "ada/m2/lib/1.0").await, 0);
    assert_eq!(stored(&ada, "ada/m2/lib").await, [JAR]);
    assert_eq!(index(&house.anyone(), "org/x/lib").await, before);
    for folder in ["org/x", "org/x/lib/1.0", "org/x/none"] {
        house.anyone().download(&format!("/ada/m2/{folder}/maven-metadata.xml")).await.expect(404);
    }
}
