// CUDA's log of errors: nothing is ever written to it, as errors are told in the answer.
#include "standin/driver/told.hpp"

using namespace foretell::standin;

STANDIN_API int cuLogsRegisterCallback(void (*)(void*, int, char*, std::size_t), void*, void** handle) {
    static char registered;
    return told(handle, static_cast<void*>(&registered));
}
STANDIN_API int cuLogsUnregisterCallback(void*) { return as_told(); }
STANDIN_API int cuLogsCurrent(unsigned* iterator, unsigned) { return told(iterator, 0U); }
STANDIN_API int cuLogsDumpToFile(unsigned*, const char*, unsigned) { return as_told(); }
STANDIN_API int cuLogsDumpToMemory(unsigned*, char* buffer, std::size_t* bytes, unsigned) {
    if (bytes != nullptr && *bytes > 0 && buffer != nullptr) *buffer = '\0';
    return told(bytes, std::size_t{0});
}
STANDIN_API int cudaLogsRegisterCallback(void (*body)(void*, int, char*, std::size_t), void* data, void** handle) {
    return cuLogsRegisterCallback(body, data, handle);
}
STANDIN_API int cudaLogsUnregisterCallback(void*) { return as_told(); }
STANDIN_API int cudaLogsCurrent(unsigned* iterator, unsigned) { return told(iterator, 0U); }
STANDIN_API int cudaLogsDumpToFile(unsigned*, const char*, unsigned) { return as_told(); }
STANDIN_API int cudaLogsDumpToMemory(unsigned* from, char* buffer, std::size_t* bytes, unsigned flags) {
    return cuLogsDumpToMemory(from, buffer, bytes, flags);
}
