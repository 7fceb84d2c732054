// A C translation unit as flat arrays: libclang (loaded at run time, by its stable C interface) parses, one traversal
// copies the data that the lowering in Python needs. Traversing half a million cursors from Python takes seconds; this,
// 0.2 s.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace foretell::clang_tree {

using Literal = std::variant<std::int64_t, std::uint64_t, double, std::string>;

// Nodes in preorder, one value per node and column. The children of node i are i + 1, end[i + 1], … below end[i].
struct Nodes {
    std::vector<std::int32_t> kind;      // CXCursorKind
    std::vector<std::int32_t> end;       // first node behind the subtree
    std::vector<std::int32_t> op;        // operator of a unary or binary operation; literal index of a constant, string
                                         // or label; depth of a top-level function; whether a variable has an
                                         // initialiser (its last child); otherwise -1
    std::vector<std::int32_t> type;      // type index, or -1
    std::vector<std::int32_t> ref;       // index of the declaration named or declared here, or -1
    std::vector<std::int32_t> file;      // file index, or -1; this and the places below only where a statement,
    std::vector<std::int32_t> line;      // declaration or the outermost expression of a statement starts
    std::vector<std::int32_t> offset;    // in bytes; where a macro is expanded, that of the expansion
    std::vector<std::int32_t> end_line;  // of declarations and compound statements
    std::vector<std::int32_t> end_offset;
};

struct Declaration {
    int kind;
    std::string name;
    int type;
    int storage;  // CX_StorageClass
    bool global;
    bool system;  // declared in a system header
    int file;
    int line;
    int end_line;
    std::int64_t value;  // of an enumerator
};

struct Field {
    std::string name;
    int type;
};

struct Type {
    int kind;  // CXTypeKind of the canonical type
    std::int64_t size;
    bool is_const;
    bool is_restrict;
    int element;         // of a pointer, array, complex or vector; result of a function; or -1
    std::int64_t count;  // elements of a constant array, or -1
    std::string name;    // spelling of a record or basic type
    std::vector<Field> fields;
};

struct Diagnostic {
    int severity;  // CXDiagnosticSeverity
    int file;
    int line;
    int offset;
    std::string message;
};

struct Range {
    int file;
    int begin;
    int end;
};

struct Tree {
    Nodes nodes;
    std::vector<std::int32_t> loops;   // nodes that are loops
    std::vector<std::int32_t> writes;  // nodes that assign, increment or take an address
    std::vector<Declaration> declarations;
    std::vector<Type> types;
    std::vector<Literal> literals;
    std::vector<Diagnostic> diagnostics;
    std::vector<Range> skipped;  // by the preprocessor's conditions
    std::vector<std::string> files;
    bool truncated = false;  // more nodes than allowed
};

// Throws std::runtime_error if the library cannot be loaded or gives up on the file. `throw_if_stopped` is called while
// the file is parsed; what it throws ends the wait.
Tree parse(const std::string& library, const std::string& file, const std::vector<std::string>& arguments,
           std::size_t max_nodes, const std::function<void()>& throw_if_stopped);

}  // namespace foretell::clang_tree
