/* test grow
   list=new list->items=NULL list->count=0 value=4
   list=new list->items=new list->items[0]=7 list->items[7]=8 list->count=8 value=5
   list=new list->items=new list->count=2 list->owner=new value=-1
   list=new list->owner=new value=-1 ; value=-1 */
/* What a pointer of a test points to may be enlarged and given back as if malloc had made it. */
#include <stdlib.h>
struct list { int *items; int count; char *owner; };

int grow(struct list *list, int value) {
    if (!list)
        return -1;
    if (value < 0) {
        free(list->owner);
        list->owner = NULL;
        return list->count;
    }
    if (!list->items || list->count >= 8) {
        int *larger = realloc(list->items, (list->count + 1) * sizeof *larger);
        if (!larger)
            return -2;
        list->items = larger;
    }
    list->items[list->count++] = value;
    return list->items[0] + list->items[list->count - 1];
}
