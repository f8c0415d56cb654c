/* test switches
   a=1 b=2
   a=2 b=7
   a=6 b=200
   a=-1 b=-5
   a=9 b=1000 */
int switches(int a, int b) {
    int n = 0;
    switch (a) {
    case 1:
        n = 1;
        /* falls through */
    case 2:
        n += 2;
        break;
    case 5 ... 8:
        return n;
    case -1:
        n = 5;
    }
    switch (b) {
    case 100 ... 900:
        n += 10;
        break;
    case 7:
        goto out;
    default:
        n += 20;
    }
    n++;
out:
    return n;
}
