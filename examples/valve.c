/* A filling valve: a step function with state, a pointer and two functions outside. */
#include <stdbool.h>

#define LIMIT 90

struct request {
    bool open;
    int level;
};

extern int read_pressure(void);
extern void set_valve(int position);

static int filled;

int step(const struct request *request) {
    int pressure = read_pressure();
    if (request->open && (filled < LIMIT || request->level > filled)) {
        set_valve(pressure > 50 ? 1 : 2);
        filled += 40;
    } else if (!request->open) {
        filled = 0;
    }
    return 100 / (filled - 40);
}
