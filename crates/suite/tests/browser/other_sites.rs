//! Requests that a page of another site makes a browser send in the name of its user.

use serde_json::json;
use suite::{
    TestHouse,
    chromium::{Window, open},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// Returns a page with a form that creates an access key with a known password, and submits itself.
fn page(house: &TestHouse) -> String {
    format!(
        "<!doctype html><title>Kittens</title><form method=post enctype=text/plain \
         action='http://{}/api/users/ada/access_keys'>\
         <input name='{{\"id\": \"evil\", \"password\": \"Kn0wn-to-the-attacker-42\", \"x\": \"' value='\"}}'></form>\
         <script>document.forms[0].submit()</script>",
        house.address
    )
}

/// Serves one page for every request.
async fn serve(listener: TcpListener, page: String) {
    while let Ok((mut socket, _)) = listener.accept().await {
        let mut head = [0; 4_096];
        let _ = socket.read(&mut head).await;
        let length = page.len();
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close");
        let _ = socket.write_all(format!("{head}\r\n\r\n{page}").as_bytes()).await;
    }
}

/// Lets ada's browser, which has her credentials, open the other site's page. Returns her keys afterwards, and the text
/// that the browser shows.
async fn keys_after_a_visit(is_allowed: bool) -> (serde_json::Value, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    // Not the host of the server, so browsers treat it as another site.
    let site = format!("http://localhost:{port}");
    let changes = [("allowed_origins", site.as_str())];
    let house = TestHouse::start_with(if is_allowed { &changes } else { &[] }).await;
    let ada = house.user("ada").await;
    let serving = tokio::spawn(serve(listener, page(&house)));
    let tab = open(Window::DESK).await;
    // She has answered the browser's prompt once.
    tab.go(&format!("http://ada:{}@{}/api/users/ada", ada.key(), house.address)).await;
    tab.wait_for_text("\"name\":\"ada\"").await;
    tab.go(&site).await;
    tab.wait_for_url(&format!("http://{}/api/users/ada/access_keys", house.address)).await;
    let (keys, shown) = (ada.get("/users/ada/access_keys").await.expect(200).json(), tab.text().await);
    serving.abort();
    (keys, shown)
}

#[tokio::test]
async fn the_form_of_another_site_makes_no_access_key() {
    let (keys, shown) = keys_after_a_visit(false).await;
    assert!(shown.contains("The request was sent by a page of another site"), "{shown}");
    assert_eq!(keys, json!({"access_keys": []}));
}

/// The same form works if the operator trusts the site, so it is the check that stops it.
#[tokio::test]
async fn a_site_that_the_operator_allows_may_act_for_its_visitors() {
    let (keys, shown) = keys_after_a_visit(true).await;
    assert!(shown.contains("evil@ada"), "{shown}");
    assert_eq!(keys, json!({"access_keys": ["evil"]}));
}
