/* Matrices of doubles. */
#include <stdio.h>
int main(void) {
    static double a[20][20], b[20][20], c[20][20];
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++) {
            a[i][j] = 1.0 / (i + j + 1);
            b[i][j] = i == j ? 0.5 : 0.01;
        }
    for (int round = 0; round < ROUNDS / 20; round++) {
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++) {
                double sum = 0;
                for (int k = 0; k < 20; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++)
                a[i][j] = c[i][j];
    }
    printf("%g\n", a[3][4]);
    return 0;
}
