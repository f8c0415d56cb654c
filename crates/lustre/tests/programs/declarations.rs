//! The declarations of random programs: a prelude that is always the same, nodes that call each
//! other, and a main node with everything.

use std::fmt::Write as _;

use super::types::Ty;
use super::{Callee, Generator, Variable};

/// Types, constants and small nodes.
pub const PRELUDE: &str = "\
type colour = enum { RED, GREEN, BLUE };
type point = struct { x: int; b: bool; v: int^2 };
type number = int;
const LIMIT = 5;
const RATE: real = 0.25;
const FLAG: bool = true;
const FIRST: colour = GREEN;
const ORIGIN: point = point { x = 0; b = false; v = [0, 0] };
const FREE: int;
node count(by: int) returns (n: int);
let n = by + (0 -> pre n); tel;
node swap(a, b: int) returns (c, d: int);
let c, d = (b, a); assert a <= a; tel;
node edge(b: bool) returns (e: bool);
let e = b and (true -> not pre b); --%PROPERTY e => b;
tel;
node watch(x: bool) returns ();
let --%PROPERTY x;
tel;
function double(x: number) returns (y: number);
let y = 2 * x; tel;
function unknown(x: int) returns (y: int);
node imported given(x: int) returns (y: bool);
(*@contract guarantee y or x < 0; *)
node total(const n: int; a: int^n) returns (s: int);
var sums: int^n;
let sums[i] = a[i] + (if i = 0 then 0 else sums[i - 1]); s = sums[n - 1]; tel;
node guarded(x: int) returns (y: int);
(*@contract
  const bound: int = 3;
  var large: bool = x > bound;
  var before: int = 0 -> pre x;
  assume x > -5;
  guarantee y >= x;
  mode high (require large; require before > 0; ensure y > bound;);
  mode low (require not large; ensure y = x;);
  guarantee ::high => y > 3;
*)
let y = if x > 3 then x + 1 else x; tel;
";

impl Generator {
    /// The nodes of the prelude.
    pub(super) fn know_prelude(&mut self) {
        for (name, inputs, outputs) in [
            ("count", vec![Ty::Int], vec![Ty::Int]),
            ("swap", vec![Ty::Int, Ty::Int], vec![Ty::Int, Ty::Int]),
            ("edge", vec![Ty::Bool], vec![Ty::Bool]),
            ("double", vec![Ty::Int], vec![Ty::Int]),
            ("unknown", vec![Ty::Int], vec![Ty::Int]),
            ("given", vec![Ty::Int], vec![Ty::Bool]),
            ("guarded", vec![Ty::Int], vec![Ty::Int]),
        ] {
            self.callees.push(Callee { name: name.to_owned(), inputs, outputs });
        }
    }

    fn declare(&mut self, prefix: &str, count: usize) -> Vec<Variable> {
        let all = Ty::all();
        let variable = |index: usize, ty: Ty| Variable { name: format!("{prefix}{index}"), ty };
        (0..count).map(|index| variable(index, self.one_of(&all))).collect()
    }

    /// Equations for variables, each of which may read those before it at once and the others a
    /// step later.
    fn define(&mut self, variables: &[Variable], depth: usize, equations: &mut String) {
        self.later = variables.to_vec();
        for variable in variables {
            let value = self.expr(&variable.ty, depth);
            let _ = writeln!(equations, "  {} = {value};", variable.name);
            self.scope.push(variable.clone());
        }
    }

    /// A node that the next ones may call.
    pub(super) fn node(&mut self, name: &str) -> String {
        let count = 1 + self.choose(3);
        let inputs = self.declare("a", count);
        let count = self.choose(3);
        let locals = self.declare("l", count);
        let count = 1 + self.choose(2);
        let outputs = self.declare("r", count);
        let mut equations = String::new();
        self.scope.clone_from(&inputs);
        self.define(&[&locals[..], &outputs].concat(), 2, &mut equations);
        let assertion = self.expr(&Ty::Bool, 1);
        let property = self.expr(&Ty::Bool, 1);
        let types = |all: &[Variable]| all.iter().map(|v| v.ty.clone()).collect();
        let (inputs_of, outputs_of) = (types(&inputs), types(&outputs));
        self.callees.push(Callee { name: name.to_owned(), inputs: inputs_of, outputs: outputs_of });
        format!(
            "node {name}({}) returns ({});\n{}let\n{equations}  assert ({assertion} or true);\n  \
             --%PROPERTY {property};\ntel;",
            list(&inputs),
            list(&outputs),
            var(&locals),
        )
    }

    pub(super) fn main(&mut self) -> String {
        let inputs: Vec<_> = Ty::all()
            .into_iter()
            .enumerate()
            .map(|(index, ty)| Variable { name: format!("i{index}"), ty })
            .collect();
        self.scope.clone_from(&inputs);
        let count = 2 + self.choose(5);
        let locals = self.declare("x", count);
        let outputs: Vec<_> = Ty::all()
            .into_iter()
            .enumerate()
            .map(|(index, ty)| Variable { name: format!("o{index}"), ty })
            .collect();
        let (mut declared, mut equations) = (var(&locals), String::new());
        self.define(&locals, 4, &mut equations);
        self.clocked(&mut declared, &mut equations);
        for name in ["merged", "chosen", "held"] {
            self.scope.push(Variable { name: name.to_owned(), ty: Ty::Int });
        }
        self.arrays(&mut declared, &mut equations);
        self.lists(&mut declared, &mut equations);
        self.define(&outputs, 2, &mut equations);
        let claims = self.claims();
        let contract = self.contract(&inputs, &outputs);
        format!(
            "node main(const size: int; {}) returns ({});\n{contract}{declared}let\n{equations}{claims}  \
             --%MAIN;\ntel;\n",
            list(&inputs),
            list(&outputs)
        )
    }

    /// Arrays that are defined element by element, and a call whose argument gives a size.
    fn arrays(&mut self, locals: &mut String, equations: &mut String) {
        let array = Ty::Array(Box::new(Ty::Int), 3);
        let grid = Ty::Array(Box::new(Ty::Array(Box::new(Ty::Int), 2)), 2);
        locals.push_str("  row: int^3;\n  grid: int^2^2;\n  sum: int;\n");
        self.scope.push(Variable { name: "i".to_owned(), ty: Ty::Int });
        let (first, step) = (self.expr(&Ty::Int, 2), self.expr(&Ty::Int, 2));
        self.scope.push(Variable { name: "j".to_owned(), ty: Ty::Int });
        let cell = self.expr(&Ty::Int, 3);
        self.scope.truncate(self.scope.len() - 2);
        let _ = writeln!(
            equations,
            "  row[i] = if i = 0 then {first} else row[i - 1] + {step};\n  grid[i][j] = {cell};"
        );
        self.scope.push(Variable { name: "row".to_owned(), ty: array.clone() });
        self.scope.push(Variable { name: "grid".to_owned(), ty: grid });
        let _ = writeln!(equations, "  sum = total(3, {}) + FREE + size;", self.expr(&array, 1));
        self.scope.push(Variable { name: "sum".to_owned(), ty: Ty::Int });
    }

    /// Equations that define several variables at once.
    fn lists(&mut self, locals: &mut String, equations: &mut String) {
        locals.push_str("  m0, m1: int;\n");
        let swap = self.callees.iter().find(|callee| callee.name == "swap").cloned();
        let swap = swap.expect("the prelude has it");
        let arguments = self.arguments(&swap, 2);
        let call = self.call_of(&swap, &arguments, 2);
        let pair = format!("({}, {})", self.expr(&Ty::Int, 2), self.expr(&Ty::Int, 2));
        let test = self.expr(&Ty::Bool, 2);
        let value = match self.choose(4) {
            0 => call,
            1 => format!("if {test} then {call} else {pair}"),
            2 => format!("{pair} -> {call}"),
            _ => pair,
        };
        let _ = writeln!(equations, "  m0, m1 = {value};\n  () = watch(m0 > m1);");
        for name in ["m0", "m1"] {
            self.scope.push(Variable { name: name.to_owned(), ty: Ty::Int });
        }
    }

    fn claims(&mut self) -> String {
        let one = self.expr(&Ty::Bool, 2);
        let (two, three) = (self.expr(&Ty::Bool, 2), self.expr(&Ty::Bool, 1));
        format!(
            "  assert {one};\n  --%PROPERTY {two};\n  check \"titled\" {three} provided {two};\n  \
             check reachable {one};\n"
        )
    }

    /// A contract sees the inputs and outputs alone.
    fn contract(&mut self, inputs: &[Variable], outputs: &[Variable]) -> String {
        self.later.clear();
        self.scope = inputs.to_vec();
        let assumed = self.expr(&Ty::Bool, 1);
        self.scope.extend_from_slice(outputs);
        let required = self.expr(&Ty::Bool, 2);
        let ensured = self.expr(&Ty::Bool, 1);
        format!(
            "(*@contract\n  assume {assumed};\n  mode m (require {required}; ensure {ensured};);\n  \
             guarantee ::m => {ensured};\n*)\n"
        )
    }
}

fn list(variables: &[Variable]) -> String {
    let all: Vec<_> = variables.iter().map(|v| format!("{}: {}", v.name, v.ty.text())).collect();
    all.join("; ")
}

fn var(variables: &[Variable]) -> String {
    let mut text = String::new();
    for variable in variables {
        if text.is_empty() {
            text.push_str("var\n");
        }
        let _ = writeln!(text, "  {}: {};", variable.name, variable.ty.text());
    }
    text
}
