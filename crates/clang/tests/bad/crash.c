#pragma clang __debug parser_crash
int f(int a) { return a && 1; }
