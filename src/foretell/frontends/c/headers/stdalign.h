#ifndef FORETELL_STDALIGN_H
#define FORETELL_STDALIGN_H
#define alignas _Alignas
#define alignof _Alignof
#endif
