//! A scope only takes away: all calls about a repository, by everyone, with a key and with tokens of all scopes.

use reqwest::Method;
use serde_json::{Value, json};
use server::Endpoint;
use suite::{Answer, Person};

use super::token;
use crate::{
    access::acme::Cast,
    catalogue::new_package,
    content::upload_published,
    contract::sample,
    visibility::{FILE, body, query},
};

/// Creates a private repository with a file.
async fn repo(cast: &Cast, name: &str) -> String {
    let at = format!("acme/{name}");
    cast.owner.post(&format!("/repos/{at}")).json(json!({"private": true})).await.expect(201);
    new_package(&cast.owner, &at, "cat").await;
    upload_published(&cast.owner, &format!("{at}/{FILE}"), "meow").await;
    at
}

async fn ask(actor: &Person, endpoint: &Endpoint, repo: &str) -> Answer {
    let path = sample(endpoint.path).replace("acme/tools", repo) + query(endpoint);
    actor.call(endpoint.method.clone(), &path).body(body(endpoint)).await
}

/// Makes all calls with a key in one repository and with a token in its twin. Returns how many the token was refused.
async fn compare(cast: &Cast, actor: &Person, scope: &str, resources: Value, name: &str) -> usize {
    let robot = token(&cast.house, actor, name, scope, resources).await;
    let (mut number, mut refused) = (0, 0);
    let mut pair = [repo(cast, &format!("{name}-k{number}")).await, repo(cast, &format!("{name}-t{number}")).await];
    for endpoint in server::endpoints().into_iter().filter(|endpoint| endpoint.path.contains("{repo}")) {
        let key = ask(actor, &endpoint, &pair[0]).await;
        let own = ask(&robot, &endpoint, &pair[1]).await;
        let seen = format!("{} {} by {name}: {} and {}", endpoint.method, endpoint.path, key.status, own.text());
        if own.status < 400 {
            assert!(key.status < 400, "{seen}");
        } else if own.status != key.status && !(own.status == 401 && key.status >= 400) {
            assert!(own.status == 403 && own.message().starts_with("The token needs the scope '"), "{seen}");
            refused += 1;
        }
        // The next call needs what this one has deleted or changed.
        if endpoint.method != Method::GET && (key.status < 400 || own.status < 400) {
            number += 1;
            pair = [repo(cast, &format!("{name}-k{number}")).await, repo(cast, &format!("{name}-t{number}")).await];
        }
    }
    refused
}

#[tokio::test]
async fn a_scope_only_ever_takes_away() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    for (actor, scope) in [("owner", "read"), ("owner", "publish"), ("site admin", "manage"), ("member", "admin")] {
        let (name, person) = cast.actors().into_iter().find(|(known, _)| *known == actor).expect("an actor");
        cast.site_admin.put(&format!("/subjects/{}/plan", person.name())).json(json!({"plan": "enterprise"})).await;
        let name = format!("{}-{scope}", name.replace(' ', "-"));
        let refused = compare(&cast, person, scope, Value::Null, &name).await;
        // All scopes but the highest one take something away from those who may something.
        match scope {
            "read" => assert!(refused > 40, "{refused}"),
            "publish" => assert!(refused > 30, "{refused}"),
            "manage" => assert!(refused < 10, "{refused}"),
            _ => assert_eq!(refused, 0),
        }
    }
}

#[tokio::test]
async fn a_token_for_the_subject_is_like_one_for_everywhere() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
    let refused = compare(&cast, &cast.owner, "manage", json!(["acme"]), "part").await;
    assert!(refused < 10, "{refused}");
}
