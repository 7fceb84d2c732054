// A plugin of QEMU that counts the instructions of an AArch64 program between two addresses: all of them, and those of
// floating-point and vector arithmetic (bits 25 to 27 of the encoding are 1), which is what instFP means.
//   gcc -shared -fPIC -O2 count.c -o count.so
//   qemu-aarch64 -plugin ./count.so,first=0x400500,last=0x400800 ./stencil-aarch64 1 96
// The declarations are those of version 1 of QEMU's plugin interface, as far as they are used.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Id;
struct Block;
struct Instruction;
extern int qemu_plugin_register_vcpu_tb_trans_cb(Id, void (*)(Id, struct Block*));
extern void qemu_plugin_register_atexit_cb(Id, void (*)(Id, void*), void*);
extern size_t qemu_plugin_tb_n_insns(const struct Block*);
extern struct Instruction* qemu_plugin_tb_get_insn(const struct Block*, size_t);
extern const void* qemu_plugin_insn_data(const struct Instruction*);
extern uint64_t qemu_plugin_insn_vaddr(const struct Instruction*);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct Instruction*, int operation, void* counter, uint64_t amount);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;
static uint64_t first, last, counts[2];  // others, and floating-point

static void translated(Id id, struct Block* block) {
    (void)id;
    for (size_t k = 0; k < qemu_plugin_tb_n_insns(block); ++k) {
        struct Instruction* one = qemu_plugin_tb_get_insn(block, k);
        const uint64_t address = qemu_plugin_insn_vaddr(one);
        if (address < first || address >= last) continue;
        uint32_t code;
        memcpy(&code, qemu_plugin_insn_data(one), sizeof code);
        qemu_plugin_register_vcpu_insn_exec_inline(one, 0, &counts[(code >> 25 & 7) == 7], 1);
    }
}

static void finished(Id id, void* data) {
    (void)id, (void)data;
    fprintf(stderr, "instInt %llu\ninstFP %llu\n", (unsigned long long)counts[0], (unsigned long long)counts[1]);
}

__attribute__((visibility("default"))) int qemu_plugin_install(Id id, const void* info, int argc, char** argv) {
    (void)info;
    for (int k = 0; k < argc; ++k) {
        if (!strncmp(argv[k], "first=", 6)) first = strtoull(argv[k] + 6, NULL, 0);
        if (!strncmp(argv[k], "last=", 5)) last = strtoull(argv[k] + 5, NULL, 0);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
