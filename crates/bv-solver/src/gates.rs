//! Gates as clauses: each is made once, and constants fold.
//!
//! Negations go outwards and operands are sorted, so that gates which mean the same are one. Every gate is
//! determined by its operands, but the SAT solver may guess it all the same: without that, floats take it many times longer.

use obligato_bit_blaster::{Gates, InputGates};
use obligato_solver::{Engine, Literal, Solver as SatSolver, Stop};
use rustc_hash::FxHashMap;

/// The constant true.
pub(crate) const TRUE: Literal = Literal::from_code(0);
/// The constant false.
pub(crate) const FALSE: Literal = Literal::from_code(1);

/// Literals, low bit first.
pub(crate) type Word = Vec<Literal>;

/// What a gate of two or three operands computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Parity,
    Majority,
    Ite,
}

/// A SAT solver, and the gates it knows.
#[derive(Debug)]
pub(crate) struct SatGates {
    pub(crate) solver: SatSolver,
    known: FxHashMap<(Kind, [Literal; 3]), Literal>,
    conjunctions: FxHashMap<Box<[Literal]>, Literal>,
}

impl SatGates {
    pub(crate) fn new(engine: Engine, stop: &Stop) -> Self {
        let mut solver = SatSolver::new(engine, stop);
        let truth = solver.variable();
        solver.add(&[truth]);
        Self { solver, known: FxHashMap::default(), conjunctions: FxHashMap::default() }
    }

    fn conjunction(&mut self, parts: Vec<Literal>) -> Literal {
        if let Some(known) = self.conjunctions.get(&*parts) {
            return *known;
        }
        let gate = self.solver.variable();
        let mut clause = vec![gate];
        for part in &parts {
            self.solver.add(&[!gate, *part]);
            clause.push(!*part);
        }
        self.solver.add(&clause);
        self.conjunctions.insert(parts.into(), gate);
        gate
    }

    fn gate(
        &mut self,
        kind: Kind,
        operands: [Literal; 3],
        clauses: impl FnOnce(&mut SatSolver, Literal),
    ) -> Literal {
        if let Some(known) = self.known.get(&(kind, operands)) {
            return *known;
        }
        let gate = self.solver.variable();
        clauses(&mut self.solver, gate);
        self.known.insert((kind, operands), gate);
        gate
    }
}

impl Gates for SatGates {
    type Bit = Literal;

    const FALSE: Literal = FALSE;
    const TRUE: Literal = TRUE;

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == TRUE || a == b {
            return b;
        }
        if a == FALSE || a == !b {
            return FALSE;
        }
        self.gate(Kind::And, [a, b, TRUE], |solver, gate| {
            solver.add(&[!gate, a]);
            solver.add(&[!gate, b]);
            solver.add(&[gate, !a, !b]);
        })
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b, negated) = (positive(a), positive(b), a.is_negated() != b.is_negated());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Self::constant(negated);
        }
        if a == TRUE {
            return b.negated_if(!negated);
        }
        let gate = self.gate(Kind::Xor, [a, b, TRUE], |solver, gate| {
            for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
                let (p, q) = (a.negated_if(left), b.negated_if(right));
                // Where p and q are both false, the gate is known.
                solver.add(&[p, q, gate.negated_if(left == right)]);
            }
        });
        gate.negated_if(negated)
    }

    fn parity(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let negated = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut operands = [positive(a), positive(b), positive(c)];
        operands.sort_unstable();
        let [a, b, c] = operands;
        // Of two equal ones nothing is left; the constant comes first.
        match () {
            () if a == b => return c.negated_if(negated),
            () if b == c => return a.negated_if(negated),
            () if a == TRUE => return self.xor(b, c).negated_if(!negated),
            () => {}
        }
        let gate = self.gate(Kind::Parity, operands, |solver, gate| {
            for signs in 0..8_u8 {
                let sign = |bit: u8| signs >> bit & 1 == 1;
                let odd = sign(0) ^ sign(1) ^ sign(2);
                let [first, second, third] =
                    [(a, 0), (b, 1), (c, 2)].map(|(one, bit)| one.negated_if(sign(bit)));
                solver.add(&[first, second, third, gate.negated_if(!odd)]);
            }
        });
        gate.negated_if(negated)
    }

    fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        // Next to each other: a constant with its negation, equal ones, a literal and its negation.
        let [a, b, c] = operands;
        match () {
            () if a == b || b == c => return b,
            () if a == !b => return c,
            () if b == !c => return a,
            () if a == TRUE => return self.or(b, c),
            () if a == FALSE => return self.and(b, c),
            () => {}
        }
        let negated = operands.iter().filter(|one| one.is_negated()).count() >= 2;
        let operands @ [a, b, c] = operands.map(|one| one.negated_if(negated));
        let gate = self.gate(Kind::Majority, operands, |solver, gate| {
            for (p, q) in [(a, b), (a, c), (b, c)] {
                solver.add(&[!p, !q, gate]);
                solver.add(&[p, q, !gate]);
            }
        });
        gate.negated_if(negated)
    }

    fn full_adder(&mut self, a: Literal, b: Literal, carry: Literal) -> (Literal, Literal) {
        (self.parity(a, b, carry), self.majority(a, b, carry))
    }

    fn ite(&mut self, test: Literal, first: Literal, second: Literal) -> Literal {
        if test.is_negated() {
            return self.ite(!test, second, first);
        }
        match () {
            () if test == TRUE || first == second => return first,
            () if first == !second => return self.equal(test, first),
            () if first == TRUE || first == test => return self.or(test, second),
            () if first == FALSE || first == !test => return self.and(!test, second),
            () if second == TRUE || second == !test => return self.or(!test, first),
            () if second == FALSE || second == test => return self.and(test, first),
            () => {}
        }
        let negated = first.is_negated();
        let (first, second) = (first.negated_if(negated), second.negated_if(negated));
        let gate = self.gate(Kind::Ite, [test, first, second], |solver, gate| {
            solver.add(&[!test, !first, gate]);
            solver.add(&[!test, first, !gate]);
            solver.add(&[test, !second, gate]);
            solver.add(&[test, second, !gate]);
            // Implied, but otherwise not seen before the test is known.
            solver.add(&[!first, !second, gate]);
            solver.add(&[first, second, !gate]);
        });
        gate.negated_if(negated)
    }

    fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut parts: Vec<Literal> = literals.into_iter().filter(|one| *one != TRUE).collect();
        parts.sort_unstable();
        parts.dedup();
        if parts.first() == Some(&FALSE) || parts.windows(2).any(|pair| pair[0] == !pair[1]) {
            return FALSE;
        }
        match *parts {
            [] => TRUE,
            [one] => one,
            [one, other] => self.and(one, other),
            _ => self.conjunction(parts),
        }
    }
}

impl InputGates for SatGates {
    fn input(&mut self) -> Literal {
        self.solver.variable()
    }

    fn size(&self) -> usize {
        self.solver.variables()
    }
}

/// The variable, without its sign.
fn positive(literal: Literal) -> Literal {
    literal.negated_if(literal.is_negated())
}
