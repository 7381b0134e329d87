//! Lines from a Unix terminal, read without a thread that blocks.
//!
//! The terminal is opened a second time, in non-blocking mode. Standard input itself cannot be switched:
//! it shares its mode with the process that started this one.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal};
use std::os::unix::fs::OpenOptionsExt;
use std::thread;

use crate::review::console::lines::{LOOK, LineSource, LineWait, read};

/// The path of the controlling terminal.
const CONTROLLING: &str = "/dev/tty";

/// `O_NONBLOCK`, which std does not name; `None` where the number is not known for sure.
const NON_BLOCKING: Option<i32> = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "mips32r6",
        target_arch = "mips64r6"
    )),
    not(any(target_arch = "sparc", target_arch = "sparc64")),
)) {
    Some(0o4000)
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly",
)) {
    Some(4)
} else {
    None
};

/// The kernel silently cuts a longer line (the smallest limit of the systems above is 1024, of Linux
/// 4096, both with the line end). A cut line is not the answer that was typed.
const MAX_TYPED: usize = if cfg!(any(target_os = "linux", target_os = "android")) {
    4094
} else {
    1022
};

/// How many reads `discard` makes at most, so that endless input cannot hold up the question.
const MAX_DISCARDS: usize = 4096;

pub(in crate::review::console) struct ConsoleTerminal {
    file: File,
    /// Input that was read but not yet taken.
    read: Vec<u8>,
}

impl ConsoleTerminal {
    /// The terminal behind standard input; `None` if it cannot be opened again.
    pub(in crate::review::console) fn of_stdin() -> Option<Self> {
        // Elsewhere `/dev/fd/0` is a duplicate that shares its mode, so only Linux can use it.
        if cfg!(target_os = "linux")
            && let Ok(Some(terminal)) = Self::open("/proc/self/fd/0")
        {
            return Some(terminal);
        }
        Self::controlling().ok().flatten()
    }

    /// The controlling terminal; `None` on systems where this way of reading may not work.
    pub(in crate::review::console) fn controlling() -> io::Result<Option<Self>> {
        Self::open(CONTROLLING)
    }

    /// The controlling terminal, to write to.
    pub(super) fn output() -> io::Result<File> {
        OpenOptions::new().write(true).open(CONTROLLING)
    }

    pub(in crate::review::console) fn open(path: &str) -> io::Result<Option<Self>> {
        let Some(non_blocking) = NON_BLOCKING else {
            return Ok(None);
        };
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(non_blocking)
            .open(path)?;
        Ok(file.is_terminal().then(|| Self {
            file,
            read: Vec::new(),
        }))
    }

    /// Takes a whole line out of the input that was read.
    fn take_line(&mut self) -> Option<LineWait> {
        let end = self.read.iter().position(|&byte| byte == b'\n')?;
        let rest = self.read.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.read, rest);
        line.pop();
        Some(if line.len() >= MAX_TYPED {
            LineWait::TooLong
        } else {
            LineWait::Whole(line)
        })
    }
}

impl LineSource for ConsoleTerminal {
    fn discard(&mut self) {
        self.read.clear();
        let mut chunk = [0; 4096];
        for _ in 0..MAX_DISCARDS {
            // A zero is a Ctrl-D, and more may have been typed after it. Otherwise nothing is left, or
            // there is an error that the question itself will meet again.
            if read(&mut self.file, &mut chunk).is_err() {
                break;
            }
        }
        // A line without its end cannot be read, but it can be flushed. If it cannot be flushed it
        // shows on the screen, in the line of the answer.
        #[cfg(feature = "terminal")]
        rustix::termios::tcflush(&self.file, rustix::termios::QueueSelector::IFlush).unwrap_or(());
    }

    fn line(&mut self, wanted: &dyn Fn() -> bool) -> LineWait {
        let mut chunk = [0; 4096];
        loop {
            if let Some(line) = self.take_line() {
                return line;
            }
            if self.read.len() >= MAX_TYPED {
                // This is not a line-by-line terminal; do not collect for ever.
                return LineWait::TooLong;
            }
            match read(&mut self.file, &mut chunk) {
                Ok(0) => return LineWait::End,
                Ok(count) => self.read.extend(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !wanted() {
                        return LineWait::Withdrawn;
                    }
                    thread::sleep(LOOK);
                }
                Err(_) => return LineWait::Failed,
            }
        }
    }
}
