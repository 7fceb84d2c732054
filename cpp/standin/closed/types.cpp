#include "standin/closed/types.hpp"

#include "standin/closed/product.hpp"

namespace foretell::closed {
namespace {

template <class T>
double read_as(const void* from) {
    return static_cast<double>(wide(*static_cast<const T*>(from)));
}

template <class T>
Factor read_of(const Handle& handle, const void* where) {
    if (handle.pointer_mode == 0) return {read_as<T>(where), nullptr, read_as<T>};
    return {0, where, read_as<T>};
}

}  // namespace

Kind kind_of(int in, bool tensor_of_32) {
    switch (in) {
        case real64: return Kind::f64;
        case half16: return Kind::f16;
        case brain16: return Kind::bf16;
        case byte8: return Kind::i8;
        default: return tensor_of_32 ? Kind::tf32 : Kind::f32;
    }
}

Factor factor_of(const Handle& handle, int type, const void* where) {
    switch (type) {
        case real64: return read_of<double>(handle, where);
        case integer32: return read_of<std::int32_t>(handle, where);
        case half16: return read_of<Half>(handle, where);
        default: return read_of<float>(handle, where);
    }
}

bool is_known_type(int type) {
    return type == real32 || type == real64 || type == half16 || type == brain16 || type == byte8 || type == integer32;
}

double number_at(int type, const void* from) {
    switch (type) {
        case real64: return read_as<double>(from);
        case half16: return read_as<Half>(from);
        case brain16: return read_as<Brain>(from);
        case byte8: return read_as<std::int8_t>(from);
        case integer32: return read_as<std::int32_t>(from);
        default: return read_as<float>(from);
    }
}

void put_number(int type, void* to, double value) {
    switch (type) {
        case real64: return put(*static_cast<double*>(to), value);
        case half16: return put(*static_cast<Half*>(to), value);
        case brain16: return put(*static_cast<Brain*>(to), value);
        case byte8: return put(*static_cast<std::int8_t*>(to), value);
        case integer32: return put(*static_cast<std::int32_t*>(to), value);
        default: return put(*static_cast<float*>(to), value);
    }
}

bool multiply_as(int type, bool ta, bool tb, std::size_t m, std::size_t n, std::size_t k, const void* a,
                 std::size_t lda, const void* b, std::size_t ldb, double* to) {
    const auto as = [&]<class Sum, class In>(Sum, In) {
        multiply<Sum>(ta, tb, m, n, k, 1.0, static_cast<const In*>(a), lda, static_cast<const In*>(b), ldb, 0.0, to, m);
        return true;
    };
    switch (type) {
        case real32: return as(float{}, float{});
        case real64: return as(double{}, double{});
        case half16: return as(float{}, Half{});
        case brain16: return as(float{}, Brain{});
        case byte8: return as(double{}, std::int8_t{});
        default: return false;
    }
}

}  // namespace foretell::closed
