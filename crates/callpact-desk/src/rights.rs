//! What a browser may decide.

use callpact::{PendingCall, Permission, ReviewDecision, ReviewRequest, call::ResumeError};
use http::StatusCode;

use crate::{
    Desk,
    answer::{DeskAnswer, fault},
    sessions::EnteredBrowser,
};

/// The decisions that a browser may make about a call.
pub(crate) struct DecisionRights<'a> {
    /// Why it may decide nothing: a person who may not make a call may not decide about it either.
    pub(crate) barred: Option<&'static str>,
    /// The role that a yes needs, if the browser does not act for it.
    lacks: Option<&'a str>,
    /// The role for which it decides.
    role: Option<String>,
}

/// Whether a person may not make calls with a permission. A browser with a token of the program acts for the program.
pub(crate) fn is_denied(desk: &Desk, browser: &EnteredBrowser, permission: Permission) -> bool {
    let mode = desk.mode_of(browser);
    browser.person.is_some() && mode.is_some_and(|mode| mode.denies(permission))
}

impl<'a> DecisionRights<'a> {
    fn new(
        desk: &Desk,
        browser: &EnteredBrowser,
        permission: Permission,
        required: Option<&'a str>,
        role: Option<&str>,
    ) -> Self {
        Self {
            barred: is_denied(desk, browser, permission).then_some(
                "You may not make this call, so you cannot decide about it: it needs somebody who may.",
            ),
            lacks: required.filter(|required| role != Some(*required)),
            role: role.map(str::to_owned),
        }
    }

    /// The rights on a question of this process.
    pub(crate) fn of_asked(
        desk: &Desk,
        browser: &EnteredBrowser,
        request: &'a ReviewRequest,
    ) -> Self {
        // An unknown tool may do anything.
        let permission = desk.tools().permission(&request.tool);
        let permission = permission.unwrap_or(Permission::Destructive);
        let required = request.required_role.as_deref();
        let role = match &browser.person {
            Some(person) => required.filter(|required| person.identity.has_scope(required)),
            // It was checked before the reviewer asked.
            None => required,
        };
        Self::new(desk, browser, permission, required, role)
    }

    /// The rights on a call of the store.
    pub(crate) fn of_stored(desk: &Desk, browser: &EnteredBrowser, call: &'a PendingCall) -> Self {
        let required = call.required_role.as_deref();
        let role = match &browser.person {
            Some(person) => required.filter(|required| person.identity.has_scope(required)),
            None => (desk.0.context.reviewer()).and_then(|reviewer| reviewer.role()),
        };
        Self::new(desk, browser, call.permission, required, role)
    }

    pub(crate) fn why_no_yes(&self) -> Option<String> {
        let required = self.lacks?.to_owned();
        Some(ResumeError::Role { required }.to_string())
    }

    /// The role for which a decision is made, if the browser may make it.
    pub(crate) fn check(self, decision: &ReviewDecision) -> Result<Option<String>, DeskAnswer> {
        if decision.goes_on() {
            return self.check_whole();
        }
        match self.barred {
            Some(why) => Err(fault(StatusCode::FORBIDDEN, why)),
            None => Ok(self.role),
        }
    }

    /// Like [`check`](Self::check), for running the call unchanged.
    pub(crate) fn check_whole(self) -> Result<Option<String>, DeskAnswer> {
        let why = self.barred.map(str::to_owned).or_else(|| self.why_no_yes());
        match why {
            Some(why) => Err(fault(StatusCode::FORBIDDEN, &why)),
            None => Ok(self.role),
        }
    }
}
