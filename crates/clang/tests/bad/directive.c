int f(int a) { return a; }
#error "configure first"
