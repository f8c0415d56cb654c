/* Something of everything that an exported test has to set and to see. */
#include <stdint.h>
#include <stddef.h>
#include <math.h>
struct node { int value; const char *label; struct node *next; unsigned flag : 3; signed small : 8; };
typedef struct { double gain; float ratio; struct node *head; int window[3]; } config;
extern uint64_t clock_now(void);
extern struct node *lookup(const char *key, double weight);
extern int board_id;
static int calls;
static config current;
static int twice(int x) { return 2 * x; }
static _Bool is_known(const config *c, void *raw, int (*f)(int), struct node *n)
{
    static int seen;
    unsigned char *bytes = raw;
    struct node *fresh = n;
    calls++;
    seen++;
    current = *c;
    if (f) current.window[0] = f(c->window[0]);
    if (n && n->next) { n->next->value = 7; n->flag = 5; n->next = 0; }
    if (bytes) bytes[1] = 0xff;
    struct node *found = lookup("key", c->gain * 2);
    if (found && clock_now() > 4000000000u) found->value = board_id;
    current.gain = sqrt(c->gain);
    return seen > 1 && found != fresh;
}
