/* Stands in for Unity's header: the part of its interface that exported tests use, with the same meaning. */
#ifndef UNITY_STAND_IN_H
#define UNITY_STAND_IN_H
#include <setjmp.h>
#include <stdio.h>

static jmp_buf unity_return;
static int unity_tests, unity_failures;

void setUp(void);
void tearDown(void);

#define UNITY_BEGIN() (unity_tests = unity_failures = 0)
#define UNITY_END() (printf("%d Tests %d Failures 0 Ignored\n", unity_tests, unity_failures), unity_failures)
#define TEST_FAIL_MESSAGE(message) \
    do { printf("FAIL: %s\n", (message)); unity_failures++; longjmp(unity_return, 1); } while (0)
#define RUN_TEST(test) \
    do { unity_tests++; setUp(); if (setjmp(unity_return) == 0) test(); tearDown(); } while (0)
#endif
