//! Measures both servers in turns, so that other load on the machine affects them equally.

use xtask::failure::Result;
use xtask::signals::Signals;

/// One measurement of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Operations or bytes per second.
    pub(crate) value: f64,
    /// The processor time of one operation, in microseconds.
    pub(crate) processor_us: f64,
}

/// All measurements of one server.
#[derive(Default)]
pub(crate) struct Samples(pub(crate) Vec<Sample>);

impl Samples {
    /// Returns the median of the values.
    pub(crate) fn value(&self) -> f64 {
        median(self.0.iter().map(|sample| sample.value))
    }

    /// Returns the median of the processor times.
    pub(crate) fn processor_us(&self) -> f64 {
        median(self.0.iter().map(|sample| sample.processor_us))
    }

    /// Returns the range of the values as a fraction of their median.
    pub(crate) fn spread(&self) -> f64 {
        let values = || self.0.iter().map(|sample| sample.value);
        (values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)) / self.value()
    }
}

/// The measurements of nginx and packhouse.
#[derive(Default)]
pub(crate) struct Both {
    /// The reference.
    pub(crate) nginx: Samples,
    /// The program.
    pub(crate) packhouse: Samples,
}

/// Measures each of them once per round. The order alternates between rounds. Both get the number of the round.
pub(crate) fn alternate(
    rounds: u32,
    signals: &Signals,
    nginx: impl Fn(u32) -> Result<Sample>,
    packhouse: impl Fn(u32) -> Result<Sample>,
) -> Result<Both> {
    let mut both = Both::default();
    for round in 0..rounds {
        for is_nginx in [round % 2 == 0, round % 2 != 0] {
            signals.check()?;
            if is_nginx { both.nginx.0.push(nginx(round)?) } else { both.packhouse.0.push(packhouse(round)?) }
        }
    }
    Ok(both)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 0 => (values[count / 2 - 1] + values[count / 2]) / 2.0,
        count => values[count / 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(values: &[f64]) -> Samples {
        Samples(values.iter().map(|value| Sample { value: *value, processor_us: 2.0 * value }).collect())
    }

    #[test]
    fn the_middle_counts() {
        assert_eq!(samples(&[9.0, 1.0, 4.0]).value(), 4.0);
        assert_eq!(samples(&[9.0, 1.0, 4.0, 5.0]).processor_us(), 9.0);
        assert_eq!(samples(&[9.0, 1.0, 4.0]).spread(), 2.0);
    }
}
