/* Exits: returns, and the closing brace where it can be reached. */
#include <stdlib.h>
_Noreturn void stop(void);
void falls(int a) { if (a) return; a++; }
int returns(int a) { if (a) return 1; else return 2; }
void loops(void) { for (;;) { } }
void leaves(int a) { while (1) { if (a) break; } }
void stops(int a) { if (a) exit(1); else stop(); }
int jumps(int a) { goto out; back: return a; out: a++; goto back; }
int aborts(void) { abort(); }
void does(int a) { do { return; } while (a); }
void empty(void) { }
int nothing(void) { return 0; ; }
