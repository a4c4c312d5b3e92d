//! Feeds of .ipk files.

use std::io::Read;

use flate2::read::GzDecoder;

use super::{deb, repo_of};
use crate::catalogue::new_package;

#[tokio::test]
async fn each_folder_is_a_feed() {
    let (house, ada) = repo_of("opkg").await;
    new_package(&ada, "ada/repo", "hello").await;
    for (feed, version) in [("23.05/base", "1.0-1"), ("23.05/base", "1.1-1"), ("snapshots", "2.0-1")] {
        let path = format!("/content/ada/repo/hello/{version}/{feed}/hello_{version}_all.ipk?publish=1");
        ada.put(&path).body(deb("hello", version, "all")).await.expect(201);
    }
    let anyone = house.anyone();
    let plain = anyone.download("/ada/repo/23.05/base/Packages").await.expect(200).text();
    assert_eq!(plain.matches("Package: hello\n").count(), 2);
    assert!(plain.contains("Filename: hello_1.1-1_all.ipk\n"), "{plain}");
    let packed = anyone.download("/ada/repo/23.05/base/Packages.gz").await.expect(200).body;
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("one member");
    assert_eq!(text, plain);
    let other = anyone.download("/ada/repo/snapshots/Packages").await.expect(200).text();
    assert_eq!(other.matches("Package: ").count(), 1);
    anyone.download("/ada/repo/Packages").await.expect(404);
}
