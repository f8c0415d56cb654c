/* test step
   level=6 mode=0 outer=0 x=0
   level=1 mode=7 outer=0 x=3
   level=1 mode=7 outer=5 x=1
   level=2 mode=1 outer=0 x=2 */
_Thread_local int level = 3;
__thread short mode;
extern _Thread_local int outer;
int step(int x) {
    static _Thread_local int calls;
    calls++;
    if (level > 5) return 1;
    if (mode == 7 && x > 2) return 2;
    if (outer > 4) return 5;
    level += x;
    return calls;
}
