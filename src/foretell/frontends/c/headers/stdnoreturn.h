#ifndef FORETELL_STDNORETURN_H
#define FORETELL_STDNORETURN_H
#define noreturn _Noreturn
#endif
