/* assert from <assert.h>, twice on one line too. */
#include <assert.h>
int assertions(int a, const int *p) {
    assert(a > 0 && p);
    assert(a != 3); assert(p != 0);
    assert(!"here" || a);
    assert(*p ||
           a < 100);
    return *p;
}
