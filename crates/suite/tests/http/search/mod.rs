//! Search by a part of a name or a description.

pub(crate) mod attribute_search;
pub(crate) mod file_search;

use serde_json::{Value, json};
use suite::{Answer, Person, TestHouse};

use crate::{
    access::acme::Cast,
    catalogue::{new_package, new_private_repo, new_repo, new_version, segment},
    cluster::together::together,
};

#[tokio::test]
async fn repositories_are_found_by_parts_of_name_and_description() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    described_repo(&ada, "ada/Build-Tools", "Compilers and linkers").await;
    described_repo(&ada, "ada/tools", "Hammers").await;
    described_repo(&ada, "ada/music", "Tools to play with").await;
    let find = async |query: &str| names(&ada.get(&format!("/search/repos?{query}")).await.expect(200));
    assert_eq!(find("name=tools").await, "ada/Build-Tools ada/tools (2)");
    assert_eq!(find("name=TOOLS").await, "ada/Build-Tools ada/tools (2)");
    assert_eq!(find("name=d-t").await, "ada/Build-Tools (1)");
    assert_eq!(find("desc=tools").await, "ada/music (1)");
    assert_eq!(find("name=tools&desc=HAMM").await, "ada/tools (1)");
    assert_eq!(find("name=tools&desc=").await, "ada/Build-Tools ada/tools (2)");
    assert_eq!(find("name=music&desc=hammers").await, " (0)");
    ada.patch("/repos/ada/tools").json(json!({"desc": "Saws"})).await.expect(200);
    assert_eq!(find("desc=hammers").await, " (0)");
    assert_eq!(find("desc=saws").await, "ada/tools (1)");
    ada.delete("/repos/ada/tools").await.expect(200);
    assert_eq!(find("desc=saws").await, " (0)");
}

#[tokio::test]
async fn packages_are_found_everywhere_or_in_a_scope() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    for (who, repo) in [(&ada, "ada/tools"), (&ada, "ada/lib"), (&bob, "bob/tools")] {
        new_repo(who, repo).await;
        new_package(who, repo, "json-parser").await;
    }
    described_package(&bob, "bob/tools", "yaml", "Reads JSON, too").await;
    let anyone = house.anyone();
    let find = async |query: &str| names(&anyone.get(&format!("/search/packages/?{query}")).await.expect(200));
    assert_eq!(find("name=JSON").await, "ada/lib/json-parser ada/tools/json-parser bob/tools/json-parser (3)");
    assert_eq!(find("name=json&subject=ada").await, "ada/lib/json-parser ada/tools/json-parser (2)");
    assert_eq!(find("name=json&repo=tools").await, "ada/tools/json-parser bob/tools/json-parser (2)");
    assert_eq!(find("name=json&subject=ada&repo=tools").await, "ada/tools/json-parser (1)");
    assert_eq!(find("name=json&subject=ada&repo=tool").await, " (0)", "the scope is an exact name");
    assert_eq!(find("name=json&subject=nobody").await, " (0)");
    assert_eq!(find("desc=json").await, "bob/tools/yaml (1)");
    assert_eq!(find("name=yaml&desc=reads json").await, "bob/tools/yaml (1)");
    assert_eq!(find("name=yaml&desc=reads%20json&repo=&subject=").await, "bob/tools/yaml (1)");
    assert_eq!(names(&anyone.get("/search/packages?name=yaml").await.expect(200)), "bob/tools/yaml (1)");
    bob.delete("/repos/bob/tools").await.expect(200);
    assert_eq!(find("desc=json").await, " (0)", "packages go with their repository");
    assert_eq!(find("name=json").await, "ada/lib/json-parser ada/tools/json-parser (2)");
}

#[tokio::test]
async fn words_are_found_in_names_descriptions_and_labels_the_best_match_first() {
    let house = TestHouse::start().await;
    let (ada, bob) = (house.user("ada").await, house.user("bob").await);
    new_repo(&ada, "ada/tools").await;
    new_repo(&bob, "bob/jars").await;
    for (name, desc, labels) in [
        ("catjson", "Reads cats", json!([])),
        ("json", "Reads files", json!(["Parser"])),
        ("json-parser", "Fast", json!([])),
        ("fast_json", "Not slow", json!([])),
        ("reader", "Reads JSON, too", json!([])),
        ("tagged", "Other", json!(["JSON", "data"])),
        ("other", "Nothing of it", json!([])),
    ] {
        let package = json!({"name": name, "desc": desc, "labels": labels, "licenses": ["MIT"]});
        ada.post("/packages/ada/tools").json(package).await.expect(201);
    }
    let package = json!({"name": "json", "desc": "", "licenses": ["Apache-2.0"]});
    bob.post("/packages/bob/jars").json(package).await.expect(201);
    let anyone = house.anyone();
    let find = async |query: &str| {
        let found = names(&anyone.get(&format!("/search/packages?{query}")).await.expect(200));
        found.replace("ada/tools/", "").replace("bob/jars/", "bob:")
    };
    let all = "json bob:json json-parser fast_json tagged catjson reader (7)";
    assert_eq!(find("q=JSON").await, all, "exact, beginning, word, label, part, description");
    assert_eq!(find("q=json&subject=bob").await, "bob:json (1)");
    assert_eq!(find("q=json&license=Apache-2.0").await, "bob:json (1)");
    assert_eq!(find("q=json&license=Apache").await, " (0)");
    assert_eq!(find("q=json&format=maven").await, " (0)");
    assert_eq!(find("q=json&format=generic").await, all);
    assert_eq!(find("q=json%20parser").await, "json-parser json (2)", "all words, in any text");
    assert_eq!(find("q=parser").await, "json-parser json (2)");
    assert_eq!(find("label=json").await, "tagged (1)");
    assert_eq!(find("label=jso").await, " (0)", "a label is a whole one");
    assert_eq!(find("q=re").await, "reader catjson json (3)", "too short for the index");
    assert_eq!(find("q=a%20b%20c%20d%20e%20f%20g%20h&label=json").await, " (0)");
    anyone
        .get("/search/packages?q=a%20b%20c%20d%20e%20f%20g%20h%20i")
        .await
        .refuses(400, "q: it has more than 8 words");
    ada.patch("/packages/ada/tools/other").json(json!({"labels": ["json"]})).await.expect(200);
    assert_eq!(find("label=JSON").await, "other tagged (2)", "changed labels are found");
    let repos = names(&ada.get("/search/repos?q=tools").await.expect(200));
    assert_eq!(repos, "ada/tools (1)");
}

#[tokio::test]
async fn users_are_found_by_name_and_organizations_are_not() {
    let cast = Cast::start().await;
    cast.org("Marketing").await;
    let find = async |query: &str| names(&cast.stranger.get(&format!("/search/users?{query}")).await.expect(200));
    assert_eq!(find("name=ar").await, "mary (1)");
    assert_eq!(find("name=MAR").await, "mary (1)");
    assert_eq!(find("name=m").await, "admin alma mary mike (4)");
    assert_eq!(find("name=example").await, " (0)");
    cast.site_admin.delete("/users/mary").await.expect(200);
    assert_eq!(find("name=mary").await, " (0)");
}

#[tokio::test]
async fn an_item_is_what_the_detail_shows() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    described_repo(&cast.owner, "acme/tools", "All of them").await;
    described_package(&cast.owner, "acme/tools", "zlib", "Small").await;
    new_version(&cast.owner, "acme/tools/zlib", "1.0").await;
    new_version(&cast.owner, "acme/tools/zlib", "1.1").await;
    for (_, who) in cast.actors() {
        for (search, detail) in [
            ("/search/repos?name=tools", "/repos/acme/tools"),
            ("/search/packages?name=zlib", "/packages/acme/tools/zlib"),
            ("/search/users?name=olga", "/users/olga"),
        ] {
            let (found, shown) = (who.get(search).await.expect(200), who.get(detail).await.expect(200));
            assert_eq!(found.text(), format!("[{}]", shown.text()), "{}", who.name());
        }
    }
    let anyone = cast.house.anyone();
    let shown = anyone.get("/packages/acme/tools/zlib").await.expect(200).text();
    assert_eq!(anyone.get("/search/packages?desc=small").await.expect(200).text(), format!("[{shown}]"));
}

#[tokio::test]
async fn every_character_stands_for_itself() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let texts =
        ["100%", "a_b", "axb", "star*", r#"quo"te"#, r#"x" OR "a"#, "it's", "a!b", r"back\slash", "c++", "{a:b}"];
    for (number, text) in texts.into_iter().enumerate() {
        described_package(&ada, "ada/tools", &format!("p{number:02}"), text).await;
    }
    let mut seen = String::new();
    let terms = ["%", "_", "*", "\"", "!", "\\", "'", "0%", "00%", "a_b", "tar*", "*ar", "te*", r#"o"t"#, r#"" OR ""#]
        .into_iter()
        .chain(["NOT", "a!b", "k\\s", "it's", "c++", "{a:b}", "^a", "name : \"p", "p0_", "a b", "ax"]);
    for term in terms {
        let answer = ada.get(&format!("/search/packages?desc={}", segment(term))).await.expect(200);
        let found: Vec<String> = list(&answer).iter().map(|found| found["desc"].to_string()).collect();
        seen += format!("{term} -> {}", found.join(" ")).trim_end();
        seen += "\n";
    }
    insta::assert_snapshot!(seen, @r#"
    % -> "100%"
    _ -> "a_b"
    * -> "star*"
    " -> "quo\"te" "x\" OR \"a"
    ! -> "a!b"
    \ -> "back\\slash"
    ' -> "it's"
    0% -> "100%"
    00% -> "100%"
    a_b -> "a_b"
    tar* -> "star*"
    *ar ->
    te* ->
    o"t -> "quo\"te"
    " OR " -> "x\" OR \"a"
    NOT ->
    a!b -> "a!b"
    k\s -> "back\\slash"
    it's -> "it's"
    c++ -> "c++"
    {a:b} -> "{a:b}"
    ^a ->
    name : "p ->
    p0_ ->
    a b ->
    ax -> "axb"
    "#);
}

#[tokio::test]
async fn letters_of_every_script_fold_alike() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    for name in ["ÄPFEL", "Straße", "ΟΔΟΣ", "ЖУРНАЛ", "日本語の辞書", "İstanbul"] {
        new_package(&ada, "ada/tools", name).await;
    }
    let mut seen = String::new();
    for term in [
        "äpfel",
        "ÄPF",
        "pfe",
        "apfel",
        "STRASSE",
        "straße",
        "aße",
        "οδος",
        "ΔΟΣ",
        "δος",
        "журн",
        "РНА",
        "日本語",
        "の辞",
        "İST",
        "ß",
    ] {
        let answer = ada.get(&format!("/search/packages?name={}", segment(term))).await.expect(200);
        seen += &format!("{term}: {}\n", names(&answer));
    }
    insta::assert_snapshot!(seen, @r#"
    äpfel: ada/tools/ÄPFEL (1)
    ÄPF: ada/tools/ÄPFEL (1)
    pfe: ada/tools/ÄPFEL (1)
    apfel:  (0)
    STRASSE: ada/tools/Straße (1)
    straße: ada/tools/Straße (1)
    aße: ada/tools/Straße (1)
    οδος: ada/tools/ΟΔΟΣ (1)
    ΔΟΣ: ada/tools/ΟΔΟΣ (1)
    δος: ada/tools/ΟΔΟΣ (1)
    журн: ada/tools/ЖУРНАЛ (1)
    РНА: ada/tools/ЖУРНАЛ (1)
    日本語: ada/tools/日本語の辞書 (1)
    の辞: ada/tools/日本語の辞書 (1)
    İST: ada/tools/İstanbul (1)
    ß: ada/tools/Straße (1)
    "#);
    ada.post("/packages/ada/tools").json(json!({"name": "STRASSE"})).await.expect(409);
}

#[tokio::test]
async fn private_things_are_found_by_their_readers_only() {
    let cast = Cast::start().await;
    cast.org("acme").await;
    new_private_repo(&cast.owner, "acme/secret-tools").await;
    new_repo(&cast.owner, "acme/open-tools").await;
    for repo in ["acme/secret-tools", "acme/open-tools"] {
        described_package(&cast.owner, repo, "engine", "Steam").await;
    }
    let mut seen = String::new();
    for (name, who) in cast.actors() {
        let repos = names(&who.get("/search/repos?name=tools").await.expect(200));
        let packages = names(&who.get("/search/packages?name=engine&desc=st").await.expect(200));
        let scoped = names(&who.get("/search/packages?name=engine&subject=acme&repo=secret-tools").await.expect(200));
        seen += &format!("{name}: {repos} | {packages} | {scoped}\n");
    }
    let anyone = cast.house.anyone();
    seen += &format!("anyone: {}\n", names(&anyone.get("/search/packages?desc=steam").await.expect(200)));
    insta::assert_snapshot!(seen, @r#"
    owner: acme/open-tools acme/secret-tools (2) | acme/open-tools/engine acme/secret-tools/engine (2) | acme/secret-tools/engine (1)
    admin: acme/open-tools acme/secret-tools (2) | acme/open-tools/engine acme/secret-tools/engine (2) | acme/secret-tools/engine (1)
    member: acme/open-tools (1) | acme/open-tools/engine (1) |  (0)
    stranger: acme/open-tools (1) | acme/open-tools/engine (1) |  (0)
    site admin: acme/open-tools acme/secret-tools (2) | acme/open-tools/engine acme/secret-tools/engine (2) | acme/secret-tools/engine (1)
    anyone: acme/open-tools/engine (1)
    "#);
}

#[tokio::test]
async fn repository_and_user_search_ask_for_credentials() {
    let house = TestHouse::start().await;
    for path in ["/search/repos?name=x", "/search/users?name=x", "/search/repos", "/search/users?start_pos=x"] {
        house.anyone().get(path).await.refuses(401, "This resource requires authentication");
    }
    assert_eq!(house.anyone().get("/search/packages/?name=x").await.expect(200).text(), "[]");
}

#[tokio::test]
async fn a_search_needs_a_term() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    let long = "x".repeat(201);
    let mut refusals = String::new();
    for path in ["/search/repos", "/search/repos?name=&desc=", "/search/packages/?subject=ada", "/search/users?desc=x"]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("/search/users?name={long}"), format!("/search/packages?name=x&desc={long}")])
        .chain(
            ["subject=a%20b", "repo=..", "start_pos=-1", "start_pos=", "desc=a%00b", "desc=%FF", "name=y"]
                .map(|query| format!("/search/packages?name=x&{query}")),
        )
    {
        refusals += &format!("{}\n", ada.get(&path).await.expect(400).message());
    }
    insta::assert_snapshot!(refusals, @r#"
    name: at least one of name and desc is required
    name: at least one of name and desc is required
    name: at least one of name and desc is required
    name: it is required
    name: it is longer than 200 bytes
    desc: it is longer than 200 bytes
    subject: subject name 'a b' is not valid: it may hold letters, digits, '.', '_' and '-' only
    repo: repository name '..' is not valid: it must begin with a letter or a digit
    start_pos: '-1' is not a number from 0 to 9007199254740992
    start_pos: '' is not a number from 0 to 9007199254740992
    the request's query is not valid: a parameter holds a control character
    the request's query is not valid: it is not UTF-8
    a parameter was given several times with different values
    "#);
}

#[tokio::test]
async fn results_come_in_pages_in_a_stable_order() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    let create = |number: u32| ada.post("/packages/ada/tools").json(json!({ "name": format!("part-{number:03}") }));
    for some in [0..40, 40..80, 80..120] {
        for answer in together(some.map(create)).await {
            answer.expect(201);
        }
    }
    let mut seen = String::new();
    for (query, start) in [("name=part", 0), ("name=part", 50), ("name=part", 100), ("name=part", 120), ("name=a", 110)]
    {
        let answer = ada.get(&format!("/search/packages/?{query}&start_pos={start}")).await.expect(200);
        let ends = [list(&answer).first(), list(&answer).last()]
            .map(|item| item.map_or("none".to_owned(), |item| item["name"].to_string()));
        let [total, first, last] =
            ["total", "startpos", "endpos"].map(|name| answer.header(&format!("x-rangelimit-{name}")).to_owned());
        seen += &format!("{query} {start}: {}, {first}-{last} of {total}\n", ends.join(".."));
    }
    insta::assert_snapshot!(seen, @r#"
    name=part 0: "part-000".."part-049", 0-49 of 120
    name=part 50: "part-050".."part-099", 50-99 of 120
    name=part 100: "part-100".."part-119", 100-119 of 120
    name=part 120: none..none, - of 120
    name=a 110: "part-110".."part-119", 110-119 of 120
    "#);
    let users = house.admin().get("/search/users?name=a&start_pos=1").await.expect(200);
    assert_eq!((names(&users).as_str(), users.header("x-rangelimit-startpos")), ("admin (2)", "1"));
    let repos = ada.get("/search/repos?name=t&start_pos=1").await.expect(200);
    assert_eq!((names(&repos).as_str(), repos.header("x-rangelimit-startpos")), (" (1)", ""));
}

async fn described_repo(by: &Person, repo: &str, desc: &str) {
    by.post(&format!("/repos/{repo}")).json(json!({ "desc": desc })).await.expect(201);
}

async fn described_package(by: &Person, repo: &str, name: &str, desc: &str) {
    by.post(&format!("/packages/{repo}")).json(json!({ "name": name, "desc": desc })).await.expect(201);
}

fn list(answer: &Answer) -> Vec<Value> {
    answer.json().as_array().expect("a list").clone()
}

/// Returns the names of the results, and their total number.
fn names(answer: &Answer) -> String {
    let address = |item: &Value| {
        let parts = ["owner", "repo", "name"].map(|field| item[field].as_str().unwrap_or_default().to_owned());
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
    };
    let found: Vec<String> = list(answer).iter().map(address).collect();
    format!("{} ({})", found.join(" "), answer.header("x-rangelimit-total"))
}
