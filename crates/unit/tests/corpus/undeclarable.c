/* test pick
   n=1
   n=0 */
/* Nothing can stand in for a function whose result has a type without a name. */
extern struct { int level; } sensor(int channel);

int pick(int n) {
    if (n == 0)
        return sensor(n).level > 3;
    return n;
}
