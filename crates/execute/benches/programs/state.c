/* A state machine over a text with a structure behind a pointer: what units under test look like. */
#include <stdio.h>
enum state { OUTSIDE, WORD, NUMBER };
struct counts {
    enum state state;
    int words, numbers, others;
};
static void step(struct counts *c, char letter) {
    int is_letter = (letter >= 'a' && letter <= 'z') || letter == '_';
    int is_digit = letter >= '0' && letter <= '9';
    switch (c->state) {
    case OUTSIDE:
        if (is_letter) {
            c->state = WORD;
            c->words++;
        } else if (is_digit) {
            c->state = NUMBER;
            c->numbers++;
        } else {
            c->others++;
        }
        break;
    case WORD:
        if (!is_letter && !is_digit)
            c->state = OUTSIDE;
        break;
    case NUMBER:
        if (!is_digit)
            c->state = is_letter ? WORD : OUTSIDE;
        break;
    }
}
int main(void) {
    static const char text[] = "if x1 > 42 and speed_7 < 1000 then (stop) else go_on 99 bottles; ";
    struct counts counts = {OUTSIDE, 0, 0, 0};
    for (int round = 0; round < ROUNDS; round++)
        for (const char *at = text; *at; at++)
            step(&counts, *at);
    printf("%d %d %d\n", counts.words, counts.numbers, counts.others);
    return 0;
}
