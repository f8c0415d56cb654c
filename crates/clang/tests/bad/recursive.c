#include "recursive.c"
int x;
