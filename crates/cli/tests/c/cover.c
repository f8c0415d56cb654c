#define BIG(x) ((x) > 100 || (x) < -100)

int grade(int a, int b, int c) {
    int sum = 0;
    if (a > 0 && (!b || c > 0))
        sum++;
    if (!(a > 1 || b > 1))
        sum += 2;
    if (BIG(a))
        return -1;
    switch (c) {
    case 0:
        sum += 10;
        break;
    case 1:
    case 2:
        sum += 20;
    }
    while (sum > 3 && b < 3)
        b++, sum--;
    return c ? sum : -sum;
}
