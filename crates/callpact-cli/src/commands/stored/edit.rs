//! An edit of a waiting call: its source, and the effect of the edited call.

use std::{io::ErrorKind, path::Path};

use callpact::{PendingCall, ToolContext, call::ResumeError, review::arguments_as_lines};

use crate::{
    exit::Failure,
    hint,
    screen::{Ink, Screen},
    session::Session,
    text_file::{read_input, read_regular},
};

/// The most bytes of edited arguments.
const MAX_BYTES: u64 = 16 << 20;

/// Reads edited arguments from a file, or from standard input.
pub(super) fn read_edit(path: &Path) -> Result<String, Failure> {
    let of_input = path == Path::new("-");
    let failed = |error: &dyn std::fmt::Display| {
        let shown = if of_input {
            Path::new("standard input")
        } else {
            path
        };
        Failure::failed(format!("{}: {error}", shown.display()))
    };
    let text = if of_input {
        read_input(MAX_BYTES)
    } else {
        read_regular(path, MAX_BYTES)
    };
    text.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => failed(&format!("{error} of arguments")),
        _ => failed(&error),
    })
}

/// Checks a call that may run, and its edit, in the same way as when the call runs, if this program has the tool. Gives
/// the edited call as it would run in the directory of the call, if that is here; otherwise it says so.
///
/// # Errors
/// If the call has changed, the edit does not fit, or the tools for an edit cannot be used.
pub(super) fn check_call(
    pending: &PendingCall,
    edit: Option<&str>,
    file: &Path,
    session: &Session,
) -> Result<Option<PendingCall>, Failure> {
    let workspace = pending.workspace.as_deref();
    let here = workspace.map(Path::new).filter(|root| root.is_dir());
    let tools = match session.tools(&session.root(here)) {
        Ok(tools) => tools,
        Err(failure) if edit.is_some() => return Err(failure),
        // Another machine runs the call.
        Err(_) => return Ok(None),
    };
    let has_tool = tools.contains(&pending.tool);
    let cx = session.limits(ToolContext::new());
    let cx = match workspace {
        Some(workspace) => cx.with_workspace(workspace),
        None => cx,
    };
    if has_tool {
        tools.check_stored(pending, &cx).map_err(|error| {
            let command = hint::on_call("forget", &pending.id, file);
            Failure::failed(error).and(&format!("reject it, and `{command}` removes it"))
        })?;
    }
    let Some(text) = edit else { return Ok(None) };
    let edited = if has_tool {
        let edited = tools.preview_edit(pending, text, &cx);
        Some(edited.map_err(|error| match error {
            ResumeError::Edit(why) => Failure::invalid(why),
            error => Failure::failed(error),
        })?)
    } else {
        None
    };
    // The preview of another directory says nothing.
    let edited = edited.filter(|_| here.is_some());
    if edited.is_none() {
        let what = if has_tool { "directory" } else { "tool" };
        let words = format!(
            "the {what} of the call is not here, so what the edited call does is not shown. If there is more to see \
             than its arguments, it does not run"
        );
        session.screen.say(Ink::Yellow, "edit", &words);
    }
    Ok(edited)
}

/// Prints the effect of an edited call.
pub(super) fn print_edited(edited: &PendingCall, screen: &Screen) {
    print_named("edited", &arguments_as_lines(edited.shown()), screen);
    for change in &edited.changes {
        print_named("changed", change, screen);
    }
    print_named(
        "preview",
        edited.preview.as_deref().unwrap_or_default(),
        screen,
    );
}

/// Prints a text under its name.
pub(super) fn print_named(name: &str, text: &str, screen: &Screen) {
    // `lines` would drop line ends that a change may be about.
    for (number, line) in text.split_terminator('\n').enumerate() {
        let name = if number == 0 { name } else { "" };
        screen.print_line(&format!("{name:<10} {line}"));
    }
}
