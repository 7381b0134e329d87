//! A started server with everything that it started.

use std::{io, pin::Pin, process::ExitStatus, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap, CommandWrapper};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::Command;

/// How often a server that is to end is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// Starts a command as the leader of a process group, which ends with it.
#[derive(Debug)]
pub(super) struct OwnGroup;

impl CommandWrapper for OwnGroup {
    fn pre_spawn(&mut self, command: &mut Command, _: &CommandWrap) -> io::Result<()> {
        command.process_group(0);
        Ok(())
    }

    fn wrap_child(
        &mut self,
        child: Box<dyn ChildWrapper>,
        _: &CommandWrap,
    ) -> io::Result<Box<dyn ChildWrapper>> {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let group = Group(id.and_then(Pid::from_raw));
        Ok(Box::new(Family { group, child }))
    }
}

/// A process group by its leader; it is killed with this.
///
/// The number of a process may go to another one as soon as it was waited for. So the group is
/// signalled only before that, and this is emptied first.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.0 {
            // The only failure that can happen is that nobody is left.
            let _ = kill_process_group(leader, signal);
        }
    }

    /// Whether the leader has ended; it is not waited for.
    fn has_ended(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.0
            .is_none_or(|leader| !matches!(waitid(WaitId::Pid(leader), look), Ok(None)))
    }

    /// Kills what is left. From here on the leader may be waited for.
    fn end(&mut self) {
        self.signal(Signal::KILL);
        self.0 = None;
    }
}

impl Drop for Group {
    // Where the runtime is gone, nothing else would end them.
    fn drop(&mut self) {
        self.end();
    }
}

/// A child and its process group.
#[derive(Debug)]
struct Family {
    // Dropped first: the child is not waited for while the group has a number.
    group: Group,
    child: Box<dyn ChildWrapper>,
}

impl ChildWrapper for Family {
    fn inner(&self) -> &dyn ChildWrapper {
        &*self.child
    }

    fn inner_mut(&mut self) -> &mut dyn ChildWrapper {
        &mut *self.child
    }

    fn into_inner(self: Box<Self>) -> Box<dyn ChildWrapper> {
        self.child
    }

    fn start_kill(&mut self) -> io::Result<()> {
        self.group.signal(Signal::KILL);
        Ok(())
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if !self.group.has_ended() {
            return Ok(None);
        }
        self.group.end();
        self.child.try_wait()
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(async {
            while !self.group.has_ended() {
                tokio::time::sleep(LOOK).await;
            }
            self.group.end();
            self.child.wait().await
        })
    }

    fn signal(&self, signal: i32) -> io::Result<()> {
        let signal = Signal::from_named_raw(signal).ok_or(io::ErrorKind::InvalidInput)?;
        self.group.signal(signal);
        Ok(())
    }
}
