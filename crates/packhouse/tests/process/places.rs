//! The file that maps IP addresses to countries.

use std::fs;

use suite::{Stack, country_file};

use crate::program::{serve_with, start_with};

#[tokio::test]
async fn a_file_of_countries_that_is_missing_or_broken_is_named_at_the_start() {
    let stack = Stack::create().await;
    let file = stack.data.path().join("places.mmdb");
    let setting = [("PACKHOUSE_GEO__DATABASE", &*file.to_string_lossy())];
    let shape = |refused: String| refused.replace(&*stack.data.path().to_string_lossy(), "DATA");

    let missing = shape(serve_with(&stack, &setting).await.fails());
    assert!(missing.starts_with("`geo.database` is `DATA/places.mmdb`: No such file"), "{missing}");

    let whole = country_file(&[("192.0.2.0/24", "DE")]);
    fs::write(&file, &whole[..whole.len() / 2]).expect("written");
    let broken = shape(serve_with(&stack, &setting).await.fails());
    assert!(broken.starts_with("geo.database DATA/places.mmdb: it is not in MaxMind's format"), "{broken}");

    fs::write(&file, &whole).expect("written");
    let server = start_with(&stack, &setting).await;
    server.admin().get("/users/admin").await.expect(200);
}
