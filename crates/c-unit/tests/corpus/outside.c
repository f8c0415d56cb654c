/* test poll
   threshold=3 read_sensor()[0]=5 read_sensor()[1]=1
   threshold=3 read_sensor()[0]=2
   threshold=0 read_sensor()[0]=1 read_sensor()[1]=1 read_sensor()[2]=1 ; threshold=9 */
int read_sensor(int channel);
void alarm_on(int level, const char *why);
static int alarms;
extern int mode;

int poll(int threshold) {
    int value = read_sensor(1);
    if (value > threshold && read_sensor(2) < value) {
        alarm_on(value, "high");
        alarms++;
    }
    if (alarms > 1 || mode)
        return -1;
    return alarms;
}
