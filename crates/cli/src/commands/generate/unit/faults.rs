//! Faults of the program that a campaign has run into: what the machine says of them.

use obligato_campaign::FoundFault;
use obligato_model::Suite;
use obligato_unit::NativeBuild;

use super::Done;
use crate::error::CliError;
use crate::output::counted;

impl Done<'_> {
    /// Faults have to show as machine code too; where they do not, that is said.
    pub(super) fn confirm_faults(
        &mut self,
        build: Option<&NativeBuild>,
        interface: &obligato_unit::Interface,
        options: obligato_unit::RunOptions,
    ) -> Result<(), CliError> {
        let faults: &[FoundFault] = &self.outcome.faults;
        let inputs = self.loaded.unit.variables(interface).inputs;
        let tests = faults.iter().map(|found| found.test.clone()).collect();
        let mut suite = Suite { inputs, tests };
        let agreement = self.loaded.compare_on(build, interface, &mut suite, options)?;
        let confirmed: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
        if agreement.is_full() {
            return Ok(());
        }
        let before = self.outcome.faults.len();
        self.outcome.faults.retain(|found| confirmed.contains(&found.test.name));
        let lost = counted(before - self.outcome.faults.len(), "fault");
        self.remarks.push(format!(
            "{lost} of the executor did not come out the same as machine code, and is not listed; please report it"
        ));
        Ok(())
    }
}
