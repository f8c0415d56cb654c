#include "not_there.h"
int f(int a) { return a && 1; }
