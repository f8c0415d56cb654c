#include "included.h"
int f(void) { return bad; }
