// Two versions of a code side by side, with what changed between them marked.

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";

const NARROW = 700;
let shown = null;

/** Puts both versions into `parent`: side by side where there is room, else one below the other line by line. */
export const drawVersions = (parent, before, now, language, nonce) => {
    shown?.destroy();
    const reading = (label) => [
        EditorView.cspNonce.of(nonce), lineNumbers(), EditorState.readOnly.of(true), EditorView.lineWrapping, ...language,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    ];
    parent.replaceChildren();
    const collapse = { margin: 3, minSize: 6 };
    if (parent.clientWidth < NARROW && innerWidth < 2 * NARROW) {
        const changes = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: collapse });
        shown = new EditorView({ parent, doc: now, extensions: [...reading("both versions"), changes] });
        return;
    }
    shown = new MergeView({
        parent, a: { doc: before, extensions: reading("version before") }, b: { doc: now, extensions: reading("version now") },
        collapseUnchanged: collapse, gutter: true,
    });
};
