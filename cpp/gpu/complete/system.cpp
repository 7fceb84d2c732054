// Functions of the device's system that kernels call: printf, failed assertions, malloc, conditions of graphs. Others are refused by name.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "gpu/complete/heap.hpp"
#include "gpu/complete/memory/access.hpp"
#include "gpu/functional/functional.hpp"

namespace foretell::complete {
namespace {

constexpr std::uint32_t hash_of(std::string_view name) {
    std::uint32_t hash = 0x811c9dc5u;
    for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x01000193u;
    return hash;
}

constexpr std::size_t longest = 4096;

const char* const refused[] = {"malloc",  // where there is no heap
                               "free",
                               "cudaLaunchDevice",
                               "cudaLaunchDeviceV2",
                               "cudaGetParameterBuffer",
                               "cudaGetParameterBufferV2",
                               "cudaDeviceSynchronize",
                               "cudaDeviceGetAttribute",
                               "cudaStreamCreateWithFlags",
                               "__nv_cdp_entry",
                               "cnpLaunchDevice"};

// Reads the arguments of a call: registers from R4 on, by the calling convention.
std::uint64_t pointer(const Worker& w, int reg, int lane) {
    return std::uint64_t{w.rows[0][reg + 1].v[lane]} << 32 | w.rows[0][reg].v[lane];
}

std::uint8_t byte_at(Worker& w, const Dense& d, int lane, std::uint64_t address) {
    Dense generic = d;
    generic.space = generic_space;
    if (space_of(generic, address) == local_space)
        return static_cast<std::uint8_t>(*local_words(w, d, lane, address, 1, false) >> 8 * (address & 3));
    return *bytes_at(w, generic, lane, address, 1, false);
}

std::string text_at(Worker& w, const Dense& d, int lane, std::uint64_t address) {
    std::string result;
    while (result.size() < longest) {
        const auto c = static_cast<char>(byte_at(w, d, lane, address + result.size()));
        if (c == 0) break;
        result += c;
    }
    return result;
}

// Arguments of printf lie one after the other, aligned to their size.
class Arguments {
public:
    Arguments(Worker& w, const Dense& d, int lane, std::uint64_t at) : w_(w), d_(d), lane_(lane), at_(at) {}
    std::uint64_t take(std::uint32_t size) {
        at_ = (at_ + size - 1) / size * size;
        std::uint64_t value = 0;
        for (std::uint32_t k = 0; k < size; ++k) value |= std::uint64_t{byte_at(w_, d_, lane_, at_ + k)} << 8 * k;
        at_ += size;
        return value;
    }

private:
    Worker& w_;
    const Dense& d_;
    int lane_;
    std::uint64_t at_;
};

template <class T>
std::string formatted(const std::string& form, T value) {
    char buffer[512];
    const int length = std::snprintf(buffer, sizeof buffer, form.c_str(), value);
    return {buffer, static_cast<std::size_t>(std::min<int>(std::max(length, 0), sizeof buffer - 1))};
}

// One conversion: `form` is "%-5.2" without its length and type.
std::string converted(Worker& w, const Dense& d, int lane, std::string form, bool wide, char type,
                      Arguments& arguments) {
    if (std::strchr("diouxXc", type) != nullptr) {
        const std::uint64_t value = arguments.take(wide ? 8 : 4);
        if (type == 'c') return formatted(form + 'c', static_cast<int>(value));
        if (type != 'd' && type != 'i') return formatted(form + "ll" + type, static_cast<unsigned long long>(value));
        const auto whole = wide ? static_cast<long long>(value) : static_cast<std::int32_t>(value);
        return formatted(form + "lld", static_cast<long long>(whole));
    }
    const std::uint64_t value = arguments.take(8);
    if (type == 's') return formatted(form + 's', value == 0 ? "(null)" : text_at(w, d, lane, value).c_str());
    if (type == 'p') return formatted(form + "s", formatted("0x%llx", static_cast<unsigned long long>(value)).c_str());
    double real;
    std::memcpy(&real, &value, 8);
    return formatted(form + type, real);
}

// The format is the kernel's: what the host's printf gets has flags and numbers alone. %n would write to the host's
// memory, and a width of 2^31 takes seconds.
constexpr char form_characters[] = "-+ #.0123456789";
constexpr std::size_t longest_form = 32;
constexpr long most_width = 512;

std::string width(std::int32_t given) { return std::to_string(std::clamp<long>(given, -most_width, most_width)); }

std::string bounded(const std::string& form) {
    std::string result;
    for (std::size_t k = 0; k < form.size();) {
        const std::size_t digits = form.find_first_not_of("0123456789", k);
        const std::size_t end = std::min(digits, form.size());
        if (end == k || form[k] == '0') {  // not a number, or a flag
            result += form[k++];
            continue;
        }
        result += std::to_string(
            std::min(most_width, std::strtol(form.substr(k, std::min<std::size_t>(end - k, 9)).c_str(), nullptr, 10)));
        k = end;
    }
    return result;
}

std::string print(Worker& w, const Dense& d, int lane) {
    const std::string format = text_at(w, d, lane, pointer(w, 4, lane));
    Arguments arguments(w, d, lane, pointer(w, 6, lane));
    std::string result;
    for (std::size_t k = 0; k < format.size(); ++k) {
        if (format[k] != '%' || k + 1 == format.size()) {
            result += format[k];
            continue;
        }
        if (format[k + 1] == '%') {
            result += format[++k];
            continue;
        }
        std::string form = "%";
        bool wide = false;
        while (++k < format.size() && std::strchr("diouxXcspfFeEgGaA", format[k]) == nullptr) {
            const char c = format[k];
            if (c == '*') form += width(static_cast<std::int32_t>(arguments.take(4)));
            else if (std::strchr(form_characters, c) != nullptr && form.size() < longest_form) form += c;
            wide = wide || std::strchr("lzjt", c) != nullptr;
        }
        if (k < format.size()) result += converted(w, d, lane, bounded(form), wide, format[k], arguments);
    }
    return result;
}

[[noreturn]] void refuse(const Worker& w, const Dense& d, int lane, std::uint32_t hash) {
    for (const char* name : refused)
        if (hash_of(name) == hash) w.fail(d, FaultKind::unsupported, lane, std::string("a call of ") + name);
    w.fail(d, FaultKind::unsupported, lane, "a call of a function of the device runtime");
}

[[noreturn]] void fail_assertion(Worker& w, const Dense& d, int lane) {
    const std::string message = text_at(w, d, lane, pointer(w, 4, lane)),
                      file = text_at(w, d, lane, pointer(w, 6, lane));
    w.fail(d, FaultKind::assertion, lane, file + ":" + std::to_string(w.rows[0][8].v[lane]) + ": `" + message + "`");
}

void use_heap(Worker& w, const Dense& d, Mask m, bool takes) {
    (takes ? w.heap.taken : w.heap.given) += static_cast<std::uint64_t>(std::popcount(m));
    w.heap.longest = std::max(w.heap.longest, ++w.warp->heap_calls);
    each(m, [&](int lane) {
        const std::uint64_t argument = pointer(w, 4, lane);
        if (!takes) return heap_give(w, d, lane, argument);
        const std::uint64_t address = heap_take(w, d, lane, argument);
        w.rows[0][4].v[lane] = static_cast<std::uint32_t>(address);
        w.rows[0][5].v[lane] = static_cast<std::uint32_t>(address >> 32);
    });
}

// The handle of a condition is the address of its word.
void set_condition(Worker& w, const Dense& d, Mask m) {
    Dense global = d;
    global.space = generic_space;
    each(m, [&](int lane) {
        std::uint8_t* word = bytes_at(w, global, lane, pointer(w, 4, lane), 4, true);
        std::memcpy(word, &w.rows[0][6].v[lane], 4);
    });
}

}  // namespace

bool is_system_call(std::uint64_t address) { return (address & ~0xffffffffull) == system_window; }

void system_call(Worker& w, const Dense& d, Mask m, std::uint64_t address) {
    const auto hash = static_cast<std::uint32_t>(address);
    const int first = std::countr_zero(m);
    if (hash == hash_of("__assertfail")) fail_assertion(w, d, first);
    const bool takes = hash == hash_of("malloc"), gives = hash == hash_of("free");
    if ((takes || gives) && w.launch->heap_bytes != 0) return use_heap(w, d, m, takes);
    if (hash == hash_of("cudaGraphSetConditional")) return set_condition(w, d, m);
    if (hash != hash_of("vprintf")) refuse(w, d, first, hash);
    ++w.printing.calls;
    w.printing.lines += static_cast<std::uint64_t>(std::popcount(m));
    w.printing.longest = std::max(w.printing.longest, ++w.warp->prints);
    each(m, [&](int lane) {
        const std::string text = print(w, d, lane);
        w.occupy(d, lane, text.size());
        w.block->printed += text;
        w.rows[0][4].v[lane] = 0;
    });
}

}  // namespace foretell::complete
