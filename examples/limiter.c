/* A limiter: goes towards what is wanted, by at most ten at a time while it is armed. */
int limit(int wanted, int actual, _Bool armed) {
    int step = wanted - actual;
    if (armed && (step > 10 || step < -10))
        return step > 0 ? actual + 10 : actual - 10;
    if (armed && step > 10)
        return actual;
    return wanted;
}
