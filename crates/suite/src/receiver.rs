//! A receiver of callbacks: a real server that records them and answers as the test says.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
};

/// How long a callback may take to arrive before the test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a receiver answers.
#[derive(Debug, Clone)]
pub enum ReceiverBehaviour {
    /// With this status.
    Status(u16),
    /// With a redirect to this URL.
    Redirect(String),
    /// Not at all.
    Hang,
}

/// A received callback.
#[derive(Debug, Clone)]
pub struct ReceivedCallback {
    /// The method.
    pub method: String,
    /// The path with its query.
    pub target: String,
    /// The body.
    pub body: String,
    head: String,
}

impl ReceivedCallback {
    /// Returns a header; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut values = fields.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        values.next().unwrap_or_default()
    }
}

/// A receiver on loopback.
pub struct Receiver {
    /// The address that it listens on.
    pub address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    behaviour: Mutex<ReceiverBehaviour>,
    callbacks: Mutex<Vec<ReceivedCallback>>,
    arrival: Notify,
}

impl Receiver {
    /// Starts a receiver that accepts everything.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (behaviour, callbacks, arrival) =
            (Mutex::new(ReceiverBehaviour::Status(200)), Mutex::default(), Notify::new());
        let shared = Arc::new(Shared { behaviour, callbacks, arrival });
        let serving = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let shared = serving.clone();
                tokio::spawn(async move { shared.answer(socket).await });
            }
        });
        Self { address, shared, task }
    }

    /// Returns the URL of a path, which begins with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Changes its behaviour from now on.
    pub fn behave(&self, behaviour: ReceiverBehaviour) {
        *lock(&self.shared.behaviour) = behaviour;
    }

    /// Returns all callbacks so far.
    pub fn callbacks(&self) -> Vec<ReceivedCallback> {
        lock(&self.shared.callbacks).clone()
    }

    /// Waits for at least `count` callbacks and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedCallback> {
        let arrived = async {
            loop {
                let arrival = self.shared.arrival.notified();
                if self.callbacks().len() >= count {
                    return self.callbacks();
                }
                arrival.await;
            }
        };
        let arrived = tokio::time::timeout(PATIENCE, arrived).await;
        arrived.unwrap_or_else(|_| panic!("{} of {count} callbacks have arrived", self.callbacks().len()))
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    async fn answer(&self, mut socket: TcpStream) {
        let Some(callback) = read(&mut socket).await else { return };
        lock(&self.callbacks).push(callback);
        self.arrival.notify_waiters();
        let behaviour = lock(&self.behaviour).clone();
        let head = match behaviour {
            ReceiverBehaviour::Status(status) => format!("HTTP/1.1 {status} X\r\n"),
            ReceiverBehaviour::Redirect(elsewhere) => format!("HTTP/1.1 302 X\r\nlocation: {elsewhere}\r\n"),
            ReceiverBehaviour::Hang => {
                let _ = socket.read(&mut [0; 1]).await;
                return;
            }
        };
        let answer = format!("{head}content-length: 0\r\nconnection: close\r\n\r\n");
        let _ = socket.write_all(answer.as_bytes()).await;
    }
}

async fn read(socket: &mut TcpStream) -> Option<ReceivedCallback> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        (socket.read_buf(&mut bytes).await.ok()? > 0).then_some(())?;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut words = head.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut callback = ReceivedCallback { method, target, body: String::new(), head };
    let size = callback.header("content-length").parse().unwrap_or(0);
    let mut body = bytes.split_off(end + 4);
    while body.len() < size {
        (socket.read_buf(&mut body).await.ok()? > 0).then_some(())?;
    }
    callback.body = String::from_utf8_lossy(&body).into_owned();
    Some(callback)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
