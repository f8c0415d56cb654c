/* test dispatch
   a=0 b=0 c=0
   a=1 b=0 c=1
   a=1 b=1 c=0
   a=1 b=1 c=1 */
int written;
int guarded;
int dispatch(int a, int b, int c) {
    static void *const table[] = { &&skip, &&write };
    static void *const inner[] = { &&keep, &&change };
    int code = 0;
    goto *table[a && b];
write:
    written = 1;
skip:
    if (c > 0) {
        goto *inner[code & 1];
change:
        guarded = 1;
    }
keep:
    return 0;
}
