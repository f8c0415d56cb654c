/* test step
   counter=6 x=0
   counter=1 x=3
   counter=1 x=2
   counter=0 x=0 flags=16
   counter=0 x=1 lock=true
   counter=0 x=1 */
#include <stdatomic.h>
atomic_int counter;
_Atomic unsigned flags;
_Atomic _Bool lock;
int step(int x) {
    int expected = 3;
    if (counter > 5) return 1;
    atomic_fetch_add(&counter, x);
    if (counter == 4) return 2;
    if (atomic_compare_exchange_strong(&counter, &expected, 9)) return 3;
    flags |= 8u;
    if (atomic_load(&flags) & 16u) return expected;
    if (atomic_exchange(&lock, 1)) return 6;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&counter, 2);
    return counter++ == 2;
}
