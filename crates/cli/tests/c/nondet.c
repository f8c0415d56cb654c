/* A program that asks for its inputs, as those of tester competitions do. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int first = __VERIFIER_nondet_int();
    unsigned char second = __VERIFIER_nondet_uchar();
    if (first > 3 && second == 200)
        return __VERIFIER_nondet_int();
    return 0;
}
