//! Asserts, properties and contracts: what must hold where a call is made.

use obligato_lustre::analysis::NodeBody;
use obligato_lustre_syntax::ast::{Claim, ExprId, Symbol};
use obligato_transition_system::CheckKind;

use super::value::V;
use super::{Place, Reference};

/// What must hold: where all of the first hold, the second.
struct Claimed {
    kind: CheckKind,
    when: Vec<ExprId>,
    condition: ExprId,
    /// Does it count only as long as the assumptions of a called node have held?
    promised: bool,
}

impl Reference<'_> {
    fn claims(&self, at: usize) -> Vec<Claimed> {
        let node = self.model.node(self.frames[at].node);
        let mut claims = Vec::new();
        let claim = |kind, when, condition| Claimed { kind, when, condition, promised: false };
        for condition in &node.asserts {
            claims.push(claim(CheckKind::Assertion, Vec::new(), *condition));
        }
        for property in node.properties.iter().filter(|p| p.claim == Claim::Invariant) {
            let provided = property.provided.into_iter().collect();
            claims.push(claim(CheckKind::Property, provided, property.condition));
        }
        let Some(contract) = &node.contract else { return claims };
        // The environment respects what the main node assumes; a caller has to see to the rest.
        let assumed = if at == 0 { CheckKind::Assertion } else { CheckKind::Property };
        for condition in &contract.assumptions {
            claims.push(claim(assumed, Vec::new(), *condition));
        }
        // Nothing else is known of a node without a body.
        let kind = match node.body {
            NodeBody::Defined => CheckKind::Property,
            _ => CheckKind::Assertion,
        };
        let promise = |when, condition| Claimed { kind, when, condition, promised: at > 0 };
        for condition in &contract.guarantees {
            claims.push(promise(Vec::new(), *condition));
        }
        for mode in &contract.modes {
            for condition in &mode.ensures {
                claims.push(promise(mode.requires.clone(), *condition));
            }
        }
        claims
    }

    /// Evaluates all claims of an active frame.
    pub(super) fn check(&mut self, at: usize) {
        let place = Place { frame: at, bound: &[] };
        let mut found = Vec::new();
        if self.frames[at].restarted {
            self.frames[at].assumptions_broken = false;
        }
        let contract = self.model.node(self.frames[at].node).contract.as_ref();
        for assumption in contract.iter().flat_map(|contract| &contract.assumptions) {
            let (holds, _) = self.isolated(|this| this.holds(place, *assumption));
            self.frames[at].assumptions_broken |= !holds;
        }
        for Claimed { kind, when, condition, promised } in self.claims(at) {
            let mut operands = Vec::new();
            for id in when {
                let (holds, defined) = self.isolated(|this| this.holds(place, id));
                operands.push((!holds, defined));
            }
            operands.push(self.isolated(|this| this.holds(place, condition)));
            operands.push((promised && self.frames[at].assumptions_broken, true));
            let (value, defined) = self.isolated(|this| this.decide(&operands, true));
            self.report.divided_by_zero |= !defined;
            found.push((kind, value == V::Bool(true)));
        }
        for property in &self.model.node(self.frames[at].node).properties {
            self.eval(place, property.condition);
        }
        self.report.checks.insert(self.frames[at].path.clone(), found);
    }

    /// A call that is not made claims nothing.
    pub(super) fn check_nothing(&mut self, at: usize) {
        let found = self.claims(at).into_iter().map(|claim| (claim.kind, true)).collect();
        self.report.checks.insert(self.frames[at].path.clone(), found);
    }

    /// `::mode`: does all hold that the mode requires?
    pub(super) fn mode(&mut self, place: Place<'_>, name: Symbol) -> V {
        let contract = self.model.node(self.frames[place.frame].node).contract.as_ref().unwrap();
        let mode = contract.modes.iter().find(|mode| mode.name.symbol == name).unwrap();
        let mut operands = Vec::new();
        for id in &mode.requires {
            operands.push(self.isolated(|this| this.holds(place, *id)));
        }
        self.decide(&operands, false)
    }
}
