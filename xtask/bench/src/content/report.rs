//! The results with their bounds, as tables.

use std::fmt::Write;

use crate::content::rounds::{Both, Samples};
use crate::table::grouped;

/// One comparison with nginx.
pub(crate) struct Row {
    /// The name of the measurement.
    pub(crate) name: String,
    /// The unit of the value.
    pub(crate) unit: &'static str,
    /// The unit of an operation, for the processor time.
    pub(crate) operation: &'static str,
    /// The results of both servers.
    pub(crate) both: Both,
    /// The lowest allowed ratio to nginx's value.
    pub(crate) least: Option<f64>,
    /// The highest allowed ratio to nginx's processor time.
    pub(crate) most_processor: Option<f64>,
}

/// A measurement of the server's memory.
pub(crate) struct Memory {
    /// The name of the measurement.
    pub(crate) name: String,
    /// The resident memory before, in MiB.
    pub(crate) before: f64,
    /// The resident memory at the end, or the peak, in MiB.
    pub(crate) after: f64,
    /// The highest allowed value of `after`, in MiB.
    pub(crate) most: f64,
}

/// All results.
#[derive(Default)]
pub(crate) struct Report {
    /// The comparisons with nginx.
    pub(crate) rows: Vec<Row>,
    /// The measurements of memory.
    pub(crate) memory: Vec<Memory>,
}

impl Report {
    /// Returns a message for every bound that was missed.
    pub(crate) fn misses(&self) -> Vec<String> {
        let rows = self.rows.iter().flat_map(Row::misses);
        rows.chain(self.memory.iter().filter_map(Memory::miss)).collect()
    }

    /// Returns the tables.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.rows.is_empty() {
            text += "| | nginx | packhouse | ratio | processor time of nginx | of packhouse | ratio | spread of both |\n\
                |---|---|---|---|---|---|---|---|\n";
            self.rows.iter().for_each(|row| text += &row.line());
        }
        if !self.memory.is_empty() {
            text += "\n| | resident memory before | after, or at most | bound |\n|---|---|---|---|\n";
            self.memory.iter().for_each(|memory| text += &memory.line());
        }
        text
    }
}

impl Row {
    fn ratio(&self) -> f64 {
        self.both.packhouse.value() / self.both.nginx.value()
    }

    fn processor_ratio(&self) -> f64 {
        self.both.packhouse.processor_us() / self.both.nginx.processor_us()
    }

    fn misses(&self) -> Vec<String> {
        let (ratio, processor) = (self.ratio(), self.processor_ratio());
        let slow = self.least.filter(|least| ratio < *least);
        let costly = self.most_processor.filter(|most| processor > *most);
        let slow = slow.map(|least| format!("{} reaches {ratio:.2} of nginx, less than {least}", self.name));
        let costly = costly
            .map(|most| format!("{} takes {processor:.2} of nginx's processor time, more than {most}", self.name));
        slow.into_iter().chain(costly).collect()
    }

    fn line(&self) -> String {
        let value = |samples: &Samples| match samples.value() {
            value if value < 100.0 => format!("{value:.2} {}", self.unit),
            value => format!("{} {}", grouped(value), self.unit),
        };
        let time = |samples: &Samples| format!("{:.1} µs{}", samples.processor_us(), self.operation);
        let Both { nginx, packhouse } = &self.both;
        let mut line = format!("| {} | {} | {} | {:.2}", self.name, value(nginx), value(packhouse), self.ratio());
        let put = |line: &mut String, bound: Option<f64>, word: &str| {
            if let Some(bound) = bound {
                write!(line, " (at {word} {bound})").expect("a text takes everything");
            }
        };
        put(&mut line, self.least, "least");
        line += &format!(" | {} | {} | {:.2}", time(nginx), time(packhouse), self.processor_ratio());
        put(&mut line, self.most_processor, "most");
        line + &format!(" | {:.0} %, {:.0} % |\n", nginx.spread() * 100.0, packhouse.spread() * 100.0)
    }
}

impl Memory {
    fn miss(&self) -> Option<String> {
        let Self { name, after, most, .. } = self;
        (after > most).then(|| format!("{name}: {after:.0} MiB are resident, more than {most:.0}"))
    }

    fn line(&self) -> String {
        format!("| {} | {:.0} MiB | {:.0} MiB | {:.0} MiB |\n", self.name, self.before, self.after, self.most)
    }
}
