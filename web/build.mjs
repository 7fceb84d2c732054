// Bundles the browser side into src/foretell/serve/web/static; `node build.mjs FOLDER` writes elsewhere, for the test
// that compares what is checked in with what the sources give.
import { build } from "esbuild";

const folder = process.argv[2] ?? "../src/foretell/serve/web/static";
await build({
    entryPoints: ["src/editor.js", "src/site.js"],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
});
