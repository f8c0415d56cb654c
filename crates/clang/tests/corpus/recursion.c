/* Recursion, goto, one condition, and a K&R definition. */
int even(int n);
int odd(int n) { return n != 0 && even(n - 1); }
int even(int n) { return n == 0 || odd(n - 1); }
int old(a, b) int a; char b; { again: if (a > b) { a--; goto again; } return a; }
int one(int *p) { if (p) return *p; return 0; }
