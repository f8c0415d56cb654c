/* test push
   s=NULL
   s=new s->count=0 value=4
   s=new s->count=2 s->items[0]=1 s->items[1]=2 s->flags.full=1 value=5
   s=new s->count=3 s->limit=new s->limit[0]=9 s->kind=LARGE value=6 */
enum kind { SMALL, LARGE = 7 };
struct stack {
    unsigned count;
    short items[3];
    struct { unsigned full : 1; int level : 4; } flags;
    enum kind kind;
    int *limit;
    union { int i; float f; } last;
};

int push(struct stack *s, short value) {
    if (!s)
        return -1;
    if (s->count >= 3 || s->flags.full) {
        s->flags.level--;
        return s->kind == LARGE && s->limit && *s->limit > 3;
    }
    s->items[s->count++] = value;
    s->last.i = value;
    return 0;
}
