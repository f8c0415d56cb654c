/* test depth
   n=0
   n=3
   n=6 */
static int is_even(int n);
static int is_odd(int n) { return n != 0 && is_even(n - 1); }
static int is_even(int n) { return n == 0 || is_odd(n - 1); }

int depth(int n) {
    if (n > 0 && depth(n - 1) >= 0 && 1)
        return is_even(n) ? n : -n;
    return 0;
}
