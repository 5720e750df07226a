//! Homes of variables: gives every variable one register for as long as it can be used.
//!
//! A function clause is a tree: bodies (evaluated in sequence) contain constructs, constructs contain alternative bodies. A variable's *home*
//! is the innermost body that contains all its occurrences. If it occurs only in several alternatives of one construct, these are independent
//! variables with a home in each alternative.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::atom::Atom;
use syntax::ast::*;
use syntax::stack::with_stack;

/// Identifies a body: the address of its expressions, which does not move while the tree is borrowed.
pub type BodyKey = usize;

/// The key of a body.
pub fn key<T>(body: &[T]) -> BodyKey {
    body.as_ptr() as usize
}

/// Homes of the variables of one function clause: by body, in order of first occurrence.
#[derive(Default)]
pub struct Homes(FxHashMap<BodyKey, Vec<Atom>>);

impl Homes {
    /// Variables with this home.
    pub fn variables_of(&self, body: BodyKey) -> &[Atom] {
        self.0.get(&body).map_or(&[], Vec::as_slice)
    }
}

struct ScopeNode {
    parent: u32,
    depth: u32,
    /// A construct (its children are alternatives), or a body.
    construct: bool,
    key: BodyKey,
}

#[derive(Default)]
struct Occurrences {
    nodes: Vec<u32>,
    /// Does it occur outside nested funs and comprehensions?
    direct: bool,
}

/// The purpose of a walk.
enum Purpose<'n> {
    /// To find the function that each variable belongs to. The names used by nested functions are known.
    Homes(&'n FreeNames),
    /// To find the first and last occurrence of each name, and which of them are in a nested function.
    Spans(Spans),
    /// The names used by nested functions; of those being walked, the innermost last.
    Free {
        spans: Spans,
        found: FreeNames,
        open: Vec<NameSet>,
    },
}

/// Occurrences of names, numbered in the order of a walk.
#[derive(Default)]
struct Spans {
    count: usize,
    of_names: FxHashMap<Atom, (usize, usize)>,
    of_functions: FxHashMap<BodyKey, (usize, usize)>,
}

impl Spans {
    fn occurs(&mut self, name: Atom) {
        let at = self.count;
        self.count += 1;
        self.of_names.entry(name).or_insert((at, at)).1 = at;
    }

    /// Whether a name is also used outside a nested function. If not, it is a variable of that function alone.
    fn reaches_out(&self, name: Atom, function: BodyKey) -> bool {
        match (self.of_names.get(&name), self.of_functions.get(&function)) {
            (Some(&(first, last)), Some(&(start, end))) => first < start || last >= end,
            _ => true,
        }
    }
}

/// Names in the order of their first occurrence.
#[derive(Default)]
struct NameSet {
    order: Vec<Atom>,
    seen: FxHashSet<Atom>,
}

/// The names that the nested functions of a function (funs and comprehensions) share with the code around them, and the own name of a named
/// fun, in the order of first occurrence. Names bound by their heads are different ones. Each function is walked a fixed number of times,
/// however deep the nesting.
#[derive(Default)]
pub struct FreeNames(FxHashMap<BodyKey, Vec<Atom>>);

impl FreeNames {
    /// The names of these clauses, and of all functions nested in them. `own`: the name of a named fun.
    pub fn of_clauses(own: Option<Atom>, clauses: &[FunClause]) -> Self {
        Self::found_by(|w| w.nested_function(key(clauses), own, |w| w.fun_clauses(clauses)))
    }

    fn found_by(walk: impl Fn(&mut Walker<'_>)) -> Self {
        let mut walker = Walker::for_purpose(Purpose::Spans(Spans::default()), 0);
        walk(&mut walker);
        let Purpose::Spans(spans) = walker.purpose else {
            unreachable!("a walk keeps its purpose")
        };
        let purpose = Purpose::Free {
            spans,
            found: Self::default(),
            open: Vec::new(),
        };
        let mut walker = Walker::for_purpose(purpose, 0);
        walk(&mut walker);
        match walker.purpose {
            Purpose::Free { found, .. } => found,
            _ => unreachable!("a walk keeps its purpose"),
        }
    }

    /// The names of a nested function.
    pub fn names_in(&self, function: BodyKey) -> &[Atom] {
        self.0.get(&function).map_or(&[], Vec::as_slice)
    }

    /// Whether the names used by this function are known. Those in a default value of a record are not: it is not part of the enclosing function.
    pub fn knows(&self, function: BodyKey) -> bool {
        self.0.contains_key(&function)
    }

    /// The names of another function, and of the functions nested in it.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The names of the functions of a comprehension.
    pub fn of_comprehension(qualifiers: &[Qualifier], results: &[&Expr]) -> Self {
        Self::found_by(|w| w.nested_function(key(qualifiers), None, |w| w.comprehension(qualifiers, results)))
    }
}

/// Collects occurrences; then [`Walker::finish`].
pub struct Walker<'n> {
    purpose: Purpose<'n>,
    nodes: Vec<ScopeNode>,
    names: FxHashMap<Atom, Occurrences>,
    order: Vec<Atom>,
    at: u32,
    /// The current depth of nested funs and comprehensions.
    nested: u32,
    /// Names bound by heads of nested funs and by generators: not the outer variables of these names.
    shadow: Vec<Atom>,
    /// The position in `shadow` where the names of the current head begin: sizes and keys there do not refer to them.
    head: Option<usize>,
    /// They do refer to these, from earlier segments of a binary pattern.
    segment_names: Vec<Atom>,
}

impl<'n> Walker<'n> {
    /// Starts in the outermost body. `free`: the names used by nested functions.
    pub fn new(root: BodyKey, free: &'n FreeNames) -> Self {
        Self::for_purpose(Purpose::Homes(free), root)
    }

    fn for_purpose(purpose: Purpose<'n>, root: BodyKey) -> Self {
        Self {
            purpose,
            nodes: vec![ScopeNode {
                parent: 0,
                depth: 0,
                construct: false,
                key: root,
            }],
            names: FxHashMap::default(),
            order: Vec::new(),
            at: 0,
            nested: 0,
            shadow: Vec::new(),
            head: None,
            segment_names: Vec::new(),
        }
    }

    /// Makes the outermost body the home of the variable, if it occurs at all.
    pub fn hoist(&mut self, name: Atom) {
        if let Some(found) = self.names.get_mut(&name) {
            found.nodes.push(0);
            found.direct = true;
        }
    }

    /// The home of every variable.
    pub fn finish(self) -> Homes {
        let mut homes = Homes::default();
        for name in &self.order {
            let found = &self.names[name];
            if found.direct {
                self.place(*name, found.nodes.clone(), &mut homes);
            }
        }
        homes
    }

    fn place(&self, name: Atom, mut at: Vec<u32>, homes: &mut Homes) {
        at.sort_unstable();
        at.dedup();
        let mut common = at[0];
        for &other in &at[1..] {
            common = self.common(common, other);
        }
        let node = &self.nodes[common as usize];
        if !node.construct {
            homes.0.entry(node.key).or_default().push(name);
            return;
        }
        let mut children: Vec<(u32, u32)> = at.iter().map(|&n| (self.child_of(common, n), n)).collect();
        children.sort_unstable();
        for group in children.chunk_by(|a, b| a.0 == b.0) {
            self.place(name, group.iter().map(|g| g.1).collect(), homes);
        }
    }

    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if self.nodes[a as usize].depth < self.nodes[b as usize].depth {
                b = self.nodes[b as usize].parent;
            } else {
                a = self.nodes[a as usize].parent;
            }
        }
        a
    }

    fn child_of(&self, ancestor: u32, mut node: u32) -> u32 {
        while self.nodes[node as usize].parent != ancestor {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    fn within(&mut self, construct: bool, key: BodyKey, f: impl FnOnce(&mut Self)) {
        if self.nested > 0 {
            f(self);
            return;
        }
        let parent = self.at;
        let depth = self.nodes[parent as usize].depth + 1;
        self.at = self.nodes.len() as u32;
        self.nodes.push(ScopeNode {
            parent,
            depth,
            construct,
            key,
        });
        f(self);
        self.at = parent;
    }

    fn construct(&mut self, f: impl FnOnce(&mut Self)) {
        self.within(true, 0, f);
    }

    /// A function in this one. `own`: the name of a named fun.
    fn nested_function(&mut self, key: BodyKey, own: Option<Atom>, f: impl FnOnce(&mut Self)) {
        let shadow = std::mem::take(&mut self.shadow);
        let names: Vec<Atom> = match &mut self.purpose {
            Purpose::Homes(free) => free.names_in(key).to_vec(),
            Purpose::Spans(spans) => {
                let start = spans.count;
                own.into_iter().for_each(|name| spans.occurs(name));
                f(self);
                if let Purpose::Spans(spans) = &mut self.purpose {
                    spans.of_functions.insert(key, (start, spans.count));
                }
                Vec::new()
            }
            Purpose::Free { open, .. } => {
                open.push(NameSet::default());
                f(self);
                self.close(key, own)
            }
        };
        self.shadow = shadow;
        self.nested += 1;
        let of_others = |name: &Atom| Some(*name) != own;
        names.into_iter().filter(of_others).for_each(|name| self.name(name));
        self.nested -= 1;
    }

    /// Notes the names used by a nested function that has been walked.
    fn close(&mut self, key: BodyKey, own: Option<Atom>) -> Vec<Atom> {
        let Purpose::Free { spans, found, open } = &mut self.purpose else {
            return Vec::new();
        };
        let mut names = open.pop().unwrap_or_default().order;
        names.retain(|&name| Some(name) == own || spans.reaches_out(name, key));
        found.0.insert(key, names.clone());
        names
    }

    fn name(&mut self, name: Atom) {
        if name == Atom::WILDCARD {
            return;
        }
        if let Purpose::Spans(spans) = &mut self.purpose {
            return spans.occurs(name);
        }
        if self.shadow.contains(&name) {
            return;
        }
        match &mut self.purpose {
            Purpose::Homes(_) | Purpose::Spans(_) => {}
            Purpose::Free { open, .. } => {
                if let Some(innermost) = open.last_mut()
                    && innermost.seen.insert(name)
                {
                    innermost.order.push(name);
                }
                return;
            }
        }
        let found = self.names.entry(name).or_insert_with(|| {
            self.order.push(name);
            Occurrences::default()
        });
        found.direct |= self.nested == 0;
        if found.nodes.last() != Some(&self.at) {
            found.nodes.push(self.at);
        }
    }

    /// A sequence of expressions.
    pub fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    /// A guard.
    pub fn guard(&mut self, guard: &Guard) {
        guard.iter().for_each(|g| self.exprs(g));
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        for c in clauses {
            self.within(false, key(&c.body), |w| {
                w.pattern(&c.pattern);
                w.guard(&c.guard);
                w.exprs(&c.body);
            });
        }
    }

    /// Everything in the clauses of a fun.
    fn fun_clauses(&mut self, clauses: &[FunClause]) {
        for c in clauses {
            let mark = self.shadow.len();
            self.head_patterns(c.params.iter());
            self.guard(&c.guard);
            self.exprs(&c.body);
            self.shadow.truncate(mark);
        }
    }

    /// Filters before the first generator, and that generator's expression, are evaluated in the function around the comprehension.
    fn qualifiers(&mut self, qualifiers: &[Qualifier], results: &[&Expr]) {
        let direct = leading_filters(qualifiers);
        qualifiers[..direct].iter().for_each(|q| self.bind(q));
        let later = &qualifiers[direct..];
        match later.first() {
            None => results.iter().for_each(|e| self.expr(e)),
            Some(generator) => {
                generator.inputs().for_each(|e| self.expr(e));
                self.nested_function(key(later), None, |w| w.comprehension(later, results));
            }
        }
    }

    /// The variables of a generator are new from here on; a filter is an expression.
    fn bind(&mut self, q: &Qualifier) {
        match q {
            Qualifier::Filter(e) => self.expr(e),
            _ => self.head_patterns(q.generators().iter().flat_map(|g| g.element.patterns())),
        }
    }

    /// Patterns of a fun's head or of a generator: their variables are new ones from here on.
    fn head_patterns<'p>(&mut self, patterns: impl Iterator<Item = &'p Pattern> + Clone) {
        let outer = self.head.replace(self.shadow.len());
        patterns.clone().for_each(|p| pattern_names(p, &mut self.shadow));
        patterns.for_each(|p| self.pattern(p));
        self.head = outer;
    }

    /// A size or a key in a pattern.
    fn in_head(&mut self, e: &Expr) {
        let Some(start) = self.head.filter(|start| *start < self.shadow.len()) else {
            return self.expr(e);
        };
        let own = self.shadow.split_off(start);
        self.shadow.extend_from_slice(&self.segment_names);
        self.expr(e);
        self.shadow.truncate(start);
        self.shadow.extend(own);
    }

    /// What the functions of a comprehension use: qualifiers from `qualifiers[0]` on, without its generator's expression.
    fn comprehension(&mut self, qualifiers: &[Qualifier], results: &[&Expr]) {
        with_stack(|| {
            let mark = self.shadow.len();
            self.bind(&qualifiers[0]);
            self.qualifiers(&qualifiers[1..], results);
            self.shadow.truncate(mark);
        });
    }

    /// What follows a generator in its function: filters and, up to the next generator's expression, everything is direct.
    pub fn rest_of_comprehension(&mut self, qualifiers: &[Qualifier], results: &[&Expr]) {
        self.qualifiers(qualifiers, results);
    }

    /// An expression.
    pub fn expr(&mut self, e: &Expr) {
        with_stack(|| self.expr_kind(e));
    }

    fn expr_kind(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(name) => self.name(*name),
            ExprKind::Atom(_)
            | ExprKind::Integer(_)
            | ExprKind::BigInteger(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::Nil
            | ExprKind::RecordIndex(_)
            | ExprKind::FunLocal(_) => {}
            ExprKind::List(list) => {
                self.exprs(&list.items);
                if let Some(tail) = &list.tail {
                    self.expr(tail);
                }
            }
            ExprKind::Tuple(items) => self.exprs(items),
            ExprKind::Map(fields) => self.fields(fields),
            ExprKind::MapUpdate(map, fields) => {
                self.expr(map);
                self.fields(fields);
            }
            ExprKind::Record(r) => r.fields.iter().for_each(|f| self.expr(&f.value)),
            ExprKind::RecordUpdate(r) => {
                self.expr(&r.record);
                r.fields.iter().for_each(|f| self.expr(&f.value));
            }
            ExprKind::RecordAccess(r) => self.expr(&r.record),
            ExprKind::Binary(segments) => {
                for s in segments {
                    self.expr(&s.value);
                    if let Some(size) = &s.size {
                        self.expr(size);
                    }
                }
            }
            ExprKind::ListComp(c) | ExprKind::BinaryComp(c) => self.qualifiers(&c.qualifiers, &[&c.template]),
            ExprKind::MapComp(c) => self.qualifiers(&c.qualifiers, &[&c.key, &c.value]),
            ExprKind::Match(m) => {
                self.expr(&m.value);
                self.pattern(&m.pattern);
            }
            ExprKind::Unary(_, operand) | ExprKind::Catch(operand) => self.expr(operand),
            ExprKind::Binop(_, operands) | ExprKind::AndAlso(operands) | ExprKind::OrElse(operands) => {
                self.exprs(operands.as_slice());
            }
            ExprKind::Call(call) => {
                match &call.callee {
                    Callee::Local(_) => {}
                    Callee::Remote { module, function, .. } => {
                        self.expr(module);
                        self.expr(function);
                    }
                    Callee::Dynamic(fun) => self.expr(fun),
                }
                self.exprs(&call.args);
            }
            ExprKind::Fun(clauses) => self.nested_function(key(clauses), None, |w| w.fun_clauses(clauses)),
            ExprKind::NamedFun(name, clauses) => {
                self.nested_function(key(clauses), Some(*name), |w| w.fun_clauses(clauses));
            }
            ExprKind::FunRemote(parts) => self.exprs(parts.as_slice()),
            ExprKind::Remote(parts) => self.exprs(parts.as_slice()),
            ExprKind::Block(body) => self.exprs(body),
            ExprKind::If(clauses) => self.construct(|w| {
                for c in clauses {
                    w.within(false, key(&c.body), |w| {
                        w.guard(&c.guard);
                        w.exprs(&c.body);
                    });
                }
            }),
            ExprKind::Case(value, clauses) => {
                self.expr(value);
                self.construct(|w| w.clauses(clauses));
            }
            ExprKind::Receive(r) => {
                if let Some((timeout, _)) = &r.after {
                    self.expr(timeout);
                }
                self.construct(|w| {
                    w.clauses(&r.clauses);
                    if let Some((_, body)) = &r.after {
                        w.within(false, key(body), |w| w.exprs(body));
                    }
                });
            }
            ExprKind::Try(t) => self.construct(|w| w.try_parts(t)),
            ExprKind::Maybe(m) => self.construct(|w| w.maybe_parts(m)),
        }
    }

    fn try_parts(&mut self, t: &Try) {
        self.within(false, key(&t.body), |w| {
            w.exprs(&t.body);
            w.construct(|w| w.clauses(&t.of));
        });
        for c in &t.catch {
            self.within(false, key(&c.body), |w| {
                if let CatchClass::Var(name) = c.class {
                    w.name(name);
                }
                w.pattern(&c.reason);
                if let Some(stack) = c.stack {
                    w.name(stack.atom);
                }
                w.guard(&c.guard);
                w.exprs(&c.body);
            });
        }
        if !t.after.is_empty() {
            self.within(false, key(&t.after), |w| w.exprs(&t.after));
        }
    }

    fn maybe_parts(&mut self, m: &Maybe) {
        self.within(false, key(&m.body), |w| {
            for step in &m.body {
                match step {
                    MaybeStep::Expr(e) => w.expr(e),
                    MaybeStep::Match { pattern, value, .. } => {
                        w.expr(value);
                        w.pattern(pattern);
                    }
                }
            }
        });
        if let Some((_, clauses)) = &m.otherwise {
            self.clauses(clauses);
        }
    }

    fn fields(&mut self, fields: &[MapField]) {
        for f in fields {
            self.expr(&f.key);
            self.expr(&f.value);
        }
    }

    /// A pattern.
    pub fn pattern(&mut self, p: &Pattern) {
        with_stack(|| match &p.kind {
            PatternKind::Var(name) => self.name(*name),
            PatternKind::List(list) => {
                list.items.iter().for_each(|p| self.pattern(p));
                if let Some(tail) = &list.tail {
                    self.pattern(tail);
                }
            }
            PatternKind::Tuple(items) => items.iter().for_each(|p| self.pattern(p)),
            PatternKind::Map(fields) => {
                self.segment_names.clear();
                for f in fields {
                    self.in_head(&f.key);
                    self.pattern(&f.value);
                }
            }
            PatternKind::Record(r) => r.fields.iter().for_each(|f| self.pattern(&f.value)),
            PatternKind::Binary(segments) => {
                self.segment_names.clear();
                for s in segments {
                    if let Some(size) = &s.size {
                        self.in_head(size);
                    }
                    self.pattern(&s.value);
                    if let PatternKind::Var(name) = s.value.kind {
                        self.segment_names.push(name);
                    }
                }
            }
            PatternKind::Match(both) | PatternKind::Append(both) => both.iter().for_each(|p| self.pattern(p)),
            _ => {}
        });
    }

    /// Whether a name occurs, nested functions included.
    pub fn has(&self, name: Atom) -> bool {
        self.names.contains_key(&name)
    }
}

/// How many filters stand before the first generator.
fn leading_filters(qualifiers: &[Qualifier]) -> usize {
    qualifiers.iter().take_while(|q| q.is_filter()).count()
}

/// Appends the variables that a pattern binds or compares (not those of sizes and keys).
pub fn pattern_names(p: &Pattern, out: &mut Vec<Atom>) {
    with_stack(|| match &p.kind {
        PatternKind::Var(name) => out.push(*name),
        PatternKind::List(list) => {
            list.items.iter().for_each(|p| pattern_names(p, out));
            if let Some(tail) = &list.tail {
                pattern_names(tail, out);
            }
        }
        PatternKind::Tuple(items) => items.iter().for_each(|p| pattern_names(p, out)),
        PatternKind::Map(fields) => fields.iter().for_each(|f| pattern_names(&f.value, out)),
        PatternKind::Record(r) => r.fields.iter().for_each(|f| pattern_names(&f.value, out)),
        PatternKind::Binary(segments) => segments.iter().for_each(|s| pattern_names(&s.value, out)),
        PatternKind::Match(both) | PatternKind::Append(both) => both.iter().for_each(|p| pattern_names(p, out)),
        _ => {}
    });
}
