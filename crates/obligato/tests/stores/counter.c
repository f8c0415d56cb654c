int counter(int up)
{
    static int count;

    if (up && count < 3)
        count++;
    return count > 5;
}
