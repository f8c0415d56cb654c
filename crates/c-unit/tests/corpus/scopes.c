/* test scale
   n=0
   n=2
   n=4
   n=9 */
/* Returns out of scopes that have something to undo, such as an array of variable length: the jump has no place then. */

static void fill(int n, int *to) {
    char room[n];
    room[0] = (char)n;
    if (n == 9)
        return;
    for (int i = 1; i < n; i++) {
        char more[i];
        more[0] = room[0];
        if (i == 3)
            return;
        *to += more[0];
    }
}

static int once(int n) {
    do {
        int twice = 2 * n;
        return twice;
    } while (0);
}

int scale(int n) {
    if (n < 1 || n > 10)
        return -1;
    int values[n];
    values[0] = 0;
    fill(n, values);
    if (n == 2) {
        int twice[2 * n];
        twice[n] = values[0];
        return once(twice[n]) + 1;
    }
    return values[0] > 5;
}
