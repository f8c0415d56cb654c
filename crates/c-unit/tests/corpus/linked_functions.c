/* test pick
   n=1
   n=2 hooks.allocate=NULL
   n=0 */
#include <stdlib.h>
#include <string.h>
int read_sensor(int channel);
static inline int twice(int x) { return 2 * x; }
struct { void *(*allocate)(size_t); void (*release)(void *); } hooks = { malloc, free };
size_t (*measure)(const char *);
int (*sensor)(int);
int pick(int n) {
    hooks.release = hooks.allocate == malloc ? free : 0;
    measure = n > 0 ? strlen : 0;
    sensor = n > 1 ? read_sensor : twice;
    return hooks.release && measure ? 1 : 0;
}
