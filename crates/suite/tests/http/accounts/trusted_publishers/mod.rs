//! Trusted publishers: builds that publish with the identity that their service gives them.

mod attacks;
mod lists;
mod publish;

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse, identity::Issuer};

use crate::catalogue::{new_package, new_repo};

/// A house with a user `ada`, who trusts the builds of `acme/tools` at an issuer to publish in `ada/tools`.
pub(crate) struct Scene {
    pub(crate) house: TestHouse,
    pub(crate) ada: Person,
    pub(crate) issuer: Issuer,
}

impl Scene {
    pub(crate) async fn start() -> Self {
        let house = TestHouse::start_with(&[("outgoing.allow_private", "true")]).await;
        let (ada, issuer) = (house.user("ada").await, Issuer::start().await);
        for repo in ["ada/tools", "ada/other"] {
            new_repo(&ada, repo).await;
            new_package(&ada, repo, "cat").await;
        }
        let scene = Self { house, ada, issuer };
        scene.trust("ci", "ada/tools").await.expect(201);
        scene
    }

    /// Adds a trusted publisher of `ada`.
    pub(crate) async fn trust(&self, name: &str, resource: &str) -> Answer {
        let claims = json!({"repository": "acme/tools", "ref": "refs/tags/*"});
        let body = json!({"name": name, "provider": "github", "issuer": self.issuer.url(), "claims": claims,
                          "resource": resource});
        self.ada.post("/users/ada/trusted_publishers").json(body).await
    }

    /// The audience of this site.
    pub(crate) fn audience(&self) -> String {
        format!("http://{}", self.house.address)
    }

    /// The claims of a build that is trusted; `jti` makes each one different.
    pub(crate) fn claims(&self, jti: &str) -> Value {
        let now = self.house.clock.now().millis() / 1_000;
        json!({
            "iss": self.issuer.url(), "aud": self.audience(), "sub": "repo:acme/tools:ref:refs/tags/v1", "jti": jti,
            "iat": now, "nbf": now, "exp": now + 300, "repository": "acme/tools", "ref": "refs/tags/v1",
            "run_id": "42", "actor": "ada", "sha": "c0ffee",
        })
    }

    /// Exchanges a token.
    pub(crate) async fn exchange(&self, token: &str) -> Answer {
        self.house.anyone().post("/oidc/token").json(json!({"token": token})).await
    }

    /// A build that has exchanged its identity.
    pub(crate) async fn build(&self, jti: &str) -> Person {
        let made = self.exchange(&self.issuer.token(&self.claims(jti))).await.expect(200).json();
        self.house.person("ada", made["token"].as_str().expect("a token"))
    }
}

/// The code of a shared secret, which no identity token may be signed with.
pub(crate) fn hmac_sha256(key: &[u8], said: &[u8]) -> Vec<u8> {
    use hmac::{Hmac, KeyInit, Mac};
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(key).expect("any length");
    mac.update(said);
    mac.finalize().into_bytes().to_vec()
}
