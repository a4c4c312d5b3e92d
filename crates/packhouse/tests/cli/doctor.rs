//! `packhouse doctor`: a healthy server, no server, and harmful proxies.

use std::net::SocketAddr;

use suite::Ended;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::scene::Scene;

#[tokio::test]
async fn nothing_is_wrong_with_a_healthy_server() {
    let scene = Scene::with_cat().await;

    insta::assert_snapshot!(scene.told(&["doctor"]).await, @"
    ok       address    packhouse 0.1.0 answers at SERVER
    ok       TLS        not needed on this machine
    ok       login      signed in as ada
    ok       clock      same as the server's
    ok       uploads    1.00 GiB passes
    ok       slashes    %2F reaches the server unchanged
    ok       ranges     range requests work
    exit 0
    ");
    // Asking creates nothing.
    assert_eq!(scene.told(&["ls"]).await, "ada/tools\nexit 0");
}

#[tokio::test]
async fn no_server_and_an_open_line_are_told_with_a_fix() {
    let scene = Scene::start().await;

    insta::assert_snapshot!(scene.told(&["doctor", "--url", "http://127.0.0.1:1"]).await, @"
    problem  address    http://127.0.0.1:1 does not answer: Connection refused (os error 111)
                        fix: start the server, or correct the port in --url or PACKHOUSE_URL
    ok       TLS        not needed on this machine
    packhouse: 1 problem found
    exit 1
    ");
    let wrong = Ended::run(scene.command_as(&scene.server.person("ada", "CANARY"), &["doctor"])).await;
    assert!(wrong.stdout.contains("problem  login"), "{wrong:?}");
    assert_eq!(wrong.code, Some(1));
}

#[tokio::test]
async fn a_proxy_that_limits_uploads_is_told_with_a_fix() {
    let scene = Scene::with_cat().await;
    let proxy = Harmful::start(&scene.server.base, |head| match head {
        head if head.starts_with("PUT ") => Some(refusal(413)),
        _ => None,
    });

    let told = scene.told(&["doctor", "--url", &proxy.await]).await;

    assert!(
        told.contains("problem  uploads    something in front of the server rejects uploads of 1.00 GiB"),
        "{told}"
    );
    assert!(told.contains("fix: nginx: `client_max_body_size 0;`"), "{told}");
}

#[tokio::test]
async fn a_proxy_that_swallows_slashes_and_ranges_is_told() {
    let scene = Scene::with_cat().await;
    let proxy = Harmful::start(&scene.server.base, |head| match head {
        head if head.contains("%2F") => Some(refusal(404)),
        head if head.contains("range: bytes") => Some("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmeow".to_owned()),
        _ => None,
    });

    let told = scene.told(&["doctor", "--url", &proxy.await]).await;

    assert!(told.contains("problem  slashes    something in front of the server rejects %2F"), "{told}");
    assert!(told.contains("problem  ranges     something in front of the server sends whole files only"), "{told}");
    assert!(told.ends_with("packhouse: 2 problems found\nexit 1"), "{told}");
}

fn refusal(status: u16) -> String {
    format!("HTTP/1.1 {status} No\r\nContent-Type: text/html\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<p>no")
}

/// A proxy that answers some requests itself, depending on their heads, and forwards the others, one per connection.
struct Harmful;

impl Harmful {
    async fn start(base: &str, answers: fn(&str) -> Option<String>) -> String {
        let upstream: SocketAddr = base.trim_start_matches("http://").parse().expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(serve(client, upstream, answers));
            }
        });
        format!("http://{address}")
    }
}

/// Inspects each request head; forwards responses unchanged.
async fn serve(client: TcpStream, upstream: SocketAddr, answers: fn(&str) -> Option<String>) {
    let server = TcpStream::connect(upstream).await.expect("the server listens");
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let asking = async {
        let (mut head, mut piece) = (Vec::new(), [0; 4096]);
        while let Ok(count @ 1..) = from_client.read(&mut piece).await {
            head.extend_from_slice(&piece[..count]);
            if head.ends_with(b"\r\n\r\n") {
                if let Some(answer) = answers(&String::from_utf8_lossy(&head)) {
                    return Some(answer);
                }
                to_server.write_all(&head).await.ok()?;
                head.clear();
            }
        }
        None
    };
    let answering = tokio::io::copy(&mut from_server, &mut to_client);
    let own = tokio::select! {
        own = asking => own,
        _ = answering => None,
    };
    if let Some(answer) = own {
        drop(to_client.write_all(answer.as_bytes()).await);
    }
}
