/* What marked units and their drivers call. It includes nothing: a unit may declare library functions of its own. */
extern int trust_condition(int condition, int ordinal, int value);
extern void trust_begin(int decision);
extern int trust_end(int decision, int value);
extern void trust_hit(int statement);
extern void trust_exit(int statement);
extern long long trust_switch(int which, long long value);
/* One of 0, 1, …, n-1: every run takes another path through these choices, until all have been taken. */
extern unsigned trust_choose(unsigned n);
/* Ends the run: the environment cannot do what was chosen. */
extern void trust_leave(void);
/* Not all that can happen is tried: what never happened may be possible. */
extern void trust_partial(void);
/* Any bytes of these values at an address. */
extern void trust_fill(void *at, unsigned long size, const unsigned char *values, unsigned count);
#define PICK(...) \
    (((const long long[]){__VA_ARGS__})[trust_choose(sizeof((const long long[]){__VA_ARGS__}) / sizeof(long long))])
#define PICK_DOUBLE(...) \
    (((const double[]){__VA_ARGS__})[trust_choose(sizeof((const double[]){__VA_ARGS__}) / sizeof(double))])
#define FILL(object, ...) \
    trust_fill(&(object), sizeof(object), (const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}))
struct trust_program {
    void (*step)(void); /* chooses inputs, and calls the function under test */
    char *begin, *end;  /* its state: what is kept between steps */
};
extern const struct trust_program trust_programs[];
extern const int trust_program_count;
/* Drivers decide what allocation gives; the recorder has its own. */
#ifndef TRUST_RECORDER
#define malloc trust_malloc
#define calloc trust_calloc
#define realloc trust_realloc
#define free trust_free
#endif
