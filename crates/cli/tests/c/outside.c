/* A unit that reads what functions outside write: behind pointers, in globals, and behind a pointer that it is given. */
struct message {
    unsigned kind : 3, urgent : 1;
    short length;
    char data[6];
    float scale;
};
struct item { int key; };
struct source { int (*next)(int *to); };

int mode;

int receive(struct message *to);
int find(struct item **found);
void poll_device(void);

int handle(const struct source *from)
{
    struct message m = { 0 };
    struct item *item = 0;
    int value = 1;
    mode = 0;
    poll_device();
    if (mode == 3)
        return 3;
    if (receive(&m) && m.kind == 5 && m.urgent && m.data[4] == 'x' && m.scale > 1.5f)
        return m.length;
    if (find(&item) == 0 && item && item->key == 7)
        return 7;
    if (from && from->next && from->next(&value))
        return value > 40 ? 40 : value;
    return 0;
}
