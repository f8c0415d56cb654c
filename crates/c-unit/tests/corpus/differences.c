/* test differences
   first=new first[0]=7 last=NULL
   first=new last=new
   first=NULL last=NULL
   first=new first[0]=1 first[1]=2 n=3 last=NULL
   first=new n=9 last=new */
typedef unsigned long address;

int differences(char *first, char *last, int n) {
    char *end = first + (n > 0 && n < 8 ? n : 2);
    if (first && end - first > 2)
        return 1;
    if ((address)last - (address)first > 5 && n > 3)
        return 2;
    return n == 1 ? 4 : (int)(last - first);
}
