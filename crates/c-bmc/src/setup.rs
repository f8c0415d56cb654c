//! The setup of a formula: an engine for a function, with the variables of its inputs.

use std::collections::BTreeSet;
use std::time::Instant;

use obligato_bytecode::{CodeId, Module};
use obligato_c_unit::interface::Origin;
use obligato_c_unit::{Interface, Layout, Unit};
use obligato_model::Bound;
use obligato_symbolic::{InputSource, InputVariables};
use obligato_term::Term;

use crate::engine::{Engine, MergeLimits};
use crate::twin::ObservedOutputs;
use crate::volatile::VolatileMemory;

/// An engine for a function, and the variables of its inputs.
pub(crate) struct Setup<'u> {
    pub(crate) engine: Engine<'u>,
    pub(crate) inputs: InputVariables,
    /// What holds of inputs, as far as bounds say.
    pub(crate) constraints: Vec<Term>,
    pub(crate) layout: Layout,
    pub(crate) call: CodeId,
}

impl<'u> Setup<'u> {
    /// The setup for so many steps. `None` if the unit does not have the function.
    pub(crate) fn new(
        unit: &'u Unit,
        interface: &'u Interface,
        steps: usize,
        limits: &MergeLimits,
    ) -> Option<Self> {
        let call = unit.call_of(&interface.function)?;
        let module = unit.module();
        let layout = Layout::new(module, interface);
        // Building takes at most a quarter of the time: the rest is for queries and other phases.
        let stop = limits.stop.clone();
        let quarter = |deadline: Instant| {
            let now = Instant::now();
            stop.by(now + deadline.saturating_duration_since(now) / 4)
        };
        let until = stop.deadline().map_or_else(|| stop.clone(), quarter);
        let running = MergeLimits { stop: until, ..limits.clone() };
        let mut engine = Engine::new(unit, running, &stop, layout.first_free.0);
        let variables = unit.variables(interface);
        let source = InputSource { module, layout: &layout, interface, variables: &variables };
        let inputs = InputVariables::new(&mut engine.terms, source, steps);
        let mut constraints = inputs.constraints().to_vec();
        for preferred in inputs.preferences() {
            // Tests hold to it because machines place objects as they like; callers do not.
            let within = engine.bounds.literal(&mut engine.terms, &Bound::AddressLayout);
            let beyond = engine.terms.not(within);
            constraints.push(engine.terms.or(beyond, *preferred));
        }
        for constraint in &constraints {
            engine.blaster.require(&engine.terms, *constraint);
        }
        engine.outside =
            crate::outside::StubResults::all(module, unit.driver(), interface, &layout);
        let stubs = engine.outside.len();
        engine.volatile = VolatileMemory::new(interface, &layout, unit.settings(), stubs);
        let number =
            |symbol: &String| Some(Module::object_of_global(module.global_named(symbol)?).0);
        // Functions outside can also call the function under test again, and others of the unit: these change its state.
        let state = interface.state.iter().map(|one| &one.symbol);
        let free = interface.objects.iter().filter_map(|object| match &object.origin {
            Origin::Global(symbol) => Some(symbol),
            Origin::Fresh => None,
        });
        let changeable: BTreeSet<u32> =
            interface.exported.iter().chain(state).chain(free).filter_map(number).collect();
        engine.exported = changeable.into_iter().collect();
        Some(Self { engine, inputs, constraints, layout, call })
    }
}

/// The outputs that a test of a function observes.
pub(crate) fn view<'u>(
    unit: &'u Unit,
    interface: &'u Interface,
    layout: &'u Layout,
) -> ObservedOutputs<'u> {
    let outside = unit.driver().stubs().map(str::to_owned).collect();
    let settings = unit.settings();
    ObservedOutputs { module: unit.module(), interface, layout, settings, outside }
}
