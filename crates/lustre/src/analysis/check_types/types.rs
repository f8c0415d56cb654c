//! From a type as written to its kind.

use obligato_model::Integer;

use super::Checker;
use crate::analysis::evaluate_constants::evaluate;
use crate::analysis::kind::{Kind, KindId, Kinds, Size};
use crate::analysis::model::{Resolution, VariableRole};
use crate::analysis::value::ConstantValue;
use obligato_lustre_syntax::ast::{ExprId, Type, TypeId, Variability, Visit};

impl Checker<'_> {
    /// The kind of a type whose names and constants have theirs.
    pub(in crate::analysis) fn kind_of_type(&mut self, root: TypeId) -> KindId {
        let mut todo = vec![(root, false)];
        while let Some((id, parts_done)) = todo.pop() {
            if self.model.type_kinds[id.index()].is_some() {
                continue;
            }
            if !parts_done {
                todo.push((id, true));
                match self.program.kind(id) {
                    Type::Tuple(parts) => {
                        let parts = &self.program.type_lists[parts];
                        todo.extend(parts.iter().map(|part| (*part, false)));
                    }
                    Type::Array { element, .. } => todo.push((element, false)),
                    _ => {}
                }
                continue;
            }
            let kind = self.kind_of_parts(id);
            self.model.type_kinds[id.index()] = Some(kind);
        }
        self.model.type_kinds[root.index()].unwrap_or(Kinds::unknown())
    }

    fn kind_of_parts(&mut self, id: TypeId) -> KindId {
        let part = |checker: &Self, id: TypeId| {
            checker.model.type_kinds[id.index()].unwrap_or(Kinds::unknown())
        };
        let kind = match self.program.kind(id) {
            Type::Bool => Kind::Bool,
            Type::Int => Kind::Int,
            Type::Real => Kind::Real,
            Type::Machine(signedness, bits) => Kind::Machine(signedness, bits),
            Type::Subrange(low, high) => {
                let written = [low, high];
                let [low, high] = written.map(|bound| bound.and_then(|bound| self.bound(bound)));
                if written
                    .iter()
                    .zip([&low, &high])
                    .any(|(bound, value)| bound.is_some() && value.is_none())
                {
                    return Kinds::unknown();
                }
                if low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low > high) {
                    let text = "the lower bound of the subrange is above its upper bound";
                    self.error(self.program.kind_span(id), text);
                }
                Kind::Subrange(low, high)
            }
            Type::Named(name, _) => {
                let position = self.globals.types.get(&name);
                return position
                    .map_or(Kinds::unknown(), |position| self.model.types[*position].kind);
            }
            Type::Tuple(parts) => {
                let parts = &self.program.type_lists[parts];
                Kind::Tuple(parts.iter().map(|id| part(self, *id)).collect())
            }
            Type::Refined { base, .. } => return part(self, base),
            Type::Array { element, size, .. } => {
                let element = part(self, element);
                let size = self.size(size).filter(|_| element != Kinds::unknown());
                let Some(size) = size else { return Kinds::unknown() };
                Kind::Array(element, size)
            }
        };
        let kind = self.model.kinds.intern(kind);
        self.shallow(kind, self.program.kind_span(id))
    }

    fn bound(&mut self, id: ExprId) -> Option<Integer> {
        self.infer(id);
        self.expect_integer(id, "a bound of a subrange");
        match evaluate(self.program, self.model, id) {
            Ok(ConstantValue::Int(value)) => Some(value),
            Ok(_) => None,
            Err(diagnostic) => {
                self.report.add(*diagnostic);
                None
            }
        }
    }

    fn size(&mut self, id: ExprId) -> Option<Size> {
        if self.is_given(id) {
            return Some(Size::Given(id));
        }
        self.infer(id);
        self.expect_integer(id, "the size of an array");
        match evaluate(self.program, self.model, id) {
            Ok(ConstantValue::Int(value)) => {
                if let Ok(size @ 1..) = u64::try_from(&value) {
                    return Some(Size::Known(size));
                }
                let text = format!("an array has at least one element, not {value}");
                self.error(self.program.expr_span(id), text);
                None
            }
            Ok(_) => None,
            Err(diagnostic) => {
                self.report.add(*diagnostic);
                None
            }
        }
    }

    /// Does a `const` input or a free constant give this size?
    pub(super) fn is_given(&self, root: ExprId) -> bool {
        self.program.walk(root).any(|visit| {
            let Visit::Enter(id) = visit else { return false };
            match self.model.resolution(id) {
                Resolution::Variable(variable) => {
                    let role = self.model.variable(variable).role;
                    role == VariableRole::Input(Variability::Constant)
                }
                Resolution::Constant(constant) => self.model.constant(constant).expr.is_none(),
                _ => false,
            }
        })
    }
}
