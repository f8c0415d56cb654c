//! Faults of the program that a campaign has run into: what the machine says of them.

use obligato_c_unit::{Confirmation, Ending, Finding, NativeBuild, NativeOptions};
use obligato_engines_c::FoundFault;
use obligato_model::Suite;

use super::Done;
use crate::error::CliError;
use crate::output::counted;
use obligato::unit::refuse_native;

impl Done<'_> {
    /// Faults have to show as machine code too; where they do not, that is said.
    pub(super) fn confirm_faults(
        &mut self,
        build: Option<&NativeBuild>,
        interface: &obligato_c_unit::Interface,
        options: obligato_c_unit::RunOptions,
    ) -> Result<(), CliError> {
        let faults: &[FoundFault] = &self.outcome.faults;
        let inputs = self.loaded.unit.variables(interface).inputs;
        let tests = faults.iter().map(|found| found.test.clone()).collect();
        let mut suite = Suite { inputs, tests };
        let agreement = self.loaded.compare_on(build, interface, &mut suite, options)?;
        let confirmed: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
        if !agreement.is_full() {
            let before = self.outcome.faults.len();
            self.outcome.faults.retain(|found| confirmed.contains(&found.test.name));
            let lost = counted(before - self.outcome.faults.len(), "fault");
            self.remarks.push(format!(
                "{lost} of the executor did not come out the same as machine code, and is not listed; please report it"
            ));
        }
        if build.is_some() && !suite.tests.is_empty() {
            let findings: Vec<&Finding> =
                self.outcome.faults.iter().map(|found| &found.finding).collect();
            let unit = &self.loaded.unit;
            let limit = NativeOptions::default().milliseconds;
            let seen = unit.confirm_faults(interface, &suite, &findings, limit);
            self.confirmed = seen.map_err(refuse_native)?;
        }
        Ok(())
    }

    /// The faults, a line each, and who has seen each besides the executor.
    pub(super) fn describe_faults(&self) -> Vec<String> {
        let describe = |(at, found): (usize, &FoundFault)| {
            let ending = Ending::Finding(Box::new(found.finding.clone()));
            let by = match self.confirmed.get(at) {
                Some(Confirmation::Signal) => "; so as machine code".to_owned(),
                Some(Confirmation::Sanitizer(name)) => {
                    format!("; confirmed by -fsanitize={name}")
                }
                Some(Confirmation::None) => "; the machine does not show it".to_owned(),
                None => String::new(),
            };
            format!("{}{by}", self.loaded.describe(&ending))
        };
        self.outcome.faults.iter().enumerate().map(describe).collect()
    }
}
