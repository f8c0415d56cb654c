/* Structures, unions, bit-fields, packed and variable-length objects, volatile accesses. */
struct bits {
    int low : 3;
    unsigned middle : 13;
    long long high : 40;
    _Bool flag : 1;
};
struct __attribute__((packed)) packed {
    char tag;
    int value;
    double real;
};
union either {
    float real;
    int bits;
    char bytes[8];
};
struct node {
    struct node *next[3];
    short length;
};
volatile int device;

int fields(struct bits *b, int x) {
    b->low = x;
    b->high += b->middle;
    b->flag = x;
    return b->low;
}
double unaligned(struct packed *p) { return p->value + p->real; }
int pun(float f) {
    union either e;
    e.real = f;
    return e.bits ^ e.bytes[3];
}
short walk(struct node *n, int i, unsigned char j) { return n[i].next[j]->length; }
int variable(int n) {
    int a[n][2];
    a[n - 1][1] = device;
    device = a[0][1];
    return (int)sizeof a;
}
void whole(struct packed *to, struct packed *from) { *to = *from; }
struct __attribute__((packed)) run {
    unsigned first : 20;
    signed second : 31;
    unsigned long third : 60;
    unsigned fourth : 25;
};
long across(struct run *r, long x) {
    r->third = x;
    r->second += 3;
    return r->second + r->fourth;
}
