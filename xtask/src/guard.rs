//! The process that owns the throw-away servers and their data.
//!
//! It is separate from the process that uses the servers, and exits when the pipe between the two closes. The kernel
//! closes the pipe no matter how that process dies, so nothing is left behind.

use std::fs::Permissions;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use crate::cargo;
use crate::failure::{Attempt, Result};
use crate::postgres::Postgres;
use crate::s3::{self, S3Server};
use crate::signals::Signals;

/// Starts the servers, prints how to reach them, and stops them at the end of standard input.
pub(crate) fn run(postgres_programs: &Path) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    stop_at_end_of_input(&signals)?;

    // Root gives PostgreSQL's folder to another user, who needs access through this folder.
    let folder = tempfile::Builder::new()
        .prefix("packhouse-test-")
        .permissions(Permissions::from_mode(0o711))
        .tempdir()
        .attempt("cannot create a temporary folder")?;
    // Dropped in reverse order: the servers stop before their folder is deleted.
    let postgres = Postgres::start(postgres_programs, &folder.path().join("postgres"))?;
    let s3 = S3Server::start(&folder.path().join("s3"))?;

    let program = cargo::built(s3::PROGRAM)?;
    announce(&postgres, &s3, &folder.path().join("s3"), &program).attempt("cannot print the variables")?;
    signals.wait();
    Ok(ExitCode::SUCCESS)
}

/// Behaves at the end of standard input as if a signal had arrived.
pub(crate) fn stop_at_end_of_input(signals: &Arc<Signals>) -> Result<()> {
    let signals = Arc::clone(signals);
    thread::Builder::new()
        .name("user".into())
        .spawn(move || {
            io::stdin().read_to_end(&mut Vec::new()).unwrap_or_default();
            signals.stop();
        })
        .attempt("cannot start a thread")?;
    Ok(())
}

// Prints one variable per line; the empty line means that both servers are ready.
fn announce(postgres: &Postgres, s3: &S3Server, objects: &Path, program: &Path) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "PACKHOUSE_TEST_POSTGRES={}", postgres.url())?;
    writeln!(stdout, "PACKHOUSE_TEST_S3_ENDPOINT={}", s3.endpoint())?;
    writeln!(stdout, "PACKHOUSE_TEST_S3_BUCKET={}", s3::BUCKET)?;
    writeln!(stdout, "PACKHOUSE_TEST_S3_ACCESS_KEY={}", s3::ACCESS_KEY)?;
    writeln!(stdout, "PACKHOUSE_TEST_S3_SECRET_KEY={}", s3::SECRET_KEY)?;
    // For tests that damage stored objects.
    writeln!(stdout, "PACKHOUSE_TEST_S3_FOLDER={}", objects.display())?;
    // For a test that needs its own server on a full disk.
    writeln!(stdout, "PACKHOUSE_TEST_S3_PROGRAM={}", program.display())?;
    writeln!(stdout)?;
    stdout.flush()
}
