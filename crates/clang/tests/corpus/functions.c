/* Callables, variables and types. */
#include <stdio.h>
#include <stdint.h>
typedef struct node { struct node *next; uint16_t length : 5, kind : 3; int64_t size; union { float f; char c[4]; }; } node;
typedef enum { LOW = -1, HIGH = 1 } level;
typedef int (*handler)(node *, const char *, ...);
struct opaque;
extern int shared, untouched;
int counter;
static const double ratio[2] = {0.5, 2};
static handler handlers[2];
handler chosen;
static int helper(level l) { static unsigned calls; extern int elsewhere; return l > LOW && calls++ && elsewhere; }
int old_style();
int (*pick(int which))(node *, const char *, ...) { return which ? handlers[0] : 0; }
long double functions(node *n, struct opaque *o, int a[static 3], uint8_t b, __int128 wide, volatile char *v, int argc, ...) {
    if (n && n->next && n->size > 3 && n->kind) counter++;
    if (o || a[0] || b == 255 || wide > 1 || *v) printf("%f\n", ratio[1]);
    if (n->f < 0.5f || n->c[2] == 'x') shared = old_style(argc) + helper(HIGH);
    return (long double)counter;
}
