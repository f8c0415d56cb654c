/* What nobody can execute is listed with its place. */
#include <setjmp.h>
#include <complex.h>
static jmp_buf place;
typedef int lanes __attribute__((vector_size(16)));
int unsupported(int a, int b) {
    _Atomic int shared = a;
    double complex z = a;
    lanes l = {a, b};
    __asm__ volatile("nop" ::: "memory");
    if (setjmp(place) == 0 && a) longjmp(place, 1);
    int sizes[a];
    void *to = &&out;
    goto *to;
out:
    return (creal(z) > 1 || shared || l[0]) && sizes[0];
}
