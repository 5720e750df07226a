//! The children of a node, for passes that treat most kinds of node alike.

use super::ast::*;

/// A node of the tree.
#[derive(Copy, Clone)]
pub enum Node<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A pattern.
    Pattern(&'a Pattern),
}

impl Node<'_> {
    /// The node's own place.
    pub fn loc(self) -> Loc {
        match self {
            Node::Expr(expr) => expr.loc,
            Node::Pattern(pattern) => pattern.loc,
        }
    }
}

/// Calls `f` for every child in source order.
pub fn children<'a>(node: Node<'a>, f: &mut dyn FnMut(Node<'a>)) {
    match node {
        Node::Expr(expr) => expr_children(expr, f),
        Node::Pattern(pattern) => pattern_children(pattern, f),
    }
}

#[expect(clippy::too_many_lines, reason = "a flat match over the sorts of expressions")]
fn expr_children<'a>(expr: &'a Expr, f: &mut dyn FnMut(Node<'a>)) {
    match &expr.kind {
        ExprKind::Var(_)
        | ExprKind::Atom(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Nil
        | ExprKind::RecordIndex(_)
        | ExprKind::FunLocal(_) => {}
        ExprKind::List(list) => {
            exprs(&list.items, f);
            list.tail.iter().for_each(|tail| f(Node::Expr(tail)));
        }
        ExprKind::Tuple(items) | ExprKind::Block(items) => exprs(items, f),
        ExprKind::Map(fields) => map_fields(fields, f),
        ExprKind::MapUpdate(map, fields) => {
            f(Node::Expr(map));
            map_fields(fields, f);
        }
        ExprKind::Record(record) => record.fields.iter().for_each(|field| f(Node::Expr(&field.value))),
        ExprKind::RecordUpdate(update) => {
            f(Node::Expr(&update.record));
            update.fields.iter().for_each(|field| f(Node::Expr(&field.value)));
        }
        ExprKind::RecordAccess(access) => f(Node::Expr(&access.record)),
        ExprKind::Binary(segments) => {
            for segment in segments {
                f(Node::Expr(&segment.value));
                segment.size.iter().for_each(|size| f(Node::Expr(size)));
            }
        }
        ExprKind::ListComp(comprehension) | ExprKind::BinaryComp(comprehension) => {
            f(Node::Expr(&comprehension.template));
            qualifiers(&comprehension.qualifiers, f);
        }
        ExprKind::MapComp(comprehension) => {
            f(Node::Expr(&comprehension.key));
            f(Node::Expr(&comprehension.value));
            qualifiers(&comprehension.qualifiers, f);
        }
        ExprKind::Match(matching) => {
            f(Node::Pattern(&matching.pattern));
            f(Node::Expr(&matching.value));
        }
        ExprKind::Unary(_, operand) | ExprKind::Catch(operand) => f(Node::Expr(operand)),
        ExprKind::Binop(_, operands) | ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => {
            exprs(&operands[..], f)
        }
        ExprKind::Call(call) => {
            match &call.callee {
                Callee::Local(_) => {}
                Callee::Remote { module, function, .. } => {
                    f(Node::Expr(module));
                    f(Node::Expr(function));
                }
                Callee::Dynamic(fun) => f(Node::Expr(fun)),
            }
            exprs(&call.args, f);
        }
        ExprKind::Fun(clauses) | ExprKind::NamedFun(_, clauses) => {
            clauses.iter().for_each(|clause| fun_clause(clause, f))
        }
        ExprKind::FunRemote(parts) => exprs(&parts[..], f),
        ExprKind::Remote(parts) => exprs(&parts[..], f),
        ExprKind::If(clauses) => {
            for clause in clauses {
                clause.guard.iter().for_each(|tests| exprs(tests, f));
                exprs(&clause.body, f);
            }
        }
        ExprKind::Case(subject, list) => {
            f(Node::Expr(subject));
            clauses(list, f);
        }
        ExprKind::Receive(receive) => {
            clauses(&receive.clauses, f);
            if let Some((timeout, body)) = &receive.after {
                f(Node::Expr(timeout));
                exprs(body, f);
            }
        }
        ExprKind::Try(parts) => {
            exprs(&parts.body, f);
            clauses(&parts.of, f);
            for clause in &parts.catch {
                f(Node::Pattern(&clause.reason));
                clause.guard.iter().for_each(|tests| exprs(tests, f));
                exprs(&clause.body, f);
            }
            exprs(&parts.after, f);
        }
        ExprKind::Maybe(block) => {
            for step in &block.body {
                match step {
                    MaybeStep::Expr(expr) => f(Node::Expr(expr)),
                    MaybeStep::Match { pattern, value, .. } => {
                        f(Node::Pattern(pattern));
                        f(Node::Expr(value));
                    }
                }
            }
            block.otherwise.iter().for_each(|(_, list)| clauses(list, f));
        }
    }
}

/// Calls `f` for the patterns, guards and body of a function's or fun's clause.
pub fn fun_clause<'a>(clause: &'a FunClause, f: &mut dyn FnMut(Node<'a>)) {
    clause.params.iter().for_each(|param| f(Node::Pattern(param)));
    clause.guard.iter().for_each(|tests| exprs(tests, f));
    exprs(&clause.body, f);
}

fn exprs<'a>(list: &'a [Expr], f: &mut dyn FnMut(Node<'a>)) {
    list.iter().for_each(|expr| f(Node::Expr(expr)));
}

fn map_fields<'a>(fields: &'a [MapField], f: &mut dyn FnMut(Node<'a>)) {
    for field in fields {
        f(Node::Expr(&field.key));
        f(Node::Expr(&field.value));
    }
}

fn clauses<'a>(list: &'a [Clause], f: &mut dyn FnMut(Node<'a>)) {
    for clause in list {
        f(Node::Pattern(&clause.pattern));
        clause.guard.iter().for_each(|tests| exprs(tests, f));
        exprs(&clause.body, f);
    }
}

fn qualifiers<'a>(list: &'a [Qualifier], f: &mut dyn FnMut(Node<'a>)) {
    for qualifier in list {
        for generator in qualifier.generators() {
            generator.element.patterns().iter().for_each(|p| f(Node::Pattern(p)));
            f(Node::Expr(&generator.expr));
        }
        if let Qualifier::Filter(expr) = qualifier {
            f(Node::Expr(expr));
        }
    }
}

fn pattern_children<'a>(pattern: &'a Pattern, f: &mut dyn FnMut(Node<'a>)) {
    match &pattern.kind {
        PatternKind::Wildcard
        | PatternKind::Var(_)
        | PatternKind::Atom(_)
        | PatternKind::Integer(_)
        | PatternKind::BigInteger(_)
        | PatternKind::Float(_)
        | PatternKind::Char(_)
        | PatternKind::String(_)
        | PatternKind::Nil
        | PatternKind::RecordIndex(_) => {}
        PatternKind::List(list) => {
            list.items.iter().for_each(|item| f(Node::Pattern(item)));
            list.tail.iter().for_each(|tail| f(Node::Pattern(tail)));
        }
        PatternKind::Tuple(items) => items.iter().for_each(|item| f(Node::Pattern(item))),
        PatternKind::Map(fields) => {
            for field in fields {
                f(Node::Expr(&field.key));
                f(Node::Pattern(&field.value));
            }
        }
        PatternKind::Record(record) => record.fields.iter().for_each(|field| f(Node::Pattern(&field.value))),
        PatternKind::Binary(segments) => {
            for segment in segments {
                f(Node::Pattern(&segment.value));
                segment.size.iter().for_each(|size| f(Node::Expr(size)));
            }
        }
        PatternKind::Match(both) | PatternKind::Append(both) => both.iter().for_each(|part| f(Node::Pattern(part))),
        PatternKind::Const(constant) => f(Node::Expr(&constant.expr)),
    }
}

/// The greatest place (line, then column) in a tree: `erl_parse:last_anno/1`.
pub fn last_loc(root: Node<'_>) -> Loc {
    let mut last = root.loc();
    let mut see = |loc: Loc| {
        if (loc.line, loc.col) > (last.line, last.col) {
            last = loc;
        }
    };
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        see(node.loc());
        match node {
            Node::Expr(Expr {
                kind: ExprKind::List(list),
                ..
            }) if list.tail.is_none() => see(list.end),
            Node::Pattern(Pattern {
                kind: PatternKind::List(list),
                ..
            }) if list.tail.is_none() => see(list.end),
            _ => {}
        }
        children(node, &mut |child| todo.push(child));
    }
    last
}

/// Calls `f` for every expression directly below, patterns and guards left out.
#[expect(clippy::too_many_lines, reason = "a flat match over the sorts of expressions")]
pub fn expr_children_mut(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Var(_)
        | ExprKind::Atom(_)
        | ExprKind::Integer(_)
        | ExprKind::BigInteger(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::String(_)
        | ExprKind::Nil
        | ExprKind::RecordIndex(_)
        | ExprKind::FunLocal(_) => {}
        ExprKind::List(list) => list.items.iter_mut().chain(list.tail.as_deref_mut()).for_each(f),
        ExprKind::Tuple(items) | ExprKind::Block(items) => items.iter_mut().for_each(f),
        ExprKind::Map(fields) => fields
            .iter_mut()
            .flat_map(|field| [&mut field.key, &mut field.value])
            .for_each(f),
        ExprKind::MapUpdate(map, fields) => {
            f(map);
            fields
                .iter_mut()
                .flat_map(|field| [&mut field.key, &mut field.value])
                .for_each(f);
        }
        ExprKind::Record(record) => record.fields.iter_mut().for_each(|field| f(&mut field.value)),
        ExprKind::RecordUpdate(update) => {
            f(&mut update.record);
            update.fields.iter_mut().for_each(|field| f(&mut field.value));
        }
        ExprKind::RecordAccess(access) => f(&mut access.record),
        ExprKind::Binary(segments) => {
            for segment in segments {
                f(&mut segment.value);
                segment.size.as_deref_mut().into_iter().for_each(&mut *f);
            }
        }
        ExprKind::ListComp(comprehension) | ExprKind::BinaryComp(comprehension) => {
            f(&mut comprehension.template);
            qualifiers_mut(&mut comprehension.qualifiers, f);
        }
        ExprKind::MapComp(comprehension) => {
            f(&mut comprehension.key);
            f(&mut comprehension.value);
            qualifiers_mut(&mut comprehension.qualifiers, f);
        }
        ExprKind::Match(matching) => f(&mut matching.value),
        ExprKind::Unary(_, operand) | ExprKind::Catch(operand) => f(operand),
        ExprKind::Binop(_, operands) | ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => {
            operands.iter_mut().for_each(f)
        }
        ExprKind::Call(call) => {
            match &mut call.callee {
                Callee::Local(_) => {}
                Callee::Remote { module, function, .. } => {
                    f(module);
                    f(function);
                }
                Callee::Dynamic(fun) => f(fun),
            }
            call.args.iter_mut().for_each(f);
        }
        ExprKind::Fun(clauses) | ExprKind::NamedFun(_, clauses) => {
            clauses.iter_mut().flat_map(|clause| &mut clause.body).for_each(f)
        }
        ExprKind::FunRemote(parts) => parts.iter_mut().for_each(f),
        ExprKind::Remote(parts) => parts.iter_mut().for_each(f),
        ExprKind::If(clauses) => clauses.iter_mut().flat_map(|clause| &mut clause.body).for_each(f),
        ExprKind::Case(subject, clauses) => {
            f(subject);
            clauses.iter_mut().flat_map(|clause| &mut clause.body).for_each(f);
        }
        ExprKind::Receive(receive) => {
            receive
                .clauses
                .iter_mut()
                .flat_map(|clause| &mut clause.body)
                .for_each(&mut *f);
            if let Some((timeout, body)) = &mut receive.after {
                f(timeout);
                body.iter_mut().for_each(f);
            }
        }
        ExprKind::Try(parts) => {
            parts.body.iter_mut().for_each(&mut *f);
            parts
                .of
                .iter_mut()
                .flat_map(|clause| &mut clause.body)
                .for_each(&mut *f);
            parts
                .catch
                .iter_mut()
                .flat_map(|clause| &mut clause.body)
                .for_each(&mut *f);
            parts.after.iter_mut().for_each(f);
        }
        ExprKind::Maybe(block) => {
            for step in &mut block.body {
                match step {
                    MaybeStep::Expr(expr) | MaybeStep::Match { value: expr, .. } => f(expr),
                }
            }
            let clauses = block.otherwise.iter_mut().flat_map(|(_, clauses)| clauses);
            clauses.flat_map(|clause| &mut clause.body).for_each(f);
        }
    }
}

fn qualifiers_mut(list: &mut [Qualifier], f: &mut dyn FnMut(&mut Expr)) {
    for qualifier in list {
        match qualifier {
            Qualifier::Generator(generator) => f(&mut generator.expr),
            Qualifier::Zip(_, generators) => generators.iter_mut().for_each(|g| f(&mut g.expr)),
            Qualifier::Filter(expr) => f(expr),
        }
    }
}
