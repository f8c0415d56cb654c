int f(int a) { int inner(int b) { return b && a; } return inner(a); }
