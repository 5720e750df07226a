//! Refuses syntax that is newer than the release of a program.

use crate::ast::{ExprKind, Loc, Module, Qualifier};
use crate::diagnostic::{Diagnostic, Kind};
use crate::release::{Feature, Language, Release};
use crate::walk::{Node, children};

/// The errors of a module with newer syntax than its language has. `scanned`: what the scanner found.
pub(crate) fn refusals(module: &Module, scanned: &[(Feature, Loc)], language: Language) -> Vec<Diagnostic> {
    if language.newest_syntax == Release::NEWEST {
        return Vec::new();
    }
    let mut found = scanned.to_vec();
    found.extend(parsed(module));
    let is_newer = |(feature, _): &(Feature, Loc)| feature.since() > language.newest_syntax;
    let newer = found.into_iter().filter(is_newer);
    newer.map(|(feature, loc)| refusal(feature, loc, language)).collect()
}

/// What of the table is in the expressions of a module.
fn parsed(module: &Module) -> Vec<(Feature, Loc)> {
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = Vec::new();
    for clause in module.functions.iter().flat_map(|function| &function.clauses) {
        open.extend(clause.body.iter().map(Node::Expr));
        while let Some(node) = open.pop() {
            if let Node::Expr(expr) = node
                && let Some(feature) = of_expression(&expr.kind)
            {
                found.push((feature, expr.loc));
            }
            children(node, &mut |child| open.push(child));
        }
    }
    found
}

fn of_expression(kind: &ExprKind) -> Option<Feature> {
    let is_map = |qualifiers: &[Qualifier]| qualifiers.iter().any(|one| matches!(one, Qualifier::Map { .. }));
    match kind {
        ExprKind::MapComp(_) => Some(Feature::MapComprehension),
        ExprKind::ListComp(comp) | ExprKind::BinaryComp(comp) if is_map(&comp.qualifiers) => {
            Some(Feature::MapComprehension)
        }
        _ => None,
    }
}

/// The error where a program may not have it.
fn refusal(feature: Feature, loc: Loc, language: Language) -> Diagnostic {
    let (since, name) = feature.row();
    let message = format!(
        "{name} came with OTP {since}, and this program is of OTP {}",
        language.release
    );
    Diagnostic::error(Kind::Parse, loc, message).hint(format!("say --otp {since}, or a newer one"))
}
