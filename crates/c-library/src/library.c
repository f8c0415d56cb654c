/* Functions of the standard library as code, for engines that follow what a program does with its inputs.
 *
 * Each is what crates/execute/src/libc computes with numbers, glibc in the C locale; a test holds the two together. A function stands
 * between empty lines, calls no other, and needs no header. Where C can do without a branch, there is none: then
 * one question is asked about a result, and not one for every byte. Strings that have no end, and copies that overlap, are
 * told by the executor's own functions only, with which every test is run again.
 */

unsigned long obligato_library_strlen(const char *s) {
    unsigned long n = 0;
    while (s[n]) n++;
    return n;
}

unsigned long obligato_library_strnlen(const char *s, unsigned long most) {
    unsigned long n = 0;
    while (n < most && s[n]) n++;
    return n;
}

int obligato_library_memcmp(const void *a, const void *b, unsigned long n) {
    const unsigned char *x = a, *y = b;
    int order = 0;
    for (unsigned long i = 0; i < n; i++) order += (order == 0) * (x[i] - y[i]);
    return order;
}

int obligato_library_bcmp(const void *a, const void *b, unsigned long n) {
    const unsigned char *x = a, *y = b;
    int order = 0;
    for (unsigned long i = 0; i < n; i++) order += (order == 0) * (x[i] - y[i]);
    return order;
}

void *obligato_library_memchr(const void *s, int wanted, unsigned long n) {
    const unsigned char *x = s;
    for (unsigned long i = 0; i < n; i++)
        if (x[i] == (unsigned char)wanted) return (void *)(x + i);
    return 0;
}

int obligato_library_strcmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x && *x == *y) x++, y++;
    return *x - *y;
}

int obligato_library_strcoll(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x && *x == *y) x++, y++;
    return *x - *y;
}

int obligato_library_strncmp(const char *a, const char *b, unsigned long n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (n && *x && *x == *y) x++, y++, n--;
    return n ? *x - *y : 0;
}

int obligato_library_strcasecmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (;; x++, y++) {
        int l = *x + ((*x >= 'A') & (*x <= 'Z')) * 32, r = *y + ((*y >= 'A') & (*y <= 'Z')) * 32;
        if (l != r || !l) return l - r;
    }
}

int obligato_library_strncasecmp(const char *a, const char *b, unsigned long n) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (; n; x++, y++, n--) {
        int l = *x + ((*x >= 'A') & (*x <= 'Z')) * 32, r = *y + ((*y >= 'A') & (*y <= 'Z')) * 32;
        if (l != r || !l) return l - r;
    }
    return 0;
}

char *obligato_library_strchr(const char *s, int wanted) {
    for (;; s++) {
        if (*s == (char)wanted) return (char *)s;
        if (!*s) return 0;
    }
}

char *obligato_library_index(const char *s, int wanted) {
    for (;; s++) {
        if (*s == (char)wanted) return (char *)s;
        if (!*s) return 0;
    }
}

char *obligato_library_strrchr(const char *s, int wanted) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)wanted) found = s;
        if (!*s) return (char *)found;
    }
}

char *obligato_library_rindex(const char *s, int wanted) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)wanted) found = s;
        if (!*s) return (char *)found;
    }
}

char *obligato_library_strstr(const char *s, const char *part) {
    for (;; s++) {
        unsigned long n = 0;
        while (part[n] && s[n] == part[n]) n++;
        if (!part[n]) return (char *)s;
        if (!*s) return 0;
    }
}

unsigned long obligato_library_strspn(const char *s, const char *set) {
    unsigned long n = 0;
    for (; s[n]; n++) {
        int inside = 0;
        for (const char *one = set; *one; one++) inside |= *one == s[n];
        if (!inside) break;
    }
    return n;
}

unsigned long obligato_library_strcspn(const char *s, const char *set) {
    unsigned long n = 0;
    for (; s[n]; n++) {
        int inside = 0;
        for (const char *one = set; *one; one++) inside |= *one == s[n];
        if (inside) break;
    }
    return n;
}

char *obligato_library_strpbrk(const char *s, const char *set) {
    for (; *s; s++) {
        int inside = 0;
        for (const char *one = set; *one; one++) inside |= *one == *s;
        if (inside) return (char *)s;
    }
    return 0;
}

char *obligato_library_strcpy(char *to, const char *from) {
    unsigned long n = 0;
    while ((to[n] = from[n])) n++;
    return to;
}

char *obligato_library_stpcpy(char *to, const char *from) {
    while ((*to = *from)) to++, from++;
    return to;
}

char *obligato_library_strncpy(char *to, const char *from, unsigned long most) {
    unsigned long n = 0;
    for (; n < most && from[n]; n++) to[n] = from[n];
    for (; n < most; n++) to[n] = 0;
    return to;
}

char *obligato_library_strcat(char *to, const char *from) {
    char *end = to;
    while (*end) end++;
    while ((*end = *from)) end++, from++;
    return to;
}

char *obligato_library_strncat(char *to, const char *from, unsigned long most) {
    char *end = to;
    while (*end) end++;
    for (; most && *from; most--) *end++ = *from++;
    *end = 0;
    return to;
}

int obligato_library_abs(int n) {
    unsigned sign = 0u - (n < 0);
    return (int)(((unsigned)n ^ sign) - sign);
}

long obligato_library_labs(long n) {
    unsigned long sign = 0ul - (n < 0);
    return (long)(((unsigned long)n ^ sign) - sign);
}

long long obligato_library_llabs(long long n) {
    unsigned long long sign = 0ull - (n < 0);
    return (long long)(((unsigned long long)n ^ sign) - sign);
}

long obligato_library_imaxabs(long n) {
    unsigned long sign = 0ul - (n < 0);
    return (long)(((unsigned long)n ^ sign) - sign);
}

int obligato_library_isupper(int c) { return ((c >= 'A') & (c <= 'Z')) * 0x100; }

int obligato_library_islower(int c) { return ((c >= 'a') & (c <= 'z')) * 0x200; }

int obligato_library_isalpha(int c) { return (((c | 32) >= 'a') & ((c | 32) <= 'z') & (c >= 'A')) * 0x400; }

int obligato_library_isdigit(int c) { return ((c >= '0') & (c <= '9')) * 0x800; }

int obligato_library_isxdigit(int c) {
    return (((c >= '0') & (c <= '9')) | ((c >= 'A') & (c <= 'F')) | ((c >= 'a') & (c <= 'f'))) * 0x1000;
}

int obligato_library_isspace(int c) { return ((c == ' ') | ((c >= 9) & (c <= 13))) * 0x2000; }

int obligato_library_isprint(int c) { return ((c >= ' ') & (c <= '~')) * 0x4000; }

int obligato_library_isgraph(int c) { return ((c > ' ') & (c <= '~')) * 0x8000; }

int obligato_library_isblank(int c) { return (c == ' ') | (c == '\t'); }

int obligato_library_iscntrl(int c) { return (((c >= 0) & (c < ' ')) | (c == 127)) * 2; }

int obligato_library_ispunct(int c) {
    int letter = ((c >= 'A') & (c <= 'Z')) | ((c >= 'a') & (c <= 'z'));
    int digit = (c >= '0') & (c <= '9');
    return ((c > ' ') & (c <= '~') & !(letter | digit)) * 4;
}

int obligato_library_isalnum(int c) {
    return (((c >= 'A') & (c <= 'Z')) | ((c >= 'a') & (c <= 'z')) | ((c >= '0') & (c <= '9'))) * 8;
}

int obligato_library_tolower(int c) { return c + ((c >= 'A') & (c <= 'Z')) * 32; }

int obligato_library_toupper(int c) { return c - ((c >= 'a') & (c <= 'z')) * 32; }

int obligato_library_atoi(const char *s) {
    unsigned long value = 0, most;
    int negative;
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    negative = *s == '-';
    if (negative || *s == '+') s++;
    most = 0x7fffffffffffffff + (unsigned long)negative;
    for (; *s >= '0' && *s <= '9'; s++)
        value = value > (most - (unsigned long)(*s - '0')) / 10 ? most : value * 10 + (unsigned long)(*s - '0');
    return (int)(negative ? 0 - value : value);
}

long obligato_library_atol(const char *s) {
    unsigned long value = 0, most;
    int negative;
    while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
    negative = *s == '-';
    if (negative || *s == '+') s++;
    most = 0x7fffffffffffffff + (unsigned long)negative;
    for (; *s >= '0' && *s <= '9'; s++)
        value = value > (most - (unsigned long)(*s - '0')) / 10 ? most : value * 10 + (unsigned long)(*s - '0');
    return (long)(negative ? 0 - value : value);
}
