static inline int clamp(int x, int low, int high) {
    if (x < low)
        return low;
    return x > high ? high : x;
}
static inline int unused(int x) { return x && 1; }
