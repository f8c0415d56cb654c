/* test initialisers
   a=0 b=0 c=0
   a=1 b=0 c=1
   a=1 b=1 c=0
   a=0 b=1 c=1
   a=2 b=2 c=2 */
struct record { unsigned flag : 1; int value[4]; _Bool set; };
int always = 1 && 0 || 2;

int initialisers(int a, int b, int c) {
    struct record one = { .flag = a && b, .value = { a || c, [2] = b && c }, .set = !a };
    int values[2] = { a && b, !(a || b) };
    int room[1 + (a && b)];
    static int fixed = 3 || 0;
    room[0] = (int[]){ a || b, c && a }[b && c];
    for (int i = (a && c); i < 2 && (b || c); i += (a || b) + 1)
        room[0]++;
    return one.flag + one.value[0] + one.value[2] + one.set + values[0] + values[1] + room[0]
        + fixed + (int)sizeof room;
}
