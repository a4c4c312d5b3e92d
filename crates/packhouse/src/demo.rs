//! `packhouse demo`: fills an empty server with a small catalogue, as its people would have done over two months.
//!
//! A server of this process, whose clock is set by hand, takes the requests. So everything passes the checks of the real
//! server, and downloads have a history.

mod archives;
mod catalogue;
mod client;
mod history;
mod packages;

use model::{email::Email, names::SubjectName, plan::Plan, timestamp::Timestamp};
use operations::{
    Caller, Clock, Entropy, House,
    accounts::users::{self, NewUser},
    jobs,
    maintenance::site,
};
use server::{Listener, OpenHouse, Purpose, ServerState, open_house};
use settings::Settings;

use crate::{arguments::Flags, logging};
use client::DemoClient;

/// The header that carries the country of a sample download.
const COUNTRY: &str = "x-demo-country";

/// The number of days that the catalogue looks back to.
const DAYS: i64 = 64;

const DAY_MS: i64 = 24 * 60 * 60_000;

/// The people of the catalogue: two work for one organization, and one uses its packages.
const PEOPLE: [(&str, &str); 3] = [("ada", "Ada Lovelace"), ("grace", "Grace Hopper"), ("mira", "Mira Keller")];

pub(crate) async fn run(flags: &Flags) -> Result<(), String> {
    let settings = flags.settings()?;
    logging::start(&settings::Log { level: "warn".into(), ..settings.log.clone() })?;
    let now = Clock::system().now().millis();
    let clock = Clock::frozen(Timestamp::from_millis(now - DAYS * DAY_MS));
    let shown = settings.public_url();
    let settings = private(settings);
    let OpenHouse { house, lock } =
        open_house(&settings, clock.clone(), Entropy::system(), Purpose::Initialize).await?;
    let operator = &Caller::operator();
    if !site::is_empty(&house, operator).await.map_err(text)? {
        return Err("the server is not empty: the demo fills only a server without users and repositories".into());
    }
    let keys = create_people(&house, operator).await?;
    let listener = Listener::bind(([127, 0, 0, 1], 0).into(), None).await?;
    let base = format!("http://{}", listener.address());
    let state = ServerState::new(house, Settings { listen: listener.address(), ..settings });
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server::serve(state.clone(), listener, async move { drop(stopped.await) }));
    let client = DemoClient::new(base, keys.clone())?;
    let filled = history::play(&client, &state, &clock).await;
    drop(stop);
    serving.await.map_err(text)?;
    state.app().house().counter.flush(state.app().house()).await.map_err(text)?;
    // Once a day, the server leaves out the downloads that are too long ago; the days of the demo were too short for that.
    jobs::run_once(state.app().house(), "popular_packages").await.map_err(text)?;
    state.app().house().db.settle().await.map_err(text)?;
    drop(lock);
    let counted = filled?;
    println!("filled the server with {} files and {} downloads", counted.files, counted.downloads);
    for (name, key) in keys {
        println!("  user  {name}\n  key   {key}");
    }
    println!(
        "Start the server with `packhouse serve`, which also prints the key of the administrator. Then see {shown}/acme, \
         and sign in with one of these keys."
    );
    Ok(())
}

/// The settings of the server in this process: nobody else calls it, and sample downloads say where they come from.
fn private(mut settings: Settings) -> Settings {
    settings.public_url = None;
    settings.api_host = None;
    settings.download_host = None;
    settings.geo.country_header = Some(COUNTRY.into());
    settings.trusted_proxies = vec!["127.0.0.1/32".parse().expect("a network")];
    settings
}

async fn create_people(house: &House, operator: &Caller) -> Result<Vec<(String, String)>, String> {
    let mut keys = Vec::new();
    for (name, full_name) in PEOPLE {
        let new = NewUser {
            name: SubjectName::parse(name).map_err(text)?,
            full_name: full_name.to_owned(),
            email: Some(Email::parse(&format!("{name}@example.com")).map_err(text)?),
            password: None,
            plan: Some(Plan::Enterprise),
        };
        let (_, key) = users::create(house, operator, new).await.map_err(text)?;
        keys.push((name.to_owned(), key.expose().to_owned()));
    }
    Ok(keys)
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
