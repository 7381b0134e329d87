//! The calls of the program, as they happen.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::{
    ReviewRequest,
    observe::{
        CallDecision, CallEnd, CallObserver, ObservedCall, TraceStore, TracedCall, TracedEnd,
    },
    review::FileChange,
    store::Moment,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{events::DeskEvents, live::OpenQuestions, repeat, replies};

/// How many calls are kept.
const CALLS: usize = 10_000;
/// The most bytes of the texts of all calls.
const BYTES: usize = 64 << 20;
/// The most bytes of one text.
const SHOWN: usize = 32_000;
/// The most bytes of one text that a search looks at.
const SEARCHED: usize = 2_000;
/// The most bytes of a name.
const NAMED: usize = 200;
/// The calls of a page.
const PAGE: usize = 100;

/// The latest calls.
pub(crate) struct CallTrace {
    events: Arc<DeskEvents>,
    questions: Arc<OpenQuestions>,
    store: Mutex<Option<Arc<dyn TraceStore>>>,
    loaded: tokio::sync::OnceCell<()>,
    calls: Mutex<TracedCalls>,
}

struct TracedCalls {
    bytes: usize,
    /// The calls by a number that the desk gives, in their order.
    kept: BTreeMap<u64, KeptTrace>,
    count: u64,
    /// The numbers of the calls that run, by the numbers of the process.
    running: HashMap<u64, u64>,
}

impl Default for TracedCalls {
    fn default() -> Self {
        Self {
            bytes: 0,
            kept: BTreeMap::new(),
            // The calls of earlier processes come before.
            count: CALLS as u64,
            running: HashMap::new(),
        }
    }
}

struct KeptTrace {
    call: TracedCall,
    /// What the call waits for: the digest of the question, and since when.
    waits: Option<(String, Moment)>,
    /// Its texts in lower case, for a search.
    words: String,
}

impl KeptTrace {
    fn new(call: TracedCall) -> Self {
        let mut kept = Self {
            call,
            waits: None,
            words: String::new(),
        };
        kept.collect_words();
        kept
    }

    fn collect_words(&mut self) {
        let TracedCall {
            tool,
            role,
            run,
            arguments,
            end,
            ..
        } = &self.call;
        let end = end.as_ref();
        let texts = [
            Some(tool.as_str()),
            role.as_deref(),
            run.as_deref(),
            end.map(|end| &*end.outcome),
            Some(cut(arguments, SEARCHED)),
            end.map(|end| cut(&end.text, SEARCHED)),
        ];
        let texts: Vec<&str> = texts.into_iter().flatten().collect();
        self.words = texts.join("\n").to_lowercase();
    }

    fn bytes(&self) -> usize {
        let TracedCall {
            call_id,
            tool,
            arguments,
            end,
            ..
        } = &self.call;
        let end = end.as_ref().map_or(0, |end| {
            let decision = end.decision.as_ref();
            end.text.len()
                + end.fixes.iter().map(String::len).sum::<usize>()
                + decision.map_or(0, |decision| decision.asked.len())
        });
        // The approximate size of a call, with its texts.
        512 + call_id.len() + tool.len() + arguments.len() + self.words.len() + end
    }

    fn is(&self, kind: CallKind) -> bool {
        let end = self.call.end.as_ref();
        match kind {
            CallKind::All => true,
            CallKind::Failed => end.is_some_and(|end| end.outcome != "success"),
            CallKind::Waited => self.waits.is_some() || end.is_some_and(|end| end.waiting > 0),
            CallKind::Fixed => end.is_some_and(|end| !end.fixes.is_empty()),
            CallKind::Running => end.is_none(),
        }
    }

    fn summary(&self, number: u64) -> Value {
        let TracedCall {
            tool,
            role,
            from,
            run,
            turn,
            began,
            end,
            ..
        } = &self.call;
        let end = end.as_ref();
        let decided = end.and_then(|end| end.decision.as_ref());
        json!({
            "n": number,
            "tool": tool,
            "from": from,
            "role": role,
            "run": run,
            "turn": turn,
            "began": began,
            "waits": self.waits.as_ref().map(|(_, since)| since),
            "outcome": end.map(|end| &end.outcome),
            "halted": end.is_some_and(|end| end.halted),
            "micros": end.map(|end| end.micros),
            "waiting": end.map(|end| end.waiting),
            "running": end.map(|end| end.running),
            "fixes": end.map_or(0, |end| end.fixes.len()),
            "decided": decided.map(|decided| replies::name(&decided.decision)),
        })
    }
}

/// Which calls the page wants.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CallKind {
    #[default]
    All,
    Failed,
    Waited,
    Fixed,
    Running,
}

/// What the page asks the trace for.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedCalls {
    search: String,
    kind: CallKind,
    /// Older than this call.
    before: Option<u64>,
}

impl CallTrace {
    pub(crate) fn new(events: Arc<DeskEvents>, questions: Arc<OpenQuestions>) -> Self {
        Self {
            events,
            questions,
            store: Mutex::default(),
            loaded: tokio::sync::OnceCell::new(),
            calls: Mutex::default(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, TracedCalls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Option<Arc<dyn TraceStore>>> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the calls in a store from now on.
    pub(crate) fn keep_in(&self, store: Arc<dyn TraceStore>) {
        *self.store() = Some(store);
    }

    /// Reads the calls of earlier processes, once.
    pub(crate) async fn load(&self) {
        self.loaded.get_or_init(|| self.read_earlier()).await;
    }

    async fn read_earlier(&self) {
        let store = self.store().clone();
        let Some(store) = store else { return };
        let earlier = match store.recent_calls(CALLS).await {
            Ok(calls) => calls,
            Err(error) => {
                tracing::warn!(target: "callpact", %error, "the desk cannot read its trace");
                return;
            }
        };
        let mut calls = self.calls();
        // Calls of this process may have ended meanwhile, and are in the store too.
        let ended = calls.kept.values().filter(|kept| kept.call.end.is_some());
        let own: HashMap<(Moment, &str), &TracedCall> = ended
            .map(|kept| &kept.call)
            .map(|call| ((call.began, &*call.call_id), call))
            .collect();
        let is_other = |call: &TracedCall| own.get(&(call.began, &*call.call_id)) != Some(&call);
        let earlier: Vec<TracedCall> = earlier.into_iter().filter(is_other).collect();
        for (number, call) in (1..).zip(earlier) {
            let kept = KeptTrace::new(call);
            calls.bytes += kept.bytes();
            calls.kept.insert(number, kept);
        }
        calls.make_room();
    }

    /// An observer that marks its calls with their origin.
    pub(crate) fn observer(self: &Arc<Self>, from: &'static str) -> TraceObserver {
        TraceObserver {
            trace: Arc::clone(self),
            from,
        }
    }

    /// One page of calls, the newest first.
    pub(crate) fn page(&self, wanted: &WantedCalls) -> Value {
        let search = wanted.search.to_lowercase();
        let calls = self.calls();
        let found = calls.kept.iter().rev().filter(|(_, kept)| {
            kept.is(wanted.kind) && (search.is_empty() || kept.words.contains(&search))
        });
        let (mut count, mut rows, mut more) = (0, Vec::new(), false);
        for (number, kept) in found {
            count += 1;
            if wanted.before.is_none_or(|before| *number < before) {
                if rows.len() < PAGE {
                    rows.push(kept.summary(*number));
                } else {
                    more = true;
                }
            }
        }
        json!({ "total": calls.kept.len(), "found": count, "calls": rows, "more": more })
    }

    /// One call in full, with a test that repeats it.
    pub(crate) fn describe(&self, number: u64) -> Option<Value> {
        let (call, waits, mut full) = {
            let calls = self.calls();
            let kept = calls.kept.get(&number)?;
            (kept.call.clone(), kept.waits.clone(), kept.summary(number))
        };
        let end = call.end.as_ref();
        let decision = end.and_then(|end| end.decision.as_ref());
        let waits = waits.and_then(|(digest, _)| self.questions.id_of(&digest));
        let more = json!({
            "call_id": call.call_id,
            "arguments": call.arguments,
            "text": end.map(|end| &end.text),
            "reading": end.map(|end| end.reading),
            "fix_texts": end.map(|end| &end.fixes),
            "decision": decision.map(Self::describe_decision),
            "inbox": waits,
            "test": end.filter(|end| is_whole(&call, end)).map(|end| repeat::write_test(&call, end)),
        });
        if let (Some(fields), Value::Object(more)) = (full.as_object_mut(), more) {
            fields.extend(more);
        }
        Some(full)
    }

    fn describe_decision(decision: &CallDecision) -> Value {
        let edit = match &decision.decision {
            callpact::ReviewDecision::Edit(text) => {
                let (before, after) = (lines(&decision.asked), lines(text));
                Some(FileChange::between("The edit", &before, &after))
            }
            _ => None,
        };
        let reason = match &decision.decision {
            callpact::ReviewDecision::Refuse(reason) => Some(reason),
            _ => None,
        };
        json!({
            "what": replies::name(&decision.decision),
            "by": decision.by,
            "at": decision.at,
            "edit": edit,
            "reason": reason,
            "digest": decision.digest,
        })
    }

    fn change(&self, process_number: u64, change: impl FnOnce(&mut TracedCalls, u64)) {
        let summary = {
            let mut calls = self.calls();
            let known = calls.running.get(&process_number).copied();
            let number = known.unwrap_or_else(|| {
                calls.count += 1;
                let number = calls.count;
                calls.running.insert(process_number, number);
                number
            });
            change(&mut calls, number);
            calls.make_room();
            calls.kept.get(&number).map(|kept| kept.summary(number))
        };
        if let Some(summary) = summary {
            self.events.send("call", &summary);
        }
    }
}

impl TracedCalls {
    fn make_room(&mut self) {
        while self.kept.len() > CALLS || self.bytes > BYTES {
            let Some((_, oldest)) = self.kept.pop_first() else {
                break;
            };
            self.bytes = self.bytes.saturating_sub(oldest.bytes());
        }
    }
}

/// JSON with a line for each field, so that an edit of one is a difference of one line.
fn lines(text: &str) -> String {
    callpact::schema::pretty(text)
}

/// Whether no part of the texts was left out.
fn is_whole(call: &TracedCall, end: &TracedEnd) -> bool {
    // A text may be cut a few bytes before the limit.
    call.arguments.len() < SHOWN - 3 && end.text.len() < SHOWN - 3
}

/// Writes the calls of a context into the trace.
pub(crate) struct TraceObserver {
    trace: Arc<CallTrace>,
    from: &'static str,
}

impl CallObserver for TraceObserver {
    fn began(&self, call: &ObservedCall<'_>) {
        let mut begun = TracedCall::new(cut(call.tool, NAMED), Moment::now());
        cut(call.call_id, NAMED).clone_into(&mut begun.call_id);
        begun.role = call.role.map(|role| cut(role, NAMED).to_owned());
        begun.run = call.run.map(|run| cut(run, NAMED).to_owned());
        begun.turn = call.turn;
        self.from.clone_into(&mut begun.from);
        cut(call.arguments, SHOWN).clone_into(&mut begun.arguments);
        let kept = KeptTrace::new(begun);
        self.trace.change(call.number, |calls, number| {
            calls.bytes += kept.bytes();
            calls.kept.insert(number, kept);
        });
    }

    fn waiting(&self, call: &ObservedCall<'_>, request: &ReviewRequest) {
        let waits = Some((request.digest.clone(), Moment::now()));
        self.trace.change(call.number, |calls, number| {
            if let Some(kept) = calls.kept.get_mut(&number) {
                kept.waits = waits;
            }
        });
    }

    fn decided(&self, call: &ObservedCall<'_>, _: Option<&CallDecision>) {
        self.trace.change(call.number, |calls, number| {
            if let Some(kept) = calls.kept.get_mut(&number) {
                kept.waits = None;
            }
        });
    }

    fn ended(&self, call: &ObservedCall<'_>, end: &CallEnd<'_>) {
        let micros =
            |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let mut traced = TracedEnd::new(end.outcome, cut(end.text, SHOWN), micros(end.duration));
        traced.halted = end.halted;
        traced.fixes = end.fixes.iter().map(ToString::to_string).collect();
        traced.reading = micros(end.times.reading);
        traced.waiting = micros(end.times.waiting);
        traced.running = micros(end.times.running);
        traced.decision = end.decision.cloned().map(|mut decision| {
            if decision.by.is_none() {
                decision.by = self.trace.questions.who_decided(&decision.digest);
            }
            decision.asked = cut(&decision.asked, SHOWN).to_owned();
            decision
        });
        let mut ended = None;
        self.trace.change(call.number, |calls, number| {
            calls.running.remove(&call.number);
            let Some(kept) = calls.kept.get_mut(&number) else {
                return;
            };
            let before = kept.bytes();
            kept.waits = None;
            // The time in a store was before this process carried the call out.
            let spent = traced.reading + traced.waiting + traced.running;
            let earlier = spent.saturating_sub(traced.micros);
            kept.call.began.0 = kept.call.began.0.saturating_sub(earlier / 1_000);
            traced.micros += earlier;
            kept.call.end = Some(traced);
            kept.collect_words();
            let after = kept.bytes();
            ended = Some(kept.call.clone());
            calls.bytes = (calls.bytes + after).saturating_sub(before);
        });
        let store = self.trace.store().clone();
        if let (Some(store), Some(call), Ok(runtime)) =
            (store, ended, tokio::runtime::Handle::try_current())
        {
            runtime.spawn(async move {
                if let Err(error) = store.record_call(&call).await {
                    tracing::warn!(target: "callpact", %error, "a call is missing in the trace");
                }
            });
        }
    }
}

/// The beginning of a text, of at most this many bytes.
fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
