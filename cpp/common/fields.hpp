// Structs whose fields are listed once, in an X-macro: the list declares the members and names them for the bindings,
// so that the order of fields is defined nowhere else.
#pragma once

#define FORETELL_VISITABLE(LIST, VISIT)             \
    template <typename Self, typename Visit>        \
    static void fields(Self& self, Visit&& visit) { \
        LIST(VISIT)                                 \
    }

// Doubles: X(field); further arguments are for other users of the list.
#define FORETELL_DOUBLE(field, ...) double field;
#define FORETELL_VISIT(field, ...) visit(#field, self.field);
#define FORETELL_FIELDS(LIST) LIST(FORETELL_DOUBLE) FORETELL_VISITABLE(LIST, FORETELL_VISIT)

// Doubles with another external name: X(field, name).
#define FORETELL_VISIT_RENAMED(field, name) visit(#name, self.field);
#define FORETELL_RENAMED_FIELDS(LIST) LIST(FORETELL_DOUBLE) FORETELL_VISITABLE(LIST, FORETELL_VISIT_RENAMED)

// Numbers of several types: X(type, field).
#define FORETELL_TYPED(type, field) type field;
#define FORETELL_VISIT_TYPED(type, field) visit(#field, self.field);
#define FORETELL_TYPED_FIELDS(LIST) LIST(FORETELL_TYPED) FORETELL_VISITABLE(LIST, FORETELL_VISIT_TYPED)
