//! Handles Ctrl-C and similar signals: records them, and forwards them to the running child.

use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

use crate::failure::{Attempt, Failure, Result};

/// The signals that this process has received, and the running child.
#[derive(Default)]
pub struct Signals {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Default)]
struct State {
    is_stopped: bool,
    group: Option<Pid>,
}

impl Signals {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on.
    pub fn listen() -> Result<Arc<Self>> {
        let signals = Arc::new(Self::default());
        let listener = Arc::clone(&signals);
        let (ready, is_ready) = std::sync::mpsc::sync_channel(1);
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                if let Err(cause) = listener.catch(|| ready.send(Ok(())).unwrap_or_default()) {
                    ready.send(Err(cause)).unwrap_or_default();
                }
            })
            .attempt("cannot start a thread")?;
        is_ready.recv().attempt("the thread for signals ended")?.attempt("cannot catch signals")?;
        Ok(signals)
    }

    /// Waits until a signal arrives or `stop` is called.
    pub fn wait(&self) {
        let mut state = self.state();
        while !state.is_stopped {
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Behaves as if a signal had arrived: ends `wait`, and terminates the running child.
    pub fn stop(&self) {
        let mut state = self.state();
        state.is_stopped = true;
        if let Some(group) = state.group {
            // The group may just have exited by itself.
            killpg(group, Signal::SIGTERM).unwrap_or_default();
        }
        self.arrived.notify_all();
    }

    /// Fails after a signal, so that nothing new is started.
    pub fn check(&self) -> Result<()> {
        if self.state().is_stopped {
            return Err(Failure::new("interrupted"));
        }
        Ok(())
    }

    /// Starts a child in its own process group, which is terminated when a signal arrives.
    pub fn spawn(&self, command: &mut Command) -> Result<Child> {
        use std::os::unix::process::CommandExt;

        // Locked during the start: a signal finds either no child or a child to terminate.
        let mut state = self.state();
        if state.is_stopped {
            return Err(Failure::new("interrupted"));
        }
        let program = command.get_program().to_owned();
        let child = command.process_group(0).spawn().attempt(format_args!("cannot start `{}`", program.display()))?;
        state.group = Some(group_of(&child));
        Ok(child)
    }

    /// Waits for a child that `spawn` started, and returns whether it succeeded.
    pub fn finish(&self, child: &mut Child) -> Result<bool> {
        let status = child.wait().attempt("cannot wait for a child")?;
        self.state().group = None;
        self.check()?;
        Ok(status.success())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn catch(&self, ready: impl FnOnce()) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut interrupt = signal(SignalKind::interrupt())?;
            let mut terminate = signal(SignalKind::terminate())?;
            let mut hang_up = signal(SignalKind::hangup())?;
            ready();
            loop {
                tokio::select! {
                    _ = interrupt.recv() => self.stop(),
                    _ = terminate.recv() => self.stop(),
                    _ = hang_up.recv() => self.stop(),
                }
            }
        })
    }
}

/// Returns the process group of a child that was started as a group leader.
pub fn group_of(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a process id is a pid_t"))
}
