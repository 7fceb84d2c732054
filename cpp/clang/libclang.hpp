// The part of libclang's stable C interface that is used, declared here so that no header of it is needed to build,
// and the library itself, loaded at run time.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace foretell::libclang {

extern "C" {
struct CXString {
    const void* data;
    unsigned flags;
};
struct CXCursor {
    int kind;
    int xdata;
    const void* data[3];
};
struct CXType {
    int kind;
    void* data[2];
};
struct CXSourceLocation {
    const void* pointers[2];
    unsigned data;
};
struct CXSourceRange {
    const void* pointers[2];
    unsigned begin;
    unsigned end;
};
struct CXSourceRangeList {
    unsigned count;
    CXSourceRange* ranges;
};
using CXIndex = void*;
using CXTranslationUnit = void*;
using CXFile = void*;
using CXDiagnostic = void*;
using CXEvalResult = void*;
using CXVisitor = int (*)(CXCursor, CXCursor, void*);
using CXInclusionVisitor = void (*)(CXFile, CXSourceLocation*, unsigned, void*);
using CXFieldVisitor = int (*)(CXCursor, void*);
}

enum ChildVisit { visit_break, visit_continue, visit_recurse };

// CXCursorKind
enum CursorKind {
    kind_struct = 2,
    kind_union = 3,
    kind_enum = 5,
    kind_enumerator = 7,
    kind_function = 8,
    kind_variable = 9,
    kind_last_declaration = 39,
    kind_type_reference = 43,
    kind_unexposed_expression = 100,
    kind_declaration_reference = 101,
    kind_member_reference = 102,
    kind_integer = 106,
    kind_float = 107,
    kind_string = 109,
    kind_character = 110,
    kind_unary = 112,
    kind_binary = 114,
    kind_compound_assignment = 115,
    kind_size_of = 136,
    kind_last_expression = 199,
    kind_first_statement = 200,
    kind_label = 201,
    kind_compound = 202,
    kind_while = 207,
    kind_for = 209,
    kind_first_preprocessing = 500,
    kind_first_reference = 40,
    kind_last_reference = 50,
};

// CXUnaryOperatorKind, CXBinaryOperatorKind
enum Operator { operator_post_increment = 1, operator_address = 5, operator_assign = 22 };

// CXTypeKind
enum TypeKind {
    type_first_number = 3,
    type_last_number = 23,
    type_first_wide = 30,  // float128, half, float16
    type_last_wide = 32,
    type_complex = 100,
    type_pointer = 101,
    type_record = 105,
    type_enum = 106,
    type_function_without_prototype = 110,
    type_function = 111,
    type_constant_array = 112,
    type_vector = 113,
    type_incomplete_array = 114,
    type_variable_array = 115,
    type_extended_vector = 176,
};

constexpr unsigned detailed_preprocessing_record = 0x01;  // for the skipped ranges
constexpr unsigned keep_going = 0x200;                    // after a missing header
constexpr int eval_int = 1, eval_float = 2;

// Every function is looked up when the library is loaded: one that is too old is refused at once, by name.
class Library {
    void* handle_;  // never closed: LLVM registers handlers at exit

    static void* opened(const std::string& path) {
        void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr) throw std::runtime_error(std::string("cannot load libclang: ") + dlerror());
        return handle;
    }

    struct Symbol {
        void* address;
        template <class Function>
        operator Function() const {
            return reinterpret_cast<Function>(address);
        }
    };

    Symbol at(const char* name) const {
        void* address = dlsym(handle_, name);
        if (address == nullptr) throw std::runtime_error(std::string("this libclang is too old: it lacks ") + name);
        return {address};
    }

public:
    explicit Library(const std::string& path) : handle_(opened(path)) {}

    CXIndex (*createIndex)(int, int) = at("clang_createIndex");
    void (*disposeIndex)(CXIndex) = at("clang_disposeIndex");
    int (*parseTranslationUnit2)(CXIndex, const char*, const char* const*, int, void*, unsigned, unsigned,
                                 CXTranslationUnit*) = at("clang_parseTranslationUnit2");
    void (*disposeTranslationUnit)(CXTranslationUnit) = at("clang_disposeTranslationUnit");
    CXCursor (*getTranslationUnitCursor)(CXTranslationUnit) = at("clang_getTranslationUnitCursor");
    unsigned (*visitChildren)(CXCursor, CXVisitor, void*) = at("clang_visitChildren");
    unsigned (*equalCursors)(CXCursor, CXCursor) = at("clang_equalCursors");
    CXType (*getCursorType)(CXCursor) = at("clang_getCursorType");
    CXType (*getCanonicalType)(CXType) = at("clang_getCanonicalType");
    CXCursor (*getCanonicalCursor)(CXCursor) = at("clang_getCanonicalCursor");
    CXCursor (*getCursorReferenced)(CXCursor) = at("clang_getCursorReferenced");
    CXString (*getCursorSpelling)(CXCursor) = at("clang_getCursorSpelling");
    CXString (*getTypeSpelling)(CXType) = at("clang_getTypeSpelling");
    const char* (*getCString)(CXString) = at("clang_getCString");
    void (*disposeString)(CXString) = at("clang_disposeString");
    CXSourceLocation (*getCursorLocation)(CXCursor) = at("clang_getCursorLocation");
    CXSourceRange (*getCursorExtent)(CXCursor) = at("clang_getCursorExtent");
    CXSourceLocation (*getRangeStart)(CXSourceRange) = at("clang_getRangeStart");
    CXSourceLocation (*getRangeEnd)(CXSourceRange) = at("clang_getRangeEnd");
    void (*getExpansionLocation)(CXSourceLocation, CXFile*, unsigned*, unsigned*,
                                 unsigned*) = at("clang_getExpansionLocation");
    void (*getSpellingLocation)(CXSourceLocation, CXFile*, unsigned*, unsigned*,
                                unsigned*) = at("clang_getSpellingLocation");
    int (*Location_isInSystemHeader)(CXSourceLocation) = at("clang_Location_isInSystemHeader");
    CXString (*getFileName)(CXFile) = at("clang_getFileName");
    void (*getInclusions)(CXTranslationUnit, CXInclusionVisitor, void*) = at("clang_getInclusions");
    int (*getCursorBinaryOperatorKind)(CXCursor) = at("clang_getCursorBinaryOperatorKind");
    int (*getCursorUnaryOperatorKind)(CXCursor) = at("clang_getCursorUnaryOperatorKind");
    CXEvalResult (*Cursor_Evaluate)(CXCursor) = at("clang_Cursor_Evaluate");
    int (*EvalResult_getKind)(CXEvalResult) = at("clang_EvalResult_getKind");
    long long (*EvalResult_getAsLongLong)(CXEvalResult) = at("clang_EvalResult_getAsLongLong");
    unsigned (*EvalResult_isUnsignedInt)(CXEvalResult) = at("clang_EvalResult_isUnsignedInt");
    unsigned long long (*EvalResult_getAsUnsigned)(CXEvalResult) = at("clang_EvalResult_getAsUnsigned");
    double (*EvalResult_getAsDouble)(CXEvalResult) = at("clang_EvalResult_getAsDouble");
    void (*EvalResult_dispose)(CXEvalResult) = at("clang_EvalResult_dispose");
    long long (*getEnumConstantDeclValue)(CXCursor) = at("clang_getEnumConstantDeclValue");
    CXCursor (*getCursorSemanticParent)(CXCursor) = at("clang_getCursorSemanticParent");
    int (*Cursor_getStorageClass)(CXCursor) = at("clang_Cursor_getStorageClass");
    CXCursor (*Cursor_getVarDeclInitializer)(CXCursor) = at("clang_Cursor_getVarDeclInitializer");
    int (*Cursor_isNull)(CXCursor) = at("clang_Cursor_isNull");
    long long (*Type_getSizeOf)(CXType) = at("clang_Type_getSizeOf");
    unsigned (*Type_visitFields)(CXType, CXFieldVisitor, void*) = at("clang_Type_visitFields");
    unsigned (*isConstQualifiedType)(CXType) = at("clang_isConstQualifiedType");
    unsigned (*isRestrictQualifiedType)(CXType) = at("clang_isRestrictQualifiedType");
    CXType (*getPointeeType)(CXType) = at("clang_getPointeeType");
    CXType (*getArrayElementType)(CXType) = at("clang_getArrayElementType");
    CXType (*getElementType)(CXType) = at("clang_getElementType");
    long long (*getArraySize)(CXType) = at("clang_getArraySize");
    CXType (*getResultType)(CXType) = at("clang_getResultType");
    unsigned (*getNumDiagnostics)(CXTranslationUnit) = at("clang_getNumDiagnostics");
    CXDiagnostic (*getDiagnostic)(CXTranslationUnit, unsigned) = at("clang_getDiagnostic");
    void (*disposeDiagnostic)(CXDiagnostic) = at("clang_disposeDiagnostic");
    int (*getDiagnosticSeverity)(CXDiagnostic) = at("clang_getDiagnosticSeverity");
    CXString (*getDiagnosticSpelling)(CXDiagnostic) = at("clang_getDiagnosticSpelling");
    CXSourceLocation (*getDiagnosticLocation)(CXDiagnostic) = at("clang_getDiagnosticLocation");
    CXSourceRangeList* (*getAllSkippedRanges)(CXTranslationUnit) = at("clang_getAllSkippedRanges");
    void (*disposeSourceRangeList)(CXSourceRangeList*) = at("clang_disposeSourceRangeList");
};

}  // namespace foretell::libclang
