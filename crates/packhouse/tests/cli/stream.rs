//! `packhouse stream`: from a server, and from a stand-in whose stream breaks off.

use serde_json::Value;
use suite::Ended;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::scene::Scene;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Service-Stream-Reconnect-Id: 0\r\n\
                    Transfer-Encoding: chunked\r\n\r\n";

#[tokio::test]
async fn what_happens_is_told_and_may_be_taken_up_again() {
    let scene = Scene::with_cat().await;
    let upload = async |number: usize| {
        let path = format!("/content/ada/tools/cat/1.0/{number}.txt");
        scene.ada.put(&path).body("meow").await.expect(201);
    };
    let follow = scene.command_as(&scene.ada, &["stream", "ada", "--limit", "1", "--json"]);
    let mut following = std::pin::pin!(Ended::run(follow));
    // A stream contains only events after it was opened, so events are created until it has ended.
    let mut number = 0;
    let followed = loop {
        tokio::select! {
            ended = &mut following => break ended.succeeds(),
            () = upload(number) => number += 1,
        }
    };
    upload(number + 1).await;
    let event: Value = serde_json::from_str(&followed).expect("JSON");
    assert_eq!((&event["type"], &event["subject"]), (&"upload".into(), &"ada".into()), "{event}");

    let after = event["id"].as_str().expect("an id");
    let next = scene.run(&["stream", "ada", "--limit", "1", "--after", after]).await.succeeds();
    assert!(next.contains("  upload         ada/tools/") && next.contains("  ada  127.0.0.1"), "{next}");
}

#[tokio::test]
async fn a_stream_that_breaks_off_goes_on_after_its_last_event() {
    let scene = Scene::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let stand_in = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.expect("a client");
        let asked_first = head(&mut first).await;
        // A keep-alive, an event, and half of another one.
        send(&mut first, &["\r\n", "{\"id\":\"7\",\"type\":\"publish\",\"path\":\"/a\"}\r\n", "{\"id\":\"8\",\"ty"])
            .await;
        drop(first);
        let (mut second, _) = listener.accept().await.expect("the client again");
        let asked_again = head(&mut second).await;
        send(&mut second, &["{\"id\":\"8\",\"type\":\"delete\",\"path\":\"/b\"}\r\n"]).await;
        (asked_first, asked_again, second)
    });

    let followed = scene.run(&["stream", "ada", "--limit", "2", "--url", &url]).await;

    let (asked_first, asked_again, _open) = stand_in.await.expect("it ends");
    insta::assert_snapshot!(followed.stdout, @"
    -  publish        /a  -  -
    -  delete         /b  -  -
    ");
    assert!(followed.stderr.contains("the stream broke off"), "{followed:?}");
    assert_eq!(followed.code, Some(0));
    assert!(asked_first.starts_with("get /api/stream/ada ") && !asked_first.contains("reconnect"), "{asked_first}");
    assert!(asked_again.contains("x-service-stream-reconnect-id: 7\r\n"), "{asked_again}");
}

async fn head(client: &mut TcpStream) -> String {
    let (mut head, mut piece) = (Vec::new(), [0; 1024]);
    while !head.ends_with(b"\r\n\r\n") {
        let read = client.read(&mut piece).await.expect("a head");
        head.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&head).to_lowercase()
}

async fn send(client: &mut TcpStream, lines: &[&str]) {
    client.write_all(HEAD.as_bytes()).await.expect("sent");
    for line in lines {
        client.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).await.expect("sent");
    }
}
