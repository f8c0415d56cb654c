/* Switches, computed jumps, loops, code that is never reached. */
int choose(int x) {
    switch (x) {
    case -1: return 1;
    case 3 ... 5: x++; /* falls through */
    case 100: return x;
    default: break;
    }
    switch ((unsigned char)x) {
    case 200: return 2;
    }
    return 0;
}
int computed(int i, int n) {
    static void *labels[] = {&&first, &&second, &&last};
    static const int distances[] = {&&first - &&first, &&last - &&first};
    int x = distances[1] != 0;
    goto *labels[i];
first:
    x += 1;
    if (n-- > 0)
        goto *(&&first + distances[n & 1]);
second:
    x += 2;
last:
    return x;
}
int loops(int n) {
    int s = 0;
    do {
        for (int i = 0; i < n; i++) {
            if (i == 3)
                continue;
            if (i == 7)
                break;
            s += i;
        }
    } while (--n);
    return s;
}
int missing(int x) {
    if (x)
        return 1;
}
void stop(int x) {
    if (x)
        __builtin_unreachable();
    __builtin_trap();
}
