#include "bind.hpp"

#include "clang/clang_tree.hpp"

namespace {

nb::bytes column_bytes(const std::vector<std::int32_t>& column) {
    return nb::bytes(column.data(), column.size() * sizeof(std::int32_t));
}

nb::str lenient_text(const std::string& text) {  // sources may hold bytes that are not UTF-8
    return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// The tree as columns (bytes of int32) and lists of tuples, in the order of the C++ members.
nb::typed<nb::dict, nb::str, nb::object> tree_dict(const foretell::clang_tree::Tree& tree) {
    nb::list declarations, types, literals, diagnostics, skipped, files;
    for (const auto& d : tree.declarations)
        declarations.append(nb::make_tuple(d.kind, lenient_text(d.name), d.type, d.storage, d.global, d.system, d.file,
                                           d.line, d.end_line, d.value));
    for (const auto& t : tree.types) {
        nb::list fields;
        for (const auto& field : t.fields) fields.append(nb::make_tuple(lenient_text(field.name), field.type));
        types.append(nb::make_tuple(t.kind, t.size, t.is_const, t.is_restrict, t.element, t.count, lenient_text(t.name),
                                    nb::tuple(fields)));
    }
    for (const auto& literal : tree.literals) {
        if (const auto* text = std::get_if<std::string>(&literal)) literals.append(lenient_text(*text));
        else if (const auto* real = std::get_if<double>(&literal)) literals.append(*real);
        else if (const auto* whole = std::get_if<std::int64_t>(&literal)) literals.append(*whole);
        else literals.append(std::get<std::uint64_t>(literal));
    }
    for (const auto& d : tree.diagnostics)
        diagnostics.append(nb::make_tuple(d.severity, d.file, d.line, d.offset, lenient_text(d.message)));
    for (const auto& r : tree.skipped) skipped.append(nb::make_tuple(r.file, r.begin, r.end));
    for (const auto& file : tree.files) files.append(lenient_text(file));
    nb::typed<nb::dict, nb::str, nb::object> result;
#define COLUMN(of, name) result[#name] = column_bytes(of.name);
    FORETELL_EACH(COLUMN, tree.nodes, kind, end, op, type, ref, file, line, offset, end_line, end_offset)
    FORETELL_EACH(COLUMN, tree, loops, writes)
#undef COLUMN
    result["declarations"] = declarations, result["types"] = types, result["literals"] = literals;
    result["diagnostics"] = diagnostics, result["skipped"] = skipped, result["files"] = files;
    result["truncated"] = tree.truncated;
    return result;
}

// Ctrl-C, SIGTERM and the limit of time are signals, whose handlers only the interpreter runs.
void throw_if_stopped() {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_clang(nb::module_& m) {
    m.def(
        "clang_tree",
        [](const std::string& library, const std::string& file, const std::vector<std::string>& arguments,
           std::size_t max_nodes) {
            return tree_dict(released(
                [&] { return foretell::clang_tree::parse(library, file, arguments, max_nodes, &throw_if_stopped); }));
        },
        nb::arg("library"), nb::arg("file"), nb::arg("arguments"), nb::arg("max_nodes"),
        "A C file parsed by libclang, as flat columns.");
}
