#pragma once
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef int atomic_int;
typedef unsigned atomic_uint;
typedef long atomic_long;
typedef unsigned long atomic_ulong;
typedef _Bool atomic_bool;
typedef unsigned long atomic_size_t;
typedef _Bool atomic_flag;
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT 0
#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_load(object) (*(object))
#define atomic_store(object, value) ((void)(*(object) = (value)))
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))
#define atomic_fetch_add(object, value) ((*(object) += (value)) - (value))
#define atomic_fetch_sub(object, value) ((*(object) -= (value)) + (value))
#define atomic_fetch_add_explicit(object, value, order) ((*(object) += (value)) - (value))
#define atomic_fetch_sub_explicit(object, value, order) ((*(object) -= (value)) + (value))
#define atomic_thread_fence(order) ((void)0)
