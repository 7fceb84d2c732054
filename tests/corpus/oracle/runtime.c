#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime.h"

#define KINDS 7
typedef struct tally { const char *name, *object; int kind, write, header; long count; struct tally *next; } tally;
typedef struct calls { const char *name; int header; long count; struct calls *next; } calls;
typedef struct scalar { const char *name; long value; int varies; struct scalar *next; } scalar;
#define KEYS 64
typedef struct { int count; long part[KEYS]; const char *name[KEYS]; int named[KEYS]; } key;
struct cct_node {
  const cct_loop *loop;
  key *call;
  scalar *scalars;
  cct_node *parent, *child, *sibling;
  long entries, iterations, operations[KINDS], header_operations[KINDS];
  tally *accesses;
  calls *functions;
};
typedef struct { const char *name; const char *low, *high; int many; } object;

static const char *const names[KINDS] = {"add", "sub", "mul", "div", "div_literal", "const", "neg"};
static cct_node root;
cct_node *cct_current = &root;
int cct_header = 0;
static object objects[65536];
static int object_count = 0;

void cct_enter(const cct_loop *loop) {
  cct_node *n = cct_current->child;
  while (n && n->loop != loop) n = n->sibling;  /* loops have no key */
  if (!n) {
    n = calloc(1, sizeof *n);
    n->loop = loop;
    n->parent = cct_current;
    n->sibling = cct_current->child;
    cct_current->child = n;
  }
  n->entries++;
  cct_current = n;
}
static key pending;
static const cct_loop *pending_function;
static const object *find(const void *address);
long cct_widen(const void *value, unsigned long size) {
  switch (size) {
  case 1: return *(const signed char *)value;
  case 2: return *(const short *)value;
  case 4: return *(const int *)value;
  default: return *(const long *)value;
  }
}
void cct_begin(const cct_loop *function) {
  pending.count = 0;
  pending_function = function;
}
void cct_key(const char *name, int type_class, const void *value, unsigned long size, int record) {
  if (pending.count == KEYS || (type_class != 1 && type_class != 5)) return;
  long part = cct_widen(value, size);
  if (type_class == 5 && !record) {  /* a pointer into an array: which array, not where */
    const object *o = find((const void *)part);
    part = o ? (long)o->low : 0;
  }
  pending.part[pending.count] = part;
  pending.name[pending.count] = name;
  pending.named[pending.count++] = type_class == 1;
}
static int same_key(const key *a, const key *b) {
  return a->count == b->count && !memcmp(a->part, b->part, a->count * sizeof(long));
}
void cct_activate(void) {
  cct_node *n = cct_current->child;
  while (n && (n->loop != pending_function || !same_key(n->call, &pending))) n = n->sibling;
  if (!n) {
    n = calloc(1, sizeof *n);
    n->loop = pending_function;
    n->call = malloc(sizeof pending);
    *n->call = pending;
    n->parent = cct_current;
    n->sibling = cct_current->child;
    cct_current->child = n;
  }
  n->entries++;
  cct_current = n;
  for (int k = 0; k < pending.count; k++)
    if (pending.named[k]) cct_scalar(pending.name[k], pending.part[k]);
}
void cct_scalar(const char *name, long value) {
  cct_node *n = cct_current;
  while (n->parent && !n->call) n = n->parent;
  scalar *s = n->scalars;
  while (s && strcmp(s->name, name)) s = s->next;
  if (!s) {
    s = calloc(1, sizeof *s);
    s->name = name;
    s->value = value;
    s->next = n->scalars;
    n->scalars = s;
  }
  if (s->value != value) s->varies = 1;
}
void cct_iterate(void) { cct_current->iterations++; }
void cct_restore(cct_node **saved) { cct_current = *saved; }
void cct_restore_header(int *saved) { cct_header = *saved; }
void cct_operation(int kind) {
  if (cct_header) cct_current->header_operations[kind]++;
  else cct_current->operations[kind]++;
}
void cct_call(const char *name) {
  calls *c = cct_current->functions;
  while (c && (strcmp(c->name, name) || c->header != cct_header)) c = c->next;
  if (!c) {
    c = calloc(1, sizeof *c);
    c->name = name;
    c->header = cct_header;
    c->next = cct_current->functions;
    cct_current->functions = c;
  }
  c->count++;
}
static const object *find(const void *address) {
  const char *a = address;
  static int last = 0;
  if (last < object_count && a >= objects[last].low && a < objects[last].high) return &objects[last];
  for (int i = object_count - 1; i >= 0; i--)
    if (a >= objects[i].low && a < objects[i].high) { last = i; return &objects[i]; }
  return 0;
}
static void add(const char *name, const char *object_name, int kind, int write, long times);
void cct_access(const char *name, const void *address, unsigned long cct_size, int kind, int subscripted, int write) {
  if (!kind) return;
  if (kind >= 2 && !write) cct_scalar(name, cct_widen(address, cct_size));
  const object *o = find(address);
  if (subscripted < 1 && (subscripted < 0 || !(o && o->many))) return;  /* a scalar seen through a pointer */
  const char *object_name = o ? o->name : "?";
  add(name, object_name, kind, write, 1);
}
static void add(const char *name, const char *object_name, int kind, int write, long times) {
  tally *t = cct_current->accesses;
  while (t && (t->name != name || t->object != object_name || t->kind != kind || t->write != write ||
               t->header != cct_header))
    t = t->next;
  if (!t) {
    t = calloc(1, sizeof *t);
    t->name = name;
    t->object = object_name;
    t->kind = kind;
    t->write = write;
    t->header = cct_header;
    t->next = cct_current->accesses;
    cct_current->accesses = t;
  }
  t->count += times;
}
void cct_initialised(const char *name, int kind, unsigned long elements) {
  if (kind) add(name, name, kind, 1, (long)elements);
}
void cct_object(const char *name, const void *base, unsigned long bytes, int many) {
  const char *low = base, *high = low + bytes;
  int kept = 0;
  for (int i = 0; i < object_count; i++)  /* what lived here before is gone */
    if (objects[i].high <= low || objects[i].low >= high) objects[kept++] = objects[i];
  object_count = kept;
  if (object_count == 65536) { fprintf(stderr, "too many objects\n"); exit(99); }
  objects[object_count++] = (object){name, low, high, many};
}
void cct_rename(const char *name, const void *base, unsigned long element) {
  for (int i = 0; i < object_count; i++)
    if (objects[i].low == (const char *)base && objects[i].many >= 0) {
      objects[i].name = name;
      if (objects[i].many == 2) objects[i].many = (unsigned long)(objects[i].high - objects[i].low) > element;
    }
}
void *cct_malloc(unsigned long bytes) {
  void *p = malloc(bytes);
  if (p) cct_object("heap", p, bytes, 2);
  return p;
}
void *cct_calloc(unsigned long count, unsigned long size) {
  void *p = calloc(count, size);
  if (p) cct_object("heap", p, count * size, count > 1 ? 1 : 2);
  return p;
}
void *cct_aligned_alloc(unsigned long align, unsigned long bytes) {
  void *p = aligned_alloc(align, bytes);
  if (p) cct_object("heap", p, bytes, 2);
  return p;
}
static void numbers(FILE *f, const char *key, const long *values) {
  fprintf(f, ",\"%s\":{", key);
  for (int k = 0, first = 1; k < KINDS; k++)
    if (values[k]) { fprintf(f, "%s\"%s\":%ld", first ? "" : ",", names[k], values[k]); first = 0; }
  fprintf(f, "}");
}
static int dump(FILE *f, const cct_node *n, int parent, int *next) {
  int self = (*next)++;
  fprintf(f, "%s{\"parent\":%d", self ? ",\n" : "", parent);
  if (n->loop)
    fprintf(f, ",\"file\":\"%s\",\"function\":\"%s\",\"line\":%d", n->loop->file, n->loop->function, n->loop->line);
  if (n->call) {
    fprintf(f, ",\"scalars\":[");
    for (const scalar *s = n->scalars; s; s = s->next)
      fprintf(f, "%s[\"%s\",%ld,%d]", s == n->scalars ? "" : ",", s->name, s->value, s->varies);
    fprintf(f, "]");
  }
  fprintf(f, ",\"entries\":%ld,\"iterations\":%ld", n->entries, n->iterations);
  numbers(f, "operations", n->operations);
  numbers(f, "header_operations", n->header_operations);
  fprintf(f, ",\"calls\":[");
  for (const calls *c = n->functions; c; c = c->next)
    fprintf(f, "%s[\"%s\",%d,%ld]", c == n->functions ? "" : ",", c->name, c->header, c->count);
  fprintf(f, "],\"accesses\":[");
  for (const tally *t = n->accesses; t; t = t->next)
    fprintf(f, "%s[\"%s\",\"%s\",%d,%d,%d,%ld]", t == n->accesses ? "" : ",", t->name, t->object, t->kind, t->write,
            t->header, t->count);
  fprintf(f, "]}");
  for (const cct_node *c = n->child; c; c = c->sibling) dump(f, c, self, next);
  return self;
}
__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("CCT_OUTPUT");
  FILE *f = path ? fopen(path, "w") : 0;
  if (!f) return;
  int next = 0;
  fprintf(f, "[");
  dump(f, &root, -1, &next);
  fprintf(f, "]\n");
  fclose(f);
}
