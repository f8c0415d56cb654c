//! The syntax of a unit as far as coverage and inputs need it.
//!
//! All positions are in the preprocessed text. Everything is listed in the order of the text.

use std::collections::BTreeMap;

use obligato_model::{BoolTree, Position, RelationOperator, Role, Span, Value};

use crate::{TypeId, Types};

/// What a unit says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Syntax {
    /// Its types.
    pub types: Types,
    /// The functions that it defines.
    pub functions: Vec<Function>,
    /// The functions that it defines or mentions; what headers only declare is not listed.
    pub callables: Vec<Callable>,
    /// The objects at file scope and the static ones inside functions that it defines or mentions.
    pub variables: Vec<Variable>,
    /// What functions with bodies and objects at file scope say, by name.
    pub codes: BTreeMap<String, Code>,
    /// The compiler that read it, with its version.
    pub compiler: String,
    /// The fixed addresses that it makes pointers of.
    pub addresses: Vec<FixedAddress>,
}

/// What a definition says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// A number that comments, white space and names of locals leave the same.
    pub hash: u64,
    /// The functions and objects at file scope that it mentions.
    pub mentions: Vec<String>,
}

/// A number that the text makes a pointer to an object of, such as the address of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedAddress {
    /// The number.
    pub address: u64,
    /// The type of the object.
    pub kind: TypeId,
    /// Its size in bytes.
    pub size: u64,
    /// Is it `volatile`?
    pub volatile: bool,
    /// Is the object accessed where the pointer is made? Else there may be more of them behind each other.
    pub accessed: bool,
}

/// A stretch of the text, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where, in the preprocessed text.
    pub span: Span,
    /// What the user wrote there, without comments and with runs of blanks as one; what only a macro's definition says, as it
    /// says it.
    pub text: String,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// The type as C writes it, to be used in a declaration through `__typeof__`.
    pub spelling: String,
    /// If it is written as an array with a length: what that says of the pointer that it is.
    pub array: Option<ArrayParameter>,
    /// Does it point to arrays whose lengths are known only when the program runs, as in `m[rows][columns]`?
    pub variable: bool,
}

/// What a parameter says of the elements behind it that is written as an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayParameter {
    /// The length that is written.
    pub length: u64,
    /// Is that a promise, as in `a[static 4]`? There are at least so many elements then, and it is not null.
    pub promised: bool,
}

/// A function as its callers see it.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for by name")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// Its name.
    pub name: String,
    /// What it returns.
    pub result: TypeId,
    /// The type as C writes it.
    pub result_spelling: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// More than that?
    pub variadic: bool,
    /// Declared without a list of parameters?
    pub unprototyped: bool,
    /// Do calls give it different numbers of arguments, since its declaration does not say what it takes?
    pub uneven: bool,
    /// Defined in this unit?
    pub defined: bool,
    /// Unknown outside of this unit?
    pub internal: bool,
    /// Called or pointed to in this unit?
    pub used: bool,
    /// Does it never return?
    pub endless: bool,
    /// May another definition, or none, take its place when programs are linked?
    pub weak: bool,
    /// Is it a second name of a function that the unit defines?
    pub alias: bool,
    /// Does the program call it before `main`?
    pub constructor: bool,
    /// Is its definition `inline`?
    pub inline: bool,
    /// Where its name is declared.
    pub position: Position,
}

/// A global or static object.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for by name")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// The function it is local to, if it is.
    pub function: Option<String>,
    /// Which of the variables of this name it is in its function, from 1: blocks may have one each.
    pub ordinal: u32,
    /// Its type.
    pub kind: TypeId,
    /// The type as C writes it, if it is declared inside functions only, so that its name says nothing at file scope.
    pub hidden_type: Option<String>,
    /// Defined in this unit, not only declared?
    pub defined: bool,
    /// Unknown outside of this unit?
    pub internal: bool,
    /// Is it `const`?
    pub constant: bool,
    /// Is it `volatile`? Of an array, its elements.
    pub volatile: bool,
    /// May there be no such object when programs are linked?
    pub weak: bool,
    /// Does every thread have its own? Its address is no constant then.
    pub thread_local: bool,
    /// Is it mentioned in the body of a function, or, defined elsewhere, in the initialiser of another?
    pub used: bool,
    /// Where it is declared.
    pub position: Position,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The whole definition.
    pub span: Span,
    /// Its closing brace.
    pub end: Position,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// Its decisions, an outer one before those nested in it.
    pub decisions: Vec<Decision>,
    /// Its switches.
    pub switches: Vec<Switch>,
    /// Its returns; the closing brace is one if it can be reached as far as the syntax says.
    pub exits: Vec<Exit>,
    /// What is in it that nobody can measure or execute, with its place, such as inline assembly.
    pub unsupported: Vec<(Span, String)>,
    /// Where the operators of left shifts of signed numbers stand: the result has to fit.
    pub signed_shifts: Vec<Position>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it stands, and its text up to the first inner statement.
    pub stretch: Stretch,
    /// Where it is first executed: the place of its first expression or of its keyword.
    pub position: Position,
}

/// A return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The `return` statement or the closing brace.
    pub stretch: Stretch,
}

/// The position of a decision in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionIndex(pub usize);

/// A maximal Boolean expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The whole expression.
    pub stretch: Stretch,
    /// What it is for.
    pub role: Role,
    /// Its shape.
    pub tree: BoolTree,
    /// Its conditions from left to right.
    pub conditions: Vec<Condition>,
    /// The places of the operators of the tree, node by node, as debug information has them: of a binary operator and of `!` the
    /// operator, of a choice (`?:`) its start; for a condition its [position](Condition::position).
    pub places: Vec<Position>,
    /// The decision and the condition of it that this one stands inside.
    pub nested_in: Option<(DecisionIndex, usize)>,
    /// When it is evaluated.
    pub due: Due,
}

/// When a decision is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Whenever its statement is executed.
    WithStatement,
    /// Whenever the condition that it stands inside is evaluated.
    WithCondition,
    /// Only if an operator around it asks for it: in an arm of `?:`, on the right of `&&`, after a round of `for`.
    Sometimes,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The expression, without parentheses around it.
    pub stretch: Stretch,
    /// The place that debug information gives to the operation that computes it, before any comparison with zero: of a binary
    /// operator, an assignment or `++` the operator, of a member its name, else the start. The comparison with zero has
    /// the start of the condition where a branch follows, and else the place of the operator around it.
    pub position: Position,
    /// Its value, if the compiler can compute it.
    pub constant: Option<bool>,
    /// What it is made of.
    pub leaf: Leaf,
    /// What gives it its value.
    pub given: Given,
}

/// What gives an expression its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// An operation of its own at this place.
    Value(Position),
    /// Nothing: the compiler knows it.
    Constant(bool),
    /// The outcome of a decision, made a number at this place: `s = a && b`.
    Outcome(Position),
    /// A decision of its own, which goes on by itself unless something merges it: an arm of `t ? a && b : x`.
    Decision(Position),
    /// One of two expressions.
    Choice {
        /// Where the choice starts, which is the place of what merges its arms.
        start: Position,
        /// What is tested, if the compiler knows it.
        test: Option<bool>,
        /// The arms of `t ? x : y`. Those of `x ?: y` are always merged before they are tested.
        arms: Option<Box<[Given; 2]>>,
    },
    /// Choices in choices, more than anybody writes.
    TooDeep,
}

/// What a condition is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A comparison of two numbers or pointers.
    Relation {
        /// How.
        operator: RelationOperator,
        /// The type in which they are compared.
        kind: TypeId,
        /// The left operand, if it is a constant.
        left: Option<Value>,
        /// The right operand, if it is a constant.
        right: Option<Value>,
    },
    /// Anything else that is zero or not.
    Value(TypeId),
}

impl Given {
    /// What it is, if the compiler knows it.
    pub fn constant(&self) -> Option<bool> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Choice { test: Some(test), arms: Some(arms), .. } => {
                arms[usize::from(!*test)].constant()
            }
            _ => None,
        }
    }
}

/// A `switch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What it switches on.
    pub stretch: Stretch,
    /// The keyword's place.
    pub position: Position,
    /// Its labels in the order of the text; the default may be missing.
    pub labels: Vec<Label>,
}

/// A `case` or `default`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// `case 3`, `case 4 ... 6`, `default`.
    pub stretch: Stretch,
    /// The values, both included; `None` is the default.
    pub values: Option<(i128, i128)>,
}
