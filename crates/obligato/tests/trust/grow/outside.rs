//! Functions outside of a random unit, and its driver: what they do is chosen at each call.

use std::fmt::Write;

use obligato_model::Random;

use super::surroundings::Surroundings;

/// A function outside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stub {
    /// It returns a number.
    Value,
    /// It writes through its parameter too.
    Out,
    /// It returns nothing.
    Event,
    /// It fills a structure.
    Fill,
    /// It calls a function of the unit.
    Each,
    /// It finds an address in bytes that it is given.
    Bytes,
    /// It is declared without a list of parameters.
    Open,
}

impl Surroundings {
    /// Draws a function outside.
    pub(super) fn stub(&mut self, random: &mut Random) {
        self.complete = false;
        let all =
            [Stub::Value, Stub::Out, Stub::Event, Stub::Fill, Stub::Each, Stub::Bytes, Stub::Open];
        let stub = all[random.below(all.len())];
        let name = self.name("in", 0);
        self.stubs.push(stub);
        match stub {
            Stub::Value => {
                let _ = writeln!(self.declarations, "int {name}(void);");
                self.fresh.push(format!("({name}() & 3)"));
                self.calls.push(format!("x = {name}() & 3;"));
            }
            Stub::Out => {
                let _ = writeln!(self.declarations, "int {name}(int *);");
                self.locals.push_str("    int o = 0;\n");
                self.values.push("(o & 3)".to_owned());
                self.calls.push(format!("y = {name}(&o) & 1;"));
            }
            Stub::Event => {
                let _ = writeln!(self.declarations, "void {name}(void);");
                self.calls.push(format!("{name}();"));
            }
            Stub::Fill => {
                let kind = format!("struct fill_{}", self.number);
                let _ = writeln!(
                    self.declarations,
                    "{kind} {{ unsigned char u; int s : 3; int n[2]; }};\n_Bool {name}({kind} *);"
                );
                let _ = writeln!(self.locals, "    {kind} r = {{ 0 }};");
                self.values.extend(["(r.u & 3)", "(r.s & 3)", "(r.n[1] & 3)"].map(str::to_owned));
                self.calls.push(format!("y = {name}(&r);"));
            }
            Stub::Each => {
                self.has_state = true;
                let (kept, back) = (self.name("k", 0), self.name("back", 0));
                let _ = writeln!(
                    self.declarations,
                    "static /* state */ unsigned char {kept} = 0;\n\
                     static void {back}(int v) {{ {kept} = v & 3; }}\nvoid {name}(void (*)(int));"
                );
                self.values.push(kept);
                self.calls.push(format!("{name}({back});"));
            }
            Stub::Bytes => {
                let kind = format!("struct via_{}", self.number);
                let given = ["void *", "const void *", "unsigned char *"][random.below(3)];
                let _ = writeln!(
                    self.declarations,
                    "{kind} {{ unsigned char n; int *to; }};\nint {name}({given});"
                );
                let _ = writeln!(self.locals, "    int w = 0;\n    {kind} via = {{ 1, &w }};");
                self.values.push("(w & 3)".to_owned());
                self.calls.push(format!("y = {name}(({given})&via) & 1;"));
                self.bytes = given;
            }
            Stub::Open => {
                let _ = writeln!(self.declarations, "int {name}();");
                self.locals.push_str("    int u[2] = { 0 };\n");
                self.values.push("(u[1] & 3)".to_owned());
                self.calls.push(format!("y = {name}(u, 2) & 1;"));
            }
        }
    }

    /// A function outside: its effects, one at a time, and its result.
    pub(super) fn stub_body(&mut self, name: &str) {
        self.complete = false;
        let number = self.number;
        let _ = writeln!(self.outside, "static void effects{number}(void);");
        let _ = writeln!(
            self.outside,
            "static int {name}(void) {{ effects{number}(); return trust_choose(4); }}"
        );
    }

    /// The driver of the function with this name.
    pub fn driver(&self, function: &str) -> String {
        let number = self.number;
        let globals = (0..2).map(|at| self.name("g", at));
        let keys = (0..3).map(|at| format!("{}[0].key", self.name("q", at)));
        let globals: String = globals
            .chain(keys)
            .filter(|name| self.reachable.contains(name))
            .map(|name| format!(", &{name}"))
            .collect();
        let arguments = self.arguments.join(", ").replace(" GLOBALS", &globals);
        let mut text = format!(
            "#undef CHOOSE_POINTER\n#define CHOOSE_POINTER(...) \
             (((int *[]){{ __VA_ARGS__ }})[trust_choose(sizeof((int *[]){{ __VA_ARGS__ }}) / sizeof(int *))])\n{}",
            self.outside
        );
        let _ = writeln!(text, "static int *out{number}, inside{number};");
        let _ = writeln!(text, "static void call{number}(void);");
        let mut effects = String::new();
        for (at, place) in self.reachable.iter().enumerate() {
            let _ = writeln!(effects, "    case {}: {place} = trust_choose(4); break;", at + 1);
        }
        let last = self.reachable.len();
        let _ = writeln!(
            text,
            "static void effects{number}(void) {{\n    switch (trust_choose({})) {{\n{effects}    \
             case {}: if (out{number}) *out{number} = trust_choose(4); break;\n    \
             case {}: if (!inside{number}) {{ inside{number} = 1; call{number}(); inside{number} = 0; }} break;\n    }}\n}}",
            last + if self.has_state { 3 } else { 2 },
            last + 1,
            last + 2,
        );
        let name = self.name("in", 0);
        for stub in &self.stubs {
            let _ = match stub {
                Stub::Value => writeln!(
                    text,
                    "int {name}(void) {{ effects{number}(); return trust_choose(4); }}"
                ),
                Stub::Out => writeln!(
                    text,
                    "int {name}(int *out) {{ out{number} = out; *out = trust_choose(4); effects{number}(); return trust_choose(2); }}"
                ),
                Stub::Event => writeln!(text, "void {name}(void) {{ effects{number}(); }}"),
                Stub::Fill => writeln!(
                    text,
                    "_Bool {name}(struct fill_{number} *to) {{ to->u = trust_choose(4); to->s = (int)trust_choose(4) - 2; \
                     to->n[1] = trust_choose(4); effects{number}(); return trust_choose(2); }}"
                ),
                Stub::Each => writeln!(
                    text,
                    "void {name}(void (*visit)(int)) {{ effects{number}(); \
                     for (unsigned i = trust_choose(3); i; i--) visit(trust_choose(4)); }}"
                ),
                Stub::Bytes => writeln!(
                    text,
                    "int {name}({} job) {{ out{number} = ((struct via_{number} *)job)->to; *out{number} = trust_choose(4); \
                     effects{number}(); return trust_choose(2); }}",
                    self.bytes
                ),
                Stub::Open => writeln!(
                    text,
                    "int {name}(int *to, int n) {{ to[n - 1] = trust_choose(4); effects{number}(); return trust_choose(2); }}"
                ),
            };
        }
        let _ = writeln!(
            text,
            "static void call{number}(void) {{ {function}({arguments}); out{number} = 0; }}\n\
             static void step{number}(void) {{\n    out{number} = 0; inside{number} = 0;\n{}    call{number}();\n}}",
            self.choices
        );
        text
    }
}
