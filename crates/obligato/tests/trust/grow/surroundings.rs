//! What is around a random function: what it can read and write, and what its driver chooses.

use std::fmt::Write;

use obligato_model::Random;

use super::outside::Stub;

/// The constants that inputs are compared with.
const CONSTANTS: [&str; 5] = ["-1", "0", "1", "5", "100"];

/// What a function can read and write, and its driver. Lists hold C text.
#[derive(Default)]
pub struct Surroundings {
    pub(super) number: usize,
    /// Types, objects and functions in front of the function.
    pub declarations: String,
    /// Declarations at its beginning.
    pub locals: String,
    pub parameters: Vec<String>,
    /// Values between 0 and 3, or of a few others, that can be read any time.
    pub values: Vec<String>,
    /// Conditions that are not made of values.
    pub conditions: Vec<String>,
    /// Values that may differ each time, at most one in an expression.
    pub fresh: Vec<String>,
    /// Pointers, which may be NULL.
    pub pointers: Vec<String>,
    /// What can be assigned, and by which mask its values stay small.
    pub targets: Vec<String>,
    /// Statements with effects of the environment.
    pub calls: Vec<String>,
    /// The driver: objects and functions outside, then what a step chooses, then arguments.
    pub(super) outside: String,
    pub(super) choices: String,
    pub(super) arguments: Vec<String>,
    /// Objects that functions outside can write: `int` lvalues.
    pub(super) reachable: Vec<String>,
    pub(super) stubs: Vec<Stub>,
    /// The type of the parameter of a function outside that takes bytes.
    pub(super) bytes: &'static str,
    pub(super) has_state: bool,
    pub complete: bool,
}

impl Surroundings {
    /// Draws what is around the function with this number.
    pub fn grow(random: &mut Random, number: usize) -> Self {
        let mut new = Self { number, complete: true, ..Self::default() };
        new.locals.push_str("    int x = 0, y = 1;\n");
        new.values.extend(["x", "y"].map(str::to_owned));
        new.targets.extend(["x = #", "y = #"].map(str::to_owned));
        for at in 0..=random.below(3) {
            new.parameter(random, at);
        }
        for at in 0..random.below(3) {
            new.global(random, at);
        }
        if random.below(2) == 0 {
            for at in 0..=random.below(2) {
                new.state(random, at);
            }
        }
        if random.below(4) == 0 {
            new.volatile(random);
        }
        if random.below(3) == 0 {
            new.stub(random);
        }
        new
    }

    /// Which function it is for.
    pub fn number(&self) -> usize {
        self.number
    }

    pub(super) fn name(&self, letter: &str, at: usize) -> String {
        format!("{letter}{at}_{}", self.number)
    }

    fn parameter(&mut self, random: &mut Random, at: usize) {
        let name = ["a", "b", "c"][at].to_owned();
        match random.below(12) {
            0 => {
                self.parameters.push(format!("_Bool {name}"));
                self.conditions.push(name.clone());
                self.values.push(format!("({name} + 0)"));
                self.arguments.push("trust_choose(2)".to_owned());
            }
            1..=3 => {
                let types = ["signed char", "unsigned char", "short", "int", "unsigned", "long"];
                self.parameters.push(format!("{} {name}", types[random.below(types.len())]));
                let mask = [1, 3, 3, 7][random.below(4)];
                self.values.push(format!("({name} & {mask})"));
                self.arguments.push(format!("trust_choose({})", mask + 1));
            }
            4 | 5 => self.compared(random, &name),
            6 => self.enumeration(random, at, &name),
            7 => {
                let kind = format!("struct bits{at}_{}", self.number);
                let _ = writeln!(
                    self.declarations,
                    "{kind} {{ unsigned u : 2; int s : 2; _Bool b; }};"
                );
                self.parameters.push(format!("{kind} {name}"));
                self.values.extend([format!("{name}.u"), format!("{name}.s")]);
                self.conditions.push(format!("{name}.b"));
                self.arguments.push(format!(
                    "({kind}){{ trust_choose(4), (int)trust_choose(4) - 2, trust_choose(2) }}"
                ));
            }
            8 => self.structure(at, &name),
            9 => {
                self.parameters.push(format!("int (*{name})(void)"));
                self.pointers.push(name.clone());
                self.fresh.push(format!("({name}() & 3)"));
                let any = self.name("any", at);
                self.stub_body(&any);
                self.arguments.push(format!("trust_choose(2) ? {any} : 0"));
            }
            _ => self.pointer(random, at, &name),
        }
    }

    /// A number that is only compared with constants: their neighbours stand for all values.
    fn compared(&mut self, random: &mut Random, name: &str) {
        let kinds = ["signed char", "int", "long", "unsigned", "unsigned char", "float", "double"];
        let kind = kinds[random.below(kinds.len())];
        self.parameters.push(format!("{kind} {name}"));
        let constants =
            [CONSTANTS[random.below(CONSTANTS.len())], CONSTANTS[random.below(CONSTANTS.len())]];
        for constant in constants {
            for operator in ["<", "<=", ">", ">=", "==", "!="] {
                self.conditions.push(format!("{name} {operator} {constant}"));
            }
        }
        let [first, second] = constants;
        self.arguments.push(if matches!(kind, "float" | "double") {
            self.conditions.push(format!("{name} == {name}"));
            format!(
                "PICK_DOUBLE({first} - .5, {first}, {first} + .5, {second} - .5, {second}, {second} + .5, \
                 __builtin_nan(\"\"), __builtin_inf(), -__builtin_inf())"
            )
        } else {
            format!(
                "PICK({first} - 1, {first}, {first} + 1, {second} - 1, {second}, {second} + 1, \
                 -0x7fffffffL - 1, 0x7fffffff)"
            )
        });
    }

    fn enumeration(&mut self, random: &mut Random, at: usize, name: &str) {
        let kind = format!("enum e{at}_{}", self.number);
        let [one, two, three] = ["A", "B", "Z"].map(|letter| self.name(letter, at));
        let low = if random.below(2) == 0 { "0" } else { "-1" };
        let _ = writeln!(self.declarations, "{kind} {{ {one} = {low}, {two} = 1, {three} = 4 }};");
        self.parameters.push(format!("{kind} {name}"));
        for constant in [&one, &two, &three] {
            self.conditions
                .extend([format!("{name} == {constant}"), format!("{name} != {constant}")]);
        }
        self.conditions.push(format!("{name} > {two}"));
        self.arguments.push("PICK(-2, -1, 0, 1, 2, 4, 5)".to_owned());
    }

    /// A pointer to numbers: NULL, an object of its own, what other pointers point to, or a global.
    fn pointer(&mut self, random: &mut Random, at: usize, name: &str) {
        let object = self.name("o", at);
        self.parameters.push(format!("int *{name}"));
        self.pointers.push(name.to_owned());
        let _ = writeln!(self.outside, "static int {object}[4];");
        let wide = random.below(2) == 0;
        let mut places = vec![object.clone(), format!("{object} + 1")];
        for other in 0..at {
            let other = self.name("o", other);
            if self.outside.contains(&format!("static int {other}[4]")) {
                places.extend([other.clone(), format!("{other} + 1")]);
            }
        }
        // Globals and structures may be drawn later: `GLOBALS` stands for those that are plain numbers.
        places.push("0".to_owned());
        self.values.push(format!("({name}[0] & 3)"));
        self.targets.push(format!("{name}[0] = #"));
        if wide {
            self.values.push(format!("({name}[1] & 3)"));
            self.targets.push(format!("{name}[1] = #"));
        }
        if let [.., before, last] = &*self.pointers
            && self.parameters.iter().any(|one| *one == format!("int *{before}"))
        {
            let (before, last) = (before.clone(), last.clone());
            self.conditions.extend([format!("{before} == {last}"), format!("{before} < {last}")]);
        }
        for cell in 0..if wide { 3 } else { 2 } {
            let _ = writeln!(self.choices, "    {object}[{cell}] = trust_choose(4);");
            self.reachable.push(format!("{object}[{cell}]"));
        }
        let narrow = if wide { "" } else { " GLOBALS" };
        self.arguments.push(format!("CHOOSE_POINTER({}{narrow})", places.join(", ")));
    }

    /// A list of structures.
    fn structure(&mut self, at: usize, name: &str) {
        let kind = format!("struct s{at}_{}", self.number);
        let object = self.name("q", at);
        let _ = writeln!(self.declarations, "{kind} {{ int key; {kind} *next; }};");
        self.parameters.push(format!("{kind} *{name}"));
        self.pointers.push(name.to_owned());
        self.conditions.extend([
            format!("{name}->next"),
            format!("{name}->next == {name}"),
            format!("{name}->key == 2"),
        ]);
        self.values.push(format!("({name}->key & 3)"));
        self.targets.push(format!("{name}->key = #"));
        let _ = writeln!(self.outside, "static {kind} {object}[2];");
        for cell in 0..2 {
            let _ = writeln!(
                self.choices,
                "    {object}[{cell}].key = PICK({});\n    \
                 {object}[{cell}].next = (({kind} *[]){{ 0, {object}, {object} + 1 }})[trust_choose(3)];",
                if cell == 0 { "0, 1, 2, 3, 6" } else { "0" }
            );
        }
        self.reachable.push(format!("{object}[0].key"));
        self.arguments.push(format!("trust_choose(2) ? {object} : 0"));
    }

    /// A global is an input of every step.
    fn global(&mut self, random: &mut Random, at: usize) {
        let name = self.name("g", at);
        match random.below(9) {
            0 | 1 => {
                let initial = random.below(4);
                let (before, behind) = match random.below(3) {
                    0 => ("extern ", String::new()),
                    _ => ("", format!(" = {initial}")),
                };
                let _ = writeln!(self.declarations, "{before}int {name}{behind};");
                if !before.is_empty() {
                    let _ = writeln!(self.outside, "int {name};");
                }
                self.values.push(format!("({name} & 3)"));
                self.targets.push(format!("{name} = #"));
                let _ = writeln!(self.choices, "    {name} = trust_choose(4);");
                self.reachable.push(name);
            }
            2 => {
                let _ = writeln!(self.declarations, "unsigned char {name}[24];");
                let cells = [random.below(24), random.below(24)];
                for cell in cells {
                    self.values.push(format!("({name}[{cell}] & 3)"));
                    let _ = writeln!(self.choices, "    {name}[{cell}] = trust_choose(4);");
                    self.reachable.push(format!("{name}[{cell}]"));
                }
                self.targets.push(format!("{name}[{}] = #", cells[0]));
            }
            3 => {
                let _ = writeln!(
                    self.declarations,
                    "union {{ unsigned char c[4]; unsigned w; }} {name};"
                );
                self.values.extend([format!("({name}.c[0] & 3)"), format!("({name}.w & 259)")]);
                self.targets.push(format!("{name}.w = #"));
                self.targets.push(format!("{name}.c[1] = #"));
                let _ =
                    writeln!(self.choices, "    {name}.w = PICK(0, 1, 2, 3, 256, 257, 258, 259);");
                self.reachable.push(format!("{name}.w"));
            }
            4 => {
                let _ = writeln!(self.declarations, "extern const unsigned char {name};");
                let _ = writeln!(self.outside, "unsigned char {name}_w __asm__(\"{name}\");");
                self.values.push(format!("({name} & 3)"));
                let _ = writeln!(self.choices, "    {name}_w = trust_choose(4);");
            }
            5 => {
                let _ = writeln!(self.declarations, "int *__errno_location(void);");
                self.values.push("(*__errno_location() & 3)".to_owned());
                self.targets.push("*__errno_location() = #".to_owned());
                let _ = writeln!(self.choices, "    *__errno_location() = trust_choose(4);");
                self.reachable.push("*__errno_location()".to_owned());
            }
            6 => {
                let _ = writeln!(self.declarations, "_Complex float {name};");
                self.conditions.extend([
                    format!("__real__ {name} > 1"),
                    format!("__imag__ {name} == __real__ {name}"),
                ]);
                let parts = ["__real__", "__imag__"].map(|part| format!("{part} {name}"));
                for part in parts {
                    let _ = writeln!(self.choices, "    {part} = trust_choose(3);");
                    self.reachable.push(part);
                }
            }
            7 => {
                let _ = writeln!(self.declarations, "_Atomic int {name};");
                self.values.push(format!("({name} & 3)"));
                self.targets.push(format!("{name} = #"));
                let _ = writeln!(self.choices, "    {name} = trust_choose(4);");
                self.reachable.push(name);
            }
            _ => {
                // Where the linker puts it is one choice of many.
                self.complete = false;
                let _ = writeln!(self.declarations, "static char {name}[3];");
                let place = random.below(3);
                for bit in [1, 2, 8, 16, 64] {
                    self.conditions.push(format!("(unsigned long)&{name}[{place}] & {bit}"));
                }
            }
        }
    }

    /// Static state; perhaps another function sets it.
    fn state(&mut self, random: &mut Random, at: usize) {
        self.has_state = true;
        let name = self.name("s", at);
        let initial = random.below(3);
        let declaration = format!("static /* state */ unsigned char {name} = {initial};\n");
        if random.below(4) == 0 {
            let _ = write!(self.locals, "    {declaration}");
            if random.below(2) == 0 {
                self.namesake(random, &name);
            }
        } else {
            self.declarations.push_str(&declaration);
            match random.below(4) {
                0 => self.setter(random, at, &name),
                1 => self.handed_out(random, at, &name),
                _ => {}
            }
        }
        let mask = [1, 3, 7][random.below(3)];
        self.values.push(name.clone());
        self.targets
            .extend([format!("{name} = (#) & {mask}"), format!("{name} = ({name} + 1) & {mask}")]);
    }

    /// Another static variable of this name, in a block of its own.
    fn namesake(&mut self, random: &mut Random, name: &str) {
        let (initial, last) = (random.below(3), random.below(5));
        let _ = writeln!(
            self.locals,
            "    {{\n    static /* state */ unsigned char {name} = {initial};\n    {name} = ({name} + 1) & 3;\n    if (D({name} == {last})) @{name} = 0;\n    }}"
        );
    }

    /// A function that others call between steps; the function under test may call it as well.
    fn setter(&mut self, random: &mut Random, at: usize, state: &str) {
        let set = self.name("set", at);
        let _ = writeln!(self.declarations, "void {set}(int v) {{ {state} = v & 3; }}");
        let _ = writeln!(self.choices, "    if (trust_choose(2)) {set}(trust_choose(4));");
        if random.below(2) == 0 {
            self.calls.push(format!("{set}({});", random.below(2)));
        }
    }

    /// A static function that sets state, whose address the function under test gives away. Once it has, others call it between steps.
    fn handed_out(&mut self, random: &mut Random, at: usize, state: &str) {
        let [on, hook] = ["on", "hook"].map(|name| self.name(name, at));
        let _ = writeln!(
            self.declarations,
            "static void {on}(int v) {{ {state} = v & 3; }}\nvoid (*{hook})(int) /* kept */;"
        );
        self.calls.push(format!("{hook} = {on};"));
        if random.below(2) == 0 {
            self.calls.push(format!("{hook} = 0;"));
        }
        let call = format!("if ({hook} && trust_choose(2)) {hook}(trust_choose(4));");
        let _ = writeln!(self.choices, "    {call}");
    }

    fn volatile(&mut self, random: &mut Random) {
        let name = self.name("v", 0);
        let before = if random.below(2) == 0 { "static " } else { "" };
        let _ = writeln!(self.declarations, "{before}volatile unsigned char {name};");
        self.fresh.push(format!("(V({name}, 0, 1, 2, 3) & 3)"));
        self.targets.push(format!("{name} = #"));
    }
}
