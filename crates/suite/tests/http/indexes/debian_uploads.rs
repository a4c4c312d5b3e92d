//! Uploads of Debian packages by plain requests below a repository's URL, as dput sends them.

use serde_json::json;
use suite::Person;

use super::{deb, debian::FOLDER, repo_of, tar_gz, uploads::hex};

/// The files of a source package and of its upload: each name with its content. The last one is the `.changes`.
fn upload() -> Vec<(String, Vec<u8>)> {
    let list = |files: &[(String, Vec<u8>)]| -> String {
        files.iter().map(|(name, bytes)| format!(" {} {} {name}\n", hex(bytes), bytes.len())).collect()
    };
    let mut files = vec![("hello_1.0.orig.tar.gz".to_owned(), tar_gz(&[]))];
    let dsc = format!(
        "Format: 3.0 (quilt)\nSource: hello\nBinary: hello\nArchitecture: any\nVersion: 1.0-1\nChecksums-Sha256:\n{}",
        list(&files)
    );
    files.push(("hello_1.0-1.dsc".to_owned(), dsc.into_bytes()));
    files.push(("hello_1.0-1_amd64.deb".to_owned(), deb("hello", "1.0-1", "amd64")));
    let changes = format!(
        "Format: 1.8\nSource: hello\nVersion: 1.0-1\nDistribution: stable\nChecksums-Sha256:\n{}",
        list(&files)
    );
    files.push(("hello_1.0-1_amd64.changes".to_owned(), changes.into_bytes()));
    files
}

async fn put(by: &Person, name: &str, bytes: Vec<u8>) -> suite::Answer {
    by.put(&format!("//dl/ada/repo/upload/stable/main/{name}")).body(bytes).await
}

#[tokio::test]
async fn the_files_of_a_debian_upload_are_placed_and_listed() {
    let (house, ada) = repo_of("debian").await;
    let anyone = house.anyone();
    for (name, bytes) in upload() {
        put(&ada, &name, bytes.clone()).await.refuses(201, "success");
        let stored = anyone.download(&format!("/ada/repo/pool/main/h/hello/{name}")).await.expect(200).body;
        assert_eq!(stored, bytes, "{name}");
    }
    let packages = anyone.download(&format!("{FOLDER}/main/binary-amd64/Packages")).await.expect(200).text();
    assert!(packages.contains("Filename: pool/main/h/hello/hello_1.0-1_amd64.deb\n"), "{packages}");
    let sources = anyone.download(&format!("{FOLDER}/main/source/Sources")).await.expect(200).text();
    assert!(sources.contains("Directory: pool/main/h/hello\n"), "{sources}");
    // The same again is no other content.
    let (name, bytes) = upload().remove(2);
    put(&ada, &name, bytes).await.expect(201);
    // The time of the first member.
    let mut other = deb("hello", "1.0-1", "amd64");
    other[24] = b'1';
    put(&ada, &name, other).await.expect(409);
    put(&ada, "hello_2_amd64.deb", deb("hello", "3", "amd64")).await.expect(400);
    put(&ada, "hello_1_amd64.deb", b"x".to_vec()).await.expect(400);
    put(&ada, "hello.txt", b"x".to_vec()).await.expect(400);
    let outside = ada.put("//dl/ada/repo/upload/-x/main/hello_1_amd64.deb").body(deb("hello", "1", "amd64"));
    outside.await.expect(400);
    anyone.put("//dl/ada/repo/upload/stable/main/hello_1_amd64.deb").body("x").await.expect(401);
}

#[tokio::test]
async fn a_changes_file_is_about_files_that_were_sent_before_it() {
    let (house, ada) = repo_of("debian").await;
    let files = upload();
    let (changes, content) = files[3].clone();
    let missing = "it lists 'hello_1.0.orig.tar.gz', which was not uploaded before it";
    put(&ada, &changes, content.clone()).await.refuses(400, missing);
    for (name, bytes) in &files[..3] {
        put(&ada, name, bytes.clone()).await.expect(201);
    }
    let text = String::from_utf8(content).expect("a text");
    let wrong = text.replace(&hex(&files[2].1), &"0".repeat(64));
    let other = "it lists 'hello_1.0-1_amd64.deb', which was uploaded with other content";
    put(&ada, &changes, wrong.into_bytes()).await.refuses(400, other);
    house.anyone().download(&format!("/ada/repo/pool/main/h/hello/{changes}")).await.expect(404);
}

#[tokio::test]
async fn a_changes_file_publishes_what_is_staged() {
    let (house, ada) = repo_of("debian").await;
    ada.patch("/repos/ada/repo").json(json!({"native_staged": true})).await.expect(200);
    let files = upload();
    let (changes, others) = files.split_last().expect("files");
    for (name, bytes) in others {
        put(&ada, name, bytes.clone()).await.expect(201);
    }
    let anyone = house.anyone();
    let packages = format!("{FOLDER}/main/binary-amd64/Packages");
    anyone.download(&packages).await.expect(404);
    put(&ada, &changes.0, changes.1.clone()).await.expect(201);
    assert!(anyone.download(&packages).await.expect(200).text().contains("Package: hello\n"));
    for (name, _) in others {
        anyone.download(&format!("/ada/repo/pool/main/h/hello/{name}")).await.expect(200);
    }
}
