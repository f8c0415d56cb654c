/* A controller with twelve states: a lift with doors, overload and maintenance. */
enum state { IDLE, OPENING, OPEN, CLOSING, UP, DOWN, SLOWING, OVERLOAD, ALARM, SERVICE, RESETTING, FAILED };

static enum state state = IDLE;
static unsigned char timer;
static unsigned char retries;
static signed char floor_now;

int f(_Bool call, _Bool obstacle, _Bool service, unsigned char load, signed char wanted)
{
    if (timer > 0)
        timer--;
    switch (state) {
    case IDLE:
        if (service && !call)
            state = SERVICE;
        else if (call && wanted == floor_now) {
            state = OPENING;
            timer = 2;
        } else if (call && wanted > floor_now && wanted < 8)
            state = UP;
        else if (call && wanted < floor_now && wanted >= 0)
            state = DOWN;
        break;
    case OPENING:
        if (timer == 0 || obstacle)
            state = OPEN;
        break;
    case OPEN:
        if (load > 200) {
            state = OVERLOAD;
            timer = 3;
        } else if (!obstacle && (!call || wanted != floor_now)) {
            state = CLOSING;
            timer = 2;
        }
        break;
    case CLOSING:
        if (obstacle) {
            retries++;
            state = retries > 2 && load < 10 ? ALARM : OPENING;
        } else if (timer == 0)
            state = IDLE;
        break;
    case UP:
        floor_now++;
        if (floor_now >= wanted || floor_now == 7)
            state = SLOWING;
        break;
    case DOWN:
        floor_now--;
        if (floor_now <= wanted || floor_now == 0)
            state = SLOWING;
        break;
    case SLOWING:
        if (load > 250 && !obstacle)
            state = FAILED;
        else {
            state = OPENING;
            timer = 1;
        }
        break;
    case OVERLOAD:
        if (load <= 200)
            state = OPEN;
        else if (timer == 0 && load == 255)
            state = ALARM;
        break;
    case ALARM:
        if (service || (call && obstacle))
            state = RESETTING;
        break;
    case SERVICE:
        if (!service && floor_now == 0)
            state = IDLE;
        break;
    case RESETTING:
        retries = 0;
        state = obstacle && load > 100 ? FAILED : IDLE;
        break;
    case FAILED:
        if (service && call && load == 0 && wanted == -1)
            state = RESETTING;
        break;
    }
    return state == ALARM || state == FAILED;
}
