//! A browser without scripts: requests HTML, stores cookies, and submits forms.

use std::{collections::BTreeMap, sync::Mutex};

use reqwest::Method;

use crate::{Answer, Call, Person};

/// A browser with its cookies.
pub struct Browser {
    person: Person,
    origin: String,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Browser {
    /// Creates a browser without cookies.
    pub fn new(person: Person, origin: String) -> Self {
        Self { person, origin, cookies: Mutex::default() }
    }

    /// Opens the page at a path.
    pub async fn open(&self, path: &str) -> Answer {
        self.keep_cookies(self.call(Method::GET, path).await)
    }

    /// Submits the first form of a page with this action, with its hidden fields and `fields`, which come first. If the
    /// server asks first, the answer is yes.
    pub async fn send(&self, page: &Answer, action: &str, fields: &[(&str, &str)]) -> Answer {
        let mut hidden = hidden_fields(&page.text(), action);
        hidden.retain(|(name, _)| !fields.iter().any(|(given, _)| given == name));
        let given = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let answer = self.post(action, &hidden.into_iter().chain(given).collect::<Vec<_>>()).await;
        if String::from_utf8_lossy(&answer.body).contains("name=\"asked\"") {
            return self.post(action, &hidden_fields(&answer.text(), action)).await;
        }
        answer
    }

    /// Submits these fields like a form on the same site.
    pub async fn post(&self, path: &str, fields: &[(String, String)]) -> Answer {
        let call = self.form(path, fields).header("origin", &self.origin).header("sec-fetch-site", "same-origin");
        self.keep_cookies(call.await)
    }

    /// Submits these fields and then these files, like a form on the same site with a file field.
    pub async fn post_files(&self, path: &str, fields: &[(&str, &str)], files: &[(&str, &str)]) -> Answer {
        let field = |(name, value): &(&str, &str)| part(&format!("name=\"{name}\""), value);
        let file = |(name, content): &(&str, &str)| part(&format!("name=\"file\"; filename=\"{name}\""), content);
        let body = fields.iter().map(field).chain(files.iter().map(file)).collect::<String>();
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let call =
            self.call(Method::POST, path).header("content-type", &kind).body(format!("{body}--{BOUNDARY}--\r\n"));
        self.keep_cookies(call.header("origin", &self.origin).header("sec-fetch-site", "same-origin").await)
    }

    /// Returns the token that the forms of this session contain, read from the front page.
    pub async fn form_token(&self) -> String {
        let hidden = hidden_fields(&self.open("/").await.text(), "/logout");
        hidden.into_iter().find(|(name, _)| name == "form_token").expect("somebody is signed in").1
    }

    /// Returns the request of a form without the headers that name its origin.
    pub fn form(&self, path: &str, fields: &[(String, String)]) -> Call {
        let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        let body = pairs.collect::<Vec<_>>().join("&");
        self.call(Method::POST, path).header("content-type", "application/x-www-form-urlencoded").body(body)
    }

    /// Creates a request with the cookies.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let call = self.person.call(method, &format!("/{path}")).header("accept", "text/html,*/*;q=0.8");
        match self.cookies() {
            cookies if cookies.is_empty() => call,
            cookies => call.header("cookie", &cookies),
        }
    }

    /// Signs in with the form for it.
    pub async fn sign_in(&self, name: &str, secret: &str) -> Answer {
        let page = self.open("/login").await.expect(200);
        self.send(&page, "/login", &[("name", name), ("secret", secret)]).await
    }

    /// Returns the cookies as the value of a request header.
    pub fn cookies(&self) -> String {
        let cookies = self.cookies.lock().expect("no test panics meanwhile");
        cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep_cookies(&self, answer: Answer) -> Answer {
        let mut cookies = self.cookies.lock().expect("no test panics meanwhile");
        for set in answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let (pair, rest) = set.split_once(';').unwrap_or((set, ""));
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if rest.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}

/// The boundary between the parts of a form.
const BOUNDARY: &str = "----FormBoundaryOfTests";

fn part(what: &str, content: &str) -> String {
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {what}\r\n\r\n{content}\r\n")
}

/// Returns the hidden fields of the form with this action: the main one of the page if several have it. Their values
/// need no unescaping.
fn hidden_fields(page: &str, action: &str) -> Vec<(String, String)> {
    let form = format!("action=\"{action}\" method=\"post\"");
    let start = page.find(&format!("{form} id=\"form\"")).or_else(|| page.find(&form));
    let start = start.unwrap_or_else(|| panic!("no form for {action}: {page}"));
    let form = page[start..].split("</form>").next().unwrap_or_default();
    let value = |input: &str, name: &str| {
        let rest = input.split_once(&format!("{name}=\""))?.1;
        rest.split('"').next().map(str::to_owned)
    };
    let inputs = form.split("<input").skip(1).filter(|input| input.contains("type=\"hidden\""));
    inputs.filter_map(|input| Some((value(input, "name")?, value(input, "value")?))).collect()
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
