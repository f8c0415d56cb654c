/* test count
   v=NULL n=3
   v=new v[0]=1 v[1]=0 v[2]=5 n=3 call=NULL
   v=new v[0]=1 n=1 call=twice */
/* A parameter that is written as an array or a function is a pointer, and may be null. */
int twice(int x) { return 2 * x; }

int count(int v[6], int n, int call(int)) {
    int sum = 0;
    if (!v || n > 6)
        return -1;
    for (int i = 0; i < n; i++)
        if (v[i] && call)
            sum += call(v[i]);
    return sum;
}
