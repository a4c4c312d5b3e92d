//! What builds may do, and what is seen of them.

use serde_json::json;

use super::Scene;
use crate::content::upload_published;

#[tokio::test]
async fn a_build_publishes_where_it_is_trusted_and_nowhere_else() {
    let scene = Scene::start().await;
    let made = scene.exchange(&scene.issuer.token(&scene.claims("a"))).await.expect(200).json();
    assert_eq!((&made["owner"], &made["resources"]), (&json!("ada"), &json!(["ada/tools"])));
    let build = scene.house.person("ada", made["token"].as_str().expect("a token"));
    upload_published(&build, "ada/tools/cat/1.0/cat.tar", "meow").await;
    build.put("/content/ada/other/cat/1.0/cat.tar").body("meow").await.expect(401);
    build.post("/users/ada/tokens").json(json!({"name": "x", "scopes": ["read"]})).await.expect(401);
    build.delete("/packages/ada/tools/cat").await.expect(403);
    let version = scene.ada.get("/packages/ada/tools/cat/versions/1.0").await.expect(200).json();
    let by = &version["published_by"];
    assert_eq!((&by["publisher"], &by["claims"]["run_id"]), (&json!("ci"), &json!("42")));
    let page = scene.house.browser().open("/ada/tools/cat/1.0").await.expect(200).text();
    assert!(page.contains("id=\"build\"") && page.contains("acme/tools"), "{page}");
    let log = scene.house.admin().get("/audit").await.expect(200).text();
    assert!(log.contains("run_id=42") && log.contains("token.mint") && log.contains("refs/tags/v1"), "{log}");
    // It is no token that its owner lists, and it ends after 15 minutes.
    assert_eq!(scene.ada.get("/users/ada/tokens").await.expect(200).json(), json!([]));
    scene.house.clock.advance(15 * 60 * 1_000);
    build.get("/repos/ada/tools").await.expect(401);
    // What a person publishes is not the build's.
    upload_published(&scene.ada, "ada/tools/cat/2.0/dog.tar", "woof").await;
    let version = scene.ada.get("/packages/ada/tools/cat/versions/2.0").await.expect(200).json();
    assert!(version.get("published_by").is_none(), "{version}");
}

#[tokio::test]
async fn clients_of_the_python_index_get_a_token() {
    let scene = Scene::start().await;
    scene.ada.post("/repos/ada/py").json(json!({"type": "pypi"})).await.expect(201);
    scene.trust("py", "ada/py").await.expect(201);
    let anyone = scene.house.anyone();
    let audience = anyone.get("//_/oidc/audience").await.expect(200).json();
    assert_eq!(audience, json!({"audience": scene.audience()}));
    let mint = |token: String| anyone.post("//_/oidc/mint-token").json(json!({"token": token}));
    let token = scene.issuer.token(&scene.claims("a"));
    let made = mint(token.clone()).await.expect(200).json();
    assert_eq!(made["success"], true);
    let robot = scene.house.person("__token__", made["token"].as_str().expect("a token"));
    robot.get("//dl/ada/py/simple/").await.expect(200);
    // The upload went past the check of rights: the form has no fields.
    let upload = |by: &suite::Person| by.post("//dl/ada/py/").header("content-type", "multipart/form-data; boundary=x");
    assert_eq!(upload(&robot).body("--x--\r\n").await.status, 400);
    assert_eq!(scene.house.person("__token__", scene.ada.key()).get("//dl/ada/py/simple/").await.status, 401);
    let again = mint(token).await.expect(422).json();
    assert_eq!(again["errors"][0]["code"], "invalid-publisher", "{again}");
    assert_eq!(
        anyone.post("//_/oidc/mint-token").body("{}").await.expect(422).json()["errors"][0]["code"],
        "invalid-payload"
    );
}

#[tokio::test]
async fn the_first_owner_decides_unless_one_is_named() {
    let scene = Scene::start().await;
    let eve = scene.house.user("eve").await;
    let claims = json!({"repository": "acme/tools"});
    let body = json!({"name": "ci", "provider": "github", "issuer": scene.issuer.url(), "claims": claims,
                      "resource": "eve"});
    eve.post("/users/eve/trusted_publishers").json(body).await.expect(201);
    let first = scene.exchange(&scene.issuer.token(&scene.claims("a"))).await.expect(200).json();
    assert_eq!(first["owner"], "ada");
    let token = scene.issuer.token(&scene.claims("b"));
    let named = json!({"token": token, "owner": "eve"});
    let second = scene.house.anyone().post("/oidc/token").json(named).await.expect(200).json();
    assert_eq!((&second["owner"], &second["resources"]), (&json!("eve"), &json!(["eve"])));
}

#[tokio::test]
async fn keys_of_an_issuer_are_fetched_when_they_change_and_not_for_each_token() {
    let scene = Scene::start().await;
    scene.build("a").await;
    scene.build("b").await;
    assert_eq!(scene.issuer.answers(), 2);
    scene.issuer.rotate("two");
    scene.house.clock.advance(11_000);
    scene.build("c").await;
    assert_eq!(scene.issuer.answers(), 4);
    // Unknown keys make no storm of requests.
    for number in 0..5 {
        let header = json!({"alg": "ES256", "kid": format!("unknown {number}")});
        scene.exchange(&scene.issuer.sign(&header, &scene.claims("d"))).await.expect(403);
    }
    assert_eq!(scene.issuer.answers(), 4);
}
