/* What objects hold at the start. */
int zero, one = 1;
static const char text[8] = "abc";
const char *words[] = {"hello", 0, text + 1};
struct inner { char c; short s; };
struct outer {
    struct inner array[2];
    double real;
    void *self;
    int (*code)(int);
    unsigned low : 4, high : 12;
    float singles[3];
    union { int i; char c; } either;
} object = {{{1, 2}, {3, -4}}, 1.5, &object.array[1].s, 0, 5, 300, {1, 2.5f}, {.c = 7}};
struct __attribute__((packed)) { char c; long l; int *p; } packed = {1, 2, &one};
__int128 wide = (((__int128)0x0123456789abcdef) << 64) - 2;
long double extended = 1.0L;
unsigned _BitInt(200) giant = 1;
int table[2][3] = {{1, 2}, {[2] = 6}};
long distance = (long)&object.real + 4;
extern int elsewhere[];
int *outside = &elsewhere[3];
_Thread_local int own = 9;
int f(int x) {
    static int calls = 4;
    return x + calls++ + (int)giant + packed.c;
}
int (*pointer)(int) = f;
int g(int) __attribute__((alias("f")));
extern int alias_of_one __attribute__((alias("one")));
int use(void) { return g(1) + alias_of_one + *words[0] + own; }
int *pa = &alias_of_one;
_Complex double complex = 1.0 + 2.0i;
typedef short shorts __attribute__((vector_size(8)));
shorts recast = (shorts)0x1122334455667788LL;
shorts listed = {1, 2, -3, 4};
char *far(void) { return (char *)0 + (long)&one; }
