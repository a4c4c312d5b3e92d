//! Flags of an upload: each as query, header or matrix parameter.

use suite::{Call, Person};

use crate::content::{cat, published, read, stored, upload};

/// The three flags: the name in queries and matrix parameters, and the header.
const FLAGS: [(&str, &str); 3] =
    [("publish", "x-service-publish"), ("override", "x-service-override"), ("explode", "x-service-explode")];

/// PUT to version 1.0 of `cat`.
fn put(by: &Person, path: &str) -> Call {
    by.put(&format!("/content/ada/tools/cat/1.0/{path}")).body("meow")
}

#[tokio::test]
async fn publish_may_be_given_in_three_forms() {
    let (house, ada) = cat().await;
    put(&ada, "query.bin?publish=1").await.refuses(201, "success");
    put(&ada, "header.bin").header("x-service-publish", "1").await.refuses(201, "success");
    put(&ada, "matrix.bin;publish=1").await.refuses(201, "success");
    put(&ada, ";publish=1/lib/middle.bin").await.refuses(201, "success");
    let all = ["header.bin", "lib/middle.bin", "matrix.bin", "query.bin"];
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, all);
}

#[tokio::test]
async fn override_may_be_given_in_three_forms() {
    let (_house, ada) = cat().await;
    let path = "ada/tools/cat/1.0/cat.bin";
    upload(&ada, path, "meow").await;
    let put = |rest: &str, bytes: &str| ada.put(&format!("/content/{path}{rest}")).body(bytes.to_owned());
    put("?override=1", "one").await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "one");
    put("", "two").header("x-service-override", "1").await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "two");
    put(";override=1", "three").await.refuses(201, "success");
    assert_eq!(read(&ada, "/ada/tools/cat.bin").await, "three");
}

#[tokio::test]
async fn a_flag_that_is_zero_is_off() {
    let (house, ada) = cat().await;
    let zeros = put(&ada, "a.bin;explode=0;publish=0?override=0&publish=0").header("x-service-explode", "0");
    zeros.await.refuses(201, "success");
    put(&ada, "b.bin").await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, [""; 0], "off by default, too");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.bin", "b.bin"]);
    let changed = ada.put("/content/ada/tools/cat/1.0/a.bin?override=0").body("purr").await;
    changed.expect(409);
}

#[tokio::test]
async fn a_flag_is_zero_or_one() {
    let (_house, ada) = cat().await;
    for (word, header) in FLAGS {
        for value in ["2", "true", "yes", "01", "-1", "1.0", "1,1", ""] {
            let query = put(&ada, &format!("a.bin?{word}={value}")).await;
            let matrix = put(&ada, &format!("a.bin;{word}={value}")).await;
            let header = put(&ada, "a.bin").header(header, value).await;
            assert_eq!([query.status, matrix.status, header.status], [400; 3], "{word} is `{value}`");
        }
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
}

#[tokio::test]
async fn forms_of_a_flag_may_repeat_each_other_but_not_disagree() {
    let (house, ada) = cat().await;
    for (word, header) in FLAGS {
        put(&ada, &format!("a.bin?{word}=1")).header(header, "0").await.expect(400);
        put(&ada, &format!("a.bin;{word}=0?{word}=1")).await.expect(400);
        put(&ada, &format!("a.bin;{word}=1")).header(header, "0").await.expect(400);
        put(&ada, &format!("a.bin?{word}=0&{word}=1")).await.expect(400);
        put(&ada, &format!(";{word}=1/a.bin;{word}=0")).await.expect(400);
        put(&ada, "a.bin").header(header, "1").header(header, "0").await.expect(400);
    }
    assert_eq!(stored(&ada, "ada/tools/cat").await, [""; 0]);
    let agreeing = put(&ada, ";publish=1/a.bin;publish=1?publish=1&publish=1").header("x-service-publish", "1");
    agreeing.await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin"]);
}

#[tokio::test]
async fn old_and_new_names_of_a_flag_are_one() {
    let (house, ada) = cat().await;
    let both = |old: &str| put(&ada, "a.bin").header("x-bintray-publish", old).header("x-service-publish", "1");
    both("0").await.expect(400);
    both("1").await.refuses(201, "success");
    assert_eq!(published(&house.anyone(), "ada/tools/cat").await, ["a.bin"]);
}

#[tokio::test]
async fn parameters_that_mean_nothing_are_ignored() {
    let (_house, ada) = cat().await;
    let odd =
        put(&ada, ";color=red;x/a.bin;build.number=7;publisher=1?publishing=1&x").header("x-service-color", "red");
    odd.await.refuses(201, "success");
    assert_eq!(stored(&ada, "ada/tools/cat").await, ["a.bin"]);
}
