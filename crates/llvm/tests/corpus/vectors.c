/* Vectors, lane by lane. */
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef char bytes8 __attribute__((vector_size(8)));
int4 add(int4 a, int4 b) { return a + b * 2; }
int4 less(float4 a, float4 b) { return a < b; }
int lane(int4 a, int i) { a[i] = 3; return a[i + 1] + a[2]; }
int4 shuffled(int4 a, int4 b) { return __builtin_shufflevector(a, b, 0, 4, -1, 7); }
float4 converted(int4 a) { return __builtin_convertvector(a, float4); }
long long bits(bytes8 a) { return (long long)a; }
bytes8 recast(void) { return (bytes8)0x1122334455667788LL; }
