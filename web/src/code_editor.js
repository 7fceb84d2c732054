// CodeMirror with the cost of each line in the gutter, and assumptions and errors as diagnostics.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { fortran } from "@codemirror/legacy-modes/mode/fortran";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
    drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LANGUAGES = {
    c: () => cpp(), cpp: () => cpp(), cuda: () => cpp(),
    fortran: () => StreamLanguage.define(fortran), toml: () => StreamLanguage.define(toml), sass: () => [],
    assembly: () => [], profile: () => [],
};
const HEAT = [0.01, 0.05, 0.15, 0.35, 0.6];

class Cost extends GutterMarker {
    constructor(line) {
        super();
        this.line = line;
    }
    eq(other) {
        return other.line.share === this.line.share && other.line.title === this.line.title;
    }
    toDOM() {
        const cell = document.createElement("span");
        const level = HEAT.filter((least) => this.line.share >= least).length;
        cell.className = `cost${level ? ` h${level}` : ""}`;
        cell.textContent = `${(100 * this.line.share).toFixed(1)} %`;
        cell.title = this.line.title;
        return cell;
    }
}

const setCosts = StateEffect.define();
const costs = StateField.define({
    create: () => new RangeSetBuilder().finish(),
    update(old, change) {
        for (const effect of change.effects) {
            if (!effect.is(setCosts)) continue;
            const builder = new RangeSetBuilder();
            for (const line of effect.value.filter((one) => one.line <= change.state.doc.lines)) {
                const at = change.state.doc.line(line.line).from;
                builder.add(at, at, new Cost(line));
            }
            return builder.finish();
        }
        return old.map(change.changes);
    },
});

// colours are variables of the page, so that both themes have them
const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--keyword)" },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--type)" },
    { tag: [tags.number, tags.bool], color: "var(--number)" },
    { tag: [tags.string, tags.character], color: "var(--string)" },
    { tag: [tags.comment], color: "var(--soft)", fontStyle: "italic" },
    { tag: [tags.processingInstruction, tags.meta], color: "var(--meta)" },
]);

/** An editor in `parent`; `changed` is called when the user has changed the text. */
export const codeEditor = (parent, text, language, nonce, changed) => {
    const chosen = new Compartment();
    let silent = false;
    const view = new EditorView({
        parent,
        state: EditorState.create({
            doc: text,
            extensions: [
                EditorView.cspNonce.of(nonce), lineNumbers(), history(), drawSelection(), bracketMatching(),
                highlightActiveLine(), syntaxHighlighting(colours), lintGutter(), costs,
                gutter({ class: "costs", markers: (view_) => view_.state.field(costs), initialSpacer: () => null }),
                keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]), chosen.of(LANGUAGES[language]()),
                EditorView.contentAttributes.of({ "aria-label": "code", spellcheck: "false", tabindex: "0" }),
                EditorView.updateListener.of((update) => { if (update.docChanged && !silent) changed(); }),
            ],
        }),
    });
    return {
        text: () => view.state.doc.toString(),
        replace(other) {
            silent = true;
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: other } });
            silent = false;
        },
        /** What a view that only shows code has in common with the editor. */
        reading: () => [syntaxHighlighting(colours), chosen.get(view.state) ?? []],
        language: (name) => view.dispatch({ effects: chosen.reconfigure((LANGUAGES[name] ?? LANGUAGES.c)()) }),
        costs: (lines) => view.dispatch({ effects: setCosts.of(lines) }),
        diagnose(notes) {
            const found = notes.map((note) => {
                const line = view.state.doc.line(Math.min(Math.max(1, note.line), view.state.doc.lines));
                return { from: line.from, to: line.to, severity: note.severity, message: note.message };
            });
            view.dispatch(setDiagnostics(view.state, found.sort((a, b) => a.from - b.from)));
        },
    };
};
