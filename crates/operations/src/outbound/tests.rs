use std::time::Duration;

use reqwest::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::*;

const STRICT: OutboundRules = OutboundRules { allow_private: false, refused: Vec::new() };
const AT_HOME: OutboundRules = OutboundRules { allow_private: true, refused: Vec::new() };

/// Starts a server on this machine that answers every connection with these bytes, and returns its port. Without any
/// bytes it stays silent.
async fn server(answer: Vec<u8>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let _ = socket.read(&mut [0; 4096]).await;
                let _ = socket.write_all(&answer).await;
                // Silence keeps the connection open; otherwise closing it ends an answer of unknown length.
                if answer.is_empty() {
                    let _ = socket.read(&mut [0; 1]).await;
                }
            });
        }
    });
    port
}

async fn get(rules: OutboundRules, url: &str) -> Result<Reply, Problem> {
    let mut request = Request::new(Method::GET, Url::parse(url).expect("an address"));
    *request.timeout_mut() = Some(Duration::from_millis(500));
    OutboundClient::new(rules).send(request).await
}

#[tokio::test]
async fn an_answer_comes_back() {
    let port = server(b"HTTP/1.1 404 Gone\r\ncontent-length: 4\r\n\r\nmeow".to_vec()).await;
    for host in ["127.0.0.1", "localhost"] {
        let reply = get(AT_HOME, &format!("http://{host}:{port}/x")).await.expect("an answer");
        assert_eq!(reply, Reply { status: 404, body: Bytes::from_static(b"meow"), location: None });
    }
}

#[tokio::test]
async fn nobody_is_led_into_the_house() {
    let port = server(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec()).await;
    for host in ["127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "017700000001"] {
        let refused = get(STRICT, &format!("http://{host}:{port}/")).await.expect_err("refused");
        assert!(matches!(refused, Problem::Refused(_)), "{host}: {refused:?}");
    }
    // Whether the name with a dot resolves differs from machine to machine; access is denied either way.
    get(STRICT, &format!("http://localhost.:{port}/")).await.expect_err("refused, or not known");
    for host in ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "169.254.169.254", "10.0.0.1", "0.0.0.0"] {
        let refused = get(STRICT, &format!("http://{host}:{port}/")).await.expect_err("refused");
        assert!(matches!(refused, Problem::Refused(_)), "{host}: {refused:?}");
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer() {
    let elsewhere = server(b"HTTP/1.1 404 Gone\r\ncontent-length: 0\r\n\r\n".to_vec()).await;
    let head = format!("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{elsewhere}/\r\ncontent-length: 0\r\n\r\n");
    let port = server(head.into_bytes()).await;
    assert_eq!(get(AT_HOME, &format!("http://127.0.0.1:{port}/")).await.map(|reply| reply.status), Ok(302));
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for() {
    let port = server(Vec::new()).await;
    assert_eq!(get(AT_HOME, &format!("http://127.0.0.1:{port}/")).await, Err(Problem::TimedOut));
}

#[tokio::test]
async fn a_long_answer_is_cut() {
    let mut answer = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    answer.resize(4 << 20, b'x');
    let port = server(answer).await;
    let reply = get(AT_HOME, &format!("http://127.0.0.1:{port}/")).await.expect("an answer");
    assert_eq!(reply.body.len(), ANSWER_BYTES);
}

#[tokio::test]
async fn a_problem_names_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let problem =
        get(AT_HOME, &format!("http://127.0.0.1:{port}/?password=secret")).await.expect_err("nobody is there");
    assert!(matches!(&problem, Problem::Broken(said) if !said.contains("secret")), "{problem:?}");
}

#[test]
fn only_addresses_of_the_web_are_taken() {
    let out = OutboundClient::new(STRICT);
    for good in ["http://example.org", "https://example.org:8443/x?y=z"] {
        assert!(out.check(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "https://ada:secret@example.org",
        "http://",
        "http:///example.org",
        "http:example.org",
        "ht\ttp://example.org",
        "http://exam\tple.org/",
        "http://example.org/\r\nx",
        " http://example.org/",
    ] {
        assert!(out.check(bad).is_err(), "{bad}");
    }
    assert_eq!(out.check("http://127.1/"), Err("'127.0.0.1' is not a public address".into()));
}
