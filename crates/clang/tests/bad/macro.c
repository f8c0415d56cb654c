#define TWICE(x) ((x) && undeclared)
int f(int a) {
    return TWICE(a) || 1;
}
