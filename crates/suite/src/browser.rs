//! Someone who reads pages: asks for HTML, keeps cookies, and sends forms as browsers do.

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
    /// A browser that has not been anywhere yet.
    pub fn new(person: Person, origin: String) -> Self {
        Self { person, origin, cookies: Mutex::default() }
    }

    /// Opens the page at a path.
    pub async fn open(&self, path: &str) -> Answer {
        self.keep(self.call(Method::GET, path).await)
    }

    /// Sends the first form of a page that goes to this address, with its hidden fields and these, which go before.
    pub async fn send(&self, page: &Answer, action: &str, fields: &[(&str, &str)]) -> Answer {
        let mut hidden = hidden_fields(&page.text(), action);
        hidden.retain(|(name, _)| !fields.iter().any(|(given, _)| given == name));
        let given = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        self.post(action, &hidden.into_iter().chain(given).collect::<Vec<_>>()).await
    }

    /// Sends these fields, as a form of the same site would.
    pub async fn post(&self, path: &str, fields: &[(String, String)]) -> Answer {
        let call = self.form(path, fields).header("origin", &self.origin).header("sec-fetch-site", "same-origin");
        self.keep(call.await)
    }

    /// Sends these fields and then these files, as a form of the same site with a field for files would.
    pub async fn post_files(&self, path: &str, fields: &[(&str, &str)], files: &[(&str, &str)]) -> Answer {
        let field = |(name, value): &(&str, &str)| part(&format!("name=\"{name}\""), value);
        let file = |(name, content): &(&str, &str)| part(&format!("name=\"file\"; filename=\"{name}\""), content);
        let body = fields.iter().map(field).chain(files.iter().map(file)).collect::<String>();
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let call =
            self.call(Method::POST, path).header("content-type", &kind).body(format!("{body}--{BOUNDARY}--\r\n"));
        self.keep(call.header("origin", &self.origin).header("sec-fetch-site", "same-origin").await)
    }

    /// What forms of this session send along, as the front page has it.
    pub async fn form_token(&self) -> String {
        let hidden = hidden_fields(&self.open("/").await.text(), "/logout");
        hidden.into_iter().find(|(name, _)| name == "form_token").expect("somebody is signed in").1
    }

    /// A form on its way, without a word about where it comes from.
    pub fn form(&self, path: &str, fields: &[(String, String)]) -> Call {
        let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        let body = pairs.collect::<Vec<_>>().join("&");
        self.call(Method::POST, path).header("content-type", "application/x-www-form-urlencoded").body(body)
    }

    /// A request with the cookies.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let call = self.person.call(method, &format!("/{path}")).header("accept", "text/html,*/*;q=0.8");
        match self.cookies() {
            cookies if cookies.is_empty() => call,
            cookies => call.header("cookie", &cookies),
        }
    }

    /// Signs in on the page for it.
    pub async fn sign_in(&self, name: &str, secret: &str) -> Answer {
        let page = self.open("/login").await.expect(200);
        self.send(&page, "/login", &[("name", name), ("secret", secret)]).await
    }

    /// The cookies, as a request sends them.
    pub fn cookies(&self) -> String {
        let cookies = self.cookies.lock().expect("no test panics meanwhile");
        cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep(&self, answer: Answer) -> Answer {
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

/// What parts one part of a form from the next.
const BOUNDARY: &str = "----FormBoundaryOfTests";

fn part(what: &str, content: &str) -> String {
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {what}\r\n\r\n{content}\r\n")
}

/// The hidden fields of the form that goes to an address. Their values are plain words.
fn hidden_fields(page: &str, action: &str) -> Vec<(String, String)> {
    let start = page
        .find(&format!("action=\"{action}\" method=\"post\""))
        .unwrap_or_else(|| panic!("no form for {action}: {page}"));
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
