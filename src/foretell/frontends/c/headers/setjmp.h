#ifndef FORETELL_SETJMP_H
#define FORETELL_SETJMP_H
typedef long jmp_buf[25];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
#endif
