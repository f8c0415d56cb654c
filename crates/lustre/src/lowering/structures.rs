//! Records, tuples and arrays: parts, updates, and indices that may leave their array.

use obligato_transition_system::{CheckKind, NodeId, Sort};

use super::lowered::Origin;
use super::machine::{Context, ContextId, LoweringSite, Machine, Outcome, Slot, Task};
use super::shape::{Bundle, Shape, ShapeId};
use crate::analysis::{Kind, Kinds, Resolution};
use obligato_lustre_syntax::ast::{Expr, ExprId, List, NamedExpr, Quantifier, Step, Symbol};
use obligato_lustre_syntax::source::ByteSpan;

/// Where an index points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// To this element.
    Inside(usize),
    /// Out of the array, always.
    Outside,
    /// That is known only when the model runs.
    Open,
}

impl Machine<'_> {
    /// The part of a value at a position.
    pub fn part_of(&self, base: &Bundle, position: usize) -> Bundle {
        let (shape, start) = self.shapes.part(base.shape, position);
        let end = start + self.shapes.width(shape);
        Bundle { shape, leaves: base.leaves[start..end].to_vec() }
    }

    pub fn field_position(&self, shape: ShapeId, field: Symbol) -> usize {
        match self.shapes.get(shape) {
            Shape::Record(record, _) => self.model.kinds.record(*record).field(field),
            _ => None,
        }
        .expect("invariant: the field was found when kinds were checked")
    }

    fn array(&self, shape: ShapeId) -> (ShapeId, usize) {
        match self.shapes.get(shape) {
            Shape::Array(element, size) => (*element, *size),
            _ => unreachable!("invariant: kinds are checked, so this is an array"),
        }
    }

    /// `a ^ n`.
    pub fn repeat(&mut self, id: ExprId) -> Outcome<Bundle> {
        let (count, element) = (self.pop_scalar(), self.pop());
        let most = self.options.most_elements;
        let count = self.known(count).and_then(|count| usize::try_from(&count).ok());
        let fits =
            |count: &usize| *count > 0 && count.saturating_mul(element.leaves.len().max(1)) <= most;
        let Some(count) = count.filter(fits) else {
            let text = format!("'^' needs a known number of elements, {most} at most");
            return Self::fail(self.program.expr_span(id), text);
        };
        let shape = self.shapes.intern(Shape::Array(element.shape, count));
        Ok(Bundle { shape, leaves: element.leaves.repeat(count) })
    }

    /// `a[i]`: directly if `i` is known, else by selection. Outside is a fault, and zero like a
    /// division by zero, whether or not it is known.
    pub fn index(&mut self, place: LoweringSite, id: ExprId) -> Outcome<Bundle> {
        let Expr::Index(base, at) = self.program.expr(id) else {
            unreachable!("invariant: called for an index")
        };
        if self.is_partial(place, base) {
            return self.finish_partial(place, id);
        }
        let (index, base) = (self.pop_scalar(), self.pop());
        let (element, size) = self.array(base.shape);
        let span = self.program.expr_span(at);
        match self.position(place, index, size, span) {
            Position::Inside(position) => return Ok(self.part_of(&base, position)),
            Position::Outside => return Ok(self.zero(element)),
            Position::Open => {}
        }
        let mut value = self.zero(element);
        for position in (0..size).rev() {
            let here = self.integer(position);
            let test = self.equal(index, here);
            let part = self.part_of(&base, position);
            value = self.choose(test, part, &value);
        }
        Ok(value)
    }

    /// `a[low..high]`, whose bounds are constant.
    pub fn slice(&mut self, id: ExprId) -> Outcome<Bundle> {
        let (high, low) = (self.pop_scalar(), self.pop_scalar());
        let base = self.pop();
        let (element, size) = self.array(base.shape);
        let bounds =
            [low, high].map(|bound| self.known(bound).and_then(|n| usize::try_from(&n).ok()));
        let [Some(low), Some(high)] = bounds.map(|bound| bound.filter(|bound| *bound < size))
        else {
            return Self::fail(self.program.expr_span(id), "this slice leaves its array");
        };
        let width = self.shapes.width(element);
        let shape = self.shapes.intern(Shape::Array(element, high - low + 1));
        Ok(Bundle { shape, leaves: base.leaves[low * width..(high + 1) * width].to_vec() })
    }

    /// Where an index points. States the check that it is inside unless that is known.
    fn position(
        &mut self,
        place: LoweringSite,
        index: NodeId,
        size: usize,
        span: ByteSpan,
    ) -> Position {
        let known = self.known(index);
        let position = match known.as_ref().map(usize::try_from) {
            None => Position::Open,
            Some(Ok(position)) if position < size => Position::Inside(position),
            Some(_) => Position::Outside,
        };
        if !matches!(position, Position::Inside(_)) {
            let (low, high) = (self.integer(0), self.integer(size));
            let above = self.less_equal(low, index);
            let beyond = self.less_equal(high, index);
            let below = self.not(beyond);
            let inside = self.and(above, below);
            let last = size.saturating_sub(1);
            let label = format!("the index stays within 0 to {last}");
            let instance = self.instance_of(place.context);
            self.state_check(
                CheckKind::Index,
                place.guard,
                inside,
                label,
                Origin { instance, span },
            );
        }
        position
    }

    /// False and zero everywhere.
    fn zero(&mut self, shape: ShapeId) -> Bundle {
        let kinds = self.shapes.leaves(self.model, "", shape);
        let zero = |(_, kind): (String, _)| {
            let sort = Sort::of(&self.stored_type(kind)).expect("invariant: a scalar type");
            self.builder.graph().constant(sort, sort.zero()).expect("invariant: of its sort")
        };
        Bundle { shape, leaves: kinds.into_iter().map(zero).collect() }
    }

    /// `a[i := v]`, `r{f := v}`, `(r with .f[i] = v)`.
    pub fn update(&mut self, place: LoweringSite, id: ExprId, path: List<Step>) -> Outcome<Bundle> {
        let value = self.pop();
        let steps = &self.program.steps[path];
        let mut indices = Vec::new();
        for step in steps.iter().rev() {
            if let Step::Index(_) = step {
                indices.push(self.pop_scalar());
            }
        }
        let mut base = self.pop();
        // The leaves that may be replaced, each set with the condition under which it is.
        let mut targets = vec![(0, self.always)];
        let mut shape = base.shape;
        for step in steps {
            match step {
                Step::Field(name) => {
                    let position = self.field_position(shape, name.symbol);
                    let (part, offset) = self.shapes.part(shape, position);
                    for (start, _) in &mut targets {
                        *start += offset;
                    }
                    shape = part;
                }
                Step::Index(at) => {
                    let index = indices.pop().expect("invariant: an index per step");
                    let (element, size) = self.array(shape);
                    let span = self.program.expr_span(*at);
                    let width = self.shapes.width(element);
                    targets = match self.position(place, index, size, span) {
                        Position::Inside(position) => {
                            let at = position * width;
                            targets.into_iter().map(|(start, when)| (start + at, when)).collect()
                        }
                        Position::Outside => Vec::new(),
                        Position::Open => self.fan_out(&targets, index, size, width),
                    };
                    shape = element;
                }
            }
        }
        if targets.len() > self.options.most_elements {
            return Self::fail(self.program.expr_span(id), "too many elements may be updated");
        }
        for (start, when) in targets {
            for (position, new) in value.leaves.iter().enumerate() {
                let old = base.leaves[start + position];
                base.leaves[start + position] = self.ite(when, *new, old);
            }
        }
        Ok(base)
    }

    fn fan_out(
        &mut self,
        targets: &[(usize, NodeId)],
        index: NodeId,
        size: usize,
        width: usize,
    ) -> Vec<(usize, NodeId)> {
        let mut all = Vec::new();
        for (start, when) in targets {
            for position in 0..size {
                let here = self.integer(position);
                let test = self.equal(index, here);
                all.push((start + position * width, self.and(*when, test)));
            }
        }
        all
    }

    /// `T { f = e }`, perhaps with the other fields of another record.
    pub fn record(
        &mut self,
        place: LoweringSite,
        id: ExprId,
        base: Option<ExprId>,
        fields: List<NamedExpr>,
    ) -> Outcome<Bundle> {
        let written = &self.program.named[fields];
        let start = self.values.len() - written.len();
        let mut values: Vec<_> = self.values.split_off(start).into_iter().map(Some).collect();
        let base = base.map(|_| self.pop());
        let shape = if let Some(base) = &base {
            base.shape
        } else {
            let span = self.program.expr_span(id);
            self.shape_of(place.context, self.model.kind(id), span)?
        };
        let Shape::Record(record, parts) = self.shapes.get(shape).clone() else {
            unreachable!("invariant: kinds are checked, so this is a record")
        };
        let mut leaves = Vec::new();
        for (position, (name, _)) in self.model.kinds.record(record).fields.iter().enumerate() {
            let given = written.iter().position(|field| field.name.symbol == name.symbol);
            match (given.and_then(|given| values[given].take()), &base) {
                (Some(value), _) => leaves.extend(value.leaves),
                (None, Some(base)) => leaves.extend(self.part_of(base, position).leaves),
                (None, None) => unreachable!("invariant: all {} fields are given", parts.len()),
            }
        }
        Ok(Bundle { shape, leaves })
    }

    // Arrays that are being defined element by element.

    /// Is this a part of an array of which only some elements are defined so far?
    pub fn is_partial(&self, place: LoweringSite, base: ExprId) -> bool {
        let mut at = base;
        while let Expr::Index(inner, _) = self.program.expr(at) {
            if self.model.resolution(at) != Resolution::None {
                return false;
            }
            at = inner;
        }
        let Resolution::Variable(variable) = self.model.resolution(at) else { return false };
        let key = (self.instance_of(place.context), variable);
        matches!(self.slots.get(&key), Some(Slot::Partial(..)))
    }

    pub fn start_partial(&mut self, place: LoweringSite, id: ExprId) {
        self.tasks.push(Task::Apply(place, id));
        let mut at = id;
        // The innermost index is written first, and is done first: it is pushed last.
        while let Expr::Index(inner, index) = self.program.expr(at) {
            self.tasks.push(Task::Expr(place, index));
            at = inner;
        }
    }

    fn finish_partial(&mut self, place: LoweringSite, id: ExprId) -> Outcome<Bundle> {
        let mut indices = Vec::new();
        let mut at = id;
        while let Expr::Index(inner, index) = self.program.expr(at) {
            indices.push((self.pop_scalar(), self.program.expr_span(index)));
            at = inner;
        }
        let Resolution::Variable(variable) = self.model.resolution(at) else {
            unreachable!("invariant: a part of a variable")
        };
        let key = (self.instance_of(place.context), variable);
        let Some(&Slot::Partial(mut shape, _)) = self.slots.get(&key) else {
            unreachable!("invariant: it was in progress when its indices were begun")
        };
        let mut start = 0;
        let mut outside = false;
        for (index, span) in indices.into_iter().rev() {
            let (element, size) = self.array(shape);
            match self.position(place, index, size, span) {
                Position::Inside(position) => start += position * self.shapes.width(element),
                Position::Outside => outside = true,
                Position::Open => {
                    let text = "cannot be simulated: an array that is being defined is read at an \
                                index that is not known";
                    return Self::fail(span, text);
                }
            }
            shape = element;
        }
        if outside {
            return Ok(self.zero(shape));
        }
        let end = start + self.shapes.width(shape);
        match self.slots.get(&key) {
            Some(Slot::Partial(_, leaves)) if end <= leaves.len() => {
                Ok(Bundle { shape, leaves: leaves[start..end].to_vec() })
            }
            _ => {
                let name = self.model.variable_name(variable);
                let text = format!("an element of '{name}' depends on itself or on a later one");
                Self::fail(self.program.expr_span(id), text)
            }
        }
    }

    // Quantifiers.

    /// Begins the body once per value of the variables.
    pub fn quantify(&mut self, place: LoweringSite, id: ExprId, body: ExprId) -> Outcome<()> {
        let mut contexts = vec![place.context];
        for variable in self.model.quantified(id) {
            let declared = self.model.variable(*variable);
            let values = self.values_of(declared.kind, declared.name.span)?;
            if contexts.len().saturating_mul(values.len()) > self.options.most_elements {
                let most = self.options.most_elements;
                let text = format!("this quantifier has more than {most} cases to expand");
                return Self::fail(self.program.expr_span(id), text);
            }
            let mut more = Vec::new();
            for context in contexts {
                for value in &values {
                    more.push(self.bind(context, *variable, *value));
                }
            }
            contexts = more;
        }
        self.tasks.push(Task::Apply(place, id));
        self.tasks.push(Task::Collect(contexts.len() as u32));
        let tasks =
            contexts.into_iter().map(|context| Task::Expr(LoweringSite { context, ..place }, body));
        let tasks: Vec<_> = tasks.collect();
        self.push_all(tasks);
        Ok(())
    }

    pub fn finish_quantifier(&mut self, quantifier: Quantifier) -> Bundle {
        let cases = self.pop().leaves;
        let all = quantifier == Quantifier::Forall;
        let mut value = self.graph().bool(all);
        for case in cases {
            value = if all { self.and(value, case) } else { self.or(value, case) };
        }
        self.boolean(value)
    }

    pub fn bind(
        &mut self,
        parent: ContextId,
        variable: crate::analysis::VariableId,
        value: NodeId,
    ) -> ContextId {
        let instance = self.instance_of(parent);
        let binding = Some((variable, value));
        self.contexts.push(Context { instance, parent: Some(parent), binding });
        ContextId::new(self.contexts.len() - 1)
    }

    fn values_of(&mut self, kind: crate::analysis::KindId, span: ByteSpan) -> Outcome<Vec<NodeId>> {
        if kind == Kinds::bool() {
            return Ok([false, true].map(|value| self.graph().bool(value)).to_vec());
        }
        let most = self.options.most_elements;
        match self.model.kinds.get(kind) {
            Kind::Enumeration(id) => {
                let count = self.model.kinds.enumeration(*id).values.len();
                Ok((0..count).map(|position| self.integer(position)).collect())
            }
            Kind::Subrange(Some(low), Some(high)) => {
                let count = usize::try_from(&(high - low)).unwrap_or(usize::MAX);
                if count >= most {
                    let text = format!("this quantifier has more than {most} cases to expand");
                    return Self::fail(span, text);
                }
                Ok((0..=count).map(|step| self.integer(low + step)).collect())
            }
            _ => {
                let kind = self.model.describe(kind);
                let text = format!("cannot be simulated: a quantifier over all values of {kind}");
                Self::fail(span, text)
            }
        }
    }
}
