/* test scale
   n=0
   n=2
   n=4
   n=9 */
/* Returns out of scopes that have something to undo, such as an array of variable length: the jump has no place then. */

static int sum;

static void fill(int n) {
    char room[n];
    room[0] = (char)n;
    if (n == 9)
        return;
    if (n > 3) {
        char more[n];
        more[0] = room[0];
        sum = more[0];
        if (n == 4)
            return;
    }
    sum++;
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
    values[0] = n;
    sum = 0;
    fill(n);
    if (n == 2) {
        int twice[2 * n];
        twice[n] = values[0];
        return once(twice[n]) + 1;
    }
    return values[0] + sum > 5;
}
