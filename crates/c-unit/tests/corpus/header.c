/* test use
   x=-1
   x=5
   x=50 */
#include "clamp.h"
int use(int x) { return clamp(x, 0, 9) == x; }
