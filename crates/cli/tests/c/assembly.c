static int tick(void) {
    int now = 0;
    __asm__ volatile("nop" : "+r"(now));
    return now;
}

int both(int a, int b) {
    if (a > 0 && b > 0)
        return 1;
    return a < -5 ? tick() : 0;
}
