//! `packhouse stats`: download statistics as a bar chart.

use api::{STATISTICS_GROUPINGS, StatisticsGrouping};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use console::Term;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{Address, encode},
    error::{Error, Result},
};

/// Show download statistics of a package or a version
#[derive(Debug, Args)]
pub struct StatsCommand {
    /// owner/repo/package or owner/repo/package/version
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// How to group the downloads
    #[arg(long, value_name = "WHAT", default_value = "day", value_parser = grouping_parser())]
    by: StatisticsGrouping,
    /// The first day, such as 2026-11-15 [default: thirty days ago]
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// The last day [default: today]
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
}

/// Accepts the names of groupings.
fn grouping_parser() -> impl TypedValueParser<Value = StatisticsGrouping> {
    let names = STATISTICS_GROUPINGS.iter().map(|grouping| grouping.name);
    let find =
        |name: String| *STATISTICS_GROUPINGS.iter().find(|grouping| grouping.name == name).expect("a known name");
    PossibleValuesParser::new(names).map(find)
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &StatsCommand) -> Result<()> {
    let session = connection.session()?;
    let at = match &command.address {
        Address::Package(package) => package.path(),
        Address::Version(version) => version.path(),
        _ => return Err(Error::usage("only packages and versions have statistics")),
    };
    let given = [("from", &command.from), ("to", &command.to)];
    let given = given.iter().filter_map(|(name, day)| day.as_ref().map(|day| format!("{name}={}", encode(day))));
    let path = format!("/packages/{at}/stats/{}?{}", command.by.call, given.collect::<Vec<_>>().join("&"));
    let found: Value = session.client.get(&path).await?;
    let bars = bars(&found, command.by.field);
    session.output.print_or("no downloads on these days", &found, |_| chart(&bars, width()));
    Ok(())
}

/// Returns a name and a number for each record. `field` contains the name.
fn bars(found: &Value, field: &str) -> Vec<(String, u64)> {
    let name = |record: &Value| record[field].as_str().unwrap_or_default().to_owned();
    let number = |record: &Value| match &record["downloads"] {
        Value::Array(versions) => versions.iter().filter_map(|version| version["count"].as_u64()).sum(),
        _ => record["count"].as_u64().unwrap_or_default(),
    };
    let records = found["records"].as_array().map(Vec::as_slice).unwrap_or_default();
    records.iter().map(|record| (name(record), number(record))).collect()
}

fn chart(bars: &[(String, u64)], width: usize) -> String {
    let longest = bars.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let most = bars.iter().map(|(_, number)| *number).max().unwrap_or_default().max(1);
    let digits = most.to_string().len();
    let room = width.saturating_sub(longest + digits + 4).clamp(10, 60) as u64;
    let line = |(name, number): &(String, u64)| {
        // A number above zero always has a visible bar.
        let length = (number * room).div_ceil(most);
        let bar = "█".repeat(usize::try_from(length).unwrap_or_default());
        format!("{name:<longest$}  {number:>digits$}  {bar}")
    };
    bars.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn width() -> usize {
    Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_numbers() {
        let bars = [("a".to_owned(), 1), ("bb".to_owned(), 20), ("c".to_owned(), 0)];
        assert_eq!(chart(&bars, 18), format!("a    1  █\nbb  20  {}\nc    0  ", "█".repeat(10)));
        assert_eq!(chart(&[], 80), "");
    }
}
