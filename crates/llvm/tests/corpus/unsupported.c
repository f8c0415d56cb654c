/* What the executor cannot do is named where it stands, and the rest goes on. */
int assembly(int x) {
    __asm__ volatile("" ::: "memory");
    __asm__("" : "+r"(x));
    if (x > 0)
        __asm__("addl $1, %0" : "+r"(x));
    return x + 1;
}
int jumping(int x) {
    __asm__ goto("jmp %l0" : : : : out);
    return x;
out:
    return 2;
}
long double extended(long double a, long double *p) {
    *p = a;
    return a + 1;
}
_Float16 half(_Float16 a) { return a * a; }
void *frame(void) { return __builtin_frame_address(0); }
_BitInt(200) giant(_BitInt(200) a) { return a + 1; }
static int (*resolve(void))(int) { return 0; }
int resolved(int) __attribute__((ifunc("resolve")));
int indirect(void) { return resolved(1); }
int fine(void) { return 1; }
