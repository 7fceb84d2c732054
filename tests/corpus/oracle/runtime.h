/* Counters that an instrumented C program carries: a tree of loop contexts, written as JSON at exit. */
#ifndef CCT_RUNTIME_H
#define CCT_RUNTIME_H

/* a loop, or (line 0) a function */
typedef struct cct_loop { const char *file, *function; int line; } cct_loop;
typedef struct cct_node cct_node;

enum { CCT_ADD, CCT_SUB, CCT_MUL, CCT_DIV, CCT_DIV_LITERAL, CCT_CONST, CCT_NEG };

extern cct_node *cct_current;
extern int cct_header;  /* 1: the start of a loop, 2: its condition, 3: its step, 0: a body */

void cct_enter(const cct_loop *loop);
void cct_iterate(void);
/* a call: the context is told apart by the integers and objects that it is given */
void cct_begin(const cct_loop *function);
void cct_key(const char *name, int type_class, const void *value, unsigned long size, int record);
void cct_activate(void);
void cct_scalar(const char *name, long value);
void cct_restore(cct_node **saved);
void cct_restore_header(int *saved);
void cct_operation(int kind);
void cct_call(const char *name);
void cct_access(const char *name, const void *address, unsigned long size, int kind, int subscripted, int write);
void cct_initialised(const char *name, int kind, unsigned long elements);
void cct_object(const char *name, const void *base, unsigned long bytes, int many);
void cct_rename(const char *name, const void *base, unsigned long element);
void *cct_malloc(unsigned long bytes);
void *cct_calloc(unsigned long count, unsigned long size);
void *cct_aligned_alloc(unsigned long align, unsigned long bytes);

#define CCT_FLOATING(x) _Generic((x), float: 1, double: 1, long double: 1, default: 0)
/* 1 floating, 2 integer, 0 something else */
#define CCT_KIND(x) _Generic((x), float: 1, double: 1, long double: 1, char: 2, signed char: 2, \
    unsigned char: 2, short: 2, unsigned short: 2, int: 2, unsigned: 2, long: 2, unsigned long: 2, \
    long long: 2, unsigned long long: 2, _Bool: 2, default: 0)
/* a struct is moved as one element, a pointer is not data */
#define CCT_DATA(x) (CCT_KIND(x) ? CCT_KIND(x) : __builtin_classify_type(x) == 12)
#define CCT_OPERATION(kind, x) do { if (CCT_FLOATING(x)) cct_operation(kind); } while (0)
#define CCT_SCALAR(name, x) do { if (CCT_KIND(x) == 2) cct_scalar(name, cct_widen(&(x), sizeof(x))); } while (0)
long cct_widen(const void *value, unsigned long size);
#define CCT_SAVE cct_node *cct_saved __attribute__((cleanup(cct_restore), unused)) = cct_current

#endif
