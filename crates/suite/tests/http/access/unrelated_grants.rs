//! A grant to one caller changes nothing for another.

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};
use serde_json::json;
use suite::{Person, TestHouse};

use crate::{
    access::{
        grants::{entitle, key_to, new_key},
        key_reads::{comparable, zoo},
    },
    catalogue::{new_package, new_private_repo},
    content::upload_published,
};

/// The repeated requests of the callers.
const ROUTES: [&str; 14] = [
    "/repos/ada",
    "/repos/ada/tools",
    "/repos/ada/tools/packages",
    "/packages/ada/tools/cat",
    "/packages/ada/tools/cat/versions/2.0",
    "/packages/ada/tools/dog/files",
    "/packages/ada/other/cat",
    "/search/packages?name=cat",
    "/search/file?name=*.bin",
    "//dl/ada/tools/",
    "//dl/ada/tools/lib/",
    "//dl/ada/tools/lib/cat-1.bin",
    "//dl/ada/tools/library/dog.bin",
    "//dl/ada/other/cat.bin",
];

/// Scopes of the entitlements for another key.
const PLACES: [&str; 5] = [
    "/repos/ada/tools",
    "/repos/ada/other",
    "/packages/ada/tools/cat",
    "/packages/ada/tools/dog",
    "/packages/ada/tools/cat/versions/2.0",
];

/// An entitlement for another key: its scope, its access, and its path.
type Given = (&'static str, &'static str, Option<&'static str>);

fn given() -> impl Strategy<Value = Given> {
    let path = prop_oneof![Just(None), select(vec![Some("lib"), Some("library"), Some("lib/cat-1.bin")])];
    (select(PLACES.to_vec()), select(vec!["r", "rw"]), path)
}

#[test]
fn an_entitlement_of_one_key_changes_no_answer_of_another_caller() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (house, callers) = runtime.block_on(start());
    let ada = &callers[0];
    let before = runtime.block_on(answers(&callers));
    let config = Config { cases: 12, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&vec(given(), 1..4), |given| {
        runtime.block_on(async {
            for (place, access, path) in given {
                let path = path.filter(|_| place.starts_with("/repos/"));
                entitle(ada, place, json!({"access": access, "access_keys": ["other"], "path": path})).await;
            }
            prop_assert_eq!(&answers(&callers).await, &before);
            Ok(())
        })
    });
    drop(house);
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[tokio::test]
async fn an_entitlement_elsewhere_changes_no_answer_of_the_same_key() {
    let (house, callers) = start().await;
    let ada = &callers[0];
    new_private_repo(ada, "ada/third").await;
    new_package(ada, "ada/third", "bird").await;
    new_package(ada, "ada/tools", "bird").await;
    let before = answers(&callers).await;
    let keys = json!(["whole", "package", "path"]);
    for place in ["/packages/ada/third/bird", "/packages/ada/tools/bird"] {
        entitle(ada, place, json!({"access": "rw", "access_keys": keys})).await;
    }
    entitle(ada, "/repos/ada/tools", json!({"access": "rw", "access_keys": keys, "path": "elsewhere"})).await;
    assert_eq!(answers(&callers).await, before);
    drop(house);
}

/// Starts a house with the owner, keys with access to a repository, a package, a path and nothing, a stranger, and an
/// anonymous caller.
async fn start() -> (TestHouse, Vec<Person>) {
    let (house, ada, eve) = zoo().await;
    new_private_repo(&ada, "ada/other").await;
    new_package(&ada, "ada/other", "cat").await;
    upload_published(&ada, "ada/other/cat/1.0/cat.bin", "meow").await;
    new_key(&house, "ada", "other").await;
    let callers = vec![
        ada.clone(),
        key_to(&house, &ada, "whole", "/repos/ada/tools", "r").await,
        key_to(&house, &ada, "package", "/packages/ada/tools/cat", "rw").await,
        crate::access::grants::key_to_path(&house, &ada, "path", "rw", "lib").await,
        new_key(&house, "ada", "nothing").await,
        eve,
        house.anyone(),
    ];
    (house, callers)
}

async fn answers(callers: &[Person]) -> Vec<String> {
    let mut all = Vec::new();
    for caller in callers {
        for route in ROUTES {
            let (status, headers, body) = comparable(&caller.get(route).await);
            all.push(format!("{} {route}: {status} {headers:?} {body}", caller.name()));
        }
    }
    all
}
