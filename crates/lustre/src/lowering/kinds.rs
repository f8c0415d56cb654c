//! From kinds to shapes, with the sizes that calls give, and to the types of stored scalars.

use obligato_model::{Assumption, Type};

use super::machine::{ContextId, LoweringSite, Machine, Outcome, Task};
use super::shape::{Shape, ShapeId};
use crate::analysis::{Kind, KindId, Size};
use obligato_lustre_syntax::ast::ExprId;
use obligato_lustre_syntax::source::ByteSpan;

impl Machine<'_> {
    /// The shape of values of a kind, its sizes as the instance gives them.
    pub fn shape_of(
        &mut self,
        context: ContextId,
        kind: KindId,
        span: ByteSpan,
    ) -> Outcome<ShapeId> {
        let model = self.model;
        let all = |machine: &mut Self, parts: &[KindId]| -> Outcome<Vec<ShapeId>> {
            parts.iter().map(|part| machine.shape_of(context, *part, span)).collect()
        };
        // This recurses on the nesting of a kind, which the analysis limits.
        let shape = match model.kinds.get(kind) {
            Kind::Array(element, size) => {
                let element = self.shape_of(context, *element, span)?;
                let size = match size {
                    Size::Known(size) => usize::try_from(*size).unwrap_or(usize::MAX),
                    Size::Given(expr) => self.size(context, *expr)?,
                };
                let most = self.options.most_elements;
                if self.shapes.width(element).saturating_mul(size) > most {
                    let text = format!("this has more than {most} elements, too many to expand");
                    return Self::fail(span, text);
                }
                Shape::Array(element, size)
            }
            Kind::Record(record) => {
                let fields: Vec<_> =
                    model.kinds.record(*record).fields.iter().map(|(_, kind)| *kind).collect();
                Shape::Record(*record, all(self, &fields)?)
            }
            Kind::Tuple(parts) => Shape::Tuple(all(self, parts)?),
            Kind::List(parts) => Shape::List(all(self, parts)?),
            Kind::Free(name) => {
                if self.free_types.insert(*name) {
                    let name = model.text(*name);
                    self.assumptions.push(Assumption::FreeType(name.to_owned()));
                }
                Shape::Scalar(kind)
            }
            Kind::Unknown => return Self::fail(span, "cannot be simulated: the type is unknown"),
            _ => Shape::Scalar(kind),
        };
        Ok(self.shapes.intern(shape))
    }

    fn size(&mut self, context: ContextId, expr: ExprId) -> Outcome<usize> {
        let place = LoweringSite { context, part: None, guard: self.always, discarded: None };
        let value = self.run(Task::Shared(place, expr))?.leaves[0];
        match self.known(value).and_then(|size| usize::try_from(&size).ok()) {
            Some(size @ 1..) => Ok(size),
            _ => Self::fail(
                self.program.expr_span(expr),
                "cannot be simulated: the size of this array is not known when the node is called",
            ),
        }
    }

    /// The type of a scalar that is stored: a subrange is checked elsewhere.
    pub fn stored_type(&self, kind: KindId) -> Type {
        match self.model.kinds.get(kind) {
            Kind::Subrange(..) => Type::Int,
            _ => self.model.scalar(kind).expect("invariant: a shape ends in scalars"),
        }
    }
}
