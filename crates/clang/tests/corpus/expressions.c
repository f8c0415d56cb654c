/* Conditions of every form: each has its place. */
#include <stdarg.h>
struct point { int x, y; unsigned flag : 1; struct point *next; int grid[2][3]; int (*call)(int); };
struct point make(int);
enum color { RED, GREEN };
typedef _Bool truth;
int expressions(struct point *p, struct point q, int a, int b, double d, float f, long double l, char *s, enum color c,
                truth t, int (*callback)(int), void *raw, int count, ...) {
    int n = 0;
    va_list list;
    va_start(list, count);
    while ((a = *s++) && a != ' ') n++;
    do n--; while (n-- > 0 && (n & 1));
    if (p->flag && q.flag && make(a).x && (*p).y && p[1].x && p->grid[1][a] && p->next->next->x) n++;
    if (callback(a) && p->call(a) && (*callback)(b) && (a ? callback : p->call)(a)) n++;
    if (d && f && l && d < f && l >= d && -d && !f) n++;
    if (s && raw && s == raw && (char *)raw < s && &p->x == &q.x && *s && s[2] && 2[s] && "abc"[a]) n++;
    if (c && c == GREEN && t && (truth)a && (unsigned char)a && (struct point *)raw) n++;
    if (a++ && ++b && a-- && --b && (a += 2) && (b = a) && (a <<= 1) && ~a && -b && +a) n++;
    if (a + b && a % 3 && (a ^ b) && (a << 2) && a / (b | 1) && (a & b) == 2) n++;
    if (va_arg(list, int) && __builtin_popcount(a) && __builtin_isnan(d) && ({ n++; a; })) n++;
    if ((a, b) && (int){a} && ((struct point){.x = a}).x && (q = make(b)).y) n++;
    if (a ? b : n) n++;
    for (int i = 0, j = b; i < j && j; i++, j -= i > 2) n += i == j;
    n += (p && p->x ? p->x : p ? p->y : 0) > 0;
    n = !p->flag + !(d > 1) + !!s[1];
    va_end(list);
    return n > 0 ? a : !n;
}
