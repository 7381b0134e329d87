//! The places in a file where a mutant can be switched on: expressions, functions and match arms,
//! and how one build holds the original and all mutants.

use std::{collections::HashMap, ops::Range};

use proc_macro2::Span;
use syn::{
    Arm, Block, Expr, ExprBinary, ExprConst, ExprMatch, ExprRepeat, ExprStruct, ExprUnary,
    ImplItemFn, ItemConst, ItemFn, ItemStatic, Pat, ReturnType, Signature, TraitItemFn, Type,
    TypeArray, spanned::Spanned, visit::Visit,
};

use crate::listed::{Genre, Mutant, Place};

/// A place in the file that differs between mutants.
pub(crate) struct Site {
    pub(crate) kind: Kind,
    /// A byte range of the file; empty for an insertion.
    pub(crate) range: Range<usize>,
    /// The number of each mutant and its replacement text.
    pub(crate) choices: Vec<(usize, String)>,
    /// The span that the compiler reports if a `match` lacks these arms.
    pub(crate) matched: Option<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The start of a function body, which returns at once.
    Body,
    /// An expression with a replacement.
    Expression,
    /// A match arm to skip, without a guard.
    Arm,
    /// A match arm to skip, with a guard.
    Condition,
}

/// The result for the mutants of a file.
pub(crate) struct Found {
    pub(crate) sites: Vec<Site>,
    /// Mutants that do not compile in any form.
    pub(crate) refused: Vec<usize>,
    /// Mutants that cannot be switched: constants, and those that change the type of a function.
    pub(crate) left: Vec<usize>,
}

pub(crate) fn find(source: &str, mutants: &[(usize, Mutant)]) -> syn::Result<Found> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder {
        source,
        lines: std::iter::once(0)
            .chain(source.match_indices('\n').map(|(at, _)| at + 1))
            .collect(),
        wanted: HashMap::new(),
        fixed: 0,
        matched: None,
        sites: Vec::new(),
        refused: Vec::new(),
        left: Vec::new(),
    };
    for (id, mutant) in mutants {
        finder
            .wanted
            .entry((mutant.genre, mutant.span.start))
            .or_default()
            .push((*id, mutant.clone()));
    }
    finder.visit_file(&file);
    let not_met = finder.wanted.into_values().flatten().map(|(id, _)| id);
    let mut left: Vec<usize> = finder.left.into_iter().chain(not_met).collect();
    left.sort_unstable();
    Ok(Found {
        sites: finder.sites,
        refused: finder.refused,
        left,
    })
}

struct Finder<'a> {
    source: &'a str,
    lines: Vec<usize>,
    wanted: HashMap<(Genre, Place), Vec<(usize, Mutant)>>,
    /// The number of surrounding constant items.
    fixed: usize,
    /// The expression of the innermost `match`.
    matched: Option<Range<usize>>,
    sites: Vec<Site>,
    refused: Vec<usize>,
    left: Vec<usize>,
}

impl Finder<'_> {
    fn offset(&self, at: Place) -> usize {
        let start = self.lines[at.line - 1];
        let line = &self.source[start..];
        start
            + line
                .char_indices()
                .nth(at.column - 1)
                .map_or(line.len(), |(at, _)| at)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.offset(span.start().into())..self.offset(span.end().into())
    }

    fn text(&self, span: Span) -> &str {
        &self.source[self.range(span)]
    }

    fn take(&mut self, genre: Genre, span: Span) -> Vec<(usize, Mutant)> {
        if self.fixed > 0 {
            return Vec::new();
        }
        self.wanted
            .remove(&(genre, span.start().into()))
            .unwrap_or_default()
    }

    /// Code that does not parse here stays unchanged.
    fn expression(&mut self, range: Range<usize>, choices: Vec<(usize, String)>) {
        let (kept, left): (Vec<_>, Vec<_>) = choices
            .into_iter()
            .partition(|(_, text)| syn::parse_str::<Expr>(text).is_ok());
        self.left.extend(left.into_iter().map(|(id, _)| id));
        if !kept.is_empty() {
            self.sites.push(Site {
                kind: Kind::Expression,
                range,
                choices: kept,
                matched: None,
            });
        }
    }

    fn passed_over(&mut self, kind: Kind, range: Range<usize>, deleted: Vec<(usize, Mutant)>) {
        if !deleted.is_empty() {
            let choices = deleted
                .into_iter()
                .map(|(id, _)| (id, String::new()))
                .collect();
            self.sites.push(Site {
                kind,
                range,
                choices,
                matched: self.matched.clone(),
            });
        }
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        if signature.constness.is_some() || self.fixed > 0 || names_no_type(&signature.output) {
            return;
        }
        let Some(first) = block.stmts.first() else {
            return;
        };
        let start = first.span();
        let choices: Vec<_> = self
            .take(Genre::FnValue, start)
            .into_iter()
            .map(|(id, mutant)| (id, mutant.replacement))
            .collect();
        if !choices.is_empty() {
            let at = self.range(start).start;
            self.sites.push(Site {
                kind: Kind::Body,
                range: at..at,
                choices,
                matched: None,
            });
        }
    }

    fn fixed(&mut self, on: bool, visit: impl FnOnce(&mut Self)) {
        self.fixed += usize::from(on);
        visit(self);
        self.fixed -= usize::from(on);
    }
}

/// `impl Trait` is the type of the first returned value, so another value would have another type.
fn names_no_type(output: &ReturnType) -> bool {
    struct Opaque(bool);
    impl Visit<'_> for Opaque {
        fn visit_type(&mut self, found: &Type) {
            self.0 |= matches!(found, Type::ImplTrait(_));
            syn::visit::visit_type(self, found);
        }
    }
    let mut opaque = Opaque(false);
    opaque.visit_return_type(output);
    opaque.0
}

/// A `let` in a condition cannot stand inside another expression.
fn binds(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        self.function(&item.sig, &item.block);
        self.fixed(item.sig.constness.is_some(), |this| {
            syn::visit::visit_item_fn(this, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        self.function(&item.sig, &item.block);
        self.fixed(item.sig.constness.is_some(), |this| {
            syn::visit::visit_impl_item_fn(this, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
        self.fixed(item.sig.constness.is_some(), |this| {
            syn::visit::visit_trait_item_fn(this, item);
        });
    }

    fn visit_item_const(&mut self, item: &'a ItemConst) {
        self.fixed(true, |this| syn::visit::visit_item_const(this, item));
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.fixed(true, |this| syn::visit::visit_impl_item_const(this, item));
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.fixed(true, |this| syn::visit::visit_trait_item_const(this, item));
    }

    fn visit_item_static(&mut self, item: &'a ItemStatic) {
        self.fixed(true, |this| syn::visit::visit_item_static(this, item));
    }

    fn visit_type_array(&mut self, array: &'a TypeArray) {
        self.fixed(true, |this| syn::visit::visit_type_array(this, array));
    }

    fn visit_expr_const(&mut self, block: &'a ExprConst) {
        self.fixed(true, |this| syn::visit::visit_expr_const(this, block));
    }

    fn visit_expr_repeat(&mut self, repeat: &'a ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.fixed(true, |this| this.visit_expr(&repeat.len));
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.visit_pat(&guarded.pat);
            self.visit_expr(&guarded.guard);
        } else {
            self.fixed(true, |this| syn::visit::visit_pat(this, pattern));
        }
    }

    fn visit_expr_binary(&mut self, binary: &'a ExprBinary) {
        let operator = binary.op.span();
        if binds(&binary.left) || binds(&binary.right) {
            // Beside a `let` only `&&` is allowed.
            let mutants = self.take(Genre::BinaryOperator, operator);
            self.refused.extend(mutants.into_iter().map(|(id, _)| id));
        } else {
            let (left, right) = (
                self.range(binary.left.span()),
                self.range(binary.right.span()),
            );
            let at = self.range(operator);
            let choices = self
                .take(Genre::BinaryOperator, operator)
                .into_iter()
                .map(|(id, mutant)| {
                    let text = format!(
                        "{}{}{}",
                        &self.source[left.start..at.start],
                        mutant.replacement,
                        &self.source[at.end..right.end]
                    );
                    (id, text)
                })
                .collect();
            self.expression(left.start..right.end, choices);
        }
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'a ExprUnary) {
        let operator = unary.op.span();
        let without = self.text(unary.expr.span()).to_owned();
        let choices = self
            .take(Genre::UnaryOperator, operator)
            .into_iter()
            .map(|(id, _)| (id, without.clone()))
            .collect();
        let range = self.range(unary.span());
        self.expression(range, choices);
        syn::visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, found: &'a ExprMatch) {
        self.visit_expr(&found.expr);
        for arm in &found.arms {
            let outer = self.matched.replace(self.range(found.expr.span()));
            self.visit_arm(arm);
            self.matched = outer;
        }
    }

    fn visit_arm(&mut self, arm: &'a Arm) {
        let deleted = self.take(Genre::MatchArm, arm.span());
        let condition = match &arm.pat {
            Pat::Guard(guarded) => Some(&*guarded.guard),
            _ => None,
        };
        match condition {
            Some(condition) if binds(condition) => {
                self.left.extend(deleted.into_iter().map(|(id, _)| id));
            }
            Some(condition) => {
                let range = self.range(condition.span());
                self.passed_over(Kind::Condition, range.clone(), deleted);
                let choices = self
                    .take(Genre::MatchArmGuard, condition.span())
                    .into_iter()
                    .map(|(id, mutant)| (id, mutant.replacement))
                    .collect();
                self.expression(range, choices);
            }
            None => {
                let end = self.range(arm.pat.span()).end;
                self.passed_over(Kind::Arm, end..end, deleted);
            }
        }
        syn::visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, structure: &'a ExprStruct) {
        if let Some(rest) = &structure.rest {
            let rest = self.text(rest.span()).to_owned();
            for field in &structure.fields {
                if field.colon_token.is_none() {
                    continue;
                }
                let name = self.text(field.member.span()).to_owned();
                let choices = self
                    .take(Genre::StructField, field.span())
                    .into_iter()
                    .map(|(id, _)| (id, format!("({rest}).{name}")))
                    .collect();
                let range = self.range(field.expr.span());
                self.expression(range, choices);
            }
        }
        syn::visit::visit_expr_struct(self, structure);
    }
}
