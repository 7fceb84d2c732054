#include "clang/clang_tree.hpp"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "clang/libclang.hpp"

namespace foretell::clang_tree {

namespace {

using namespace libclang;

// how often a wait asks whether it is to end
constexpr std::chrono::milliseconds kTick{50};

const Library& library_at(const std::string& path) {
    static std::unordered_map<std::string, Library> loaded;
    // Otherwise libclang parses on a thread of its own with a stack of 8 MiB.
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    return loaded.try_emplace(path, path).first->second;
}

struct Place {
    int file = -1;
    int line = 0;
    int offset = 0;
};

class Walker {
public:
    Walker(const Library& clang, std::size_t max_nodes) : clang_(clang), max_nodes_(max_nodes) {}

    void walk(CXTranslationUnit unit) {
        root_ = clang_.getTranslationUnitCursor(unit);
        clang_.visitChildren(root_, &Walker::visitor, this);
        close(0);
        read_diagnostics(unit);
        read_skipped(unit);
        // headers of which nothing but macros is used belong to the files too
        clang_.getInclusions(
            unit,
            [](CXFile file, CXSourceLocation*, unsigned, void* self) { static_cast<Walker*>(self)->file_index(file); },
            this);
    }

    Tree tree;

private:
    struct Open {
        CXCursor cursor;
        int node;
    };

    static int visitor(CXCursor cursor, CXCursor parent, void* self) {
        return static_cast<Walker*>(self)->visit(cursor, parent);
    }

    int visit(CXCursor cursor, CXCursor parent) {
        if (tree.nodes.kind.size() >= max_nodes_) {
            tree.truncated = true;
            return visit_break;
        }
        std::size_t depth = open_.size();
        while (depth > 0 && !clang_.equalCursors(open_[depth - 1].cursor, parent)) --depth;
        close(depth);
        if (cursor.kind >= kind_first_preprocessing) return visit_continue;
        if (depth == 0 && clang_.Location_isInSystemHeader(clang_.getCursorLocation(cursor))) return visit_continue;
        open_.push_back({cursor, add(cursor)});
        if (tree.nodes.kind[open_.front().node] == kind_function) {
            auto& deepest = tree.nodes.op[open_.front().node];
            deepest = std::max(deepest, static_cast<int>(open_.size()));
        }
        const bool opaque = cursor.kind == kind_struct || cursor.kind == kind_union || cursor.kind == kind_enum;
        return opaque ? visit_continue : visit_recurse;
    }

    void close(std::size_t depth) {
        Nodes& nodes = tree.nodes;
        while (open_.size() > depth) {
            const auto& [cursor, node] = open_.back();
            nodes.end[node] = static_cast<int>(nodes.kind.size());
            const bool begins_with_type = nodes.end[node] > node + 1 && nodes.kind[node + 1] == kind_type_reference;
            if (nodes.kind[node] == kind_unexposed_expression && begins_with_type)  // offsetof
                nodes.op[node] = evaluate(cursor);
            open_.pop_back();
        }
    }

    int add(const CXCursor& cursor) {
        Nodes& nodes = tree.nodes;
        const int node = static_cast<int>(nodes.kind.size());
        const int kind = cursor.kind;
        const bool expression = kind >= kind_unexposed_expression && kind <= kind_last_expression;
        const bool declaration = kind <= kind_last_declaration;
        nodes.kind.push_back(kind);
        nodes.end.push_back(node + 1);
        nodes.op.push_back(operation(cursor));
        nodes.type.push_back(expression || declaration ? type(clang_.getCursorType(cursor)) : -1);
        nodes.ref.push_back(reference(cursor));
        add_place(cursor, expression);
        if (kind >= kind_while && kind <= kind_for) tree.loops.push_back(node);
        if (writes(kind, nodes.op[node])) tree.writes.push_back(node);
        return node;
    }

    static bool writes(int kind, int op) {
        return kind == kind_compound_assignment || (kind == kind_binary && op == operator_assign) ||
               (kind == kind_unary && op >= operator_post_increment && op <= operator_address);
    }

    int operation(const CXCursor& cursor) {
        switch (cursor.kind) {
            case kind_unary: return clang_.getCursorUnaryOperatorKind(cursor);
            case kind_binary:
            case kind_compound_assignment: return clang_.getCursorBinaryOperatorKind(cursor);
            case kind_integer:
            case kind_float:
            case kind_character:
            case kind_size_of: return evaluate(cursor);
            case kind_variable: return clang_.Cursor_isNull(clang_.Cursor_getVarDeclInitializer(cursor)) ? 0 : 1;
            case kind_label:
            case kind_string:
                tree.literals.emplace_back(text(clang_.getCursorSpelling(cursor)));
                return static_cast<int>(tree.literals.size()) - 1;
            default: return -1;
        }
    }

    int evaluate(const CXCursor& cursor) {
        CXEvalResult result = clang_.Cursor_Evaluate(cursor);
        if (result == nullptr) return -1;
        const int kind = clang_.EvalResult_getKind(result);
        if (kind == eval_int && clang_.EvalResult_isUnsignedInt(result))
            tree.literals.emplace_back(static_cast<std::uint64_t>(clang_.EvalResult_getAsUnsigned(result)));
        else if (kind == eval_int)
            tree.literals.emplace_back(static_cast<std::int64_t>(clang_.EvalResult_getAsLongLong(result)));
        else if (kind == eval_float) tree.literals.emplace_back(clang_.EvalResult_getAsDouble(result));
        clang_.EvalResult_dispose(result);
        return kind == eval_int || kind == eval_float ? static_cast<int>(tree.literals.size()) - 1 : -1;
    }

    int reference(const CXCursor& cursor) {
        const int kind = cursor.kind;
        if (kind <= kind_last_declaration) return declaration(cursor);
        const bool refers = kind == kind_declaration_reference || kind == kind_member_reference ||
                            (kind >= kind_first_reference && kind <= kind_last_reference);
        if (!refers) return -1;
        const CXCursor target = clang_.getCursorReferenced(cursor);
        return target.data[0] == nullptr ? -1 : declaration(target);
    }

    // Nested expressions get no location: their statement has one. A sizeof does, since the type written in it can only
    // be read from the text.
    void add_place(const CXCursor& cursor, bool expression) {
        Nodes& nodes = tree.nodes;
        const int parent = open_.empty() ? -1 : nodes.kind[open_.back().node];
        Place begin, end;
        const bool inner = expression && parent >= kind_unexposed_expression && parent <= kind_last_expression;
        if (cursor.kind <= kind_last_declaration || cursor.kind == kind_compound) {
            const CXSourceRange range = clang_.getCursorExtent(cursor);
            begin = place(clang_.getRangeStart(range));
            end = place(clang_.getRangeEnd(range));
        } else if (cursor.kind == kind_size_of) {
            begin = place(clang_.getCursorLocation(cursor), clang_.getSpellingLocation);
        } else if (!inner) {
            // not the extent: to find the end of a loop, clang descends to its last statement
            begin = place(clang_.getCursorLocation(cursor));
        }
        nodes.file.push_back(begin.file);
        nodes.line.push_back(begin.line);
        nodes.offset.push_back(begin.offset);
        nodes.end_line.push_back(end.line);
        nodes.end_offset.push_back(end.offset);
    }

    using Resolve = void (*)(CXSourceLocation, CXFile*, unsigned*, unsigned*, unsigned*);

    Place place(CXSourceLocation location) { return place(location, clang_.getExpansionLocation); }

    Place place(CXSourceLocation location, Resolve resolve) {
        CXFile file = nullptr;
        unsigned line = 0, column = 0, offset = 0;
        resolve(location, &file, &line, &column, &offset);
        return {file_index(file), static_cast<int>(line), static_cast<int>(offset)};
    }

    int file_index(CXFile file) {
        if (file == nullptr) return -1;
        const auto [entry, is_new] = files_.try_emplace(file, static_cast<int>(tree.files.size()));
        if (is_new) tree.files.push_back(text(clang_.getFileName(file)));
        return entry->second;
    }

    int declaration(const CXCursor& cursor) {
        const CXCursor canonical = clang_.getCanonicalCursor(cursor);
        // of a declaration libclang keeps the declaration first, of a label its function first and the label second
        const void* key = canonical.kind >= kind_first_statement ? canonical.data[1] : canonical.data[0];
        const auto [entry, is_new] = declarations_.try_emplace(key, static_cast<int>(tree.declarations.size()));
        if (!is_new) return entry->second;
        const int index = entry->second;
        tree.declarations.emplace_back();
        const CXSourceLocation location = clang_.getCursorLocation(canonical);
        const Place name = place(location);
        const Place end = place(clang_.getRangeEnd(clang_.getCursorExtent(canonical)));
        Declaration result{};
        result.kind = canonical.kind;
        result.name = text(clang_.getCursorSpelling(canonical));
        result.type = type(clang_.getCursorType(canonical));
        result.storage = clang_.Cursor_getStorageClass(canonical);
        result.global = clang_.equalCursors(clang_.getCursorSemanticParent(canonical), root_) != 0;
        result.system = clang_.Location_isInSystemHeader(location) != 0;
        result.file = name.file;
        result.line = name.line;
        result.end_line = end.line;
        if (canonical.kind == kind_enumerator) result.value = clang_.getEnumConstantDeclValue(canonical);
        tree.declarations[index] = std::move(result);
        return index;
    }

    int type(CXType given) {
        if (given.kind == 0) return -1;
        const auto known = types_.find(given.data[0]);
        if (known != types_.end()) return known->second;
        const CXType canonical = clang_.getCanonicalType(given);
        const auto [found, is_new] = types_.try_emplace(canonical.data[0], static_cast<int>(tree.types.size()));
        const int index = found->second;
        types_[given.data[0]] = index;
        if (!is_new) return index;
        tree.types.emplace_back();  // reserve the index first: records refer to themselves
        Type result{};
        result.kind = canonical.kind;
        result.size = has_size(canonical.kind) ? clang_.Type_getSizeOf(canonical) : -1;
        result.is_const = clang_.isConstQualifiedType(canonical) != 0;
        result.is_restrict = clang_.isRestrictQualifiedType(canonical) != 0;
        if (canonical.kind == type_record || canonical.kind < type_complex)  // the others are identified by their parts
            result.name = text(clang_.getTypeSpelling(canonical));
        result.element = element(canonical);
        result.count = canonical.kind == type_constant_array || canonical.kind == type_vector
                           ? clang_.getArraySize(canonical)
                           : -1;
        if (canonical.kind == type_record) result.fields = fields(canonical);
        tree.types[index] = std::move(result);
        return index;
    }

    // libclang traps when asked for the size of a placeholder, such as the type of a builtin function
    static bool has_size(int kind) {
        return (kind >= type_first_number && kind <= type_last_number) ||
               (kind >= type_first_wide && kind <= type_last_wide) || kind == type_complex || kind == type_pointer ||
               kind == type_record || kind == type_enum || kind == type_constant_array || kind == type_vector;
    }

    int element(const CXType& canonical) {
        switch (canonical.kind) {
            case type_pointer: return type(clang_.getPointeeType(canonical));
            case type_constant_array:
            case type_incomplete_array:
            case type_variable_array: return type(clang_.getArrayElementType(canonical));
            case type_complex:
            case type_vector:
            case type_extended_vector: return type(clang_.getElementType(canonical));
            case type_function:
            case type_function_without_prototype: return type(clang_.getResultType(canonical));
            default: return -1;
        }
    }

    std::vector<Field> fields(const CXType& record) {
        std::pair<Walker*, std::vector<Field>> data{this, {}};
        clang_.Type_visitFields(
            record,
            [](CXCursor cursor, void* given) {
                auto& [self, found] = *static_cast<std::pair<Walker*, std::vector<Field>>*>(given);
                found.push_back({self->text(self->clang_.getCursorSpelling(cursor)),
                                 self->type(self->clang_.getCursorType(cursor))});
                return 1;
            },
            &data);
        return std::move(data.second);
    }

    void read_diagnostics(CXTranslationUnit unit) {
        const unsigned count = clang_.getNumDiagnostics(unit);
        for (unsigned k = 0; k < count; ++k) {
            CXDiagnostic diagnostic = clang_.getDiagnostic(unit, k);
            const Place where = place(clang_.getDiagnosticLocation(diagnostic));
            tree.diagnostics.push_back({clang_.getDiagnosticSeverity(diagnostic), where.file, where.line, where.offset,
                                        text(clang_.getDiagnosticSpelling(diagnostic))});
            clang_.disposeDiagnostic(diagnostic);
        }
    }

    void read_skipped(CXTranslationUnit unit) {
        CXSourceRangeList* list = clang_.getAllSkippedRanges(unit);
        if (list == nullptr) return;
        for (unsigned k = 0; k < list->count; ++k) {
            const Place begin = place(clang_.getRangeStart(list->ranges[k]));
            const Place end = place(clang_.getRangeEnd(list->ranges[k]));
            tree.skipped.push_back({begin.file, begin.offset, end.offset});
        }
        clang_.disposeSourceRangeList(list);
    }

    std::string text(CXString string) {
        const char* characters = clang_.getCString(string);
        std::string result = characters == nullptr ? "" : characters;
        clang_.disposeString(string);
        return result;
    }

    const Library& clang_;
    const std::size_t max_nodes_;
    CXCursor root_{};
    std::vector<Open> open_;
    std::unordered_map<const void*, int> types_;
    std::unordered_map<const void*, int> declarations_;
    std::unordered_map<CXFile, int> files_;
};

Tree parse_here(const Library& clang, const std::string& file, const std::vector<std::string>& arguments,
                std::size_t max_nodes) {
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    CXIndex index = clang.createIndex(0, 0);
    CXTranslationUnit unit = nullptr;
    const int failed =
        clang.parseTranslationUnit2(index, file.c_str(), pointers.data(), static_cast<int>(pointers.size()), nullptr, 0,
                                    detailed_preprocessing_record | keep_going, &unit);
    if (failed != 0 || unit == nullptr) {
        clang.disposeIndex(index);
        throw std::runtime_error(failed == 2 ? "libclang crashed on it" : "libclang cannot read it");
    }
    Walker walker(clang, max_nodes);
    walker.walk(unit);
    clang.disposeTranslationUnit(unit);
    clang.disposeIndex(index);
    return std::move(walker.tree);
}

// A file that is being parsed on a thread of its own. It belongs to who waits for the thread; when nobody does any more, to
// the thread. The mutex decides which: one of `is_done` and `is_left` is set first.
struct Parsing {
    const Library& clang;
    const std::string file;
    const std::vector<std::string> arguments;
    const std::size_t max_nodes;
    Tree tree{};
    std::exception_ptr error{};
    bool is_done = false;
    bool is_left = false;
    std::mutex mutex{};
    std::condition_variable ended{};
};

// True if the thread was left, so that it owns the record.
bool end_parsing(Parsing& parsing) {
    const std::lock_guard lock(parsing.mutex);
    parsing.is_done = true;
    parsing.ended.notify_all();
    return parsing.is_left;
}

void* run_parsing(void* given) {
    auto* parsing = static_cast<Parsing*>(given);
    try {
        parsing->tree = parse_here(parsing->clang, parsing->file, parsing->arguments, parsing->max_nodes);
    } catch (...) { parsing->error = std::current_exception(); }
    if (end_parsing(*parsing)) delete parsing;
    return nullptr;
}

// Clang's parser is recursive. Stack memory is committed on first touch, so a large stack is free.
pthread_t start_with_large_stack(Parsing& parsing) {
    for (std::size_t size = std::size_t{1} << 30; size >= std::size_t{1} << 23; size >>= 1) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_t thread;
        const bool is_started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                                pthread_create(&thread, &attributes, &run_parsing, &parsing) == 0;
        pthread_attr_destroy(&attributes);
        if (is_started) return thread;
    }
    throw std::runtime_error("no thread could be started");
}

// Libclang cannot be told to stop. A thread that nobody waits for goes on until the process ends, which must not destroy
// libclang's globals below it.
void leave_running() {
    static std::once_flag is_registered;
    std::call_once(is_registered, [] { on_exit([](int status, void*) { _exit(status); }, nullptr); });
}

// The thread goes on alone and owns the record, unless it has just ended.
void leave(std::unique_ptr<Parsing> parsing, pthread_t thread) {
    leave_running();
    bool is_done;
    {
        const std::lock_guard lock(parsing->mutex);
        parsing->is_left = true;
        is_done = parsing->is_done;
    }
    if (is_done) {
        pthread_join(thread, nullptr);
        return;
    }
    pthread_detach(thread);
    (void)parsing.release();
}

bool is_done_within_tick(Parsing& parsing) {
    std::unique_lock lock(parsing.mutex);
    return parsing.ended.wait_for(lock, kTick, [&] { return parsing.is_done; });
}

}  // namespace

Tree parse(const std::string& library, const std::string& file, const std::vector<std::string>& arguments,
           std::size_t max_nodes, const std::function<void()>& throw_if_stopped) {
    std::unique_ptr<Parsing> parsing(new Parsing{library_at(library), file, arguments, max_nodes});
    const pthread_t thread = start_with_large_stack(*parsing);
    while (!is_done_within_tick(*parsing)) {
        try {
            throw_if_stopped();
        } catch (...) {
            leave(std::move(parsing), thread);
            throw;
        }
    }
    pthread_join(thread, nullptr);
    if (parsing->error) std::rethrow_exception(parsing->error);
    return std::move(parsing->tree);
}

}  // namespace foretell::clang_tree
