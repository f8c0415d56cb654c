//! Concolic execution follows conditions on results of the standard library.

mod support;

use obligato_c_unit::Settings;
use obligato_campaign::Phase;
use support::{MCDC, load, request, run, tally};

/// Concolic search alone covers everything, without a divergent run.
fn followed(text: &str) {
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    let mut request = request(&unit, &interface, &[MCDC]);
    request.phases.retain(|phase| *phase != Phase::Bmc);
    let outcome = run(&request);
    let (covered, refuted, open) = tally(&outcome);
    assert!(covered > 0, "{text}");
    assert_eq!((refuted, open), (0, 0), "{:?}\n{text}", outcome.limit);
    assert_eq!(outcome.found.statistics.divergent, 0, "{text}");
}

#[test]
fn texts_are_compared_and_measured() {
    followed(
        "#include <string.h>
        int f(const char *s) {
            if (!s) return 0;
            if (strcmp(s, \"off\") == 0) return 1;
            if (strlen(s) == 5 && strncmp(s, \"on\", 2) == 0) return 2;
            return memcmp(s, \"a?c\", 3) == 0 || strchr(s, ':') != 0;
        }",
    );
}

#[test]
fn characters_are_classified() {
    followed(
        "extern int isdigit(int); extern int toupper(int); extern int abs(int);
        int f(int c, int n) { return (isdigit(c) && c != '3') || toupper(c) == 'Q' || abs(n) == 12345; }",
    );
}

#[test]
fn numbers_are_read_from_texts() {
    followed("extern int atoi(const char *); int f(const char *s) { return s && atoi(s) == 42; }");
}

#[test]
fn texts_are_searched() {
    followed(
        "#include <string.h>
        int f(const char *s) {
            if (!s) return 0;
            if (strstr(s, \"ab\") && strrchr(s, '/')) return 1;
            return strspn(s, \"xyz\") == 3 || strcspn(s, \"=\") == 4;
        }",
    );
}

#[test]
fn variables_that_are_changed_in_place_are_followed() {
    followed(
        "struct item { int value; struct item *next; };
        int f(const unsigned char *v, struct item *p) {
            int sum = 1000, count = 0;
            if (!v) return 0;
            for (int i = 0; i < 3; i++) sum -= (v[i] > 7) * 3;
            while (p) { count += p->value == 5; p = p->next; }
            return sum == 994 || count == 2;
        }",
    );
}
