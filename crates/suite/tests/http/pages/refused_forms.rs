//! A refused form is shown again with what was typed, except secrets.

use serde_json::json;

use crate::{content::cat, pages::orgs::browser_of};

struct Refusal {
    /// The page with the form.
    page: &'static str,
    /// Where the form goes.
    to: &'static str,
    fields: &'static [(&'static str, &'static str)],
    /// Parts of the page that shows the form again.
    shown: &'static [&'static str],
}

const REFUSALS: [Refusal; 7] = [
    Refusal {
        page: "/-/entitlements/ada/tools",
        to: "/-/entitlements/ada/tools",
        fields: &[("access_keys", "nobody"), ("access", "rw"), ("path", "a/b"), ("tags", "blue")],
        shown: &[">nobody</textarea>", "value=\"rw\" selected>", "name=\"path\" value=\"a/b\"", ">blue</textarea>"],
    },
    Refusal {
        page: "/-/orgs/acme",
        to: "/-/orgs/acme/teams",
        fields: &[("name", "bad name!"), ("members", "eve"), ("may_create_repos", "1")],
        shown: &["id=\"new-team\" open>", "value=\"bad name!\"", ">eve</textarea>", "value=\"1\" checked> Members may"],
    },
    Refusal {
        page: "/-/orgs/acme",
        to: "/-/orgs/acme/members",
        fields: &[("user", "no-such-user"), ("role", "owner")],
        shown: &["name=\"user\" value=\"no-such-user\"", "<option value=\"owner\" selected>Owner</option>"],
    },
    Refusal {
        page: "/-/orgs/acme",
        to: "/-/orgs/acme/invitations",
        fields: &[("email", "not-an-address"), ("role", "admin")],
        shown: &["name=\"email\" value=\"not-an-address\"", "<option value=\"admin\" selected>Admin</option>"],
    },
    Refusal {
        page: "/-/orgs/acme/teams/devs",
        to: "/-/orgs/acme/teams/devs/repos",
        fields: &[("repo", "no-such-repo"), ("permission", "admin")],
        shown: &["name=\"repo\" value=\"no-such-repo\"", "<option value=\"admin\" selected>Admin</option>"],
    },
    Refusal {
        page: "/account",
        to: "/account/orgs",
        fields: &[("name", "bad name!"), ("full_name", "Bad Name")],
        shown: &["value=\"bad name!\"", "id=\"name-error\"", "name=\"full_name\" value=\"Bad Name\""],
    },
    Refusal {
        page: "/-/webhooks/ada/tools/cat",
        to: "/-/webhooks/ada/tools/cat",
        fields: &[
            ("act", "register"),
            ("url", "gopher://x"),
            ("method", "put"),
            ("event_delete", "1"),
            ("api_key", "s3cret-typed"),
        ],
        shown: &[
            "name=\"url\" value=\"gopher://x\"",
            "value=\"put\" selected>",
            "name=\"event_delete\" value=\"1\" checked>",
            "name=\"event_release\" value=\"1\">",
        ],
    },
];

#[tokio::test]
async fn a_refused_form_keeps_what_was_typed() {
    let (house, ada) = cat().await;
    ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
    ada.post("/orgs/acme/teams").json(json!({ "name": "devs" })).await.expect(201);
    let browser = browser_of(&house, &ada).await;
    for Refusal { page, to, fields, shown } in REFUSALS {
        let open = browser.open(page).await;
        let answer = browser.send(&open, to, fields).await;
        let text = answer.text();
        assert!((400..500).contains(&answer.status), "{to}: {} {text}", answer.status);
        for part in shown {
            assert!(text.contains(part), "{to}: `{part}` is not in {text}");
        }
        assert!(!text.contains("s3cret-typed"), "{to} repeats a secret");
    }
}
