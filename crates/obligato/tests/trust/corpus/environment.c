// The environment: volatile objects, registers, functions outside, callbacks, objects defined elsewhere.

//// tick_moves: sound
volatile unsigned tick;
int f(void) {
    unsigned t0 = V(tick, 0, 1, 5);
    if (D(V(tick, 0, 1, 5) != t0)) return 1;
    return D(t0 == 5);
}
//// driver
void step(void) { f(); }

//// static_volatile: sound
static volatile _Bool flag;
int f(void) {
    if (D(V(flag, 0, 1))) return 1;
    return D(C(V(flag, 0, 1)) && !C(V(flag, 0, 1)));
}
//// driver
void step(void) { f(); }

//// volatile_written_and_read_back: sound
volatile unsigned char port;
int f(unsigned char a) {
    @port = a;
    if (D(V(port, 0, 3, 4) != (a & 3))) return 1;
    return D(C(V(port, 0, 3, 4) == 3) && C(a == 4));
}
//// driver
void step(void) { f(PICK(0, 3, 4)); }

//// volatile_polled: covered
volatile unsigned char ready;
int f(void) {
    int n = 0;
    while (D(!C(V(ready, 0, 1)))) { if (D(++n > 6)) return -1; }
    return D(n == 6);
}
//// driver
void step(void) { f(); }

//// volatile_structure: sound
struct device { volatile unsigned char status, data; };
extern struct device uart;
int f(void) {
    if (D((V(uart.status, 0, 1, 2, 3) & 1) == 0)) return -1;
    return D(C(V(uart.status, 0, 1, 2, 3) & 2) && C(V(uart.data, 0, 65) == 65));
}
//// driver
struct device uart;
void step(void) { f(); }

//// volatile_behind_a_pointer: sound
int f(volatile int *p) {
    if (D(p == 0)) return 0;
    return D(C(V(*p, 0, 1) == 0) && C(V(*p, 0, 1) == 1));
}
//// driver
int cell;
void step(void) { f(trust_choose(2) ? &cell : 0); }

//// register_at_a_fixed_address: sound
int f(void) {
    unsigned v = V(*(volatile unsigned *)0x40021000, 0, 1, 3);
    if (D(C(v & 1) && !(C(v & 2)))) return 1;
    return D(v == 0);
}
//// driver
void step(void) { f(); }

//// peripheral_structure: sound
typedef struct { volatile unsigned cr, sr; } port_t;
#define PORT ((port_t *)0x40010000)
int f(void) {
    while (D(!(C(V(PORT->sr, 0, 1) & 1)))) { }
    return D(V(PORT->sr, 0, 4) == 4);
}
//// driver
void step(void) { f(); }

//// extern_constant: covered
extern const int limit;
int f(signed char a) { return D(C(a > 10) && C(a < limit)); }
//// driver
int storage __asm__("limit");
void step(void) { storage = PICK(-5, 0, 50, 1000); f((int)trust_choose(256) - 128); }

//// extern_constant_structure: covered
extern const struct { int low, high; } cfg;
int f(void) { return D(C(cfg.low > 3) && C(cfg.high < cfg.low)); }
//// driver
int storage[2] __asm__("cfg");
void step(void) { storage[0] = PICK(0, 4); storage[1] = PICK(0, 9); f(); }

//// extern_array_of_unknown_size: sound
extern unsigned char window[];
int f(unsigned short i) {
    if (D(window[i] == 200)) return 1;
    return D(C(i == 290) && C(window[290] == 3));
}
//// driver
unsigned char window[300];
void step(void) { window[290] = PICK(0, 3, 200); f(PICK(0, 5, 290)); }

//// extern_table_of_constants: covered
extern const short gains[4];
int f(unsigned char i) {
    if (D(i >= 4))
        return -1;
    return D(C(gains[i] > 100) && C(gains[0] < 0));
}
//// driver
short storage[4] __asm__("gains");
void step(void) { storage[0] = PICK(-1, 0); storage[3] = PICK(0, 200); f(PICK(0, 3, 4)); }

//// extern_constant_does_not_change: sound
extern const int limit;
static int seen;
int f(void) {
    int before = seen;
    seen = limit;
    return D(C(before != 0) && C(before != limit));
}
//// driver
int storage __asm__("limit");
static int chosen;
void step(void) {
    if (!chosen) { storage = PICK(0, 7, 9); chosen = 1; }
    f();
}

//// extern_pointer_constant: covered
extern const unsigned char *const table;
int f(void) { return D(C(table != 0) && C(table[1] == 77)); }
//// driver
const unsigned char *storage __asm__("table");
unsigned char bytes[8];
void step(void) { bytes[1] = PICK(0, 77); storage = PICK(0, 1) ? bytes : 0; f(); }

//// extern_array_within_its_first_cells: covered
extern unsigned char window[];
int f(unsigned char i) {
    if (D(i > 9))
        return 0;
    return D(C(window[i] == 200) && C(window[3] == 1));
}
//// driver
unsigned char window[300];
void step(void) { window[3] = PICK(0, 1); window[5] = PICK(0, 200); f(PICK(0, 5, 10)); }

//// extern_object: covered
extern int speed;
int f(void) { return D(C(speed > 100) && C(speed != 200)); }
//// driver
int speed;
void step(void) { speed = PICK(0, 101, 200); f(); }

//// constant_with_a_value: exact
const int limit = 40;
int f(signed char a) { return (D(a > limit)) + (D(limit > 41)); }
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// stub_result: covered
int sensor(void);
int f(void) {
    int a = sensor();
    int b = sensor();
    return D(C(a == 3) && C(b == 4));
}
//// driver
int sensor(void) { return PICK(0, 3, 4); }
void step(void) { f(); }

//// stub_called_six_times: sound
_Bool bit(void);
int f(void) {
    int n = 0;
    for (int i = 0; D(i < 6); i++) if (D(bit())) @n++;
    return D(C(n == 5) || C(n == 6) || C(n == 7));
}
//// driver
_Bool bit(void) { return trust_choose(2); }
void step(void) { f(); }

//// stub_alternates: covered
// Later calls than those with results of their own.
_Bool bit(void);
int f(void) {
    int n = 0;
    for (int i = 0; D(i < 8); i++) if (D(bit() == (i & 1))) @n++;
    return D(n == 8);
}
//// driver
_Bool bit(void) { return trust_choose(2); }
void step(void) { f(); }

//// stub_writes_through_a_pointer: covered
int read_sensor(int *out);
int f(void) {
    int v = 0;
    if (D(C(read_sensor(&v) == 0) && C(v > 5))) return 1;
    return D(v < 0);
}
//// driver
int read_sensor(int *out) { *out = PICK(-1, 0, 6); return PICK(0, 1); }
void step(void) { f(); }

//// stub_writes_a_buffer: covered
long receive(char *to, unsigned long size);
int f(void) {
    char b[4] = { 0 };
    @receive(b, 4);
    return D(C(b[0] == 'O') && C(b[1] == 'K'));
}
//// driver
long receive(char *to, unsigned long size) { to[0] = PICK(0, 'O'); to[1] = PICK(0, 'K'); return 0; }
void step(void) { f(); }

//// stub_writes_a_global: covered
int event;
void poll_events(void);
int f(void) {
    @event = 0;
    @poll_events();
    return D(C(event == 3) || C(event < 0));
}
//// driver
void poll_events(void) { event = PICK(-1, 0, 3); }
void step(void) { f(); }

//// stub_fills_a_structure: covered
struct message { unsigned id : 3; unsigned ok : 1; short length; char data[6]; };
_Bool receive(struct message *to);
int f(void) {
    struct message m = { 0 };
    if (D(!C(receive(&m)))) return -1;
    return D(C(m.ok) && C(m.id == 5) && C(m.length > 2) && C(m.data[4] == 'x'));
}
//// driver
_Bool receive(struct message *to) {
    to->id = PICK(0, 5);
    to->ok = trust_choose(2);
    to->length = PICK(0, 3);
    to->data[4] = PICK(0, 'x');
    return trust_choose(2);
}
void step(void) { f(); }

//// stub_gives_an_object: covered
struct item { int key; };
int find(struct item **out);
int f(void) {
    struct item *i = 0;
    if (D(C(find(&i) != 0) || C(i == 0))) return -1;
    return D(i->key == 7);
}
//// driver
struct item item;
int find(struct item **out) { item.key = PICK(0, 7); *out = trust_choose(2) ? &item : 0; return PICK(0, 1); }
void step(void) { f(); }

//// stub_writes_along_a_list: covered
struct node { struct node *next; int key; };
void refresh(struct node *head);
int f(void) {
    struct node last = { 0, 1 }, first = { &last, 2 };
    @refresh(&first);
    return D(C(first.key == 9) && C(last.key == 8));
}
//// driver
void refresh(struct node *head) { head->key = PICK(2, 9); head->next->key = PICK(1, 8); }
void step(void) { f(); }

//// stub_reads_in_a_loop: covered
int sample(short *out);
int f(void) {
    int sum = 0;
    for (int i = 0; D(i < 3); i++) {
        short v = 0;
        if (D(C(sample(&v) == 0) && C(v > 10))) @sum += v - 10;
    }
    return D(C(sum == 3) || C(sum == 33));
}
//// driver
int sample(short *out) { *out = PICK(0, 11, 21); return PICK(0, 1); }
void step(void) { f(); }

//// stub_writes_in_later_calls: sound
// Calls after those with writes of their own write the same again.
void sample(int *out);
int f(void) {
    int n = 0;
    for (int i = 0; D(i < 6); i++) {
        int v = 0;
        @sample(&v);
        if (D(v == (i & 1))) @n++;
    }
    return D(n == 6);
}
//// driver
void sample(int *out) { *out = PICK(0, 1); }
void step(void) { f(); }

//// stub_writes_and_state_counts: covered
static int strikes;
int read_level(int *out);
int f(void) {
    int level = 0;
    if (D(C(read_level(&level) == 0) && C(level > 90))) @strikes++;
    return D(strikes > 2);
}
//// driver
int read_level(int *out) { *out = PICK(0, 91); return PICK(0, 1); }
void step(void) { if (strikes < 4) f(); }

//// stub_ends_a_wait: covered
int ready, code;
void poll_device(void);
int f(void) {
    int tries = 0;
    @ready = 0;
    @code = 0;
    while (D(!(C(ready)) && C(tries < 3))) { @poll_device(); @tries++; }
    return D(C(code == 4) && C(tries == 2));
}
//// driver
void poll_device(void) { ready = trust_choose(2); code = PICK(0, 4); }
void step(void) { f(); }

//// stub_may_cast_const_away: sound
int look(const int *at);
int f(void) {
    int v = 3;
    if (D(look(&v) == 1)) return 1;
    return D(v != 3);
}
//// driver
int look(const int *at) { return PICK(0, 1); }
void step(void) { f(); }

//// stub_writes_a_member_of_a_global: covered
struct status { int mode; struct { short low, high; } limits; } status;
void update(void);
int f(void) {
    @status.mode = 0;
    @status.limits.high = 5;
    @update();
    return D(C(status.mode == 2) && C(status.limits.high < 0));
}
//// driver
void update(void) { status.mode = PICK(0, 2); status.limits.high = PICK(5, -1); }
void step(void) { f(); }

//// stub_cannot_write_a_static: sound
// Nobody outside knows its address, and nothing of the unit changes it later.
static int event;
void poll_events(void);
int f(void) {
    @event = 0;
    @poll_events();
    return D(event == 3);
}
//// driver
void poll_events(void) { if (trust_choose(2)) f(); }
void step(void) { f(); }

//// stub_writes_what_a_structure_points_to: covered
struct request { int *out; };
void submit(const struct request *r);
int f(void) {
    int v = 0;
    struct request r = { &v };
    @submit(&r);
    return D(v == 42);
}
//// driver
void submit(const struct request *r) { *r->out = PICK(0, 42); }
void step(void) { f(); }

//// stub_writes_what_a_structure_by_value_points_to: covered
struct request { int size; int *out; };
void submit(struct request r);
int f(void) {
    int v = 0;
    struct request r = { 4, &v };
    @submit(r);
    return D(v == 42);
}
//// driver
void submit(struct request r) { *r.out = PICK(0, 42); }
void step(void) { f(); }

//// stub_changes_what_a_parameter_points_to: sound
// Whoever calls f may have told others of p.
void out(void);
int f(int *p) {
    @*p = 1;
    @out();
    return D(*p == 2);
}
//// driver
int cell;
void out(void) { cell = PICK(1, 2); }
void step(void) { f(&cell); }

//// stub_keeps_the_pointer: sound
void keep(int *p);
int poke(void);
int f(void) {
    int v = 0;
    @keep(&v);
    @poke();
    return D(v == 42);
}
//// driver
int *kept;
void keep(int *p) { kept = p; }
int poke(void) { *kept = PICK(0, 42); return 0; }
void step(void) { f(); kept = 0; }

//// stub_calls_back: covered
void each(void (*visit)(int, void *), void *context);
static void count(int x, void *context) { if (D(x > 0)) ++*(int *)context; }
int f(void) {
    int n = 0;
    @each(count, &n);
    return D(C(n == 0) || C(n == 2));
}
//// driver
void each(void (*visit)(int, void *), void *context) {
    for (unsigned i = trust_choose(4); i; i--) visit(PICK(0, 1), context);
}
void step(void) { f(); }

//// stub_returns_a_pointer: sound
struct item { int key; struct item *next; };
struct item *find(int key);
int f(int key) {
    struct item *i = find(key);
    if (D(!C(i))) return 0;
    return D(C(i->key == key) && C(i->next == i));
}
//// driver
struct item *find(int key) {
    static struct item it;
    if (trust_choose(2)) return 0;
    it.key = PICK(0, 1);
    it.next = trust_choose(2) ? &it : 0;
    return &it;
}
void step(void) { f(PICK(0, 1)); }

//// callback_parameter: covered
int f(int (*next)(void)) {
    if (D(!C(next))) return -1;
    int a = next();
    return D(C(a == 3) && C(next() == 4));
}
//// driver
int any(void) { return PICK(0, 3, 4); }
void step(void) { f(trust_choose(2) ? any : 0); }

//// callback_in_a_structure: covered
struct ops { int (*get)(int *out); };
int f(const struct ops *o) {
    int v = 1;
    if (D(C(o->get == 0) || C(o->get(&v)))) return -1;
    return D(v == 9);
}
//// driver
int get(int *out) { *out = PICK(1, 9); return PICK(0, 1); }
void step(void) { struct ops o = { trust_choose(2) ? get : 0 }; f(&o); }

//// table_of_functions: covered
int (*table[3])(int);
int f(unsigned char i) {
    if (D(C(i > 2) || C(table[i] == 0))) return -1;
    return D(table[i](i) > 5);
}
//// driver
int any(int i) { return PICK(0, 6); }
void step(void) {
    for (int i = 0; i < 3; i++) table[i] = trust_choose(2) ? any : 0;
    f(PICK(0, 1, 2, 3));
}

//// weak_function: covered
__attribute__((weak)) int hook(void);
int f(void) {
    if (D(V(hook != 0, 0, 1))) return D(hook() > 3);
    return 0;
}
//// driver
int hook(void) { return PICK(0, 4); }
void step(void) { f(); }

//// weak_definition: covered
// A strong definition elsewhere takes its place.
__attribute__((weak)) int level(int channel) { return channel & 1; }
int f(int a) { return D(C(V(level(a), 0, 7) == 7) && C(a > 3)); }
//// driver
void step(void) { f(PICK(0, 4)); }

//// weak_object: covered
extern int cfg __attribute__((weak));
int f(void) {
    if (D(V(&cfg != 0, 0, 1))) return D(cfg > 3);
    return 0;
}
//// driver
int cfg;
void step(void) { cfg = PICK(0, 4); f(); }

//// callback_that_sets_state: covered
static int last;
void subscribe(void (*notify)(int), int kind);
static void note(int value) { if (D(value > 5)) last = value; }
int f(int kind) {
    @last = 0;
    @subscribe(note, kind);
    return D(C(last == 7) && C(kind == 2));
}
//// driver
void subscribe(void (*notify)(int), int kind) { if (trust_choose(2)) notify(PICK(0, 7)); }
void step(void) { f(PICK(0, 2)); }

//// callback_with_two_functions: covered
int transfer(int (*check)(int), void (*done)(int, void *), void *context);
static int even(int x) { return D((x & 1) == 0); }
static void finish(int x, void *context) { *(int *)context = x; }
int f(void) {
    int result = -1;
    if (D(transfer(even, finish, &result) != 0)) return 0;
    return D(C(result == 4) || C(result == -1));
}
//// driver
int transfer(int (*check)(int), void (*done)(int, void *), void *context) {
    if (trust_choose(2)) check(PICK(0, 1));
    if (trust_choose(2)) done(PICK(0, 4), context);
    return PICK(0, 1);
}
void step(void) { f(); }

//// callback_in_a_structure_of_a_stub: covered
struct handler { void (*on)(int); int id; };
static int got;
static void on(int x) { if (D(x == 3)) got = 1; }
void attach(struct handler *h);
int f(void) {
    struct handler h = { on, 1 };
    @got = 0;
    @attach(&h);
    return D(C(got) && C(h.id == 2));
}
//// driver
void attach(struct handler *h) { if (trust_choose(2)) h->on(PICK(0, 3)); h->id = PICK(1, 2); }
void step(void) { f(); }

//// callback_called_often: sound
void each(void (*visit)(void));
static int n;
static void visit(void) { n++; }
int f(void) {
    @n = 0;
    @each(visit);
    return D(n == 5);
}
//// driver
void each(void (*visit)(void)) { for (unsigned i = trust_choose(7); i; i--) visit(); }
void step(void) { f(); }

//// scanner_callback: covered
struct scanner { int (*next)(void *); void *input; };
int f(struct scanner *s) {
    int words = 0, inside = 0;
    for (int i = 0; D(i < 4); i++) {
        int c = s->next(s->input);
        if (D(c < 0)) break;
        if (D(C(c != ' ') && !(C(inside)))) { inside = 1; words++; }
        else if (D(c == ' ')) inside = 0;
    }
    return D(words > 1);
}
//// driver
int next(void *input) { return PICK(-1, ' ', 'a'); }
void step(void) { struct scanner s = { next, 0 }; f(&s); }

//// two_callbacks_compared: sound
int f(int (*a)(void), int (*b)(void)) {
    if (D(C(a != 0) && C(a == b))) return 1;
    return D(C(a != 0) && C(b != 0) && C(a() != b()));
}
//// driver
int one(void) { return PICK(0, 1); }
int two(void) { return PICK(0, 1); }
void step(void) {
    int (*all[])(void) = { 0, one, two };
    f(all[trust_choose(3)], all[trust_choose(3)]);
}

//// atomic_changes: sound
#include <stdatomic.h>
atomic_int pending;
int f(void) {
    int a = V(pending, 0, 1);
    return D(V(pending, 0, 1) != a);
}
//// driver
void step(void) { f(); }

//// errno_of_a_stub: sound
#include <errno.h>
int device(void);
int f(void) {
    @errno = 0;
    if (D(C(device() < 0) && C(errno == EAGAIN))) return 1;
    return 0;
}
//// driver
int device(void) { errno = PICK(0, EAGAIN); return PICK(-1, 0); }
void step(void) { f(); }

//// free_of_what_another_call_allocated: sound
#include <stdlib.h>
static void *kept;
void open_it(void) { if (!kept) kept = malloc(4); }
int f(unsigned char op) {
    if (D(kept == 0)) return 0;
    free(kept);
    kept = 0;
    return D(op > 5);
}
//// driver
static char room[8];
void *trust_malloc(unsigned long n) { return trust_choose(2) ? 0 : room; }
void trust_free(void *p) { }
void step(void) { if (trust_choose(2)) open_it(); f(PICK(0, 9)); }

//// stub_keeps_the_address_of_a_local: sound
void start_reading(int *to);
int is_done(void);
int f(void) {
    int v = 0;
    start_reading(&v);
    int before = v;
    if (D(!C(is_done()))) return -1;
    return D(v != before);
}
//// driver
static int *where;
void start_reading(int *to) { where = to; }
int is_done(void) { if (trust_choose(2)) *where = 7; return trust_choose(2); }
void step(void) { f(); }

//// stub_returns_the_address_of_a_local: sound
int *slot(int *);
int f(void) {
    int x = 1;
    int *p = slot(&x);
    if (D(p == 0)) return -1;
    @x = 1;
    @*p = 2;
    return D(x == 2);
}
//// driver
static int other;
int *slot(int *p) { return trust_choose(2) ? p : trust_choose(2) ? &other : 0; }
void step(void) { f(); }

//// stub_casts_const_away: sound
void show(const int *p);
int f(void) {
    int x = 1;
    show(&x);
    return D(x != 1);
}
//// driver
void show(const int *p) { if (trust_choose(2)) *(int *)p = 7; }
void step(void) { f(); }

//// stub_takes_an_address_as_a_number: sound
void transfer(unsigned long address);
int f(void) {
    int x = 1;
    transfer((unsigned long)&x);
    return D(x == 7);
}
//// driver
void transfer(unsigned long address) { if (trust_choose(2)) *(int *)address = 7; }
void step(void) { f(); }

//// stub_calls_again: sound
static int busy;
int device(int);
int f(int x) {
    if (D(busy)) return -16;
    @busy = 1;
    int r = device(x);
    @busy = 0;
    return D(r < 0);
}
//// driver
int device(int x) { if (x) f(0); return PICK(-1, 0); }
void step(void) { f(trust_choose(2)); }

//// complex_parameter: sound
int f(_Complex double z, unsigned char a) {
    if (D(a > 3)) return 1;
    return D(__real__ z > 2);
}
//// driver
void step(void) { f(trust_choose(2) ? 3 : 1, PICK(0, 4)); }

//// complex_global: sound
_Complex double z;
int f(void) { return D(__real__ z > 2); }
//// driver
void step(void) { z = trust_choose(2) ? 3 : 1; f(); }

//// vector_parameter: sound
typedef int four __attribute__((vector_size(16)));
int f(four v, unsigned char a) {
    if (D(a > 3)) return 1;
    return D(v[1] == 3);
}
//// driver
void step(void) { four v = { 0, trust_choose(2) ? 3 : 1, 0, 0 }; f(v, PICK(0, 4)); }

//// library_name_of_ones_own: sound
static int v = 1;
int *out;
int index(int *p) { out = p; return 0; }
void tell(void) { index(&v); }
int f(int *p) {
    if (D(p == 0)) return 0;
    int a = v;
    @*p = a + 1;
    return D(v != a);
}
//// driver
static int other;
void step(void) { tell(); v = 1; f(trust_choose(2) ? out : trust_choose(2) ? &other : 0); }

//// number_below_an_object: sound
static int v;
unsigned long leak(void) { return (unsigned long)&v - 16; }
int f(void) { return D(v == 5); }
//// driver
void step(void) { *(int *)(leak() + 16) = PICK(0, 5); f(); }

//// errno_at_the_start: sound
#include <errno.h>
int f(void) { return D(errno == 5); }
//// driver
void step(void) { errno = PICK(0, 5); f(); }

//// order_of_bytes_is_a_sign: sound
int memcmp(const void *, const void *, unsigned long);
int f(const unsigned char *p, const unsigned char *q) {
    if (D(C(p == 0) || C(q == 0))) return 0;
    return D(memcmp(p, q, 1) == 2);
}
//// driver
/* Another library would give the difference. */
int memcmp(const void *p, const void *q, unsigned long n) { return *(unsigned char *)p - *(unsigned char *)q; }
static unsigned char one, two;
void step(void) { one = PICK(1, 3); two = 1; f(trust_choose(2) ? &one : 0, trust_choose(2) ? &two : 0); }

//// stub_follows_a_pointer_in_bytes: sound
// The function outside gets an address of bytes, and knows what lies there.
struct job { int *result; int n; };
int run(void *job);
int f(void) {
    int v = 0;
    struct job j = { &v, 1 };
    @run(&j);
    return D(v == 3);
}
//// driver
int run(void *job) { if (trust_choose(2)) *((struct job *)job)->result = (int)trust_choose(5); return 0; }
void step(void) { f(); }

//// stub_without_a_list_of_parameters: sound
int fill();
int f(void) {
    int b[2] = { 0 };
    if (D(fill(b, 2) < 0)) return -1;
    return D(b[1] > 4);
}
//// driver
int fill(int *b, int n) { b[n - 1] = PICK(0, 4, 5); return PICK(-1, 0); }
void step(void) { f(); }

//// object_that_only_the_function_declares: covered
int f(int x) { extern int limit; return D(x > limit); }
//// driver
int limit;
void step(void) { limit = PICK(-1, 0, 3); f(PICK(0, 2)); }

//// volatile_read_by_memcpy: sound
#include <string.h>
volatile unsigned char buffer[4];
int f(void) {
    unsigned char copy[4];
    memcpy(copy, (const void *)buffer, sizeof copy);
    if (D(copy[0] == 5)) return 1;
    return D(C(copy[1] > 2) && C(copy[3] == 1));
}
//// driver
void step(void) { *(unsigned char *)&buffer[0] = PICK(0, 5); *(unsigned char *)&buffer[1] = PICK(0, 3); *(unsigned char *)&buffer[3] = PICK(0, 1); f(); }

//// volatile_members_compared: sound
#include <string.h>
struct shared { volatile unsigned char a, b; };
struct shared shared;
int f(void) { return D(C(memcmp(&shared, "ab", 2) == 0) || C(((const unsigned char *)&shared)[1] == 7)); }
//// driver
void step(void) { shared.a = PICK(0, 'a'); shared.b = PICK(0, 'b', 7); f(); }

//// volatile_through_a_plain_pointer: sound
volatile unsigned char cells[3];
static unsigned sum(const unsigned char *p, int n) { unsigned s = 0; while (D(n-- > 0)) s += *p++; return s; }
int f(void) { return D(sum((const unsigned char *)cells, 3) > 3); }
//// driver
void step(void) { *(unsigned char *)&cells[1] = PICK(0, 3, 4); f(); }

//// volatile_snapshot_of_a_static_object: sound
#include <string.h>
struct pair { unsigned char a, b; };
static volatile struct pair kept;
void isr(unsigned char a) { kept.a = a; }
int f(void) {
    struct pair copy;
    memcpy(&copy, (const void *)&kept, sizeof copy);
    return D(C(copy.a == 9) && C(copy.b == 0));
}
//// driver
void step(void) { isr(PICK(0, 9)); f(); }

//// volatile_member_of_an_argument: sound
#include <string.h>
struct shared { volatile unsigned char a, b; };
int f(struct shared p) {
    unsigned char copy;
    if (D(p.a == 3)) return 1;
    memcpy(&copy, (const void *)&p.b, 1);
    return D(copy == 7);
}
//// driver
void step(void) { struct shared p; p.a = PICK(0, 3); p.b = PICK(0, 7); f(p); }
