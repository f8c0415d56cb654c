/* test step
   a=0 b=0 n=0
   a=1 b=0 n=3
   a=1 b=1 n=2
   a=2 b=5 n=7 */
int total;

int step(int a, int b, int n) {
    int sum = 0;
    if (a && b)
        sum = 1;
    else if (a > 1 || n == 3)
        sum = 2;
    while (n > 0 && sum < 9) {
        sum += n;
        n--;
    }
    for (int i = 0; i < b; i++) {
        if (i == 3)
            break;
        if (!(i != 1))
            continue;
        sum++;
    }
    do {
        sum--;
    } while (sum > 5);
    total = a ? 1 : 2;
    return sum;
}
