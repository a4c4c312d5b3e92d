//! PostgreSQL through a pool with cached prepared statements, TLS and time-outs.

pub(crate) mod notify;

use std::{borrow::Cow, path::Path, sync::Arc, time::Duration};

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Object, Pool, QueueMode, RecyclingMethod, Runtime};
use tokio_postgres::{
    AsyncMessage, Client, Config,
    config::SslMode,
    types::{IsNull, ToSql, Type, to_sql_checked},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{
    Error, Options, PoolStatus, Result,
    engine::{
        postgres::notify::drive,
        read::Rows,
        row::Row,
        statement::{RowLock, Statement, Value},
    },
};

/// The time limit for a request to get a pooled or a new connection. After that it is answered with 503.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The time limit for a step of a migration, which may read or index a very large table, and for the turn of a node that
/// waits while another one migrates. With a short limit, the program would never start.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(4 * 60 * 60);

/// Plans a prepared statement once, for all values of its arguments. PostgreSQL would otherwise plan searches again for
/// each call, which takes longer than the search.
const PLAN_ONCE: &str = "SET plan_cache_mode = force_generic_plan";

/// Plans a statement for the values of its arguments.
const PLAN_FOR_VALUES: &str = "SET plan_cache_mode = force_custom_plan";

/// Runs plans as they are. All statements here are short, and compiling one takes longer than it saves: PostgreSQL compiles
/// those of which it expects much work, as the searches of a large house.
const COMPILE_NOTHING: &str = "SET jit = off";

/// The largest value of a PostgreSQL time-out setting, in milliseconds.
const LONGEST_SETTING_MS: u128 = 2_147_483_647;

/// A pool, with the time limit for one statement.
pub(crate) struct Postgres {
    pool: Pool,
    timeout: Duration,
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

impl Postgres {
    pub(crate) fn open(url: &str, options: &Options) -> Result<Postgres> {
        let mut config: Config = url.parse().map_err(|error| Error::Broken(format!("database_url: {error}")))?;
        config.application_name("packhouse").connect_timeout(CONNECT_TIMEOUT).keepalives_idle(Duration::from_secs(10));
        let manage = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let tls = match config.get_ssl_mode() {
            SslMode::Disable => None,
            _ => Some(MakeRustlsConnect::new(tls(options.ca_file.as_deref())?)),
        };
        let manager = match tls.clone() {
            None => Manager::from_config(config.clone(), tokio_postgres::NoTls, manage),
            Some(tls) => Manager::from_config(config.clone(), tls, manage),
        };
        let pool = Pool::builder(manager)
            .max_size(options.connections)
            // The connection that was used last has the plans of most statements.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(CONNECT_TIMEOUT))
            .create_timeout(Some(CONNECT_TIMEOUT))
            .recycle_timeout(Some(CONNECT_TIMEOUT))
            .post_create(settings(options.timeout))
            .build()
            .map_err(|error| Error::Broken(error.to_string()))?;
        Ok(Postgres { pool, timeout: options.timeout, config, tls })
    }

    /// The use of the pool.
    pub(crate) fn status(&self) -> PoolStatus {
        let status = self.pool.status();
        PoolStatus {
            size: status.max_size,
            in_use: status.size.saturating_sub(status.available),
            waiting: status.waiting,
        }
    }

    /// Opens a connection outside the pool. `hand_on` receives its asynchronous messages.
    pub(crate) async fn connect_apart(&self, hand_on: impl Fn(AsyncMessage) + Send + 'static) -> Result<Client> {
        Ok(match self.tls.clone() {
            None => {
                let (client, connection) = self.config.connect(tokio_postgres::NoTls).await?;
                tokio::spawn(drive(connection, hand_on));
                client
            }
            Some(tls) => {
                let (client, connection) = self.config.connect(tls).await?;
                tokio::spawn(drive(connection, hand_on));
                client
            }
        })
    }

    pub(crate) async fn connect(&self) -> Result<Connection> {
        // The pool limits each step, and not all of them together.
        let client = tokio::time::timeout(CONNECT_TIMEOUT, self.pool.get()).await;
        let client = client.map_err(|_| Error::Unavailable("there was no connection in time".into()))??;
        Ok(Connection { client: Some(client), timeout: self.timeout, is_in_transaction: false })
    }

    /// Returns a connection with an open transaction.
    pub(crate) async fn begin(&self) -> Result<Connection> {
        let mut connection = self.connect().await?;
        match connection.begin().await {
            // It broke while it was idle: nothing has happened yet, so retry on a new one.
            Err(_) if connection.has_broken() => {
                connection = self.connect().await?;
                connection.begin().await?;
            }
            result => result?,
        }
        Ok(connection)
    }

    /// Adds all rows of a statement. Retries once on a new connection if the first one broke while it was idle.
    pub(crate) async fn fill(&self, statement: Statement, rows: &mut dyn Rows) -> Result<()> {
        let mut connection = self.connect().await?;
        match connection.fill(statement.clone(), rows).await {
            Err(Error::Unavailable(_)) if connection.has_broken() => self.connect().await?.fill(statement, rows).await,
            result => result,
        }
    }
}

/// A connection of the pool. If a transaction is still open, it is closed instead of returned.
pub(crate) struct Connection {
    client: Option<Object>,
    timeout: Duration,
    is_in_transaction: bool,
}

impl Connection {
    /// Adds all rows of a statement, or none if they do not arrive whole.
    pub(crate) async fn fill(&mut self, statement: Statement, rows: &mut dyn Rows) -> Result<()> {
        let client = self.client.as_ref().ok_or_else(closed)?;
        let work = async {
            let found = if statement.is_cached {
                let prepared = client.prepare_cached(&text(&statement)).await?;
                client.query(&prepared, &arguments(&statement.arguments)).await?
            } else {
                // Two messages at a time, in this order, so that there are two round trips and not four.
                let sql = text(&statement);
                let (set, prepared) = tokio::join!(biased; client.batch_execute(PLAN_FOR_VALUES), client.prepare(&sql));
                let arguments = arguments(&statement.arguments);
                let found = async { client.query(&prepared?, &arguments).await };
                // Also after an error, for the next user of the connection.
                let (found, reset) = tokio::join!(biased; found, client.batch_execute(PLAN_ONCE));
                let found = found?;
                set.and(reset)?;
                found
            };
            found.iter().try_for_each(|row| rows.add(&Row::Postgres(row)))
        };
        let result = tokio::time::timeout(self.timeout, work).await;
        self.settle(result)
    }

    pub(crate) async fn run(&mut self, statement: Statement) -> Result<u64> {
        let client = self.client.as_ref().ok_or_else(closed)?;
        let work = async {
            let prepared = client.prepare_cached(&statement.sql).await?;
            Ok(client.execute(&prepared, &arguments(&statement.arguments)).await?)
        };
        let result = tokio::time::timeout(self.timeout, work).await;
        self.settle(result)
    }

    async fn begin(&mut self) -> Result<()> {
        // Set first: a caller that is cancelled before the answer arrives leaves an open transaction behind.
        self.is_in_transaction = true;
        self.batch("BEGIN").await
    }

    /// Ends the transaction with `COMMIT` or `ROLLBACK`.
    pub(crate) async fn end(&mut self, how: &str) -> Result<()> {
        self.batch(how).await?;
        self.is_in_transaction = false;
        Ok(())
    }

    /// Runs text with several statements and no arguments.
    pub(crate) async fn batch(&mut self, text: &str) -> Result<()> {
        self.batch_within(self.timeout, text).await
    }

    /// Runs a step of a migration.
    pub(crate) async fn migrate(&mut self, text: &str) -> Result<()> {
        self.batch_within(MIGRATION_TIMEOUT, text).await
    }

    async fn batch_within(&mut self, limit: Duration, text: &str) -> Result<()> {
        let client = self.client.as_ref().ok_or_else(closed)?;
        let result = tokio::time::timeout(limit, async { Ok(client.batch_execute(text).await?) }).await;
        self.settle(result)
    }

    /// Returns whether the server closed the connection. One that was discarded here for being too slow does not count.
    fn has_broken(&self) -> bool {
        self.client.as_ref().is_some_and(|client| client.is_closed())
    }

    /// Closes the connection instead of returning it to the pool; the server then rolls back an open transaction.
    pub(crate) fn discard(&mut self) {
        drop(self.client.take().map(Object::take));
    }

    /// Discards the connection when a statement takes too long, so that nobody waits behind it.
    fn settle<R>(&mut self, result: std::result::Result<Result<R>, tokio::time::error::Elapsed>) -> Result<R> {
        result.unwrap_or_else(|_| {
            self.discard();
            Err(Error::Unavailable("the statement took too long".into()))
        })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.is_in_transaction {
            self.discard();
        }
    }
}

/// Sets a limit on idle transactions, plans each cached statement once, and compiles none.
///
/// A process that is stopped in the middle of a transaction holds row locks that others wait for. PostgreSQL ends its
/// session after half of their waiting time, so that they still get the rows.
fn settings(timeout: Duration) -> Hook {
    let limit = (timeout / 2).as_millis().clamp(1, LONGEST_SETTING_MS);
    let set = format!("SET idle_in_transaction_session_timeout = {limit}; {PLAN_ONCE}; {COMPILE_NOTHING}");
    Hook::async_fn(move |client, _| {
        let set = set.clone();
        Box::pin(async move {
            // The pool's own limits do not cover this hook.
            match tokio::time::timeout(CONNECT_TIMEOUT, client.batch_execute(&set)).await {
                Ok(done) => done.map_err(HookError::Backend),
                Err(_) => Err(HookError::message("opening a connection timed out")),
            }
        })
    })
}

fn text(statement: &Statement) -> Cow<'_, str> {
    let clause = match statement.lock {
        RowLock::None => return Cow::Borrowed(&statement.sql),
        RowLock::ForUpdate => "FOR UPDATE",
        RowLock::ForKeyShare => "FOR KEY SHARE",
        RowLock::SkipLocked => "FOR UPDATE SKIP LOCKED",
        RowLock::SkipLockedNoKey => "FOR NO KEY UPDATE SKIP LOCKED",
        RowLock::SkipLockedShare => "FOR SHARE SKIP LOCKED",
    };
    Cow::Owned(format!("{} {clause}", statement.sql))
}

fn closed() -> Error {
    Error::Unavailable("the connection is closed".into())
}

fn tls(ca_file: Option<&Path>) -> Result<rustls::ClientConfig> {
    use rustls::pki_types::{CertificateDer, pem::PemObject};
    let broken = |error: &dyn std::fmt::Display| Error::Broken(format!("database.ca_file: {error}"));
    let mut roots = rustls::RootCertStore::empty();
    match ca_file {
        Some(file) => {
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| broken(&error))? {
                roots.add(certificate.map_err(|error| broken(&error))?).map_err(|error| broken(&error))?;
            }
        }
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(versions.map_err(|error| broken(&error))?.with_root_certificates(roots).with_no_client_auth())
}

fn arguments(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut bytes::BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(value) if *ty == Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
            Value::Int(value) => value.to_sql(ty, out),
            Value::Real(value) => value.to_sql(ty, out),
            Value::Text(value) => value.to_sql(ty, out),
            Value::Bool(value) => value.to_sql(ty, out),
            Value::Bytes(value) => value.to_sql(ty, out),
        }
    }

    /// Accepts every type: the server has named the type it expects, and a domain over text is text on the wire.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
