/* flags: -std=c23 */
enum wide : unsigned char { NONE, SOME };
[[noreturn]] void stop(void);
constexpr int limit = 3;
bool c23(bool p, bool q, enum wide w, int *pointer, _BitInt(24) odd) {
    bool b = true;
    if (p == true) b = false;
    if (w == SOME && pointer != nullptr && pointer) b = p & q;
    typeof(p && q) same = limit > 2 || p;
    if (odd > 3 && same) stop();
    [[maybe_unused]] auto x = p ? q : b;
    switch (w) { case NONE: b = !b; [[fallthrough]]; case SOME: break; }
    return 0b11 == limit;
}
