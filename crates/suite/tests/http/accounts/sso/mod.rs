//! Single sign-on with a real provider.

mod attacks;
mod forged;
mod groups;
mod required;
mod sign_in;

use std::collections::BTreeMap;

use reqwest::{Client, redirect::Policy};
use serde_json::{Value, json};
use suite::{Answer, Browser, TestHouse, identity::Provider};

/// People whom the provider knows.
pub(crate) fn people() -> Value {
    json!({
        "7": {"preferred_username": "Ada.L@example.org", "name": "Ada Lovelace", "email": "ada@example.org",
              "email_verified": true, "groups": ["staff", "release"]},
        "8": {"preferred_username": "admin", "name": "Eve", "email": "admin@example.org", "email_verified": false},
    })
}

async fn start(changes: &[(&str, &str)]) -> (TestHouse, Provider) {
    Provider::with_house(&people(), changes).await
}

/// Begins a sign-in, and returns the address of the provider's page.
async fn begin(browser: &Browser, path: &str) -> String {
    browser.open(path).await.expect(303).header("location").to_owned()
}

/// Signs in at the provider as this person, and returns the path on this site that it leads back to.
async fn at_provider(page: &str, who: &str) -> String {
    let client = Client::builder().no_proxy().redirect(Policy::none()).build().expect("a client");
    let mut cookies: BTreeMap<String, String> = BTreeMap::new();
    let mut next = format!("{page}&login_hint={who}");
    for _ in 0..10 {
        let sent: Vec<String> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let answer = client.get(&next).header("cookie", sent.join("; ")).send().await.expect("an answer");
        for set in answer.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let pair = set.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').unwrap_or_default();
            cookies.insert(name.to_owned(), value.to_owned());
        }
        let to = answer.headers().get("location").and_then(|value| value.to_str().ok());
        let to = to.map(str::to_owned);
        let Some(to) = to else { panic!("{}: {}", answer.status(), answer.text().await.unwrap_or_default()) };
        if let Some((_, path)) = to.split_once("/login/sso/callback") {
            return format!("/login/sso/callback{path}");
        }
        let origin = next.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        next = if to.starts_with('/') { format!("{origin}{to}") } else { to };
    }
    panic!("the provider does not lead back");
}

/// Signs in as this person.
async fn sign_in(browser: &Browser, who: &str) -> Answer {
    let page = begin(browser, "/login/sso").await;
    browser.open(&at_provider(&page, who).await).await
}

/// Checks that a page refuses something with this text.
#[track_caller]
fn refused(answer: Answer, status: u16, text: &str) {
    let page = answer.expect(status).text();
    assert!(page.contains(text), "{page}");
}
