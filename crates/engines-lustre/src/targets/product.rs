//! The product of the model and a copy with a difference: two runs side by side.
//!
//! The copy shares the inputs and all that does not depend on the difference or that nothing compared
//! depends on; only the rest is doubled, latches too. What is compared then tells the runs apart
//! or not. Assertions speak of the model alone: what the copy does is not up to it.
//!
//! - An effect under the exact semantics (Whalen et al., section II) is a condition stuck at its
//!   other value, in all its occurrences and from the first step on; at a boundary, only in the steps in
//!   which the model's operands stand there.
//! - A mutant is the taps that choose its forms, stuck at true. It is told from the original by
//!   what is compared, or because it fails at run time where the original does not.

use obligato_criteria::bvc;
use obligato_lustre::lowering::{Lowered, MutantSite, MutantSystem};
use obligato_lustre_replay::mutation::Compared;
use obligato_model::{Strength, Type, Value};
use obligato_transition_system::{
    Check, CheckKind, Error, Graph, Initial, Latch, NodeId, NodeMap, Sort, System, SystemBuilder,
    TapId, Term,
};

use super::Monitored;
use super::booleans::any;
use super::difference::{CopiedLatch, Fork, image};
use super::effect::{Cause, Effect};

/// The system of an effect under the exact semantics.
pub fn stuck(effect: Effect, lowered: &Lowered, observed: &[NodeId]) -> Result<Monitored, Error> {
    let mut system = lowered.system.clone();
    let always = system.graph.bool(true);
    let program = &lowered.program;
    let (lost, when) = match effect.cause {
        Cause::Value(value) => (value, always),
        Cause::Boundary(ordinal) => {
            let places = effect.cause.places(&mut system.graph, lowered, effect.condition)?;
            let met = any(&mut system.graph, places.into_iter().map(|place| place.holds))?;
            (bvc::boundaries_of(program, effect.condition)[ordinal].value, met)
        }
    };
    let taps = lowered.taps(effect.condition).collect();
    let compared: Vec<Compared> =
        observed.iter().map(|node| Compared { node: *node, present: always }).collect();
    let mut product = Product::new(&system, &Fault { taps, value: !lost, when }, &compared, &[])?;
    let differ = product.differ(&compared)?;
    product.finish(differ)
}

/// The system of a mutant, by its position, that is killed: by what is compared or by a failure
/// at run time; weakly, also by what its changed equation defines.
pub fn kill(
    mutants: &MutantSystem,
    mutant: usize,
    strength: Strength,
    compared: &[Compared],
) -> Result<Monitored, Error> {
    let mut system = mutants.lowered.system.clone();
    let site = &mutants.sites[mutant];
    let fault = Fault { taps: site.taps.clone(), value: true, when: system.graph.bool(true) };
    let compared = compared_of(site, strength, compared);
    let checks = run_time_checks(&system);
    let mut product = Product::new(&system, &fault, &compared, &checks)?;
    let differ = product.differ(&compared)?;
    let fails = product.fail(&checks)?;
    let killed = any(product.builder.graph(), [differ, fails])?;
    product.finish(killed)
}

/// What tells a mutant from the model: weakly, what its changed equation defines too.
pub(super) fn compared_of(
    site: &MutantSite,
    strength: Strength,
    compared: &[Compared],
) -> Vec<Compared> {
    let mut compared = compared.to_vec();
    if strength == Strength::Weak {
        for instance in &site.instances {
            let targets = instance.targets.iter();
            compared.extend(targets.map(|node| Compared { node: *node, present: instance.active }));
        }
    }
    compared
}

/// The checks that fail at run time.
pub(super) fn run_time_checks(system: &System) -> Vec<NodeId> {
    let at_run_time =
        |check: &&Check| !matches!(check.kind, CheckKind::Assertion | CheckKind::Property);
    system.checks.iter().filter(at_run_time).map(|check| check.node).collect()
}

/// All nodes that have to be known to compare.
pub(super) fn asked_nodes(compared: &[Compared], checks: &[NodeId]) -> Vec<NodeId> {
    let compared = compared.iter().flat_map(|compared| [compared.node, compared.present]);
    checks.iter().copied().chain(compared).collect()
}

/// Taps that are stuck at a value in the steps in which a Boolean of the model holds.
struct Fault {
    taps: Vec<TapId>,
    value: bool,
    when: NodeId,
}

/// A system and its copy with a fault.
struct Product {
    builder: SystemBuilder,
    model: NodeMap,
    copy: Fork,
}

impl Product {
    /// The copy has what is compared and these checks.
    fn new(
        system: &System,
        fault: &Fault,
        compared: &[Compared],
        checks: &[NodeId],
    ) -> Result<Self, Error> {
        let asked = asked_nodes(compared, checks);
        let mut builder = SystemBuilder::new();
        let roots = asked.iter().copied().chain([fault.when]);
        let model = copy_model(system, roots, &mut builder)?;
        let copy = copy_with_fault(system, fault, &asked, &model, &mut builder)?;
        Ok(Self { builder, model, copy })
    }

    /// Something compared is there in the copy and differs.
    fn differ(&mut self, compared: &[Compared]) -> Result<NodeId, Error> {
        self.copy.shows(self.builder.graph(), compared)
    }

    /// A check fails in the copy alone.
    fn fail(&mut self, checks: &[NodeId]) -> Result<NodeId, Error> {
        self.copy.fails(self.builder.graph(), &self.model, checks)
    }

    fn finish(self, happened: NodeId) -> Result<Monitored, Error> {
        Ok(Monitored { system: self.builder.finish()?, happened })
    }
}

/// Builds a system again, without its taps: nothing in a product is forced any more, and what only
/// other taps would choose is gone.
pub(super) fn copy_model(
    system: &System,
    roots: impl IntoIterator<Item = NodeId>,
    builder: &mut SystemBuilder,
) -> Result<NodeMap, Error> {
    for input in &system.inputs {
        builder.add_input(input.name.clone(), input.kind.clone())?;
    }
    for latch in &system.latches {
        builder.add_latch(latch.name.clone(), latch.kind.clone(), latch.initial.clone())?;
    }
    let held = system.latches.iter().map(|latch| latch.next);
    let shown = system.outputs.iter().map(|output| output.node);
    let checked = system.checks.iter().map(|check| check.node);
    let roots = roots.into_iter().chain(held).chain(shown).chain(checked);
    let without_taps = |_: &mut Graph, _, term| match term {
        Term::Tap(_, tapped) => Ok(Some(tapped)),
        _ => Ok(None),
    };
    let model = system.graph.rewrite(roots, builder.graph(), without_taps)?;
    for (index, latch) in system.latches.iter().enumerate() {
        let node = builder.graph().latches()[index];
        builder.set_next(node, image(&model, latch.next))?;
    }
    for output in &system.outputs {
        builder.add_output(output.name.clone(), output.kind.clone(), image(&model, output.node))?;
    }
    for check in &system.checks {
        builder.add_check(Check { node: image(&model, check.node), ..check.clone() })?;
    }
    Ok(model)
}

/// Builds once more what can be different with the fault and is asked for; the rest is the model's. Beside
/// a number that the copy holds there is a flag, whether it may be another than the model's.
fn copy_with_fault(
    system: &System,
    fault: &Fault,
    asked: &[NodeId],
    model: &NodeMap,
    builder: &mut SystemBuilder,
) -> Result<Fork, Error> {
    let tapped: Vec<NodeId> = fault.taps.iter().map(|tap| system.graph.tap_node(*tap)).collect();
    let own = system.between(&tapped, asked);
    let mut is_stuck = vec![false; system.graph.taps().len()];
    for tap in &fault.taps {
        is_stuck[tap.index()] = true;
    }
    let mut latches = vec![None; system.latches.len()];
    let mut roots = asked.to_vec();
    for (latch, copy) in system.latches.iter().zip(&mut latches) {
        if own[latch.node.index()] {
            *copy = Some(copy_latch(latch, image(model, latch.node), builder)?);
            roots.push(latch.next);
        }
    }
    let (value, when) = (builder.graph().bool(fault.value), image(model, fault.when));
    let copy =
        Fork::new(system, &roots, model, builder.graph(), &latches, |graph, tap, tapped| {
            if is_stuck[tap.index()] { graph.ite(when, value, tapped) } else { Ok(tapped) }
        })?;
    let never = builder.graph().bool(false);
    for (latch, own) in system.latches.iter().zip(latches) {
        let Some(own) = own else { continue };
        builder.set_next(own.node, copy.image(latch.next))?;
        if system.graph.sort(latch.node) != Sort::Bool {
            builder.set_next(own.differs, copy.differs(latch.next).unwrap_or(never))?;
        }
    }
    Ok(copy)
}

/// Another latch like this one of the model. What it holds at first is the same.
fn copy_latch(
    latch: &Latch,
    model: NodeId,
    builder: &mut SystemBuilder,
) -> Result<CopiedLatch, Error> {
    let name = format!("{} of the copy", latch.name);
    let node = builder.add_latch(name, latch.kind.clone(), latch.initial.clone())?;
    let differs = if builder.graph().sort(node) == Sort::Bool {
        let equal = builder.graph().equal(model, node)?;
        builder.graph().not(equal)?
    } else {
        let name = format!("{} of the copy differs", latch.name);
        builder.add_latch(name, Type::Bool, Initial::Value(Value::Bool(false)))?
    };
    Ok(CopiedLatch { node, differs })
}
