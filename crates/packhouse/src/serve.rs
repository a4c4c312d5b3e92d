//! `packhouse serve`.

use std::io::{self, Write};

use model::api_key::ApiKey;
use operations::{Caller, Clock, Entropy, jobs, maintenance::site};
use server::{Listener, OpenHouse, Purpose, ServerState, TlsFiles, open_house, run_jobs};
use settings::Settings;
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    arguments::Flags,
    config::{missing_files, refuses_credentials},
    logging, traces,
};

pub(crate) async fn run(flags: &Flags) -> Result<(), String> {
    let mut settings = flags.settings()?;
    logging::start(&settings.log)?;
    hide_memory();
    let stop = stop_signal()?;
    let name = std::env::var("PACKHOUSE_ADMIN_NAME").unwrap_or_else(|_| "admin".into());
    let chosen = std::env::var("PACKHOUSE_ADMIN_KEY").ok();
    site::check_first_admin(&name, chosen.as_deref()).map_err(|error| error.to_string())?;
    let missing = missing_files(&settings);
    if !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    // Before anything is created: a taken port must not cost the administrator's key, which is shown only once.
    let listener = Listener::bind(settings.listen, tls_files(&settings)).await?;
    let OpenHouse { house, lock } = open_house(&settings, Clock::system(), Entropy::system(), Purpose::Serve).await?;
    let created = site::create_first_admin(&house, &Caller::operator(), &name, chosen.as_deref()).await;
    let created = created.map_err(|error| error.to_string())?;
    // With port 0, only the socket knows the port for links.
    settings.listen = listener.address();
    warn_about_plain_http(&settings);
    announce(&settings, created.as_ref().map(|admin| (admin.name.to_string(), admin.new_key.as_ref())));
    let state = ServerState::new(house, settings);
    let app = state.app();
    let sending = state.take_spans().zip(app.settings().traces.url.clone()).map(|(spans, url)| {
        let node = app.settings().node_name.clone().unwrap_or_else(|| app.settings().listen.to_string());
        tokio::spawn(traces::send(spans, url, node))
    });
    let running_jobs = tokio::spawn({
        let state = state.clone();
        async move { run_jobs(&state).await }
    });
    let listening = tokio::spawn({
        let app = app.clone();
        async move { app.house().db.listen().await }
    });
    server::serve(state.clone(), listener, stop).await;
    // Before the jobs end: ending a job during its flush would lose that batch, and this call waits for such a flush.
    if let Err(error) = app.house().counter.flush(app.house()).await {
        tracing::warn!("counting the last downloads failed: {error}");
    }
    running_jobs.abort();
    listening.abort();
    sending.iter().for_each(tokio::task::JoinHandle::abort);
    jobs::deregister(app.house()).await;
    if let Err(error) = app.house().db.settle().await {
        tracing::warn!("closing the database failed: {error}");
    }
    drop(lock);
    tracing::info!("stopped");
    Ok(())
}

pub(crate) fn tls_files(settings: &Settings) -> Option<TlsFiles> {
    let tls = &settings.tls;
    Some(TlsFiles { certificate: tls.certificate.clone()?, key: tls.key.clone()? })
}

/// Returns a future that completes on SIGTERM or Ctrl-C. The handlers are installed before anything is opened, so that
/// no signal is missed.
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let listen = |kind| signal(kind).map_err(|error| format!("handling signals failed: {error}"));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping; running requests may finish");
    })
}

/// Hides keys and passphrases in the memory of this process from debuggers and core files.
fn hide_memory() {
    use nix::sys::{prctl::set_dumpable, resource};
    if let Err(error) = set_dumpable(false).and(resource::setrlimit(resource::Resource::RLIMIT_CORE, 0, 0)) {
        tracing::warn!("protecting the memory of the process failed: {error}");
    }
}

fn warn_about_plain_http(settings: &Settings) {
    if refuses_credentials(settings) {
        tracing::warn!(
            "listening on {} without TLS and without trusted_proxies: credentials from other machines will be refused",
            settings.listen
        );
    }
}

/// Prints a few lines for the user who started the server. The key is printed nowhere else.
fn announce(settings: &Settings, created: Option<(String, Option<&ApiKey>)>) {
    let mut said = format!(
        "packhouse {} is ready\n  pages      {}/\n  API        {}\n  downloads  {}\n",
        env!("CARGO_PKG_VERSION"),
        settings.public_url(),
        settings.api_url(),
        settings.download_url()
    );
    match created {
        Some((name, Some(key))) => {
            said += "\nCreated the site administrator. The key is shown this once:\n";
            said += &format!("  user  {name}\n  key   {}\n", key.expose());
        }
        Some((name, None)) => {
            said += &format!("\nCreated the site administrator {name} with the key of PACKHOUSE_ADMIN_KEY.\n");
        }
        None => {}
    }
    // The server also runs if nothing reads its output.
    let _ = io::stdout().write_all(said.as_bytes());
}
