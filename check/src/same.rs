//! Is the changed program the recorded one but for comments and layout? Then the log is followed step by step, as in any replay.

use interpreter::atom::Atom;
use session::Session;
use session::error::Error;
use session::program::Sources;
use system::loader::{Role, Source};

use crate::Options;
use crate::choices::Naming;
use crate::failure::{Failure, recorded_failure};
use crate::inquiry::listen;

/// How far a changed program is the recorded one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sameness {
    /// All code is the same, wherever it stands.
    Code,
    /// The texts are the same but for comments and layout; `?LINE` may be another number.
    Text,
    /// It is another one.
    None,
}

impl Sameness {
    /// Compares the program of a trace, which has been replayed to its end, with another one.
    pub(crate) fn of(session: &Session, sources: &Sources) -> Self {
        let recorded = session.sources();
        let (mut then, mut now) = (recorded.loader(), sources.loader());
        let program = session.program();
        let mut all = Self::Code;
        for source in sources.all() {
            let Role::Module(name) = &source.role else { continue };
            if recorded.all().contains(source) && !includes_others(source, recorded, sources) {
                continue;
            }
            // A module that the recorded run did not have may be called now.
            if !program.is_loaded(Atom::new(name)) {
                return Self::None;
            }
            let (then, now) = (then.compiled(name, &program), now.compiled(name, &program));
            let same_code = matches!((then, now), (Some(then), Some(now)) if then.has_same_code(&now));
            all = match all {
                _ if same_code => all,
                _ if has_same_texts(recorded, sources) => Self::Text,
                _ => return Self::None,
            };
        }
        all
    }
}

/// Does the module include files that are others now?
fn includes_others(module: &Source, recorded: &Sources, sources: &Sources) -> bool {
    let is_include = |source: &&Source| matches!(source.role, Role::Include { .. });
    let others = sources.all().iter().filter(is_include);
    // An included file may include others: where any has changed, all modules are compared.
    recorded.owns(&module.path) && others.into_iter().any(|source| !recorded.all().contains(source))
}

fn has_same_texts(recorded: &Sources, sources: &Sources) -> bool {
    let (then, now) = (recorded.all(), sources.all());
    let same = |(then, now): (&Source, &Source)| {
        then.role == now.role && (then.text == now.text || syntax::has_same_tokens(&then.text, &now.text))
    };
    then.len() == now.len() && then.iter().zip(now).all(same)
}

/// Follows the log of a trace with a program that is the recorded one but for comments and layout. Answers the failure with its place in
/// that program; none if the program does not follow: then its lines are part of what it does.
pub(crate) fn follow(session: &Session, sources: &Sources, options: &Options) -> Result<Option<Failure>, Error> {
    let again = session.with_program(sources.clone())?;
    match listen(&again, Naming::Place) {
        Ok((heard, _)) => Ok(Some(recorded_failure(again.trace(), &heard, options)?.failure)),
        Err(Error::Diverged(_) | Error::Leaked(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
