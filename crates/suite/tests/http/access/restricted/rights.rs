//! Rules refuse downloads to those whom they apply to, and no other calls to anyone.

use reqwest::Method;
use server::Endpoint;
use suite::{Answer, Person};

use super::{company::Company, rule::Rule};
use crate::{
    contract::sample,
    visibility::{body, query},
};

/// The downloads of a repository `{}`.
const DOWNLOADS: [&str; 6] = [
    "//dl/{}/cat/1.0/cat.tar",
    "//dl/{}/cat/1.0/cat.tar.sha1",
    "//dl/{}/cat/1.0/none",
    "//dl/{}/cat/",
    "/content/{}/cat/1.0/cat.tar?svc_package=cat",
    "/maven/{}/cat/cat/1.0/cat.tar",
];

impl Company {
    /// Returns the statuses of all downloads by everyone, as a table.
    async fn downloads(&self) -> String {
        let names: Vec<&str> = self.guests.iter().map(|(name, _)| *name).collect();
        let closed = self.repo("tools".to_owned(), &names).await;
        self.close(&closed).await;
        let mut table = self.actors().iter().map(|(name, _)| format!("{name:>12}")).collect::<String>() + "\n";
        for path in DOWNLOADS {
            for (_, actor) in self.actors() {
                table += &format!("{:>12}", actor.get(&path.replace("{}", &closed)).await.status);
            }
            table += &format!("  GET {path}\n");
        }
        table
    }

    /// Makes all calls as everyone in both repositories, and asserts equal results except for downloads.
    async fn assert_closes_downloads_only(&self) {
        let mut changes = 0;
        for (name, actor) in self.actors() {
            let mut pair = self.pair(name, changes).await;
            for endpoint in endpoints() {
                let is_changed = self.compare(name, actor, &endpoint, &pair).await;
                changes += usize::from(is_changed);
                // The next call needs the thing that this one has deleted.
                if is_changed && endpoint.method == Method::DELETE {
                    pair = self.pair(name, changes).await;
                }
            }
        }
        assert!(changes > 100, "those who may write did so {changes} times");
    }

    /// Compares a call in both repositories, and returns whether it may have changed something.
    async fn compare(&self, name: &str, actor: &Person, endpoint: &Endpoint, pair: &[String; 2]) -> bool {
        let [plain, closed] = pair.each_ref().map(|repo| ask(actor, endpoint, repo));
        let (plain, closed) = (plain.await, closed.await);
        let is_refused = is_download(endpoint) && self.binds(name) && matches!(plain.status, 200 | 302);
        let seen = format!("{} {} by {name}: {}", endpoint.method, endpoint.path, closed.text());
        assert_eq!(closed.status, if is_refused { 403 } else { plain.status }, "{seen}");
        if plain.status >= 400 {
            assert_eq!(closed.text().replace("close-", "plain-"), plain.text(), "{seen}");
        }
        endpoint.method != Method::GET && plain.status < 400
    }
}

/// Returns the calls that name a repository, except the one that returns the agreement of a file, which has to differ.
fn endpoints() -> impl Iterator<Item = Endpoint> {
    let is_compared = |path: &str| path.contains("{repo}") && !path.starts_with("/file_eula/");
    server::endpoints().into_iter().filter(move |endpoint| is_compared(endpoint.path))
}

fn is_download(endpoint: &Endpoint) -> bool {
    let surfaces = ["/content/", "/maven/"];
    endpoint.method == Method::GET && surfaces.iter().any(|surface| endpoint.path.starts_with(surface))
}

async fn ask(actor: &Person, endpoint: &Endpoint, repo: &str) -> Answer {
    let path = sample(endpoint.path).replace("acme/tools", repo) + query(endpoint);
    actor.call(endpoint.method.clone(), &path).body(body(endpoint)).await
}

#[tokio::test]
async fn rules_about_origins_close_downloads_only() {
    Company::start(&[Rule::Network, Rule::Country], false).await.assert_closes_downloads_only().await;
}

#[tokio::test]
async fn an_agreement_closes_downloads_only() {
    Company::start(&[Rule::Agreement], true).await.assert_closes_downloads_only().await;
}

#[tokio::test]
async fn nobody_downloads_from_a_network_that_is_closed_out() {
    let company = Company::start(&[Rule::Network], false).await;
    insta::assert_snapshot!(company.downloads().await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      403         403         403         403         403         403         403         403         403         403         403  GET //dl/{}/cat/1.0/cat.tar
      403         403         403         403         403         403         403         403         403         403         403  GET //dl/{}/cat/1.0/cat.tar.sha1
      403         403         403         403         403         403         403         403         403         403         403  GET //dl/{}/cat/1.0/none
      403         403         403         403         403         403         403         403         403         403         403  GET //dl/{}/cat/
      403         403         403         403         403         403         403         403         403         403         403  GET /content/{}/cat/1.0/cat.tar?svc_package=cat
      403         403         403         403         403         403         403         403         403         403         403  GET /maven/{}/cat/cat/1.0/cat.tar
    "#);
}

#[tokio::test]
async fn nobody_downloads_from_a_country_that_is_not_on_the_list() {
    let company = Company::start(&[Rule::Country], true).await;
    insta::assert_snapshot!(company.downloads().await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      403         403         404         404         403         401         403         403         403         403         403  GET //dl/{}/cat/1.0/cat.tar
      403         403         404         404         403         401         403         403         403         403         403  GET //dl/{}/cat/1.0/cat.tar.sha1
      403         403         404         404         403         401         403         403         403         403         404  GET //dl/{}/cat/1.0/none
      403         403         404         404         403         401         403         403         403         403         404  GET //dl/{}/cat/
      403         403         404         404         403         404         403         403         403         403         403  GET /content/{}/cat/1.0/cat.tar?svc_package=cat
      403         403         404         404         403         401         403         403         403         403         403  GET /maven/{}/cat/cat/1.0/cat.tar
    "#);
}

#[tokio::test]
async fn keys_that_have_not_agreed_download_nothing_of_what_is_sold_in_public() {
    let company = Company::start(&[Rule::Agreement], false).await;
    insta::assert_snapshot!(company.downloads().await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      200         200         200         200         200         200         200         200         403         200         403  GET //dl/{}/cat/1.0/cat.tar
      200         200         200         200         200         200         200         200         403         200         403  GET //dl/{}/cat/1.0/cat.tar.sha1
      404         404         404         404         404         404         404         404         404         404         404  GET //dl/{}/cat/1.0/none
      200         200         200         200         200         200         200         200         200         200         200  GET //dl/{}/cat/
      302         302         302         302         302         302         302         302         403         302         403  GET /content/{}/cat/1.0/cat.tar?svc_package=cat
      200         200         200         200         200         200         200         200         403         200         403  GET /maven/{}/cat/cat/1.0/cat.tar
    "#);
}

#[tokio::test]
async fn keys_that_have_not_agreed_download_nothing_of_what_is_sold_in_private() {
    let company = Company::start(&[Rule::Agreement], true).await;
    insta::assert_snapshot!(company.downloads().await, @r#"
    owner       admin      member    stranger  site admin   anonymous      reader   publisher       key r      key rw key package
      200         200         404         404         200         401         200         200         403         200         403  GET //dl/{}/cat/1.0/cat.tar
      200         200         404         404         200         401         200         200         403         200         403  GET //dl/{}/cat/1.0/cat.tar.sha1
      404         404         404         404         404         401         404         404         404         404         404  GET //dl/{}/cat/1.0/none
      200         200         404         404         200         401         200         200         200         200         404  GET //dl/{}/cat/
      302         302         404         404         302         404         302         302         403         302         403  GET /content/{}/cat/1.0/cat.tar?svc_package=cat
      200         200         404         404         200         401         200         200         403         200         403  GET /maven/{}/cat/cat/1.0/cat.tar
    "#);
}
