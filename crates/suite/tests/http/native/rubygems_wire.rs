//! RubyGems: the requests of gem 3.6.9 and Bundler 2.6.9, as they were recorded, in their order.

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};
use suite::{Answer, Call, Person};

use super::rubygems::gem;
use crate::indexes::repo_of;

const GEM: &str = "Ruby, RubyGems/3.6.9 x86_64-linux-gnu Ruby/3.1.2 (2022-04-12 patchlevel 20)";
const BUNDLER: &str = "bundler/2.6.9 rubygems/3.6.9 ruby/3.1.2 (x86_64-pc-linux-gnu) command/update \
                       options/no_install,path,user_home 79dd898384237f23";

/// A request of gem with a key and a body.
fn sent_by_gem(call: Call, key: &str, media_type: &str) -> Call {
    let call = call.header("user-agent", GEM).header("accept", "*/*").header("content-type", media_type);
    call.header("accept-encoding", "gzip;q=1.0,deflate;q=0.6,identity;q=0.3").header("authorization", key)
}

/// What Bundler has of an index.
pub(super) struct Cached {
    path: &'static str,
    bytes: Vec<u8>,
    etag: String,
}

impl Cached {
    fn ask(&self, who: &Person) -> Call {
        who.download(&format!("/ada/repo/{}", self.path)).header("user-agent", BUNDLER).header("accept", "*/*")
    }

    pub(super) async fn load(who: &Person, path: &'static str) -> Self {
        let mut cached = Self { path, bytes: Vec::new(), etag: String::new() };
        let whole = cached.ask(who).header("accept-encoding", "gzip;q=1.0,deflate;q=0.6,identity;q=0.3").await;
        cached.replace(&whole.expect(200));
        cached
    }

    /// Keeps an answer if it has the digest that it says.
    fn replace(&mut self, answer: &Answer) {
        assert!(has_digest(&answer.body, answer), "{}", self.path);
        (self.bytes, self.etag) = (answer.body.clone(), answer.header("etag").to_owned());
    }

    /// Asks for what was added, from the last byte on. If that does not fit, Bundler asks for the whole index. Returns
    /// the statuses.
    pub(super) async fn update(&mut self, who: &Person) -> Vec<u16> {
        let range = format!("bytes={}-", self.bytes.len() - 1);
        let added = self.ask(who).header("range", &range).header("if-none-match", &self.etag).await;
        if added.status != 206 {
            return vec![added.expect(304).status];
        }
        let appended = [&self.bytes[..self.bytes.len() - 1], &added.body[..]].concat();
        if has_digest(&appended, &added) {
            (self.bytes, self.etag) = (appended, added.header("etag").to_owned());
            return vec![206];
        }
        let whole = self.ask(who).header("if-none-match", &self.etag).await.expect(200);
        self.replace(&whole);
        vec![206, 200]
    }

    /// Asks for what was added to an index that has become shorter, and then for the whole.
    pub(super) async fn reload(&mut self, who: &Person) {
        let range = format!("bytes={}-", self.bytes.len() - 1);
        let added = self.ask(who).header("range", &range).header("if-none-match", &self.etag).await;
        assert!(matches!(added.status, 206 | 416), "{}: {}", self.path, added.status);
        let whole = self.ask(who).header("if-none-match", &self.etag).await.expect(200);
        self.replace(&whole);
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

fn has_digest(bytes: &[u8], answer: &Answer) -> bool {
    answer.header("repr-digest") == format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

#[tokio::test]
async fn newer_clients_push_install_update_and_yank() {
    let (house, ada) = repo_of("rubygems").await;
    let anyone = house.anyone();
    let push = async |version: &str| {
        let call = sent_by_gem(anyone.post("//dl/ada/repo/api/v1/gems"), ada.key(), "application/octet-stream");
        let answer = call.body(gem("hello", version)).await.expect(200);
        assert_eq!(answer.text(), format!("Successfully registered gem: hello ({version})"));
    };
    push("1.0.0").await;
    let mut versions = Cached::load(&anyone, "versions").await;
    let mut info = Cached::load(&anyone, "info/hello").await;
    let file = anyone.download("/ada/repo/gems/hello-1.0.0.gem").header("user-agent", BUNDLER).await.expect(200);
    let sum: String = Sha256::digest(&file.body).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(info.text().contains(&format!("checksum:{sum}")), "{}", info.text());

    push("1.1.0").await;
    assert_eq!(versions.update(&anyone).await, [206], "a line is added at the end");
    assert_eq!(info.update(&anyone).await, [206], "a version is added at the end");
    assert!(info.text().contains("\n1.1.0 ") && versions.text().contains("1.1.0"));
    assert_eq!((versions.update(&anyone).await, info.update(&anyone).await), (vec![304], vec![304]));

    let yank =
        sent_by_gem(anyone.delete("//dl/ada/repo/api/v1/gems/yank"), ada.key(), "application/x-www-form-urlencoded");
    let answer = yank.body("gem_name=hello&version=1.1.0").await.expect(200);
    assert_eq!(answer.text(), "Successfully deleted gem: hello (1.1.0)");
    assert_eq!(versions.update(&anyone).await, [206], "a yanked version is another line");
    assert!(versions.text().contains("\nhello -1.1.0 "), "{}", versions.text());
    // The gem's own index has less than before: the range begins behind its end, or does not fit.
    info.reload(&anyone).await;
    assert!(!info.text().contains("1.1.0") && info.text().contains("\n1.0.0 "), "{}", info.text());
}
