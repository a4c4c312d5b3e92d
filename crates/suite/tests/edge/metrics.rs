//! The metrics of the server, and who may read them.

use reqwest::Method;
use suite::TestHouse;

#[tokio::test]
async fn the_metrics_are_there_for_this_machine() {
    let house = TestHouse::start().await;
    house.anyone().get("//livez").await.expect(200);
    let metrics = house.anyone().get("//metrics").await.expect(200);
    assert_eq!(metrics.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let text = metrics.text();
    let line = "packhouse_http_request_seconds_count{surface=\"system\",method=\"GET\",status=\"200\"} ";
    assert!(text.lines().any(|shown| shown.starts_with(line)), "{text}");
}

#[tokio::test]
async fn to_others_the_metrics_are_not_there() {
    let house = TestHouse::start_with(&[("metrics_from", "10.0.0.0/8")]).await;
    let hidden = house.anyone().get("//metrics").await.expect(404);
    let missing = house.anyone().get("//metrics/nothing").await.expect(404);
    assert_eq!(hidden.body, missing.body);
    house.admin().get("//metrics").await.expect(404);
    house.anyone().get("//metrics").header("x-forwarded-for", "10.0.0.1").await.expect(404);
    house.anyone().get("/metrics").await.expect(404);
}

#[tokio::test]
async fn a_network_behind_the_proxy_may_read_them() {
    let settings = [("metrics_from", "10.0.0.0/8"), ("trusted_proxies", "127.0.0.1/32")];
    let house = TestHouse::start_with(&settings).await;
    house.anyone().get("//metrics").header("x-forwarded-for", "10.1.2.3").await.expect(200);
    house.anyone().get("//metrics").header("x-forwarded-for", "203.0.113.7").await.expect(404);
}

#[tokio::test]
async fn strangers_cannot_make_the_metrics_grow() {
    let house = TestHouse::start().await;
    let mut sizes = Vec::new();
    for round in 0..3 {
        for number in 0..20 {
            let method = Method::from_bytes(format!("BREW{round}X{number}").as_bytes()).expect("a method");
            house.anyone().call(method, &format!("//strange/a/b/c/path{round}-{number}")).await.expect(404);
            house.anyone().get(&format!("/users/u{round}-{number}")).header("host", &format!("h{number}")).await;
        }
        let text = house.anyone().get("//metrics").await.expect(200).text();
        assert!(!text.contains("BREW") && !text.contains("strange"), "{text}");
        sizes.push(text.lines().count());
    }
    // The first response does not include its own request yet, so only later ones are compared.
    assert_eq!(sizes[1], sizes[2]);
}

#[tokio::test]
async fn health_is_told_to_anyone() {
    let house = TestHouse::start().await;
    house.anyone().get("//livez").await.expect(200);
    let ready = house.anyone().get("//readyz").await.expect(200);
    assert_eq!(ready.message(), "ready");
}
