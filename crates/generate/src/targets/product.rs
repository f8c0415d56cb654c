//! Two runs side by side: the model, and a copy in which something is different.
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
use obligato_lustre::lowering::{Lowered, MutantSystem};
use obligato_model::Strength;
use obligato_replay::mutation::Compared;
use obligato_system::{
    Check, CheckKind, Error, Graph, NodeId, NodeMap, System, SystemBuilder, TapId, Term,
};

use super::Monitored;
use super::booleans::{any, both};
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
    let mut compared = compared.to_vec();
    if strength == Strength::Weak {
        for instance in &site.instances {
            let targets = instance.targets.iter();
            compared.extend(targets.map(|node| Compared { node: *node, present: instance.active }));
        }
    }
    let at_run_time =
        |check: &&Check| !matches!(check.kind, CheckKind::Assertion | CheckKind::Property);
    let checks: Vec<NodeId> =
        system.checks.iter().filter(at_run_time).map(|check| check.node).collect();
    let mut product = Product::new(&system, &fault, &compared, &checks)?;
    let differ = product.differ(&compared)?;
    let fails = product.fail(&checks)?;
    let killed = any(product.builder.graph(), [differ, fails])?;
    product.finish(killed)
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
    copy: NodeMap,
}

impl Product {
    /// The copy has what is compared and these checks.
    fn new(
        system: &System,
        fault: &Fault,
        compared: &[Compared],
        checks: &[NodeId],
    ) -> Result<Self, Error> {
        let mut asked = checks.to_vec();
        asked.extend(compared.iter().flat_map(|compared| [compared.node, compared.present]));
        let mut builder = SystemBuilder::new();
        let roots = asked.iter().copied().chain([fault.when]);
        let model = copy_model(system, roots, &mut builder)?;
        let copy = copy_with_fault(system, fault, &asked, &model, &mut builder)?;
        Ok(Self { builder, model, copy })
    }

    /// Something compared is there in the copy and differs.
    fn differ(&mut self, compared: &[Compared]) -> Result<NodeId, Error> {
        let mut ways = Vec::new();
        for Compared { node, present } in compared {
            let (here, there) = (image(&self.model, *node), image(&self.copy, *node));
            if here != there {
                let graph = self.builder.graph();
                let equal = graph.equal(here, there)?;
                let differs = graph.not(equal)?;
                ways.push(both(graph, image(&self.copy, *present), differs)?);
            }
        }
        any(self.builder.graph(), ways)
    }

    /// A check fails in the copy alone.
    fn fail(&mut self, checks: &[NodeId]) -> Result<NodeId, Error> {
        let mut ways = Vec::new();
        for check in checks {
            let (here, there) = (image(&self.model, *check), image(&self.copy, *check));
            if here != there {
                let fails = self.builder.graph().not(there)?;
                ways.push(both(self.builder.graph(), here, fails)?);
            }
        }
        any(self.builder.graph(), ways)
    }

    fn finish(self, happened: NodeId) -> Result<Monitored, Error> {
        Ok(Monitored { system: self.builder.finish()?, happened })
    }
}

/// Builds a system again, without its taps: nothing in a product is forced any more, and what only
/// other taps would choose is gone.
fn copy_model(
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

/// Builds once more what can be different with the fault and is asked for; the rest is the model's.
fn copy_with_fault(
    system: &System,
    fault: &Fault,
    asked: &[NodeId],
    model: &NodeMap,
    builder: &mut SystemBuilder,
) -> Result<NodeMap, Error> {
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
            let name = format!("{} of the copy", latch.name);
            *copy = Some(builder.add_latch(name, latch.kind.clone(), latch.initial.clone())?);
            roots.push(latch.next);
        }
    }
    let (value, when) = (builder.graph().bool(fault.value), image(model, fault.when));
    let copy = system.graph.rewrite(roots, builder.graph(), |graph, node, term| {
        if !own[node.index()] {
            return Ok(model.get(node));
        }
        match term {
            Term::Latch(index) => Ok(latches[index as usize]),
            Term::Tap(tap, tapped) if is_stuck[tap.index()] => {
                graph.ite(when, value, tapped).map(Some)
            }
            Term::Tap(_, tapped) => Ok(Some(tapped)),
            _ => Ok(None),
        }
    })?;
    for (latch, node) in system.latches.iter().zip(latches) {
        if let Some(node) = node {
            builder.set_next(node, image(&copy, latch.next))?;
        }
    }
    Ok(copy)
}

fn image(map: &NodeMap, node: NodeId) -> NodeId {
    map.get(node).expect("invariant: what is asked for was a root")
}
