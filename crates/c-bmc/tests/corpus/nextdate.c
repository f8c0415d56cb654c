/* The day after a date. */
static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int length(int month, int year)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

int f(int day, int month, int year)
{
    if (month < 1 || month > 12 || year < 1812 || year > 2012 || day < 1)
        return -1;
    if (day > length(month, year))
        return -2;
    if (day < length(month, year)) {
        day = day + 1;
    } else {
        day = 1;
        if (month == 12) {
            month = 1;
            year = year + 1;
        } else {
            month = month + 1;
        }
    }
    return year * 10000 + month * 100 + day;
}
