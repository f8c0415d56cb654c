/* Runs marked functions on every choice of inputs and from every state that calls have left behind, and prints all that happened.
 *
 * A step is run again and again; each time the choices that it makes (trust_choose) are the next ones in lexicographic order. The states
 * that steps end in are kept in a list, and each is the start of all steps once: when the list ends, any number of calls has been seen.
 * What a run does up to undefined behaviour counts: the compiler makes a trap of it, and the signal ends the run. */
#define TRUST_RECORDER
#include "prelude.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHOICES = 4096,
    MOST_STATES = 4096,
    MOST_RUNS = 100000,
    RANDOM_RUNS = 50000, /* when all are too many */
    MOST_FRAMES = 4096,
    MOST_MARKS = 65536,
    MOST_EVENTS = 200000, /* of one run */
    SLOTS = 1 << 16       /* of the table of vectors and switch values; a power of two */
};

struct slot {
    char used;
    int kind, which;
    long long value;
};

/* All of it lies on the heap: static storage is the state of programs. */
struct recorder {
    sigjmp_buf out;
    unsigned choice[MOST_CHOICES], among[MOST_CHOICES], made, fixed;
    unsigned long long frame[MOST_FRAMES];
    int frames, events, complete, at_random;
    unsigned long long seed;
    unsigned char taken[MOST_MARKS][2], hit[MOST_MARKS], left[MOST_MARKS];
    struct slot slots[SLOTS];
    int used;
    char *states[MOST_STATES];
    int state_count;
};
static struct recorder *r;

static void note(int kind, int which, long long value) {
    unsigned long long hash = ((unsigned long long)value * 31 + which * 7 + kind) * 0x9e3779b97f4a7c15ULL;
    unsigned at = hash >> 48 & (SLOTS - 1);
    for (; r->slots[at].used; at = (at + 1) & (SLOTS - 1))
        if (r->slots[at].kind == kind && r->slots[at].which == which && r->slots[at].value == value) return;
    if (r->used > SLOTS / 2) { r->complete = 0; return; }
    r->slots[at] = (struct slot){ 1, kind, which, value };
    r->used++;
}

void trust_leave(void) { siglongjmp(r->out, 1); }

void trust_partial(void) { r->complete = 0; }

static void count_event(void) {
    if (++r->events > MOST_EVENTS) { r->complete = 0; trust_leave(); }
}

unsigned trust_choose(unsigned n) {
    count_event();
    if (r->at_random) {
        r->seed = r->seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return (r->seed >> 33) % n;
    }
    if (r->made == MOST_CHOICES) { r->complete = 0; trust_leave(); }
    unsigned at = r->made++;
    if (at >= r->fixed) { r->choice[at] = 0; r->fixed = at + 1; }
    r->among[at] = n;
    return r->choice[at];
}

void trust_fill(void *at, unsigned long size, const unsigned char *values, unsigned count) {
    for (unsigned long i = 0; i < size; i++) ((unsigned char *)at)[i] = values[trust_choose(count)];
}

int trust_condition(int condition, int ordinal, int value) {
    count_event();
    r->taken[condition][value != 0] = 1;
    r->frame[r->frames - 1] |= (value ? 2ULL : 1ULL) << 2 * ordinal;
    return value != 0;
}

void trust_begin(int decision) {
    (void)decision;
    count_event();
    if (r->frames == MOST_FRAMES) { r->complete = 0; trust_leave(); }
    r->frame[r->frames++] = 0;
}

int trust_end(int decision, int value) {
    note(value != 0, decision, (long long)r->frame[--r->frames]);
    return value != 0;
}

void trust_hit(int statement) { count_event(); r->hit[statement] = 1; }

void trust_exit(int statement) { r->left[statement] = 1; }

long long trust_switch(int which, long long value) { note(2, which, value); return value; }

static void on_signal(int number) { (void)number; siglongjmp(r->out, 1); }

/* Did the step come to its end? */
static int run(const struct trust_program *program) {
    r->made = r->frames = r->events = 0;
    if (sigsetjmp(r->out, 0)) return 0;
    program->step();
    return 1;
}

static int next_choices(void) {
    r->fixed = r->made;
    while (r->fixed && r->choice[r->fixed - 1] + 1 >= r->among[r->fixed - 1]) r->fixed--;
    if (!r->fixed) return 0;
    r->choice[r->fixed - 1]++;
    return 1;
}

static void keep_state(const struct trust_program *program) {
    size_t size = program->end - program->begin;
    for (int i = r->state_count - 1; i >= 0; i--)
        if (!memcmp(r->states[i], program->begin, size)) return;
    if (r->state_count == MOST_STATES) { r->complete = 0; return; }
    r->states[r->state_count] = malloc(size + 1);
    memcpy(r->states[r->state_count++], program->begin, size);
}

static void explore(const struct trust_program *program) {
    size_t size = program->end - program->begin;
    int runs = 0;
    r->complete = 1;
    r->state_count = 0;
    keep_state(program);
    for (int state = 0; state < r->state_count && runs < MOST_RUNS; state++) {
        r->fixed = 0;
        do {
            memcpy(program->begin, r->states[state], size);
            if (run(program)) keep_state(program);
        } while (++runs < MOST_RUNS && next_choices());
    }
    if (runs >= MOST_RUNS) {
        r->complete = 0;
        r->at_random = 1;
        for (int i = 0; i < RANDOM_RUNS; i++) {
            memcpy(program->begin, r->states[i % r->state_count], size);
            if (run(program)) keep_state(program);
        }
        r->at_random = 0;
    }
    memcpy(program->begin, r->states[0], size);
    while (r->state_count) free(r->states[--r->state_count]);
}

int main(void) {
    const int signals[] = { SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGABRT };
    r = calloc(1, sizeof *r);
    /* An access beyond the stack needs a stack of its own for the handler. */
    stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
    sigaltstack(&stack, 0);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){ .sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER }, 0);
    for (int i = 0; i < trust_program_count; i++) {
        explore(&trust_programs[i]);
        printf("program %d %s\n", i, r->complete ? "complete" : "partial");
    }
    for (int i = 0; i < MOST_MARKS; i++) {
        for (int value = 0; value < 2; value++)
            if (r->taken[i][value]) printf("condition %d %d\n", i, value);
        if (r->hit[i]) printf("statement %d\n", i);
        if (r->left[i]) printf("exit %d\n", i);
    }
    for (int i = 0; i < SLOTS; i++) {
        const struct slot *slot = &r->slots[i];
        if (slot->used && slot->kind == 2) printf("switch %d %lld\n", slot->which, slot->value);
        else if (slot->used) printf("decision %d %d %llu\n", slot->which, slot->kind, (unsigned long long)slot->value);
    }
    return 0;
}
