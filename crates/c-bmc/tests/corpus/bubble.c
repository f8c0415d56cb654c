/* Sorting six numbers. */
void f(int *v, int n)
{
    if (!v || n < 0 || n > 6)
        return;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                int swapped = v[j];
                v[j] = v[j + 1];
                v[j + 1] = swapped;
            }
}
