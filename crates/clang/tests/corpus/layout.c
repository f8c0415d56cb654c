/* Layout as the pragmas and attributes say. */
#pragma pack(push, 1)
struct packed { char c; int x; };
#pragma pack(pop)
struct plain { char c; int x; };
struct __attribute__((aligned(32))) aligned { char c; };
struct flexible { int n; char data[]; };
struct bits { unsigned a : 3, : 0, b : 9; _Bool flag : 1; signed char tiny : 2; };
struct packed one;
struct plain two[2][3];
struct aligned three;
struct flexible *four;
struct bits five;
union { int i; struct { short low, high; } half; } six;
enum small { A, B } __attribute__((packed)) seven;
int layout(void) { return one.x > 1 && two[1][2].x && five.flag && six.half.low && seven == B; }
