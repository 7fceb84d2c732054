#pragma once
typedef enum { acc_device_none, acc_device_default, acc_device_host, acc_device_not_host, acc_device_nvidia } acc_device_t;
#define acc_async_sync (-1)
#define acc_async_noval (-2)
int acc_get_num_devices(acc_device_t);
void acc_set_device_type(acc_device_t);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int, acc_device_t);
int acc_get_device_num(acc_device_t);
void acc_init(acc_device_t);
void acc_shutdown(acc_device_t);
int acc_async_test(int);
void acc_wait(int);
void acc_wait_all(void);
void *acc_malloc(unsigned long);
void acc_free(void *);
void *acc_copyin(void *, unsigned long);
void *acc_create(void *, unsigned long);
void acc_copyout(void *, unsigned long);
void acc_delete(void *, unsigned long);
void acc_update_device(void *, unsigned long);
void acc_update_self(void *, unsigned long);
int acc_is_present(void *, unsigned long);
void *acc_deviceptr(void *);
void *acc_hostptr(void *);
