/* Door controller of a train, one call per cycle; program.json is its outline. */
#include <stdbool.h>
#include <stdint.h>

#define SLIDING_STEP true /* fitted in this build */

enum state { CLOSED, OPENING, CLOSING };
enum command { LOCK, HOLD, PUSH, PULL };

static bool asked(bool request, bool staff)
{
    return request || staff;
}

enum command door_step(enum state state, uint8_t speed, bool released, bool request,
                       bool inside, bool outside, bool obstacle, bool step_out)
{
    if (speed > 0) {
        return LOCK;
    }
    switch (state) {
    case CLOSED:
        if (released && asked(request, inside != outside)) {
            return PUSH;
        }
        break;
    case OPENING:
        if (SLIDING_STEP && !step_out) {
            break;
        }
        return PUSH;
    case CLOSING:
        return obstacle ? PUSH : PULL;
    }
    return HOLD;
}
