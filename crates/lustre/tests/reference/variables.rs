//! Variables and inputs: where their values come from.

use obligato_lustre::analysis::{
    Definition, Equation, Kind, KindId, NodeBody, VariableId, VariableRole,
};
use obligato_lustre_syntax::ast::{Name, Variability};
use obligato_model::{Integer, Rational, Type, Value};

use super::value::V;
use super::{Computed, Place, Reference, Section, Undefined};

impl<'m> Reference<'m> {
    /// The value of a variable of a frame; computed once per step.
    pub(super) fn variable(&mut self, at: usize, variable: VariableId) -> V {
        if let Some(known) = self.frames[at].values.get(&variable) {
            self.defined &= known.defined;
            return known.value.clone();
        }
        let (value, defined) = self.tracked(|this| this.compute(at, variable));
        let computed = Computed { value: value.clone(), defined };
        self.frames[at].values.insert(variable, computed);
        value
    }

    fn compute(&mut self, at: usize, variable: VariableId) -> V {
        let node = self.model.node(self.frames[at].node);
        let declared = self.model.variable(variable);
        if let Some(position) = node.inputs.iter().position(|input| *input == variable) {
            let Some(parent) = self.frames[at].parent else {
                let name = self.model.variable_name(variable);
                return match declared.role {
                    VariableRole::Input(Variability::Constant) => self.held(name, declared.kind),
                    _ => self.input(&self.inputs, name, declared.kind),
                };
            };
            let (argument, bound) =
                (self.frames[at].arguments[position], self.frames[at].bound.clone());
            return self.eval(Place { frame: parent, bound: &bound }, argument);
        }
        let Some((definition, section)) = self.definitions.get(&variable).copied() else {
            let name = format!("{}.{}", self.frames[at].path, self.model.variable_name(variable));
            return if node.body == NodeBody::Uninterpreted && node.inputs.is_empty() {
                self.held(&name, declared.kind)
            } else {
                self.input(&self.inputs, &name, declared.kind)
            };
        };
        if let Some(indices) = self.indices_of(at, variable) {
            return self.elements(at, variable, indices.len(), &[]);
        }
        let equation = self.equation(at, definition, section);
        let part = (equation.targets.len() > 1).then_some(definition.part as usize);
        self.eval_part(Place { frame: at, bound: &[] }, equation.value, part)
    }

    pub(super) fn equation(
        &self,
        at: usize,
        definition: Definition,
        section: Section,
    ) -> &'m Equation {
        let node = self.model.node(self.frames[at].node);
        let equations = match section {
            Section::Body => &node.equations,
            Section::Contract => &node.contract.as_ref().unwrap().equations,
        };
        &equations[definition.equation as usize]
    }

    // Array definitions.

    /// All elements of an array below some indices.
    fn elements(
        &mut self,
        at: usize,
        variable: VariableId,
        depth: usize,
        indices: &[Integer],
    ) -> V {
        if indices.len() == depth {
            return self.element(at, variable, indices);
        }
        let size = self.sizes(self.model.variable(variable).kind)[indices.len()];
        let each = (0..self.size(at, size)).map(|index| {
            let indices = [indices, &[Integer::from(index)]].concat();
            self.elements(at, variable, depth, &indices)
        });
        V::Many(each.collect())
    }

    /// One element of an array that is defined by its elements; computed once per step.
    pub(super) fn element(&mut self, at: usize, variable: VariableId, indices: &[Integer]) -> V {
        let key = (variable, indices.to_vec());
        if let Some(known) = self.frames[at].elements.get(&key) {
            self.defined &= known.defined;
            return known.value.clone();
        }
        let (definition, section) = self.definitions[&variable];
        let equation = self.equation(at, definition, section);
        let names = &equation.targets[definition.part as usize].indices;
        let bound: Vec<_> = names.iter().copied().zip(indices.iter().cloned()).collect();
        let place = Place { frame: at, bound: &bound };
        let (value, defined) = self.tracked(|this| this.eval(place, equation.value));
        self.frames[at].elements.insert(key, Computed { value: value.clone(), defined });
        value
    }

    // Inputs.

    /// What an input was in the first step.
    pub(super) fn held(&self, name: &str, kind: KindId) -> V {
        self.input(&self.first_inputs, name, kind)
    }

    fn input(
        &self,
        inputs: &std::collections::BTreeMap<String, Value>,
        name: &str,
        kind: KindId,
    ) -> V {
        if let Some(value) = inputs.get(name) {
            return match (value, self.model.scalar(kind)) {
                (Value::Bool(value), _) => V::Bool(*value),
                (Value::Real(value), _) => V::Real(value.clone()),
                (Value::Symbol(name), Some(Type::Enumeration(names))) => {
                    V::Int(names.iter().position(|other| other == name).unwrap().into())
                }
                (Value::Int(value), _) => V::Int(value.clone()),
                other => panic!("input {name}: {other:?}"),
            };
        }
        let part = |name: String, kind: &KindId| self.input(inputs, &name, *kind);
        V::Many(match self.model.kinds.get(kind) {
            Kind::Array(element, _) => {
                // As many as there are, as the size may be given by the call.
                let has = |prefix: &str| {
                    inputs
                        .range(prefix.to_owned()..)
                        .next()
                        .is_some_and(|(k, _)| k.starts_with(prefix))
                };
                let names = (0..).map(|index| format!("{name}[{index}]"));
                names.take_while(|name| has(name)).map(|name| part(name, element)).collect()
            }
            Kind::Record(record) => {
                let fields = self.model.kinds.record(*record).fields.iter();
                let text = |field: &Name| self.model.text(field.symbol);
                fields.map(|(f, kind)| part(format!("{name}.{}", text(f)), kind)).collect()
            }
            Kind::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                parts.map(|(index, kind)| part(format!("{name}.%{index}"), kind)).collect()
            }
            other => panic!("no input {name} of {other:?}"),
        })
    }

    // Kinds.

    /// What stands for a value that nothing defines.
    pub(super) fn nil(&mut self, at: usize, kind: KindId) -> V {
        let zero = self.zero(at, kind);
        match self.undefined {
            Undefined::Zero => zero,
            Undefined::Other => other(zero),
        }
    }

    /// False and zero everywhere.
    pub(super) fn zero(&mut self, at: usize, kind: KindId) -> V {
        match self.model.kinds.get(kind) {
            Kind::Bool => V::Bool(false),
            Kind::Real => V::Real(Rational::ZERO),
            Kind::Array(element, size) => {
                let size = self.size(at, *size);
                V::Many(vec![self.zero(at, *element); size])
            }
            Kind::Tuple(parts) | Kind::List(parts) => {
                V::Many(parts.iter().map(|kind| self.zero(at, *kind)).collect())
            }
            Kind::Record(record) => {
                let fields = &self.model.kinds.record(*record).fields;
                V::Many(fields.iter().map(|(_, kind)| self.zero(at, *kind)).collect())
            }
            _ => V::Int(Integer::ZERO),
        }
    }

    /// Is a part of a kind a subrange?
    pub(super) fn has_subrange(&self, kind: KindId) -> bool {
        match self.model.kinds.get(kind) {
            Kind::Subrange(..) => true,
            Kind::Array(element, _) => self.has_subrange(*element),
            Kind::Tuple(parts) => parts.iter().any(|part| self.has_subrange(*part)),
            Kind::Record(record) => {
                let fields = &self.model.kinds.record(*record).fields;
                fields.iter().any(|(_, kind)| self.has_subrange(*kind))
            }
            _ => false,
        }
    }

    /// Are all parts of a value in their subranges?
    pub(super) fn within(&self, value: &V, kind: KindId) -> bool {
        match (value, self.model.kinds.get(kind)) {
            (V::Int(value), Kind::Subrange(low, high)) => {
                low.as_ref().is_none_or(|low| low <= value)
                    && high.as_ref().is_none_or(|high| value <= high)
            }
            (V::Many(parts), Kind::Array(element, _)) => {
                parts.iter().all(|part| self.within(part, *element))
            }
            (V::Many(parts), Kind::Tuple(kinds)) => {
                parts.iter().zip(kinds).all(|(part, kind)| self.within(part, *kind))
            }
            (V::Many(parts), Kind::Record(record)) => {
                let fields = &self.model.kinds.record(*record).fields;
                parts.iter().zip(fields).all(|(part, (_, kind))| self.within(part, *kind))
            }
            _ => true,
        }
    }
}

/// Another value than zero of the same kind, which all kinds of programs have.
pub fn other(zero: V) -> V {
    match zero {
        V::Bool(_) => V::Bool(true),
        V::Int(_) => V::Int(Integer::ONE),
        V::Real(_) => V::Real(Rational::from(Integer::ONE)),
        V::Many(parts) => V::Many(parts.into_iter().map(other).collect()),
    }
}
