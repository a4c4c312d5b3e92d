//! `chromedriver`, which controls a browser in a session.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::local_client;

/// How long it may take to get ready. A machine that also builds is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running driver. Dropping it stops it together with its browser.
pub(super) struct Driver {
    child: Child,
    base: String,
    client: reqwest::Client,
}

impl Driver {
    pub(super) async fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={port}")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("`chromedriver` starts; `cargo xtask test` installs it");
        let client = local_client::builder().timeout(PATIENCE).build().expect("a client");
        let driver = Self { child, base: format!("http://127.0.0.1:{port}"), client };
        let deadline = Instant::now() + PATIENCE;
        while !driver.is_ready().await {
            assert!(Instant::now() < deadline, "chromedriver is not ready");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        driver
    }

    async fn is_ready(&self) -> bool {
        match self.client.get(format!("{}/status", self.base)).send().await {
            Ok(answer) => answer.json::<Value>().await.is_ok_and(|status| status["value"]["ready"] == json!(true)),
            Err(_) => false,
        }
    }

    /// Sends a command; an error is the driver's message.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.client.post(format!("{}{path}", self.base)).json(body).send().await;
        read(answer.expect("chromedriver answers")).await
    }

    /// Ends a session and its browser, which would outlive a driver that just stops. Uses a blocking socket, because a
    /// destructor cannot await.
    pub(super) fn end(&self, session: &str) {
        let address = self.base.trim_start_matches("http://");
        let Ok(mut stream) = TcpStream::connect(address) else { return };
        drop(stream.set_read_timeout(Some(PATIENCE)));
        let request = format!("DELETE {session} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        drop(stream.write_all(request.as_bytes()));
        // The response arrives when the browser has exited.
        drop(stream.read(&mut [0; 64]));
    }

    /// Sends a GET request.
    pub(super) async fn get(&self, path: &str) -> Result<Value, String> {
        read(self.client.get(format!("{}{path}", self.base)).send().await.expect("chromedriver answers")).await
    }
}

async fn read(answer: reqwest::Response) -> Result<Value, String> {
    let is_success = answer.status().is_success();
    let mut said: Value = answer.json().await.expect("chromedriver speaks JSON");
    let value = said["value"].take();
    if is_success { Ok(value) } else { Err(value["message"].as_str().unwrap_or_default().to_owned()) }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
