/* Runs tests of a unit as machine code.
 *
 *   harness UNIT.so < SCRIPT > RESULTS
 *
 * The script is text, one command per line (see native/protocol.rs, which writes it). Each test runs in a child of its
 * own, with limits; what it prints goes through a pipe, and the parent adds how it ended.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <malloc.h>

struct object { unsigned char *start; unsigned long size; int fresh; };

static void *unit;
static struct object *objects;
static long object_count;
static void **unit_globals, **unit_functions;
static char **linked; /* names of functions that the linker has found for the unit */
static long linked_count;
static char *line; /* the rest of the command in work */

/* What the child says: kept in a buffer, so that a unit that corrupts the heap does no harm to it. */
static char said[1 << 16];
static unsigned long said_length;
static unsigned long events;
static int out = -1;
enum { MOST_EVENTS = 2000000 };

static void flush_said(void) {
    unsigned long done = 0;
    while (done < said_length) {
        long n = write(out, said + done, said_length - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (unsigned long)n;
    }
    said_length = 0;
}

static void say(const char *text, unsigned long length) {
    if (said_length + length > sizeof said) flush_said();
    memcpy(said + said_length, text, length);
    said_length += length;
}

static void say_text(const char *text) { say(text, strlen(text)); }

static void say_number(long number) {
    char digits[24];
    say(digits, (unsigned long)snprintf(digits, sizeof digits, " %ld", number));
}

/* Reading of commands. */
static long number(void) {
    char *end;
    long value = strtol(line, &end, 10);
    line = end;
    return value;
}

static struct object *object(void) {
    long id = number();
    if (id < 0 || id >= object_count) { _exit(99); }
    return &objects[id];
}

static int hex_digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/* An object ends where a page ends, as nearly as its alignment allows; behind it nothing may be touched. A sanitizer
 * knows better where objects that it has allocated begin and end. */
static void make_object(long id, unsigned long size) {
#ifdef SANITIZED
    objects[id].start = calloc(1, size ? size : 1);
    objects[id].size = size;
    return;
#endif
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
    unsigned long padded = (size + 15) & ~15ul;
    unsigned long pages = (padded + page - 1) / page;
    unsigned char *start = mmap(0, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) _exit(98);
    mprotect(start + pages * page, page, PROT_NONE);
    objects[id].start = start + pages * page - padded;
    objects[id].size = size;
    objects[id].fresh = 1;
}

/* A stream that takes everything and has nothing to read. */
static void make_stream(long id, unsigned long size) {
    FILE *stream = fopen("/dev/null", "r+");
    if (!stream) _exit(98);
    objects[id].start = (unsigned char *)stream;
    objects[id].size = size;
}

/* The unit may give back or enlarge what a pointer of a test points to, as if malloc had made it. The unit is linked so
 * that it calls these. What is given back stays readable: whoever reads it has been found out by the executor. */
static struct object *made_here(const void *pointer) {
    for (long id = 0; pointer && id < object_count; id++)
        if (objects[id].fresh && objects[id].start == pointer) return &objects[id];
    return 0;
}

void __wrap_free(void *pointer) {
    if (!made_here(pointer)) free(pointer);
}

/* What nobody has written is zero, as it is for the executor, which has no larger objects. */
enum { LARGEST_OBJECT = 1 << 30 };

void *__wrap_malloc(unsigned long size) { return size > LARGEST_OBJECT ? 0 : calloc(1, size); }

void *__wrap_calloc(unsigned long count, unsigned long size) {
    unsigned long all;
    return __builtin_mul_overflow(count, size, &all) ? 0 : __wrap_malloc(all);
}

void *__wrap_realloc(void *pointer, unsigned long size) {
    struct object *made = made_here(pointer);
    if (!pointer || size > LARGEST_OBJECT) return __wrap_malloc(size);
#ifdef SANITIZED
    if (!made) return realloc(pointer, size);
#endif
    if (!made) {
        /* What is enlarged lies elsewhere afterwards, as it does for the executor. */
        unsigned long old = malloc_usable_size(pointer);
        void *moved = size ? calloc(1, size) : 0;
        if (moved) memcpy(moved, pointer, size < old ? size : old);
        if (moved || !size) free(pointer);
        return moved;
    }
    void *larger = size ? calloc(1, size) : 0;
    if (larger) memcpy(larger, pointer, size < made->size ? size : made->size);
    return larger;
}

/* These run nothing that is registered for the end, so what was said is passed on before. */
void __wrap__exit(int status) {
    flush_said();
    _exit(status);
}

void __wrap__Exit(int status) { __wrap__exit(status); }

/* glibc gives the difference of the first bytes that differ on some machines, and -1 or 1 on others. */
int __wrap_memcmp(const void *left, const void *right, unsigned long size) {
    const unsigned char *l = left, *r = right;
    for (unsigned long i = 0; i < size; i++)
        if (l[i] != r[i]) return l[i] - r[i];
    return 0;
}

/* C does not say in which order elements are compared. This is the executor's merge sort. */
void __wrap_qsort(void *start, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
    unsigned long all;
    if (count < 2 || !size || __builtin_mul_overflow(count, size, &all)) return;
    unsigned char *elements = start, *copy = malloc(all);
    unsigned long *order = calloc(count, sizeof *order), *merged = calloc(count, sizeof *order);
    if (!copy || !order || !merged) _exit(98);
    for (unsigned long i = 0; i < count; i++) order[i] = i;
    for (unsigned long width = 1; width < count; width *= 2) {
        for (unsigned long first = 0; first < count; first += 2 * width) {
            unsigned long middle = first + width < count ? first + width : count;
            unsigned long end = middle + width < count ? middle + width : count;
            unsigned long left = first, right = middle, to = first;
            while (left < middle && right < end) {
                int before = compare(elements + order[left] * size, elements + order[right] * size) <= 0;
                merged[to++] = order[before ? left++ : right++];
            }
            while (left < middle) merged[to++] = order[left++];
            while (right < end) merged[to++] = order[right++];
        }
        memcpy(order, merged, count * sizeof *order);
    }
    memcpy(copy, elements, all);
    for (unsigned long i = 0; i < count; i++) memcpy(elements + i * size, copy + order[i] * size, size);
    free(copy);
    free(order);
    free(merged);
}

static void write_bits(void) {
    struct object *to = object();
    long offset = number(), count = number();
    while (*line == ' ') line++;
    long digits = (long)strspn(line, "0123456789abcdef");
    for (long bit = 0; bit < count; bit++) {
        long digit = digits - 1 - bit / 4;
        int set = digit >= 0 && (hex_digit(line[digit]) >> (bit % 4) & 1);
        unsigned char *byte = to->start + (offset + bit) / 8;
        unsigned char mask = (unsigned char)(1u << ((offset + bit) % 8));
        *byte = (unsigned char)(set ? *byte | mask : *byte & ~mask);
    }
    line += digits;
}

static void write_pointer(void) {
    struct object *to = object();
    long offset = number();
    while (*line == ' ') line++;
    char kind = *line++;
    void *value = 0;
    if (kind == 'o') value = object()->start;
    if (kind == 'i') { char *start = object()->start; value = start + number(); }
    if (kind == 'f') value = unit_functions[number()];
    memcpy(to->start + offset, &value, sizeof value);
}

/* Does a pointer of the unit point to the function of this name? Where the unit is linked with a wrapper, to that; where the
 * driver stands in for an allocator, to the stand-in. */
static int points_to(const void *value, const char *name) {
    char wrapper[256];
    void *found = dlsym(unit, name);
    if (found && found == value) return 1;
    snprintf(wrapper, sizeof wrapper, "__wrap_%s", name);
    found = dlsym(RTLD_DEFAULT, wrapper);
    if (found && found == value) return 1;
    snprintf(wrapper, sizeof wrapper, "obligato_allocate_%s", name);
    found = dlsym(unit, wrapper);
    return found && found == value;
}

static void name_linked(void) {
    while (*line == ' ') line++;
    linked = realloc(linked, (unsigned long)(linked_count + 1) * sizeof *linked);
    if (!linked) _exit(98);
    linked[linked_count++] = line;
}

static void show_pointer(void) {
    struct object *from = object();
    long offset = number();
    unsigned char *value;
    memcpy(&value, from->start + offset, sizeof value);
    if (!value) { say_text("q n\n"); return; }
    /* An address inside of one object may be the end of another. */
    for (long end = 0; end < 2; end++) {
        for (long id = 0; id < object_count; id++) {
            struct object *to = &objects[id];
            if (!to->start || value < to->start || value >= to->start + to->size + (unsigned long)end) continue;
            say_text("q o");
            say_number(id);
            say_number(value - to->start);
            say_text("\n");
            return;
        }
    }
    for (long index = 0; unit_functions && unit_functions[index]; index++) {
        if (unit_functions[index] == (void *)value) {
            say_text("q f");
            say_number(index);
            say_text("\n");
            return;
        }
    }
    FILE *streams[] = { stdin, stdout, stderr };
    static const char *const stream_names[] = { "stdin", "stdout", "stderr" };
    for (int index = 0; index < 3; index++) {
        if ((void *)streams[index] == (void *)value) {
            say_text("q s ");
            say_text(stream_names[index]);
            say_text("\n");
            return;
        }
    }
    for (long index = 0; index < linked_count; index++) {
        if (points_to(value, linked[index])) {
            say_text("q l ");
            say_text(linked[index]);
            say_text("\n");
            return;
        }
    }
    say_text("q ?\n");
}

static void dump(void) {
    static const char hex[] = "0123456789abcdef";
    struct object *from = object();
    say_text("d ");
    for (unsigned long at = 0; at < from->size; at++) {
        char pair[2] = { hex[from->start[at] >> 4], hex[from->start[at] & 15] };
        say(pair, 2);
    }
    say_text("\n");
}

/* The world outside. */
struct effect { int global; long root, depth, *pointers; unsigned long offset, size, value, given; };
struct answers { long calls, most; long *results, *given, parameters, stretches, writing, *written; struct effect *effects; };
static struct answers *outside;
static long outside_count;
/* The writes of this step for which there is no memory: function, call, stretch. */
static long (*impossible)[3];
static long impossible_count;

static int is_impossible(long id, long call, long stretch) {
    for (long i = 0; i < impossible_count; i++)
        if (impossible[i][0] == id && impossible[i][1] == call && impossible[i][2] == stretch) return 1;
    return 0;
}

static void note_impossible(void) {
    impossible = realloc(impossible, (unsigned long)(impossible_count + 1) * sizeof *impossible);
    if (!impossible) _exit(98);
    for (int i = 0; i < 3; i++) impossible[impossible_count][i] = number();
    impossible_count++;
}

/* What a call writes of what it reaches. */
static void write_effects(long id, long call, const void **arguments) {
    struct answers *answers = &outside[id];
    if (!answers->writing) return;
    struct object *own = &objects[answers->written[call < answers->writing ? call : answers->writing - 1]];
    for (long i = 0; i < answers->stretches; i++) {
        struct effect *effect = &answers->effects[i];
        if (!own->start[effect->given] || is_impossible(id, call, i)) continue;
        unsigned char *at = effect->global ? objects[effect->root].start : (unsigned char *)arguments[effect->root];
        for (long p = 0; p < effect->depth; p++) memcpy(&at, at + effect->pointers[p], sizeof at);
        memcpy(at + effect->offset, own->start + effect->value, effect->size);
    }
}

/* `e STUB STRETCHES CALLS` then per stretch its place, size, bytes and whether they are given, and per call its object */
static void prepare_effects(void) {
    struct answers *answers = &outside[number()];
    answers->stretches = number();
    answers->writing = number();
    answers->effects = calloc((unsigned long)answers->stretches + 1, sizeof *answers->effects);
    answers->written = calloc((unsigned long)answers->writing + 1, sizeof(long));
    for (long i = 0; i < answers->stretches; i++) {
        struct effect *effect = &answers->effects[i];
        while (*line == ' ') line++;
        effect->global = *line++ == 'g';
        effect->root = number();
        effect->depth = number();
        effect->pointers = calloc((unsigned long)effect->depth + 1, sizeof(long));
        for (long p = 0; p < effect->depth; p++) effect->pointers[p] = number();
        effect->offset = (unsigned long)number();
        effect->size = (unsigned long)number();
        effect->value = (unsigned long)number();
        effect->given = (unsigned long)number();
    }
    for (long i = 0; i < answers->writing; i++) answers->written[i] = number();
}

void obligato_outside(int id, int count, const void **arguments, const unsigned long *sizes, void *result) {
    if (id < 0 || id >= outside_count) _exit(97);
    struct answers *answers = &outside[id];
    long call = answers->calls++;
    if (call < answers->most) {
        for (long i = 0; i < count && i < answers->parameters; i++) {
            struct object *to = &objects[answers->given[call * answers->parameters + i]];
            memcpy(to->start, arguments[i], sizes[i] < to->size ? sizes[i] : to->size);
        }
    }
    write_effects(id, call, arguments);
    long last = call < answers->most ? call : answers->most - 1;
    if (result && last >= 0 && answers->results[last] >= 0) {
        struct object *from = &objects[answers->results[last]];
        memcpy(result, from->start, from->size);
    }
}

/* `x STUB CALLS PARAMETERS` then per call its result and what keeps its arguments */
static void prepare_outside(void) {
    long id = number();
    struct answers *answers = &outside[id];
    answers->most = number();
    answers->parameters = number();
    answers->results = calloc((unsigned long)answers->most + 1, sizeof(long));
    answers->given = calloc((unsigned long)(answers->most * answers->parameters) + 1, sizeof(long));
    for (long call = 0; call < answers->most; call++) {
        answers->results[call] = number();
        for (long i = 0; i < answers->parameters; i++)
            answers->given[call * answers->parameters + i] = number();
    }
}

/* What the environment changes: volatile stretches of objects. Reads get their values from objects of the test, and what is
 * written is kept in others, access by access. */
struct stretch { struct object *home; unsigned long offset, size; long reads, writes, most_reads, most_writes; long *own; };
static struct stretch *stretches;
static long stretch_count;

static void follow_access(unsigned char *address, unsigned long size, int written) {
    for (long i = 0; i < stretch_count; i++) {
        struct stretch *stretch = &stretches[i];
        unsigned char *start = stretch->home->start + stretch->offset, *end = start + stretch->size;
        unsigned char *first = address > start ? address : start;
        unsigned char *last = address + size < end ? address + size : end;
        if (!stretch->home->start || first >= last) continue;
        long number = written ? stretch->writes++ : stretch->reads++;
        long most = written ? stretch->most_writes : stretch->most_reads;
        if (number >= most && (written || most == 0)) continue;
        if (number >= most) number = most - 1;
        unsigned char *own = objects[stretch->own[written ? stretch->most_reads + number : number]].start + (first - start);
        memcpy(written ? own : first, written ? first : own, (unsigned long)(last - first));
    }
}

void obligato_volatile_read(void *address, unsigned long size) { follow_access(address, size, 0); }
void obligato_volatile_written(void *address, unsigned long size) { follow_access(address, size, 1); }

/* `v STRETCH OBJECT OFFSET SIZE READS WRITES` then the objects of the reads and of the writes */
static void prepare_volatile(void) {
    long id = number();
    if (id < 0 || id >= stretch_count) _exit(94);
    struct stretch *stretch = &stretches[id];
    stretch->home = object();
    stretch->offset = (unsigned long)number();
    stretch->size = (unsigned long)number();
    stretch->most_reads = number();
    stretch->most_writes = number();
    long all = stretch->most_reads + stretch->most_writes;
    stretch->own = calloc((unsigned long)all + 1, sizeof(long));
    for (long i = 0; i < all; i++) stretch->own[i] = number();
}

static void begin_step(void) {
    impossible_count = 0;
    for (long i = 0; i < outside_count; i++) outside[i].calls = 0;
    for (long i = 0; i < stretch_count; i++) stretches[i].reads = stretches[i].writes = 0;
}

/* What a copy of the bitcode reports that was made to be watched. */
void obligato_saw(int id, long value) {
    if (events >= MOST_EVENTS) {
        if (events++ == MOST_EVENTS) say_text("m\n");
        return;
    }
    events++;
    say_text("v");
    say_number(id);
    say_number(value);
    say_text("\n");
}

static void call(void) {
    char name[40];
    snprintf(name, sizeof name, "obligato_call_%ld", number());
    void (*function)(void **, void *) = (void (*)(void **, void *))dlsym(unit, name);
    if (!function) _exit(96);
    long result = number(), count = number();
    void **arguments = calloc((unsigned long)count + 1, sizeof(void *));
    for (long i = 0; i < count; i++) arguments[i] = object()->start;
    function(arguments, result < 0 ? 0 : objects[result].start);
    free(arguments);
    say_text("c\n");
}

static void crashed(int signal) {
    flush_said();
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal, &plain, 0);
    raise(signal);
}

static void prepare_signals(void) {
    static unsigned char stack[1 << 16];
    stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&alternative, 0);
    struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER };
    int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, 0);
}

static void leave(void) { flush_said(); }

static void run(char *text) {
    prepare_signals();
    atexit(leave);
    at_quick_exit(leave);
    while (*text && *text != 't') {
        char *next = strchr(text, '\n');
        if (next) *next++ = 0; else next = text + strlen(text);
        line = text + 1;
        switch (*text) {
        case 'n': /* how many objects, functions outside and volatile stretches there are */
            object_count = number();
            outside_count = number();
            stretch_count = number();
            stretches = calloc((unsigned long)stretch_count + 1, sizeof *stretches);
            objects = calloc((unsigned long)object_count + 1, sizeof *objects);
            outside = calloc((unsigned long)outside_count + 1, sizeof *outside);
            break;
        case 'f': name_linked(); break;
        case 'o': { long id = number(); make_object(id, (unsigned long)number()); break; }
        case 'O': { long id = number(); make_stream(id, (unsigned long)number()); break; }
        case 'g': {
            long id = number(), index = number();
            objects[id].size = (unsigned long)number();
            objects[id].start = unit_globals[index];
            break;
        }
        case 'l': {
            long id = number();
            objects[id].size = (unsigned long)number();
            while (*line == ' ') line++;
            objects[id].start = dlsym(unit, line);
            if (!objects[id].start) _exit(93);
            break;
        }
        case 'x': prepare_outside(); break;
        case 'e': prepare_effects(); break;
        case 'i': note_impossible(); break;
        case 'v': prepare_volatile(); break;
        case 's': begin_step(); break;
        case 'w': write_bits(); break;
        case 'p': write_pointer(); break;
        case 'c': call(); break;
        case 'k':
            say_text("k");
            for (long i = 0; i < outside_count; i++) say_number(outside[i].calls);
            for (long i = 0; i < stretch_count; i++) say_number(stretches[i].writes);
            say_text("\n");
            break;
        case 'd': dump(); break;
        case 'q': show_pointer(); break;
        default: _exit(95);
        }
        text = next;
    }
    say_text("z\n");
    flush_said();
    _exit(0);
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void limit(int what, unsigned long value) {
    struct rlimit bound = { value, value };
    setrlimit(what, &bound);
}

/* Passes on what the child says until it ends; kills it when its time is over. */
static int follow(pid_t child, int from, long milliseconds) {
    static char buffer[1 << 16];
    long deadline = now() + milliseconds;
    int late = 0;
    for (;;) {
        long left = deadline - now();
        struct pollfd ready = { .fd = from, .events = POLLIN };
        int n = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) { late = 1; break; }
        long length = read(from, buffer, sizeof buffer);
        if (length <= 0) break;
        fwrite(buffer, 1, (unsigned long)length, stdout);
    }
    if (late) kill(child, SIGKILL);
    return late;
}

static void run_test(char *text) {
    long milliseconds = strtol(text + 1, &text, 10);
    if (*text == '\n') text++;
    int ends[2];
    fflush(stdout);
    if (pipe(ends)) exit(1);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        close(ends[0]);
        out = ends[1];
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, 1 << 20);
        limit(RLIMIT_CPU, (unsigned long)milliseconds / 1000 + 2);
        run(text);
    }
    close(ends[1]);
    int late = follow(child, ends[0], milliseconds);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (late) printf("\ne late\n");
    else if (WIFSIGNALED(status)) printf("\ne signal %d\n", WTERMSIG(status));
    else printf("\ne exit %d\n", WEXITSTATUS(status));
}

int main(int count, char **names) {
    if (count < 2) return 2;
    unit = dlopen(names[1], RTLD_LAZY | RTLD_LOCAL);
    if (!unit) { fprintf(stderr, "%s\n", dlerror()); return 1; }
    void (*prepare)(void) = (void (*)(void))dlsym(unit, "obligato_prepare");
    if (prepare) prepare(); /* thread-local objects: the thread that runs tests is this one, also in their processes */
    unit_globals = dlsym(unit, "obligato_globals");
    unit_functions = dlsym(unit, "obligato_functions");
    char *script = 0;
    unsigned long length = 0, room = 0;
    for (;;) {
        if (length + 65536 > room) {
            room = room * 2 + 131072;
            script = realloc(script, room);
            if (!script) return 1;
        }
        long n = read(0, script + length, 65535);
        if (n <= 0) break;
        length += (unsigned long)n;
    }
    script[length] = 0;
    for (char *text = script; text && *text; ) {
        if (*text == 't') run_test(text);
        char *next = strchr(text, '\n');
        text = next ? next + 1 : 0;
    }
    return 0;
}
