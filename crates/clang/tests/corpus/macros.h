#define IN_HEADER(x) ((x) == 3 || (x) == 4)
static inline int checked(int x) { return x > 0 && x < 100 ? x : 0; }
