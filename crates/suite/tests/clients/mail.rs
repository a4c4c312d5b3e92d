//! Messages to users, received by a real mail server.

use std::{
    env, fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use operations::{House, jobs};
use serde_json::json;
use suite::{Person, TestHouse};
use tempfile::TempDir;

const PASSWORD: &str = "difference engine";

/// A mail server that stores what it receives in a folder.
struct MailServer {
    port: String,
    folder: TempDir,
    process: Child,
}

impl MailServer {
    /// Starts it on a free port.
    async fn start() -> Self {
        let programs = env::var("PACKHOUSE_TEST_PYTHON").expect("`cargo xtask test` says where Python's clients are");
        let folder = TempDir::new().expect("a folder");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
        let process = Command::new(Path::new(&programs).join("python"))
            .args(["-m", "aiosmtpd", "-n", "-l", &free.to_string(), "-c", "aiosmtpd.handlers.Mailbox"])
            .arg(folder.path().join("mail"))
            .stderr(Stdio::null())
            .spawn()
            .expect("aiosmtpd starts");
        let server = Self { port: free.port().to_string(), folder, process };
        for _ in 0..300 {
            if TcpStream::connect(free).is_ok() {
                return server;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the mail server does not answer");
    }

    /// Returns the messages that it received, in no order.
    fn received(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.path().join("mail/new")) else { return Vec::new() };
        let text = |entry: std::io::Result<fs::DirEntry>| fs::read_to_string(entry.expect("an entry").path());
        entries.map(|entry| text(entry).expect("a message")).collect()
    }

    fn settings(&self) -> [(&str, &str); 4] {
        [
            ("mail.server", "127.0.0.1"),
            ("mail.port", &self.port),
            ("mail.tls", "none"),
            ("mail.from", "packhouse <house@example.org>"),
        ]
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

async fn send(house: &House) {
    jobs::run_once(house, "mails").await.expect("sent");
}

/// Returns the only new message with this subject line.
fn one<'m>(messages: &'m [String], title: &str) -> &'m str {
    let line = format!("Subject: {title}");
    let found: Vec<&String> = messages.iter().filter(|message| message.contains(&line)).collect();
    assert_eq!(found.len(), 1, "{title}: {messages:#?}");
    found[0]
}

/// Creates ada, who has confirmed the address.
async fn ada_with_address(house: &TestHouse, mail: &MailServer) -> Person {
    let ada = house.user("ada").await;
    ada.patch("/users/ada").json(json!({"password": PASSWORD})).await.expect(200);
    send(house.app().house()).await;
    let received = mail.received();
    let message = one(&received, "Confirm your e-mail address").replace("=\n", "").replace("=3D", "=");
    assert!(message.contains("To: ada@example.org") && message.contains("From: packhouse <house@example.org>"));
    let link = message.split_once("/account/email?token=").expect("a link").1;
    let token = link.split(char::is_whitespace).next().unwrap_or_default();
    let browser = house.browser();
    browser.sign_in("ada", PASSWORD).await.expect(303);
    let page = browser.open("/account/email?token=wrong").await.expect(200);
    browser.send(&page, "/account/email", &[]).await.expect(403);
    let page = browser.open(&format!("/account/email?token={token}")).await.expect(200);
    browser.send(&page, "/account/email", &[]).await.expect(303);
    ada
}

#[tokio::test]
async fn users_get_messages_at_the_address_that_they_have_confirmed() {
    let mail = MailServer::start().await;
    let house = TestHouse::start_with(&mail.settings()).await;
    let ada = ada_with_address(&house, &mail).await;
    let bob = house.user("bob").await;
    bob.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    bob.put("/orgs/acme/members/ada").json(json!({"type": "member"})).await.expect(200);
    house.admin().post("/users/ada/password").await.expect(201);
    let agent = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0";
    let browser = house.browser();
    let page = browser.open("/login").await.expect(200).text();
    let token = page.split_once("name=\"form_token\" value=\"").expect("a token").1.split('"').next();
    let fields = [
        ("form_token".to_owned(), token.unwrap_or_default().to_owned()),
        ("name".to_owned(), "ada".to_owned()),
        ("secret".to_owned(), ada.key().to_owned()),
    ];
    browser.form("/login", &fields).header("user-agent", agent).await.expect(303);
    let expiry = house.clock.now().millis() + 3 * 24 * 60 * 60 * 1_000;
    let token = json!({"name": "ci", "scopes": ["read"], "expiry": expiry});
    ada.post("/users/ada/tokens").json(token).await.expect(201);
    let inside = house.app().house();
    jobs::run_once(inside, "expiry_warnings").await.expect("written");
    jobs::run_once(inside, "expiry_warnings").await.expect("written");
    send(inside).await;

    let received = mail.received();
    assert!(one(&received, "You have been added to acme").contains("bob added you"));
    assert!(one(&received, "Your password has been reset").contains("To: ada@example.org"));
    let alarm = one(&received, "New sign-in to your account");
    assert!(alarm.contains("Firefox on Windows") && alarm.contains("127.0.0.1"), "{alarm}");
    one(&received, "The token ci of ada expires soon");
    // Bob has not confirmed an address, and gets no more than the question.
    let to_bob = received.iter().filter(|message| message.contains("To: bob@example.org"));
    assert_eq!(to_bob.count(), 1, "{received:#?}");
    send(inside).await;
    assert_eq!(mail.received().len(), received.len(), "nothing is sent twice");
}

#[tokio::test]
async fn a_message_waits_for_a_mail_server_that_is_away() {
    let mail = MailServer::start().await;
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = closed.local_addr().expect("an address").port().to_string();
    drop(closed);
    let mut settings = mail.settings();
    settings[1].1 = &port;
    let house = TestHouse::start_with(&settings).await;
    house.user("ada").await;
    send(house.app().house()).await;
    let house = house.restart_with(&mail.settings()).await;
    send(house.app().house()).await;
    assert!(mail.received().is_empty(), "it is not due yet");
    house.clock.advance(6 * 60_000);
    send(house.app().house()).await;
    one(&mail.received(), "Confirm your e-mail address");
}

#[tokio::test]
async fn people_are_invited_by_mail() {
    let mail = MailServer::start().await;
    let house = TestHouse::start_with(&mail.settings()).await;
    let (bob, carl) = (house.user("bob").await, house.user("carl").await);
    bob.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let invitation = json!({"email": "New@example.org", "type": "member"});
    let made = bob.post("/orgs/acme/invitations").json(invitation).await.expect(201).json();
    assert!(made.get("url").is_none(), "the link is in the message only: {made}");
    send(house.app().house()).await;
    let received = mail.received();
    let message = one(&received, "You are invited to acme").replace("=\n", "").replace("=3D", "=");
    assert!(message.contains("To: new@example.org") && message.contains("bob invites you"), "{message}");
    let link = message.split_once("/-/invitation?token=").expect("a link").1;
    let token = link.split(char::is_whitespace).next().unwrap_or_default();
    carl.post("/invitations/accept").json(json!({ "token": token })).await.expect(200);
    let members = bob.get("/orgs/acme").await.expect(200).json()["members"].clone();
    assert!(members.as_array().expect("a list").contains(&json!({"name": "carl", "type": "member"})), "{members}");
}
