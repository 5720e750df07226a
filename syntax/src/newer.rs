//! Refuses syntax that is newer than the release of a program.

use crate::ast::{Element, ExprKind, Generator, Loc, Module, Qualifier, TypeAttribute};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::release::{Feature, Language, Release};
use crate::walk::{Node, children};

/// The errors of a module with newer syntax than its language has. `scanned`: what the scanner found. `has_maybe`: it enables `maybe`.
pub(crate) fn refusals(
    module: &Module,
    scanned: &[(Feature, Loc)],
    language: Language,
    has_maybe: bool,
) -> Vec<Diagnostic> {
    if language.newest_syntax == Release::NEWEST {
        return Vec::new();
    }
    let mut found = scanned.to_vec();
    found.extend(parsed(module));
    let is_enabled = |feature| has_maybe && feature == Feature::MaybeKeyword;
    let is_newer = |(feature, _): &(Feature, Loc)| feature.since() > language.newest_syntax && !is_enabled(*feature);
    let newer = found.into_iter().filter(is_newer);
    newer.map(|(feature, loc)| refusal(feature, loc, language)).collect()
}

/// What of the table is in the expressions of a module.
fn parsed(module: &Module) -> Vec<(Feature, Loc)> {
    let nominal = module.types.iter().filter(|def| def.kind == TypeAttribute::Nominal);
    let mut found: Vec<(Feature, Loc)> = nominal.map(|def| (Feature::Nominal, def.loc)).collect();
    let mut open: Vec<Node<'_>> = Vec::new();
    for clause in module.functions.iter().flat_map(|function| &function.clauses) {
        open.extend(clause.body.iter().map(Node::Expr));
        while let Some(node) = open.pop() {
            if let Node::Expr(expr) = node {
                found.extend(of_expression(&expr.kind).map(|(feature, loc)| (feature, loc.unwrap_or(expr.loc))));
            }
            children(node, &mut |child| open.push(child));
        }
    }
    found
}

fn of_expression(kind: &ExprKind) -> impl Iterator<Item = (Feature, Option<Loc>)> {
    let (qualifiers, is_map): (&[Qualifier], bool) = match kind {
        ExprKind::ListComp(comp) | ExprKind::BinaryComp(comp) => (&comp.qualifiers, false),
        ExprKind::MapComp(comp) => (&comp.qualifiers, true),
        _ => (&[], false),
    };
    let has = |wanted: fn(&Generator) -> bool| {
        let mut all = qualifiers.iter().flat_map(Qualifier::generators);
        all.find(|generator| wanted(generator)).map(|generator| generator.loc)
    };
    let maps = has(|generator| matches!(generator.element, Element::Map { .. }));
    let strict = has(|generator| generator.strict);
    let zip = qualifiers.iter().find(|one| matches!(one, Qualifier::Zip(..)));
    let found = [
        matches!(kind, ExprKind::Maybe(_)).then_some((Feature::MaybeKeyword, None)),
        (is_map || maps.is_some()).then_some((Feature::MapComprehension, None)),
        strict.map(|loc| (Feature::StrictGenerator, Some(loc))),
        zip.map(|zip| (Feature::ZipGenerator, Some(zip.loc()))),
    ];
    found.into_iter().flatten()
}

/// The error where a program may not have it.
fn refusal(feature: Feature, loc: Loc, language: Language) -> Diagnostic {
    let (since, name) = feature.row();
    let message = format!(
        "{name} came with OTP {since}, and this program is of OTP {}",
        language.release
    );
    Diagnostic::error(DiagnosticKind::Parse, loc, message).hint(format!("run it with --otp {since} or newer"))
}
