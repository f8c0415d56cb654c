//! The file beside a [bench](crate::bench) that lists its tests for a framework, makes their objects, and says what fails.
//!
//! One file per framework. What they share is here: the functions that a bench calls, and tests in processes of their own, for those that end the
//! program and for units with state that nothing can reset.

use crate::bench::name_of_test;
use crate::text::{comment, identifier, string};
use crate::unit::{ExpectedEnding, UnitTest, UnitTests};
use crate::{ExportedFile, bench};

mod check;
mod cmocka;
mod cpputest;
mod googletest;
mod unity;

/// A test framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// Unity, by `ThrowTheSwitch`.
    Unity,
    /// cmocka.
    Cmocka,
    /// Check.
    Check,
    /// `CppUTest`.
    CppUTest,
    /// `GoogleTest`.
    GoogleTest,
}

/// The sources for a framework; the first part of the names of files is `base`.
pub fn write(tests: &UnitTests, framework: Framework, base: &str) -> Vec<ExportedFile> {
    let (bench_name, c_name) = (format!("{base}_bench.c"), format!("{base}_test.c"));
    let cpp_name = format!("{base}_test.cpp");
    let listing = Listing::new(tests, &bench_name);
    let (name, text) = match framework {
        Framework::Unity => (c_name, unity::write(&listing)),
        Framework::Cmocka => (c_name, cmocka::write(&listing)),
        Framework::Check => (c_name, check::write(&listing)),
        Framework::CppUTest => (cpp_name, cpputest::write(&listing)),
        Framework::GoogleTest => (cpp_name, googletest::write(&listing)),
    };
    vec![bench::write(tests, &bench_name), ExportedFile::of_text(name, text)]
}

/// The tests as a framework lists them.
struct Listing<'a> {
    tests: &'a UnitTests,
    bench: &'a str,
    cases: Vec<Case<'a>>,
}

/// A test that can be run.
struct Case<'a> {
    test: &'a UnitTest,
    /// The function of the bench.
    function: String,
    /// What the framework calls it.
    identifier: String,
    run: Run,
}

/// How a test is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// As it is.
    Here,
    /// In a process that has to exit with this status.
    Exits(i32),
    /// In a process that has to be ended by this signal.
    Raises(&'static str),
}

impl<'a> Listing<'a> {
    fn new(tests: &'a UnitTests, bench: &'a str) -> Self {
        let case = |(position, test): (usize, &'a UnitTest)| {
            let name = identifier(&test.name);
            let joint = if name.is_empty() { "" } else { "_" };
            let run = match &test.ending {
                ExpectedEnding::Signal { name, .. } => Run::Raises(name),
                ExpectedEnding::Exit(status) => Run::Exits(status & 0xff),
                _ if !tests.hidden.is_empty() => Run::Exits(0),
                _ => Run::Here,
            };
            let identifier = format!("test_{}{joint}{name}", position + 1);
            Case { test, function: name_of_test(position), identifier, run }
        };
        Self { tests, bench, cases: tests.repeatable().map(case).collect() }
    }

    /// The identifier of a group of tests.
    fn group(&self) -> String {
        identifier(&self.tests.function)
    }

    /// The comment at the top: what it is, how to build it, what is not in it.
    fn heading(&self, compiler: &str, libraries: &str) -> String {
        let (function, file) = (comment(&self.tests.function), comment(&self.tests.file));
        let flags: String = self.tests.flags.iter().map(|flag| format!(" {flag}")).collect();
        let (flags, bench) = (comment(&flags), self.bench);
        let object = bench.replace(".c", ".o");
        let mut text = format!(
            "/* Tests of {function} in {file}, written by obligato. What they do is in {bench}.\n *\n \
             *   cc -c{flags} {bench}\n *   {compiler} THIS_FILE {object} {libraries} -lm\n"
        );
        let hidden = self.tests.hidden.join(", ");
        if !hidden.is_empty() {
            let why = "keep state that nothing outside can reset, so every test has a process";
            line!(text, " *\n * {} {why}.", comment(&hidden));
        }
        for (left_out, why) in self.tests.unrepeatable() {
            let (name, why) = (comment(&left_out.name), comment(why));
            line!(text, " *\n * Not here, for a machine may do anything in it: {name}\n *   {why}");
        }
        for case in self.cases.iter().filter(|case| matches!(case.run, Run::Raises(_))) {
            if let ExpectedEnding::Signal { name, why } = &case.test.ending {
                let (title, why) = (comment(&case.test.name), comment(why));
                line!(text, " *\n * Expected to end by {name}: {title}\n *   {why}");
            }
        }
        text + " */\n"
    }

    /// The declarations of the functions of the bench.
    fn declarations(&self) -> String {
        let each = self.cases.iter();
        each.map(|case| format!("void {}(void);\n", case.function)).collect()
    }

    /// What the bench calls, with `fail` as the statement that tells the framework of a `message` about `file` and `line`.
    fn runtime(&self, fail: &str) -> String {
        let runtime = RUNTIME.replace("TELL_THE_FRAMEWORK;", fail);
        let alone = self.cases.iter().any(|case| case.run != Run::Here);
        if alone { runtime + ALONE } else { runtime }
    }
}

impl Case<'_> {
    /// The statement that runs it, where the framework has no word for how it ends.
    fn statement(&self) -> String {
        let function = &self.function;
        match self.run {
            Run::Here => format!("{function}();"),
            Run::Exits(status) => format!("obligato_expect({function}, 0, {status});"),
            Run::Raises(signal) => format!("obligato_expect({function}, {signal}, 0);"),
        }
    }

    /// Its name as a string.
    fn name(&self) -> String {
        string(&self.test.name)
    }
}

/// What every bench calls. It is C and C++.
const RUNTIME: &str = r#"#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
void *obligato_new(unsigned long size);
void obligato_release(void *object);
void obligato_signed(const char *file, int line, const char *what, long long expected, long long found);
void obligato_unsigned(const char *file, int line, const char *what, unsigned long long expected, unsigned long long found);
void obligato_address(const char *file, int line, const char *what, const void *expected, const void *found);
void obligato_truth(const char *file, int line, const char *what, int holds);
#ifdef __cplusplus
}
#endif

/* Is this the process of a single test? */
static int obligato_is_alone;

static void obligato_fail(const char *file, int line, const char *message)
{
    if (obligato_is_alone) {
        fprintf(stderr, "%s:%d: %s\n", file, line, message);
        fflush(stderr);
        _exit(99);
    }
    TELL_THE_FRAMEWORK;
}

void *obligato_new(unsigned long size)
{
    void *object = calloc(1, size);
    if (!object) abort();
    return object;
}

void obligato_release(void *object) { free(object); }

void obligato_signed(const char *file, int line, const char *what, long long expected, long long found)
{
    char message[400];
    if (expected == found) return;
    snprintf(message, sizeof message, "%.200s is %lld, expected %lld", what, found, expected);
    obligato_fail(file, line, message);
}

void obligato_unsigned(const char *file, int line, const char *what, unsigned long long expected, unsigned long long found)
{
    char message[400];
    if (expected == found) return;
    snprintf(message, sizeof message, "%.200s is %llu (%#llx), expected %llu (%#llx)", what, found, found, expected, expected);
    obligato_fail(file, line, message);
}

void obligato_address(const char *file, int line, const char *what, const void *expected, const void *found)
{
    char message[400];
    if (expected == found) return;
    snprintf(message, sizeof message, "%.200s is %p, expected %p", what, found, expected);
    obligato_fail(file, line, message);
}

void obligato_truth(const char *file, int line, const char *what, int holds)
{
    char message[400];
    if (holds) return;
    snprintf(message, sizeof message, "%.200s does not hold", what);
    obligato_fail(file, line, message);
}
"#;

/// Tests in processes of their own.
const ALONE: &str = r#"
/* Runs a test in a process of its own, which has to be ended by this signal, or with this status if it is 0. */
__attribute__((unused)) static void obligato_expect(void (*test)(void), int signal_expected, int status_expected)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
    char message[400];
    int status = 0;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        struct rlimit none = { 0, 0 };
        unsigned index;
        for (index = 0; index < sizeof signals / sizeof *signals; index++) signal(signals[index], SIG_DFL);
        setrlimit(RLIMIT_CORE, &none);
        obligato_is_alone = 1;
        test();
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        obligato_fail(__FILE__, __LINE__, "there is no process for the test");
    } else if (WIFSIGNALED(status)) {
        if (WTERMSIG(status) == signal_expected) return;
        snprintf(message, sizeof message, "ended by signal %d, expected %s %d", WTERMSIG(status),
                 signal_expected ? "signal" : "exit", signal_expected ? signal_expected : status_expected);
        obligato_fail(__FILE__, __LINE__, message);
    } else if (signal_expected || WEXITSTATUS(status) != status_expected) {
        snprintf(message, sizeof message, "ended with exit %d, expected %s %d", WEXITSTATUS(status),
                 signal_expected ? "signal" : "exit", signal_expected ? signal_expected : status_expected);
        obligato_fail(__FILE__, __LINE__, message);
    }
}
"#;
