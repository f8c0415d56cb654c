// Static state: any number of calls, from the initial state on, and whatever else of the unit changes it.

//// button: sound
// Four calls reach everything: pressing, holding, long press, release.
static enum { IDLE, PRESSED, HELD } state;
static unsigned char ticks;
int f(_Bool down) {
    switch (W(state)) {
    case 0:
        if (D(down)) { @state = PRESSED; @ticks = 0; }
        @break;
    case 1:
        if (D(!C(down))) { @state = IDLE; return 1; }
        if (D(C(++ticks >= 2) && C(down))) @state = HELD;
        @break;
    case 2:
        if (D(!C(down))) { @state = IDLE; return 2; }
        @break;
    default:
        @state = IDLE;
    }
    return 0;
}
//// driver
void step(void) { f(trust_choose(2)); }

//// counter_to_three: sound
static int n;
int f(void) {
    if (D(n == 3)) { @n = 0; return 1; }
    @n++;
    return D(n > 3);
}
//// driver
void step(void) { f(); }

//// counter_in_a_function: sound
int f(_Bool up) {
    static unsigned char n = 2;
    if (D(C(up) && C(n < 5))) @n++;
    if (D(!C(up) && C(n > 0))) @n--;
    if (D(n == 5)) return 1;
    return D(n > 5);
}
//// driver
void step(void) { f(trust_choose(2)); }

//// never_written: sound
// Nothing writes it: it is what its initialiser says.
static int limit = 7;
int f(signed char a) { return D(C(a > limit) && C(limit == 7)); }
//// driver
void step(void) { f((int)trust_choose(256) - 128); }

//// changed_by_another_function: sound
static int mode;
void set_mode(int m) { mode = m; }
int f(signed char a) {
    if (D(C(mode == 9) && C(a > 0))) return 1;
    return D(mode < 0);
}
//// driver
void step(void) { set_mode(PICK(-1, 0, 9)); f((int)trust_choose(256) - 128); }

//// changed_by_a_static_function_that_nobody_calls: sound
static int mode;
static void set_mode(int m) { mode = m; }
int f(_Bool a) { return D(C(mode == 9) && C(a)); }
//// driver
void step(void) { f(trust_choose(2)); }

//// changed_by_a_static_function_whose_address_is_given_away: sound
static int mode;
static void set_mode(int m) { mode = m; }
void take(void (*set)(int));
int f(_Bool a) {
    @take(set_mode);
    return D(C(mode == 9) && C(a));
}
//// driver
void take(void (*set)(int)) { if (trust_choose(2)) set(9); }
void step(void) { f(trust_choose(2)); }

//// address_given_to_a_caller: sound
static int mode;
int *f(_Bool a) {
    if (D(C(mode == 9) && C(a))) return 0;
    return &mode;
}
//// driver
void step(void) {
    int *p = f(trust_choose(2));
    if (p && trust_choose(2)) *p = 9;
}

//// globals_are_inputs_at_each_call: covered
int level = 3;
int f(void) {
    if (D(level == 4)) { @level = 0; return 1; }
    return D(level < 0);
}
//// driver
void step(void) { level = PICK(-1, 0, 3, 4); f(); }

//// twelve_states: sound
static unsigned char s;
int f(_Bool go, _Bool back) {
    if (D(C(go) && !(C(s == 11)))) @s++;
    else if (D(C(back) && C(s != 0))) @s--;
    switch (W(s)) {
    case 3: return 1;
    case 7: return 2;
    case 11: return D(C(go) && C(back));
    case 12: return 9;
    default: return 0;
    }
}
//// driver
void step(void) { _Bool go = trust_choose(2), back = trust_choose(2); f(go, back); }

//// twenty_states: sound
static int s;
int f(unsigned char key) {
    switch (W(s)) {
    case 0: if (D(key == 10)) @s = 1; @break;
    case 1: if (D(key == 20)) @s = 2; else @s = 0; @break;
    case 2: if (D(C(key == 30) || C(key == 31))) @s = 3; else @s = 0; @break;
    case 3: if (D(key > 200)) @s = 4; @break;
    case 4: @s = 17; @break;
    case 17: if (D(key == 1)) @s = 19; @break;
    case 18: @s = 0; @break;
    case 19: @s = 0; return 1;
    default: @s = 0; return 2;
    }
    return 0;
}
//// driver
void step(void) { f(PICK(0, 1, 10, 20, 30, 31, 201)); }

//// two_latches_that_agree: sound
// An invariant of any number of calls, not of any state: a == b.
static _Bool a, b;
int f(_Bool x) {
    if (D(C(a) && !C(b))) return 1;
    @a = x;
    @b = x;
    return 0;
}
//// driver
void step(void) { f(trust_choose(2)); }

//// parity: sound
// Only even numbers: induction needs the invariant.
static unsigned char n;
int f(_Bool x) {
    if (D(x)) @n += 2;
    if (D((n & 1) != 0)) return 1;
    return D(n == 6);
}
//// driver
void step(void) { f(trust_choose(2)); }

//// wrapping_counter_of_sixteen_bits: sound
// Natively some 66,000 calls; coverable, far beyond every bound.
static unsigned short n;
int f(void) { return D(++n == 50000); }
//// driver
void step(void) { n = PICK(0, 49999); f(); }

//// array_state: sound
static unsigned char queue[4];
static unsigned char used;
int f(unsigned char x) {
    if (D(used == 4)) { @used = 0; return D(queue[3] == 7); }
    @queue[used++] = x & 7;
    return D(C(used == 2) && C(queue[0] == queue[1]));
}
//// driver
void step(void) { f(PICK(0, 7)); }

//// pointer_state: sound
static int cell;
static int *last;
int f(int *p) {
    if (D(C(last != 0) && C(last == p))) return 1;
    if (D(last == &cell)) return 2;
    @last = p;
    return 0;
}
//// driver
int one, two;
void step(void) { f(((int *[]){ 0, &one, &two })[trust_choose(3)]); }

//// initialised_by_a_call: sound
static _Bool ready;
static int factor;
void init(int k) { factor = k & 3; ready = 1; }
int f(unsigned char a) {
    if (D(!C(ready))) return -1;
    return D(C(factor == 2) && C(a > 3));
}
//// driver
void step(void) { if (trust_choose(2)) init(PICK(0, 1, 2, 3)); f(PICK(0, 3, 4)); }

//// state_behind_a_loop: sound
static unsigned char sum;
int f(const unsigned char *p, unsigned char n) {
    for (unsigned i = 0; D(i < (n & 3)); i++) @sum = (sum + (p[i] & 1)) & 15;
    return D(C(sum == 9) && C(n == 2));
}
//// driver
void step(void) {
    unsigned char p[4];
    FILL(p, 0, 1);
    f(p, PICK(0, 1, 2, 3));
}

//// reentered_by_a_function_outside: sound
// An outside function may call the function under test: it is not static.
static int depth;
void out(void);
int f(_Bool a) {
    @depth++;
    if (D(depth == 2)) { @depth--; return 1; }
    if (D(a)) @out();
    @depth--;
    return D(depth != 0);
}
//// driver
void out(void) { if (trust_choose(2)) f(0); }
void step(void) { f(trust_choose(2)); }

//// reset_by_reentry: sound
// The inner call leaves 0 behind.
static int busy;
void out(void);
int f(void) {
    @busy = 1;
    @out();
    if (D(busy == 0)) return 1;
    @busy = 0;
    return 0;
}
//// driver
static int inside;
void out(void) { if (!inside && trust_choose(2)) { inside = 1; f(); inside = 0; } }
void step(void) { inside = 0; f(); }

//// state_kept_by_undefined_behaviour: sound
// Once n is 127, the next addition is fine (int); the conversion wraps.
static signed char n;
int f(void) {
    @n = n + 60;
    if (D(n < 0)) { @n = 0; return 1; }
    return D(n == 120);
}
//// driver
void step(void) { f(); }

//// thread_local: sound
static _Thread_local int n;
int f(_Bool a) {
    if (D(C(a) && C(n == 2))) return 1;
    @n++;
    return D(n > 100);
}
//// driver
// Thread-local storage is no static storage: two calls are one step here.
void step(void) { n = PICK(0, 1, 2, 100); f(trust_choose(2)); }

//// changed_by_a_function_that_it_calls_as_well: sound
static int level;
void set_level(int v) { level = v; }
int f(_Bool reset) {
    if (D(level == 5)) return 1;
    if (D(reset)) set_level(0);
    return 0;
}
//// driver
void step(void) { if (trust_choose(2)) set_level((int)trust_choose(7)); f(trust_choose(2)); }

//// ring_buffer_with_a_public_put: sound
static unsigned char head, tail, items[4];
int put(unsigned char item) {
    if (D((unsigned char)(head - tail) == 4)) return 0;
    @items[head++ & 3] = item;
    return 1;
}
int f(_Bool full) {
    if (D(full)) { @put(1); return 0; }
    if (D(head == tail)) return -1;
    return D(items[tail++ & 3] == 9);
}
//// driver
void step(void) { if (trust_choose(2)) put(trust_choose(2) ? 9 : 0); f(trust_choose(2)); }

//// changed_by_a_callback_that_it_hands_out: sound
struct device { void (*received)(int); };
static int got;
static void on_receive(int v) { @got = v; }
int f(struct device *d) {
    if (D(got == 5)) return 1;
    if (D(d != 0)) @d->received = on_receive;
    return 0;
}
//// driver
void step(void) {
    struct device d = { 0 };
    f(trust_choose(2) ? &d : 0);
    if (d.received && trust_choose(2)) d.received((int)trust_choose(7));
}

//// handlers_that_nobody_else_sees: sound
// Static functions that only a private table leads to change nothing between calls.
static unsigned char state;
static void to_one(void) { @state = 1; }
static void to_two(void) { @state = 2; }
static void to_zero(void) { @state = 0; }
static void (*const handlers[])(void) = { to_one, to_two, to_zero };
int f(_Bool go) {
    if (D(C(go) && C(state < 3))) handlers[state]();
    if (D(state == 2)) return 1;
    return D(state > 2);
}
//// driver
void step(void) { f(trust_choose(2)); }

//// known_by_other_names_to_the_linker: sound
static int seen __asm__("seen_symbol");
int table[2] __asm__("table_symbol");
int f(int key) {
    if (D(seen == 5)) return 1;
    if (D(key == 5)) @seen = 5;
    return D(table[key & 1] == 7);
}
//// driver
void step(void) { table[0] = PICK(0, 7); table[1] = PICK(0, 7); f(PICK(0, 1, 5)); }

//// statics_of_one_name: sound
int f(_Bool up) {
    if (D(up)) { static unsigned char n; @n++; if (D(n == 2)) return 1; }
    else { static unsigned char n = 1; @n += 2; if (D(n == 7)) return 2; }
    return 0;
}
//// driver
void step(void) { f(trust_choose(2)); }

//// statics_of_one_name_in_expressions: sound
// As two uses of a macro are.
int f(_Bool a, _Bool b) {
    if (D(({ static _Bool last; _Bool rises = D(C(a) && !C(last)); last = a; rises; }))) return 1;
    if (D(({ static _Bool last; _Bool rises = D(C(b) && !C(last)); last = b; rises; }))) return 2;
    return 0;
}
//// driver
void step(void) { _Bool a = trust_choose(2); f(a, trust_choose(2)); }

//// statics_of_one_name_on_one_line: sound
static int edge(int which, _Bool x) {
    if (D(which == 1)) { static int n; @n += x; return n; } else { static int n; @n -= x; return n; }
}
int f(unsigned char k, _Bool x) { return D(C(edge(k, x) == 2) || C(edge(2, 0) == -1)); }
//// driver
void step(void) { unsigned char k = PICK(0, 1); f(k, trust_choose(2)); }
