//! Tests of a C function, as exporters see them: what is written where, what is called, what is expected, all in the words of C.

/// Tests of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitTests {
    /// The file of the unit, as the user named it.
    pub file: String,
    /// How the exported source reaches it.
    pub include: String,
    /// The function under test.
    pub function: String,
    /// Does the unit define `main`? Then it gets another name.
    pub has_main: bool,
    /// Flags that the unit is compiled with.
    pub flags: Vec<String>,
    /// What the function takes.
    pub arguments: Vec<Argument>,
    /// The type of what it returns, if it returns something.
    pub result: Option<String>,
    /// Definitions of globals that the unit only declares, each a line of C.
    pub definitions: Vec<String>,
    /// The functions that the unit calls and nobody defines.
    pub stubs: Vec<Stub>,
    /// Globals that tests set or the function writes; each test starts with their initial values.
    pub globals: Vec<String>,
    /// State that no test file can reach, such as a `static` variable inside of a function; with some, every test gets a process of its own.
    pub hidden: Vec<String>,
    /// The tests.
    pub tests: Vec<UnitTest>,
}

/// A parameter of the function, as a variable of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The variable.
    pub name: String,
    /// Its type.
    pub kind: String,
}

/// A function that stands in for one that nobody defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// Its name.
    pub name: String,
    /// The type of what it returns, if it returns something.
    pub result: Option<String>,
    /// The types of what it takes.
    pub parameters: Vec<String>,
    /// Does it take more than that?
    pub variadic: bool,
    /// Is it declared without a list of parameters?
    pub unprototyped: bool,
    /// Does it never return?
    pub endless: bool,
    /// So many calls of a step have results of their own; none if tests never call it.
    pub calls: u64,
    /// What it writes in some test.
    pub writes: Vec<StubWrite>,
}

/// What a stub may write before it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubWrite {
    /// What C calls the place, where the parameters are `a0`, `a1` and so on.
    pub place: String,
    /// What it holds.
    pub kind: StubWriteKind,
}

/// What a stub writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubWriteKind {
    /// A whole number.
    Number,
    /// A floating-point number.
    Real,
    /// An address.
    Pointer,
}

/// A test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitTest {
    /// Its name.
    pub name: String,
    /// The objects that pointers point to.
    pub objects: Vec<Fresh>,
    /// Its calls of the function.
    pub steps: Vec<UnitStep>,
    /// How it ends.
    pub ending: ExpectedEnding,
    /// The inputs it sets, in the order in which a program that asks for them would get them.
    pub inputs: Vec<Input>,
    /// What memory holds when steps begin, by the names of objects, step after step.
    pub images: Vec<(String, Vec<u8>)>,
}

/// An object that a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// The variable with its address.
    pub name: String,
    /// An expression of the type of that variable; none for a pointer to bytes.
    pub like: Option<String>,
    /// In bytes.
    pub size: u64,
    /// Is it a `FILE`? The library opens it.
    pub stream: bool,
}

/// A call of the function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitStep {
    /// The functions without arguments that are called before the function under test.
    pub called_before: Vec<String>,
    /// What is set before.
    pub sets: Vec<Set>,
    /// What is expected after.
    pub checks: Vec<Check>,
    /// How often each stub is called, by position.
    pub calls: Vec<(usize, u64)>,
    /// What cannot be checked, in words.
    pub unchecked: Vec<String>,
}

/// A value for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// What C calls the place.
    pub place: String,
    /// The value.
    pub value: CValue,
    /// Is it a bit-field? Those have no address.
    pub bit_field: bool,
}

/// A value that is expected at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What C calls the place.
    pub place: String,
    /// The value.
    pub value: CValue,
}

/// A value of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CValue {
    /// A `_Bool`.
    Truth(bool),
    /// A signed number.
    Signed(i128),
    /// An unsigned number.
    Unsigned(u128),
    /// A constant of an enumeration.
    Constant(String),
    /// The bits of a `float`.
    Single(u32),
    /// The bits of a `double`.
    Double(u64),
    /// An address, as an expression.
    Address(String),
}

/// How a test ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExpectedEnding {
    /// All its calls return.
    #[default]
    Returns,
    /// The last call ends the program by a signal.
    Signal {
        /// `SIGSEGV`.
        name: &'static str,
        /// What happens, and where.
        why: String,
    },
    /// The last call ends the program with this status.
    Exit(i32),
    /// Nobody knows what a machine does in the last call.
    Unrepeatable {
        /// What happens, and where.
        why: String,
    },
}

/// An input that a test sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type, as C writes it.
    pub kind: String,
    /// Its value, as text.
    pub value: String,
}

impl UnitTests {
    /// The tests that can be run as they are, with their positions.
    pub fn repeatable(&self) -> impl Iterator<Item = (usize, &UnitTest)> {
        let all = self.tests.iter().enumerate();
        all.filter(|(_, test)| !matches!(test.ending, ExpectedEnding::Unrepeatable { .. }))
    }

    /// The others, with why.
    pub fn unrepeatable(&self) -> impl Iterator<Item = (&UnitTest, &str)> {
        self.tests.iter().filter_map(|test| match &test.ending {
            ExpectedEnding::Unrepeatable { why } => Some((test, why.as_str())),
            _ => None,
        })
    }
}
