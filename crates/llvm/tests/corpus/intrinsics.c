/* What becomes of calls that the compiler knows, and of atomic operations. */
#include <stdatomic.h>
#include <stdbool.h>
int known(int x, char *p, char *q) {
    __builtin_memcpy(p, q, 10);
    __builtin_memmove(p, q, (unsigned long)x);
    __builtin_memset(p, x, 4);
    __builtin_prefetch(p);
    __builtin_assume(x > 0);
    if (__builtin_expect(x > 3, 1))
        return __builtin_constant_p(x) + (int)__builtin_object_size(p, 0);
    p = __builtin_align_down(p, 16);
    return *p + __builtin_elementwise_max(x, 3);
}
int atomics(_Atomic int *p, atomic_bool *b, int *q) {
    int expected = 3;
    atomic_fetch_add(p, 2);
    atomic_exchange(b, true);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_compare_exchange_strong(p, &expected, 4))
        return atomic_load(p);
    return __atomic_fetch_nand(q, 6, __ATOMIC_SEQ_CST) + __sync_fetch_and_umax((unsigned *)q, 5u);
}
