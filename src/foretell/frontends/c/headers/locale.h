#ifndef FORETELL_LOCALE_H
#define FORETELL_LOCALE_H
#define LC_ALL 6
#define LC_NUMERIC 1
char *setlocale(int, const char *);
#endif
