//! A started server with everything that it started.

use std::{io, pin::Pin, process::ExitStatus, time::Duration};

use callpact_tools::engine::process::{Enclosed, ProcessGroup, ProcessSpec};
use process_wrap::tokio::{ChildWrapper, CommandWrap, CommandWrapper};

use super::ServerProgram;

/// How often to check whether a stopped server has ended.
const LOOK: Duration = Duration::from_millis(10);

/// The command that starts a server inside a boundary.
pub(super) fn enclose(program: &ServerProgram) -> io::Result<CommandWrap> {
    let argv = std::iter::once(&program.path).chain(&program.args);
    let mut spec = ProcessSpec::new(argv).env_allow([""; 0]);
    for (name, value) in program.environment() {
        spec = spec.env(name, value);
    }
    if let Some(dir) = &program.dir {
        spec = spec.cwd(dir);
    }
    if let Some(boundary) = program.boundary {
        spec = spec.boundary(boundary);
    }
    let (command, enclosed) = spec.prepare().map_err(io::Error::other)?;
    let mut command = CommandWrap::from(command);
    command.wrap(FamilyWrapper(Some(enclosed)));
    Ok(command)
}

/// Puts the child into a family.
#[derive(Debug)]
struct FamilyWrapper(Option<Enclosed>);

impl CommandWrapper for FamilyWrapper {
    fn wrap_child(
        &mut self,
        child: Box<dyn ChildWrapper>,
        _: &CommandWrap,
    ) -> io::Result<Box<dyn ChildWrapper>> {
        let Some(enclosed) = self.0.take() else {
            return Err(io::Error::other("the command was started before"));
        };
        let group = ChildGroup(enclosed.group(child.id(), Vec::new()));
        Ok(Box::new(ProcessFamily { group, child }))
    }
}

/// A group that is killed when it is dropped.
#[derive(Debug)]
struct ChildGroup(ProcessGroup);

impl ChildGroup {
    /// Kills the rest of the group. From here on the leader may be waited for.
    fn end(&self) {
        self.0.kill();
        self.0.release();
    }
}

impl Drop for ChildGroup {
    // If the runtime is gone, nothing else would end the processes.
    fn drop(&mut self) {
        self.end();
    }
}

/// A child and its process group.
#[derive(Debug)]
struct ProcessFamily {
    // Dropped first, so that nobody waits for the child while the group has its number.
    group: ChildGroup,
    child: Box<dyn ChildWrapper>,
}

impl ChildWrapper for ProcessFamily {
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
        self.group.0.kill();
        Ok(())
    }

    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if !self.group.0.has_ended() {
            return Ok(None);
        }
        self.group.end();
        self.child.try_wait()
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(async {
            while !self.group.0.has_ended() {
                tokio::time::sleep(LOOK).await;
            }
            self.group.end();
            self.child.wait().await
        })
    }

    /// Asks the group to end. This is the only signal that a server gets before it is killed.
    fn signal(&self, _: i32) -> io::Result<()> {
        self.group.0.ask();
        Ok(())
    }
}
