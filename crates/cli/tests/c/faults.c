struct node {
    int value;
    struct node *next;
};

static int second(const struct node *list) {
    return list->next->value;
}

int ask(const struct node *list, int index, int divisor) {
    int table[4] = {1, 2, 3, 4};
    if (index < 0 && divisor != 0)
        return second(list);
    if (index == 99)
        for (;;)
            divisor++;
    return table[index] / divisor;
}
