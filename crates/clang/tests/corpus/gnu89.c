/* flags: -std=gnu89 -Wno-error=implicit-function-declaration -Wno-error=implicit-int -Wno-error=return-mismatch */
static count;
step(a, p)
    char a;
    register char *p;
{
    int i;
    for (i = 0; i < 3 && p[i]; i++)
        if (a == p[i] || outside(a, i))
            return;
    count += !a;
    return count > 3;
}
