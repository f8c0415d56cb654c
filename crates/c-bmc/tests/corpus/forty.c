/* One decision of forty mixed conditions. */
int f(int a, int b, int c, int d, int e, int g, int h, int k)
{
    if (((((!(g != d + 9) || (b < 14 || d >= 3)) && b == 4) && (a <= b || a < e)) || (a > c || (b
        != g + 4 && (g != -42 && a != e)))) && (g >= -4 && ((((e <= 39 && d > 17) || (k >= g + 2
        || b > c + 8)) || (((((((!(h != -41) || g > 26) && (k < d || e != -42)) && (a != d && !(k
        >= 35))) && g >= -5) && c < e + 5) || (c >= e || k >= 1)) && (!(e >= k) && e != c))) ||
        (((((d <= -31 && d >= a) && (((c < -32 || h == e + 3) && a != 21) || (h >= -37 && k <= a +
        4))) && (k > 26 || a == -31)) && (!(b < g + 4) && h > -6)) && (g < 12 && k > -40)))))
        return 1;
    return 0;
}
