/* A heater with state: a switch, a macro, an enumeration, two functions outside. */
#define TOO_HOT(t) ((t) > 90 || (t) < -40)

enum mode { OFF, HEAT, HOLD };

extern int read_sensor(int channel);
extern void alarm(int code);

static int steps_on;

enum mode step(enum mode wanted, int target) {
    int now = read_sensor(1);
    if (TOO_HOT(now)) {
        alarm(7);
        wanted = OFF;
    }
    switch (wanted) {
    case OFF:
        steps_on = 0;
        return OFF;
    case HEAT:
        steps_on++;
        break;
    default:
        break;
    }
    return now < target && steps_on < 3 ? HEAT : HOLD;
}
