/* The standard library: strings, characters, numbers in text, formatted output and input. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }

static void strings(void) {
    char text[40] = "hello";
    strcat(text, ", ");
    strncat(text, "world and more", 5);
    printf("%s %zu\n", text, strlen(text));
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "ab")), sign(strncmp("abcX", "abcY", 3)));
    printf("%d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("abc", "ABD", 3)));
    printf("%s %s %d\n", strchr(text, 'o'), strrchr(text, 'o'), strchr(text, 'z') == NULL);
    printf("%s %d %s\n", strstr(text, "wor"), strstr(text, "xyz") == NULL, strpbrk(text, "xyzw"));
    printf("%zu %zu %zu\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"), strnlen("abcdef", 3));
    char padded[8];
    strncpy(padded, "ab", sizeof padded);
    printf("%d %d\n", padded[2], padded[7]);
    char *copy = strdup(text), *part = strndup(text, 4);
    printf("%s %s %td\n", copy, part, (char *)memchr(copy, 'w', 12) - copy);
    free(copy);
    free(part);
    printf("%s\n", (char *)memset(text, 'x', 3));
}

static void characters(void) {
    int classes[12] = {0};
    for (int c = 0; c < 256; c++) {
        classes[0] += !!isalpha(c) * c;
        classes[1] += !!isdigit(c) * c;
        classes[2] += !!isalnum(c) * c;
        classes[3] += !!isspace(c) * c;
        classes[4] += !!ispunct(c) * c;
        classes[5] += !!isprint(c) * c;
        classes[6] += !!isgraph(c) * c;
        classes[7] += !!iscntrl(c) * c;
        classes[8] += !!isxdigit(c) * c;
        classes[9] += !!isblank(c) * c;
        classes[10] += tolower(c) * c;
        classes[11] += toupper(c) * c;
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", classes[i]);
    printf("%d %d %d\n", (isupper)('Q'), (tolower)('Q'), isalpha(EOF));
}

static void numbers(void) {
    const char *texts[] = {"42", "  -17abc", "0x1F", "077", "", "+", "99999999999999999999", "-0x", "zz", "- 3", "2147483648"};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *end;
        errno = 0;
        long a = strtol(texts[i], &end, 0);
        printf("%ld %td %d ", a, end - texts[i], errno);
        a = strtol(texts[i], &end, 36);
        printf("%ld %td ", a, end - texts[i]);
        errno = 0;
        unsigned long b = strtoul(texts[i], &end, 10);
        printf("%lu %td %d %d\n", b, end - texts[i], errno, atoi(texts[i]));
    }
    const char *floats[] = {"1.5", " -2e3x", ".25", "1e", "1e400", "inf", "-nan", "0x1.8p3", "0x", "1.7976931348623157e308", "4.9e-324", "."};
    for (unsigned i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        char *end;
        double value = strtod(floats[i], &end);
        printf("%g %td %g\n", value, end - floats[i], (double)strtof(floats[i], NULL));
    }
    div_t parts = div(-17, 5);
    printf("%d %d %d %ld\n", parts.quot, parts.rem, abs(-5), labs(-5000000000L));
}

static void output(void) {
    char text[100];
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%5.3d] [%x] [%#X] [%o] [%#o]\n", 42, 42, 42, 42, 42, 7, 7, 255, 255, 8, 8);
    printf("[%hhd] [%hd] [%ld] [%lld] [%zu] [%jd] [%u]\n", 300, 70000, -5L, 1LL << 62, sizeof text, (long)-9, -1);
    printf("[%c] [%5c] [%-5c] [%s] [%10s] [%-10s] [%.2s] [%*d] [%-*d] [%.*s]\n", 'a', 'b', 'c', "str", "right", "left", "cut", 6, 1, 6, 2, 3, "abcdef");
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%#.0f] [%e] [%.0e] [%E] [%010.2f]\n", 3.14159, 2.675, -1.5, 2.25, 0.5, 1.5, 12345.678, 5e10, 1e-7, -3.14159);
    printf("[%g] [%g] [%g] [%g] [%G] [%#g] [%.3g] [%.10g]\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1e-10, 1.5, 1234.5, 0.1);
    printf("[%f] [%e] [%g] [%5.1f] [%-8f]\n", 1e15, 0.0, -0.0, 1.0 / 0.0, -1.0 / 0.0);
    printf("[%p] [%s] [%%] [%5s]\n", (void *)0, (char *)0, "abcdefgh");
    int n = snprintf(text, 5, "%s", "longer than that");
    printf("%d [%s]\n", n, text);
    n = sprintf(text, "%d%n-%d", 12, &n, 34);
    printf("%d %s\n", n, text);
    printf("%d\n", snprintf(NULL, 0, "%d", 123456));
    puts("line");
    putchar('c');
    putchar('\n');
    fprintf(stdout, "%s-%d\n", "out", 5);
    fprintf(stderr, "not compared %d\n", 6);
    fputs("text\n", stdout);
    fputc('d', stdout);
    putc('\n', stdout);
    printf("%zu\n", fwrite("abc\n", 2, 2, stdout));
    fflush(stdout);
}

static void input(void) {
    int a = 0, b = 0, n = 0, count;
    long l = 0;
    short h = 0;
    unsigned u = 0;
    float f = 0;
    double d = 0;
    char c = 0, word[10] = "", set[10] = "";
    count = sscanf("12 -7 0x1f 99999", "%d %i %x %ld", &a, &b, &u, &l);
    printf("%d %d %d %u %ld\n", count, a, b, u, l);
    count = sscanf("3.5 2.25e2 word x", "%f %lf %9s %c", &f, &d, word, &c);
    printf("%d %g %g %s %c\n", count, f, d, word, c);
    count = sscanf("abc123:45", "%[a-z]%2d%*d:%hd%n", set, &a, &h, &n);
    printf("%d %s %d %d %d\n", count, set, a, h, n);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5,6", "%d;%d", &a, &b));
    printf("%d %d\n", sscanf("10%", "%d%%", &a), a);
}

int main(void) {
    strings();
    characters();
    numbers();
    output();
    input();
    return 0;
}
