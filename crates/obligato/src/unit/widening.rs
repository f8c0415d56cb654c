//! Wider bounds on inputs: more elements behind pointers, longer chains of pointers, more calls with results of their own.
//!
//! `generate` widens the bounds that refutations name, as far as nobody has set them; a suite whose columns need wider bounds says so by
//! these columns, so that it runs without further ado.

use std::collections::HashSet;
use std::path::Path;

use obligato_c_unit::{Interface, Settings};
use obligato_model::Bound;
use obligato_store::{SuiteFile, suite};

use super::LoadedUnit;
use crate::error::Error;
use crate::subject::{InputOptions, SubjectOptions};

/// The elements of an array that a search in few inputs has.
const FEW_CELLS: u64 = 16;

/// A size of inputs that can be widened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Elements,
    Structures,
    Depth,
    Array,
    Calls,
}

impl Size {
    const ALL: [Self; 5] =
        [Self::Elements, Self::Structures, Self::Depth, Self::Array, Self::Calls];

    /// The size that a bound is about.
    pub(crate) fn of(bound: &Bound) -> Option<Self> {
        match bound {
            // In a longer object a string ends later, and a function outside that is given one writes more of it.
            Bound::Elements(_) | Bound::TerminatedStrings | Bound::StubEffects(_) => {
                Some(Self::Elements)
            }
            Bound::Structures(_) => Some(Self::Structures),
            Bound::PointerDepth(_) => Some(Self::Depth),
            Bound::ArrayCells(_) => Some(Self::Array),
            Bound::StubResults(_) | Bound::VolatileReads(_) => Some(Self::Calls),
            _ => None,
        }
    }

    fn value(self, settings: &Settings) -> u64 {
        match self {
            Self::Elements => settings.elements,
            Self::Structures => settings.structures,
            Self::Depth => settings.depth.into(),
            Self::Array => settings.array,
            Self::Calls => settings.calls,
        }
    }

    /// The next wider value; the same if it is as wide as it gets.
    fn widen(self, settings: &mut Settings) {
        let wider = |value: u64, most: u64| (4 * value).min(most).max(value);
        match self {
            Self::Elements => settings.elements = wider(settings.elements, 128),
            Self::Structures => settings.structures = wider(settings.structures, 16),
            Self::Depth => settings.depth = (2 * settings.depth).clamp(settings.depth, 12),
            Self::Array => settings.array = wider(settings.array, 4096),
            Self::Calls => settings.calls = wider(settings.calls, 64),
        }
    }

    fn is_set(self, flags: &InputOptions) -> bool {
        match self {
            Self::Elements => flags.elements.iter().any(|one| one.pointer.is_none()),
            Self::Structures => flags.structures.is_some(),
            Self::Depth => flags.depth.is_some(),
            Self::Array => flags.array.is_some(),
            Self::Calls => flags.calls.is_some(),
        }
    }
}

impl LoadedUnit {
    /// The sizes that nobody has set.
    fn open_sizes(&self, asked: &SubjectOptions) -> impl Iterator<Item = Size> {
        let usual = Settings::default();
        let is_open = |size: &Size| {
            !size.is_set(&asked.unit.inputs) && size.value(&self.settings) == size.value(&usual)
        };
        Size::ALL.into_iter().filter(is_open).collect::<Vec<_>>().into_iter()
    }

    /// Settings with some sizes widened, unless somebody has set them; `None` if that changes nothing.
    pub(crate) fn widened(
        &self,
        asked: &SubjectOptions,
        settings: &Settings,
        sizes: &[Size],
    ) -> Option<Settings> {
        let mut wider = settings.clone();
        for size in self.open_sizes(asked).filter(|size| sizes.contains(size)) {
            size.widen(&mut wider);
        }
        (wider != *settings).then_some(wider)
    }

    /// Settings with fewer elements of arrays as inputs; `None` if somebody has set how many.
    pub(crate) fn narrowed(&self, asked: &SubjectOptions, settings: &Settings) -> Option<Settings> {
        let is_open = self.open_sizes(asked).any(|size| size == Size::Array);
        let array = settings.array.min(FEW_CELLS);
        (is_open && array < settings.array).then(|| Settings { array, ..settings.clone() })
    }

    /// The settings under which tests can set all columns of a suite: the usual ones, or wider ones if it has columns for these.
    pub(crate) fn settings_for(
        &self,
        asked: &SubjectOptions,
        tests: &Path,
    ) -> Result<Settings, Error> {
        let file = SuiteFile::read(tests)?;
        let mut settings = self.settings.clone();
        if !matches!(file.format(), suite::Format::Csv | suite::Format::Json) {
            return Ok(settings);
        }
        let columns = file.inputs(suite::Columns::Infer)?;
        let missing = |settings: &Settings| -> Result<usize, Error> {
            let interface = self.interface_within(asked, settings)?;
            let variables = self.unit.variables(&interface);
            let known: HashSet<&str> = variables
                .inputs
                .iter()
                .chain(&variables.outputs)
                .map(|one| one.name.as_str())
                .collect();
            Ok(columns.iter().filter(|column| !known.contains(column.name.as_str())).count())
        };
        let mut open = missing(&settings)?;
        while open > 0 {
            let mut best: Option<(usize, Settings)> = None;
            for size in self.open_sizes(asked) {
                let Some(wider) = self.widened(asked, &settings, &[size]) else { continue };
                let left = missing(&wider)?;
                if left < best.as_ref().map_or(open, |(least, _)| *least) {
                    best = Some((left, wider));
                }
            }
            // Columns that no width explains are for others to complain about.
            let Some((left, wider)) = best else { break };
            (open, settings) = (left, wider);
        }
        Ok(settings)
    }

    /// What tests of the function under test set and see, so that a suite can be read.
    pub fn interface_for(&self, asked: &SubjectOptions, tests: &Path) -> Result<Interface, Error> {
        self.interface_within(asked, &self.settings_for(asked, tests)?)
    }
}
