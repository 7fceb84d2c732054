#pragma once

namespace foretell::standin {

// Names and descriptions of CUDA's errors.
struct ErrorText {
    int number;
    const char* runtime;
    const char* driver;
    const char* text;
};

const ErrorText* error_text(int number);

}  // namespace foretell::standin
