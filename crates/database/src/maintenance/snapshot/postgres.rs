//! Copies rows between PostgreSQL and the file of a snapshot, with a bounded number in memory.

use std::{path::PathBuf, pin::pin};

use futures_util::TryStreamExt;
use rusqlite::{Connection, params_from_iter};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_postgres::{Client, binary_copy::BinaryCopyInWriter, types::ToSql};

use crate::{
    Error, Result,
    engine::{migrations, postgres::Postgres, statement::Value},
    maintenance::snapshot::{
        self, Snapshot, run,
        tables::{Table, tables},
    },
};

/// The number of rows in a batch, and the number of batches that wait for the slower side.
const ROWS: usize = 200;
const GROUPS: usize = 4;

/// Disables the server's time limits, because a copy takes as long as it needs.
const PATIENCE: &str = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;";

type Rows = Vec<Vec<Value>>;

/// Writes all rows at one moment to a new file.
pub(crate) async fn write(postgres: &Postgres, file: PathBuf) -> Result<()> {
    let client = postgres.connect_apart(|_| {}).await?;
    client.batch_execute(&format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {PATIENCE}")).await?;
    let path = file.clone();
    for table in run(move || create(&path)).await? {
        let (sender, rows) = channel(GROUPS);
        let (path, into) = (file.clone(), table.clone());
        let writing = run(move || insert(&Connection::open(path)?, &into, rows));
        // If one side fails, the other only sees a closed channel.
        let (sent, written) = tokio::join!(send(&client, &table, sender), writing);
        written.and(sent)?;
    }
    Ok(client.batch_execute("COMMIT").await?)
}

/// Creates the file with its tables, and returns the tables.
fn create(path: &std::path::Path) -> Result<Vec<Table>> {
    let connection = Connection::open(path)?;
    migrations::create(&connection, migrations::latest())?;
    let tables = tables(&connection)?;
    for table in &tables {
        connection.execute(&format!("DELETE FROM \"{}\"", table.name), [])?;
    }
    Ok(tables)
}

/// Sends all rows of a table.
async fn send(client: &Client, table: &Table, rows: Sender<Rows>) -> Result<()> {
    let select = client.prepare(&format!("SELECT {} FROM \"{}\"", table.list(), table.name)).await?;
    let found = client.query_raw(&select, std::iter::empty::<Value>()).await?;
    let found = found.err_into::<Error>().and_then(async |row| {
        let columns = table.columns.iter().enumerate();
        columns.map(|(index, column)| column.kind.read_postgres(&row, index)).collect::<Result<Vec<Value>>>()
    });
    let mut groups = pin!(found.try_chunks(ROWS).map_err(|error| error.1));
    while let Some(group) = groups.try_next().await? {
        rows.send(group).await.map_err(|_| stopped())?;
    }
    Ok(())
}

/// Writes all rows of a table to the file, in one transaction.
fn insert(connection: &Connection, table: &Table, mut rows: Receiver<Rows>) -> Result<()> {
    // The file is synced when it is complete; until then it is of no use.
    connection.execute_batch("PRAGMA synchronous = OFF; BEGIN")?;
    let marks = vec!["?"; table.columns.len()].join(", ");
    let sql = format!("INSERT INTO \"{}\" ({}) VALUES ({marks})", table.name, table.list());
    let mut statement = connection.prepare(&sql)?;
    while let Some(group) = rows.blocking_recv() {
        for row in group {
            statement.execute(params_from_iter(row))?;
        }
    }
    Ok(connection.execute_batch("COMMIT")?)
}

/// Fills an empty database from a snapshot, in one transaction.
pub(crate) async fn fill(postgres: &Postgres, snapshot: &Snapshot) -> Result<()> {
    let client = postgres.connect_apart(|_| {}).await?;
    client.batch_execute(&format!("BEGIN; {PATIENCE}")).await?;
    let path = snapshot.path().to_owned();
    for table in run(move || tables(&snapshot::open(&path)?)).await? {
        if table.name == "migrations" {
            continue;
        }
        client.execute(&format!("DELETE FROM \"{}\"", table.name), &[]).await?;
        let (sender, rows) = channel(GROUPS);
        let (path, from) = (snapshot.path().to_owned(), table.clone());
        let reading = run(move || select(&snapshot::open(&path)?, &from, &sender));
        let (copied, read) = tokio::join!(copy_in(&client, &table, rows), reading);
        copied.and(read)?;
    }
    Ok(client.batch_execute("COMMIT").await?)
}

/// Reads all rows of a table from the file.
fn select(connection: &Connection, table: &Table, sender: &Sender<Rows>) -> Result<()> {
    let mut statement = connection.prepare(&format!("SELECT {} FROM \"{}\"", table.list(), table.name))?;
    let mut found = statement.query([])?;
    let mut group = Vec::new();
    while let Some(row) = found.next()? {
        let columns = table.columns.iter().enumerate();
        group.push(columns.map(|(index, column)| column.kind.read(row, index)).collect::<Result<Vec<Value>>>()?);
        if group.len() == ROWS {
            sender.blocking_send(std::mem::take(&mut group)).map_err(|_| stopped())?;
        }
    }
    sender.blocking_send(group).map_err(|_| stopped())
}

async fn copy_in(client: &Client, table: &Table, mut rows: Receiver<Rows>) -> Result<()> {
    let select = client.prepare(&format!("SELECT {} FROM \"{}\"", table.list(), table.name)).await?;
    let types: Vec<_> = select.columns().iter().map(|column| column.type_().clone()).collect();
    let sink = client.copy_in(&format!("COPY \"{}\" ({}) FROM STDIN BINARY", table.name, table.list())).await?;
    let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
    while let Some(group) = rows.recv().await {
        for row in &group {
            let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|value| value as _).collect();
            writer.as_mut().write(&values).await?;
        }
    }
    writer.finish().await?;
    Ok(())
}

/// The error of a side whose counterpart has failed. The counterpart reports the cause.
fn stopped() -> Error {
    Error::Broken("the copy was given up".into())
}
