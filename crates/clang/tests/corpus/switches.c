/* Labels with values, ranges, fall-through; nested switches; no default. */
enum color { RED, GREEN = 5, BLUE };
int switches(int a, enum color c, unsigned long u, char letter) {
    int x = 0;
    switch (a) {
    case 1:
    case 2: x = 1; /* falls through */
    case 3 ... 6: x += 2; break;
    case -1: x = 3; break;
    default: x = 4;
    }
    switch (c) {
    case RED:
        switch (a && x) { case 0: x++; break; case 1: x--; }
        break;
    case GREEN: case BLUE: return x > 3;
    }
    switch (u) { case 18446744073709551615ul: return 1; case 'a' + 1: return 2; default: break; }
    switch (letter) { case 'x': { int y = a && x; x = y; } }
    return x;
}
int all_return(int a) { switch (a) { case 1: return 1; default: return 2; } }
