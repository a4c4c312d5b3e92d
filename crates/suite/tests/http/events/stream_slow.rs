//! A stream whose client does not read: it is closed, and its slot becomes free.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use database::{
    ScopedFutureExt,
    events::{self, stream_connections},
};
use model::{
    event::{Event, EventKind},
    id::SubjectId,
};
use suite::{Person, TestHouse};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpSocket, TcpStream},
};

use crate::{
    catalogue::{new_package, new_repo},
    content::upload,
    events::stream::subject_id,
};

/// Together more than the buffers of two sockets.
const EVENTS: i64 = 2_000;
const AGENT_BYTES: usize = 16 << 10;

/// Subscribes to ada's stream and reads nothing.
async fn follow(house: &TestHouse, ada: &Person) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4 << 10).expect("a small window");
    let mut stream = socket.connect(house.address).await.expect("connected");
    let login = BASE64_STANDARD.encode(format!("{}:{}", ada.name(), ada.key()));
    let request = format!("GET /api/stream/ada HTTP/1.1\r\nHost: house\r\nAuthorization: Basic {login}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

/// Inserts events after all existing ones.
async fn tell_much(house: &TestHouse, subject_id: SubjectId) {
    let (db, at) = (&house.app().house().db, house.clock.now());
    let last = events::list_ids(db, subject_id, 0, 1_000).await.expect("read").pop().expect("there is one");
    let told = &Event {
        id: last,
        subject_id,
        at,
        kind: EventKind::Upload,
        repo: "tools".into(),
        package: "cat".into(),
        version: "1.0".into(),
        path: Some("cat.bin".into()),
        actor: "ada".into(),
        address: "127.0.0.1".into(),
        agent: Some("x".repeat(AGENT_BYTES)),
        detail: None,
    };
    let written: database::Result<()> = db
        .write(|tx| {
            async move {
                for number in 1..=EVENTS {
                    events::insert(tx, &Event { id: last + number, ..told.clone() }).await?;
                }
                Ok(())
            }
            .scope_boxed()
        })
        .await;
    written.expect("written");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_nothing_is_cut_off_and_its_place_is_free() {
    let house = TestHouse::start_with(&[("limits.body_gap_secs", "1")]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    upload(&ada, "ada/tools/cat/1.0/cat.bin", "meow").await;
    let (id, db) = (subject_id(&house, "ada").await, &house.app().house().db);
    let followers = async || stream_connections::count_open(db, id, house.clock.now()).await.expect("counted");
    let until = async |count: i64| {
        let reached = async {
            while followers().await != count {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), reached).await.is_ok()
    };

    let stuck = follow(&house, &ada).await;
    assert!(until(1).await, "it follows");
    tell_much(&house, id).await;
    assert!(until(0).await, "it is cut off");
    drop(stuck);
}
