//! Records, tuples, arrays and quantifiers.

use obligato_lustre::analysis::{Kind, KindId, Resolution, Size, VariableId};
use obligato_lustre_syntax::ast::{Expr, ExprId, List, NamedExpr, Quantifier, Step, VariableGroup};
use obligato_model::Integer;

use super::state::{Binder, Range};
use super::value::V;
use super::{Place, Reference};

impl Reference<'_> {
    /// `a[i]`. Outside is a fault, and zero.
    pub(super) fn index(&mut self, place: Place<'_>, id: ExprId, base: ExprId, index: ExprId) -> V {
        if let Some(element) = self.element_at(place, id) {
            return element;
        }
        let parts = self.eval(place, base).many();
        let index = self.checked_index(place, index);
        if let Some(found) = usize::try_from(&index).ok().and_then(|at| parts.get(at)) {
            return found.clone();
        }
        self.report.left_array = true;
        self.zero(place.frame, self.model.kind(id))
    }

    /// The value of an index. It is checked, and so is what it is computed from.
    fn checked_index(&mut self, place: Place<'_>, index: ExprId) -> Integer {
        let (value, defined) = self.tracked(|this| this.eval(place, index).int());
        self.report.divided_by_zero |= !defined;
        value
    }

    /// The element that `a[i][j]` names if `a` is defined element by element: the others may
    /// depend on it.
    fn element_at(&mut self, place: Place<'_>, id: ExprId) -> Option<V> {
        let program = &self.model.program;
        let (mut at, mut written) = (id, Vec::new());
        while let Expr::Index(inner, index) = program.expr(at)
            && self.model.resolution(at) == Resolution::None
        {
            written.push(index);
            at = inner;
        }
        let Resolution::Variable(variable) = self.model.resolution(at) else { return None };
        let count = self.indices_of(place.frame, variable)?.len();
        let sizes = self.sizes(self.model.variable(variable).kind);
        let mut indices = Vec::new();
        for (index, size) in written.iter().rev().zip(sizes) {
            let value = self.checked_index(place, *index);
            let size = Integer::from(self.size(place.frame, size));
            if value < Integer::ZERO || value >= size {
                self.report.left_array = true;
                return Some(self.zero(place.frame, self.model.kind(id)));
            }
            indices.push(value);
        }
        if indices.len() < count {
            return None;
        }
        let rest = indices.split_off(count);
        let mut value = self.element(place.frame, variable, &indices);
        for index in rest {
            value = value.many().swap_remove(usize::try_from(&index).unwrap());
        }
        Some(value)
    }

    pub(super) fn update(
        &mut self,
        place: Place<'_>,
        base: ExprId,
        path: &[Step],
        value: ExprId,
    ) -> V {
        let mut kind = self.model.kind(base);
        let mut positions = Vec::new();
        for step in path {
            let position = match (step, self.model.kinds.get(kind)) {
                (Step::Field(name), Kind::Record(record)) => {
                    let record = self.model.kinds.record(*record);
                    let position = record.field(name.symbol).unwrap();
                    kind = record.fields[position].1;
                    Some(position)
                }
                (Step::Index(index), Kind::Array(element, size)) => {
                    let size = self.size(place.frame, *size);
                    kind = *element;
                    let found = usize::try_from(&self.checked_index(place, *index)).ok();
                    found.filter(|at| *at < size)
                }
                other => panic!("{other:?}"),
            };
            self.report.left_array |= position.is_none();
            positions.push(position);
        }
        let (mut whole, new) = (self.eval(place, base), self.eval(place, value));
        let spot = positions.into_iter().try_fold(&mut whole, |spot, position| match spot {
            V::Many(parts) => parts.get_mut(position?),
            other => panic!("{other:?}"),
        });
        if let Some(spot) = spot {
            *spot = new;
        }
        whole
    }

    pub(super) fn make_record(
        &mut self,
        place: Place<'_>,
        id: ExprId,
        base: Option<ExprId>,
        given: &[NamedExpr],
    ) -> V {
        let Kind::Record(record) = self.model.kinds.get(self.model.kind(id)) else {
            panic!("a record")
        };
        let base = base.map(|base| self.eval(place, base).many());
        let mut fields = Vec::new();
        for (position, (name, _)) in self.model.kinds.record(*record).fields.iter().enumerate() {
            fields.push(match given.iter().find(|field| field.name.symbol == name.symbol) {
                Some(field) => self.eval(place, field.value),
                None => base.as_ref().unwrap()[position].clone(),
            });
        }
        V::Many(fields)
    }

    // Quantifiers.

    pub(super) fn quantified(
        &mut self,
        place: Place<'_>,
        quantifier: Quantifier,
        groups: List<VariableGroup>,
        body: ExprId,
    ) -> V {
        let binders = self.binders(groups);
        let mut cases = Vec::new();
        for own in self.bindings(place.frame, &binders) {
            let bound = [place.bound, &own].concat();
            let inner = Place { frame: place.frame, bound: &bound };
            cases.push(self.isolated(|this| this.holds(inner, body)));
        }
        self.decide(&cases, quantifier == Quantifier::Exists)
    }

    /// The variables of a quantifier.
    pub(super) fn binders(&self, groups: List<VariableGroup>) -> Vec<Binder> {
        let program = &self.model.program;
        let names = program.variables[groups].iter().flat_map(|group| &program.names[group.names]);
        let binder = |name: &obligato_lustre_syntax::ast::Name| {
            let variable = self.quantified[&name.span];
            Binder { variable, range: Range::Kind(self.model.variable(variable).kind) }
        };
        names.map(binder).collect()
    }

    /// All values of a kind.
    pub(super) fn values_of(&self, kind: KindId) -> Vec<Integer> {
        match self.model.kinds.get(kind) {
            Kind::Bool => vec![Integer::ZERO, Integer::ONE],
            Kind::Enumeration(id) => {
                (0..self.model.kinds.enumeration(*id).values.len()).map(Integer::from).collect()
            }
            Kind::Subrange(Some(low), Some(high)) => {
                let count = usize::try_from(&(high - low + Integer::ONE)).unwrap_or(0);
                (0..count).map(|step| low + Integer::from(step)).collect()
            }
            other => panic!("all values of {other:?}"),
        }
    }

    /// A value of a bound variable.
    pub(super) fn as_value(&self, kind: KindId, value: &Integer) -> V {
        match self.model.kinds.get(kind) {
            Kind::Bool => V::Bool(*value == Integer::ONE),
            _ => V::Int(value.clone()),
        }
    }

    // Arrays.

    /// The sizes of an array, outermost first.
    pub(super) fn sizes(&self, mut kind: KindId) -> Vec<Size> {
        let mut sizes = Vec::new();
        while let Kind::Array(element, size) = self.model.kinds.get(kind) {
            sizes.push(*size);
            kind = *element;
        }
        sizes
    }

    pub(super) fn size(&mut self, at: usize, size: Size) -> usize {
        match size {
            Size::Known(size) => usize::try_from(size).unwrap(),
            Size::Given(id) => {
                let value = self.eval(Place { frame: at, bound: &[] }, id).int();
                usize::try_from(&value).unwrap()
            }
        }
    }

    /// The variables that run over the indices of an array that is defined by its elements.
    pub(super) fn indices_of(&self, at: usize, variable: VariableId) -> Option<Vec<VariableId>> {
        let (definition, section) = self.definitions.get(&variable)?;
        let equation = self.equation(at, *definition, *section);
        let indices = &equation.targets[definition.part as usize].indices;
        (!indices.is_empty()).then(|| indices.clone())
    }
}
