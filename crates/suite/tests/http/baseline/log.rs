//! The log lines of a house that starts, is used, meets failures and stops.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use operations::maintenance::{garbage, scrub, verify::Progress};
use serde_json::json;
use suite::{Log, Receiver, ReceiverBehaviour, TestHouse};
use tracing::{Event, Level, Subscriber, field::Visit, subscriber::DefaultGuard};
use tracing_subscriber::{Layer, layer::Context, layer::SubscriberExt, registry::LookupSpan};

use super::{assert_recorded, mask::Mask};
use crate::{
    catalogue::{new_package, new_repo},
    content::{DAY, INSIDE, MEOW_SHA256, upload_published},
    events::webhooks::deliver,
};

/// Records every line that servers on this thread log, until it is dropped.
struct Recorder {
    lines: Lines,
    _listening: DefaultGuard,
    /// A second subscriber, without which some call sites would be cached as disabled.
    _somebody_else: Log,
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn listen() -> Self {
        let (_somebody_else, lines) = (Log::listen(), Lines::default());
        let subscriber = tracing_subscriber::registry().with(lines.clone());
        Self { lines, _listening: tracing::subscriber::set_default(subscriber), _somebody_else }
    }

    fn text(&self) -> String {
        self.lines.0.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Lines {
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        // Only some stacks create a schema here.
        if *event.metadata().level() > Level::INFO || line.message.starts_with("migrated the database") {
            return;
        }
        let spans = context.event_scope(event).into_iter().flatten().map(|span| span.name());
        let spans = spans.map(|name| format!(" in {name}")).collect::<String>();
        let Line { message, fields } = line;
        let text = format!("{} {message}{fields}{spans}", event.metadata().level());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

/// The message of an event, and its other fields.
#[derive(Default)]
struct Line {
    message: String,
    fields: String,
}

impl Visit for Line {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "ms" => self.fields += " ms=(some)",
            name => self.fields += &format!(" {name}={value:?}"),
        }
    }
}

#[tokio::test]
async fn a_house_writes_the_same_lines_as_before() {
    let (log, receiver) = (Recorder::listen(), Receiver::start().await);
    let house = TestHouse::start_with(&[INSIDE]).await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    ada.post("/webhooks/ada/tools/cat").json(json!({ "url": receiver.url("/hook") })).await.expect(201);
    upload_published(&ada, "ada/tools/cat/1.0/cat.tar", "meow").await;
    house.anyone().download("/ada/tools/cat.tar").await.expect(200);
    ada.get("/repos/ada/absent?passphrase=secret").await.expect(404);
    ada.post("/repos/ada/other").body("{").await.expect(400);
    house.anyone().post("/repos/ada/other").await.expect(401);
    house.anyone().get("/nothing;password=secret").await.expect(404);
    house.browser().open("/ada/tools").await.expect(200);

    // Content that is damaged, detected, repaired, and finally unreferenced.
    std::fs::write(house.stack().blob_file(MEOW_SHA256), "woof").expect("it lies there");
    let app = house.app().clone();
    scrub::run_now(app.house(), &Progress::default(), |_, _| {}).await.expect("read");
    house.anyone().download("/ada/tools/cat.tar").await.expect(503);
    upload_published(&ada, "ada/tools/cat/1.0/cat-again.tar", "meow").await;
    house.anyone().download("/ada/tools/cat.tar").await.expect(200);

    // Callbacks that fail until they are given up.
    receiver.behave(ReceiverBehaviour::Status(500));
    for _ in 0..8 {
        deliver(&house).await;
        house.clock.advance(DAY);
    }
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    for _ in 0..2 {
        house.clock.advance(3 * DAY);
        garbage::collect(app.house(), 1).await.expect("collected");
    }
    let mut mask = Mask::new(vec![(house.address.to_string(), "HOST"), (receiver.address.to_string(), "RECEIVER")]);
    mask.know("meow");
    mask.know("woof");
    house.stop().await;
    assert_recorded("log", &mask.apply(&log.text()));
}
