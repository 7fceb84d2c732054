// Bundles the browser side into src/foretell/serve/web/static; `node build.mjs FOLDER` writes elsewhere, for the test
// that compares what is checked in with what the sources give. licenses.txt has the notices of all bundled packages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const folder = process.argv[2] ?? "../src/foretell/serve/web/static";
const built = await build({
    entryPoints: ["src/editor.js", "src/program.js", "src/site.js"],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
});

const packageOf = (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
const names = [...new Set(Object.keys(built.metafile.inputs).map(packageOf).filter(Boolean))].sort();
const notices = names.map((name) => {
    const place = join("node_modules", name), about = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && existsSync(join(place, file)) ? readFileSync(join(place, file), "utf8").trim() : "";
    return `${name} ${about.version} (${about.license})\n\n${text}\n`;
});
writeFileSync(join(folder, "licenses.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
