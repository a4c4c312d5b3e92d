//! Progress bars on a terminal: one for each active file, one for the total.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Output;

const ALL: &str = "{msg} {bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  ETA {eta}";
const ONE: &str = "  {bar:20} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}";

/// The progress bars of a transfer. Without a terminal, they are not drawn.
#[derive(Clone)]
pub(crate) struct Progress {
    bars: MultiProgress,
    all: ProgressBar,
}

/// The bar of one file.
#[derive(Clone)]
pub(crate) struct FileProgress {
    bars: MultiProgress,
    all: ProgressBar,
    bar: ProgressBar,
}

impl Progress {
    /// Starts the bars for this many bytes.
    pub(crate) fn start(output: &Output, what: &'static str, bytes: u64) -> Self {
        let target = if output.draws() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let all = bars.add(ProgressBar::new(bytes));
        all.set_style(style(ALL));
        all.set_message(what);
        all.tick();
        Self { bars, all }
    }

    /// Adds a bar for a file.
    pub(crate) fn file(&self, name: &str, bytes: u64) -> FileProgress {
        let bar = self.bars.insert_before(&self.all, ProgressBar::new(bytes));
        bar.set_style(style(ONE));
        bar.set_message(name.to_owned());
        FileProgress { bars: self.bars.clone(), all: self.all.clone(), bar }
    }

    /// Removes the bars.
    pub(crate) fn end(&self) {
        self.all.finish_and_clear();
        let _ = self.bars.clear();
    }
}

impl FileProgress {
    /// Adds transferred bytes.
    pub(crate) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        self.all.inc(bytes);
    }

    /// The number of transferred bytes.
    pub(crate) fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Resets the bar, because the transfer starts again.
    pub(crate) fn restart(&self) {
        self.take_back(self.bar.position());
    }

    /// Subtracts bytes that have to be transferred again.
    pub(crate) fn take_back(&self, bytes: u64) {
        self.bar.set_position(self.bar.position().saturating_sub(bytes));
        self.all.set_position(self.all.position().saturating_sub(bytes));
    }

    /// Marks the file as complete, whichever way it was transferred.
    pub(crate) fn complete(&self) {
        self.advance(self.bar.length().unwrap_or_default().saturating_sub(self.bar.position()));
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
        self.bars.remove(&self.bar);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed").progress_chars("=> ")
}
