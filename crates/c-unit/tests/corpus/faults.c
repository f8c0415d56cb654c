/* test faults
   kind=0 p=new p[0]=3
   kind=1 p=NULL
   kind=2 p=new
   kind=3 p=new
   kind=4 p=new
   kind=5 p=new
   kind=6 p=new */
#include <assert.h>
#include <stdlib.h>

int faults(int kind, int *p) {
    int zero = kind - 2;
    switch (kind) {
    case 2: return 10 / zero;
    case 3: assert(kind != 3); break;
    case 4: abort();
    case 5: exit(7);
    case 6: return p[8];
    }
    return *p;
}
