//! Certificates that are replaced while the server runs.

use std::time::{Duration, Instant};

use suite::TestHouse;

use crate::{
    certificates::{Certificates, Pair},
    clients,
};

/// How soon new files must be in use.
const SOON: Duration = Duration::from_secs(3);

struct Running {
    house: TestHouse,
    files: Certificates,
    first: Pair,
}

impl Running {
    async fn start() -> Self {
        let first = Pair::generate();
        let files = Certificates::with(&first);
        Self { house: TestHouse::start_tls(files.files()).await, files, first }
    }

    /// Returns the certificate on this client's connection.
    async fn shown_to(&self, client: &reqwest::Client) -> Vec<u8> {
        let answer = client.get(format!("https://{}/livez", self.house.address)).send().await.expect("an answer");
        let certificate = clients::certificate(&answer);
        answer.bytes().await.expect("a body");
        certificate
    }

    /// Returns the certificate on a new connection.
    async fn shown(&self) -> Vec<u8> {
        self.shown_to(&clients::tls_http1()).await
    }

    /// Opens connections until one has this certificate.
    async fn shows_soon(&self, certificate: &[u8]) -> bool {
        let shown = async { while self.shown().await != certificate {} };
        tokio::time::timeout(SOON, shown).await.is_ok()
    }

    /// Opens connections until the server must have checked the files, and asserts that all have the first certificate.
    async fn keeps_the_first(&self) {
        let began = Instant::now();
        while began.elapsed() < SOON {
            assert_eq!(self.shown().await, self.first.der);
        }
    }
}

#[tokio::test]
async fn new_connections_see_a_new_certificate_and_old_ones_go_on() {
    let running = Running::start().await;
    let old = clients::tls_http1();
    assert_eq!(running.shown_to(&old).await, running.first.der);
    let second = Pair::generate();
    running.files.replace(&second);
    assert!(running.shows_soon(&second.der).await);
    assert_eq!(running.shown_to(&old).await, running.first.der, "the old connection was kept");
}

#[tokio::test]
async fn a_certificate_that_cannot_be_read_leaves_the_old_one_until_it_can() {
    let running = Running::start().await;
    running.files.write_certificate("this is no certificate");
    running.keeps_the_first().await;
    let second = Pair::generate();
    running.files.replace(&second);
    assert!(running.shows_soon(&second.der).await);
}

#[tokio::test]
async fn a_certificate_that_does_not_fit_its_key_leaves_the_old_one() {
    let running = Running::start().await;
    let second = Pair::generate();
    running.files.write_certificate(&second.certificate_pem);
    running.keeps_the_first().await;
    running.files.write_key(&second.key_pem);
    assert!(running.shows_soon(&second.der).await);
}

#[tokio::test]
async fn files_that_vanish_leave_the_old_certificate() {
    let running = Running::start().await;
    std::fs::remove_file(running.files.files().certificate).expect("the file is there");
    std::fs::remove_file(running.files.files().key).expect("the file is there");
    running.keeps_the_first().await;
}
