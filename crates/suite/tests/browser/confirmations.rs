//! What cannot be undone asks first: in a dialog with scripts, on a page of its own without them.

use serde_json::json;
use suite::chromium::Window;

use crate::scene::Scene;

/// An action that asks.
struct Asking {
    page: &'static str,
    button: &'static str,
    /// The question in the dialog, and on the page without scripts.
    questions: [&'static str; 2],
    /// What stops working.
    effect: &'static str,
    /// What the page says after a yes.
    done: &'static str,
}

const ACTIONS: [Asking; 7] = [
    Asking {
        page: "/ada/tools/cat/2.0",
        button: "#discard",
        questions: ["Discard 1 file?", "Discard the staged files of ada/tools/cat/2.0?"],
        effect: "Published files stay.",
        done: "Discarded: 1 file.",
    },
    Asking {
        page: "/-/users/ada/access_keys/guest",
        button: "#delete-access-key-form button",
        questions: ["Delete the key guest@ada?", "Delete the access key guest?"],
        effect: "lose all access immediately",
        done: "The access key guest has been deleted.",
    },
    Asking {
        page: "/-/orgs/acme",
        button: "form[action$='/members/remove']:has([value='bob']) button",
        questions: ["Remove bob from acme?", "Remove bob?"],
        effect: "loses access to the repositories",
        done: "The member has been removed.",
    },
    Asking {
        page: "/-/webhooks/ada/tools/cat",
        button: "#delete-hooks-form button",
        questions: ["Delete all webhooks of the package?", "Delete all webhooks of ada/tools/cat?"],
        effect: "receivers get no more callbacks",
        done: "All webhooks of the package have been deleted.",
    },
    Asking {
        page: "/-/users/ada/trusted_publishers",
        button: "form[action*='/trusted_publishers/'] button",
        questions: ["Delete builds?", "Delete this trusted publisher?"],
        effect: "can no longer publish",
        done: "The trusted publisher has been deleted.",
    },
    Asking {
        page: "/-/orgs/acme",
        button: "form[action$='/revoke'] button",
        questions: ["Revoke the invitation of new@example.org?", "Revoke this invitation?"],
        effect: "Its link stops working immediately.",
        done: "The invitation has been revoked.",
    },
    Asking {
        page: "/account",
        button: "#rotate-key-form button",
        questions: ["Create a new API key?", "Create a new API key?"],
        effect: "stops working immediately",
        done: "You have a new API key.",
    },
];

/// Creates what the actions end.
async fn fill(scene: &Scene) {
    let ada = &scene.ada;
    ada.put("/content/ada/tools/cat/2.0/two.txt").body("two").await.expect(201);
    ada.post("/users/ada/access_keys").json(json!({ "id": "guest" })).await.expect(201);
    scene.house.user("bob").await;
    ada.post("/orgs").json(json!({ "name": "acme" })).await.expect(201);
    ada.put("/orgs/acme/members/bob").json(json!({ "type": "member" })).await.expect(200);
    let new = json!({ "email": "new@example.org", "type": "member" });
    ada.post("/orgs/acme/invitations").json(new).await.expect(201);
    let claims = json!({ "repository": "ada/tools" });
    let new = json!({ "name": "builds", "provider": "github", "claims": claims, "resource": "ada" });
    ada.post("/users/ada/trusted_publishers").json(new).await.expect(201);
    ada.post("/webhooks/ada/tools/cat").json(json!({ "url": "https://example.org/hook" })).await.expect(201);
}

async fn ask_everywhere(window: Window) {
    let scene = Scene::set(window).await;
    fill(&scene).await;
    scene.sign_in().await;
    let (no, yes) = if window.has_scripts { ("#ask-no", "#ask-yes") } else { ("#cancel", "#form .button.main") };
    for action in ACTIONS {
        for answer in [no, yes] {
            // After a no, everything is still there to be asked about.
            scene.go(action.page).await;
            scene.tab.find(action.button).await.click().await;
            scene.tab.wait_for_text(action.questions[usize::from(!window.has_scripts)]).await;
            scene.tab.wait_for_text(action.effect).await;
            scene.tab.find(answer).await.click().await;
        }
        scene.tab.wait_for_text(action.done).await;
    }
    scene.ada.get("/users/ada").await.expect(401);
    scene.check_quiet().await;
}

#[tokio::test]
async fn what_cannot_be_undone_asks_in_a_dialog() {
    ask_everywhere(Window::DESK).await;
}

#[tokio::test]
async fn what_cannot_be_undone_asks_on_a_page_without_scripts() {
    ask_everywhere(Window { has_scripts: false, ..Window::DESK }).await;
}
