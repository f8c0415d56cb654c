/* test look
   x=1 elsewhere=2
   x=2 elsewhere=1
   x=2 elsewhere=2 */
extern int elsewhere;
extern const char names[];
int *at = &elsewhere;
const char *name = names + 3;
int look(int x) { return *at > x ? 1 : *at == x ? 2 : name != 0; }
