// The workspace: asks while the user types, and shows what comes back.

import { codeEditor } from "./code_editor.js";
import { drawSliders } from "./sliders.js";
import { packed, pairs, unpacked, words } from "./state.js";

const DELAY_MS = 300;
const NAMES = { c: "code.c", cpp: "code.cpp", fortran: "code.f90", cuda: "code.cu", sass: "code.sass", toml: "code.toml" };
const SUFFIXES = { c: "c", cpp: "cpp", cc: "cpp", cxx: "cpp", f90: "fortran", f: "fortran", cu: "cuda", sass: "sass", toml: "toml" };
const TEXT_FIELDS = ["threads", "function", "cflags", "grid", "block"];
const at = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name=${name}]`).content;

const stream = crypto.randomUUID();
let editor, timer = 0, running = null, changes = [], proposed = "";

const question = () => {
    const name = NAMES[at("language").value];
    const asked = { code: { name, text: editor.text() }, on: at("machine").value, guess: true };
    if (at("machine_file").value.trim()) asked.on = { name: "machine.toml", text: at("machine_file").value };
    if (at("base").value.trim()) asked.base = { name, text: at("base").value };
    for (const key of ["parameters", "set"]) if (at(key).value.trim()) asked[key] = pairs(at(key).value);
    for (const key of TEXT_FIELDS) if (at(key).value.trim()) asked[key] = at(key).value.trim();
    const args = at("args").value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (args.length) asked.args = args;
    return asked;
};

const show = (asked) => {
    const language = Object.keys(NAMES).find((key) => NAMES[key] === asked.code.name);
    if (language) at("language").value = language;
    editor.language(at("language").value);
    editor.replace(asked.code.text ?? "");
    if (typeof asked.on === "string") at("machine").value = asked.on;
    at("machine_file").value = typeof asked.on === "object" && asked.on ? asked.on.text ?? "" : "";
    at("base").value = asked.base?.text ?? "";
    for (const key of ["parameters", "set"]) at(key).value = words(asked[key]);
    for (const key of TEXT_FIELDS) at(key).value = asked[key] ?? "";
    at("args").value = (asked.args ?? []).join("\n");
};

const post = async (path, body, signal) => {
    const headers = { "content-type": "application/json", "x-csrf-token": meta("csrf"), "x-stream": stream };
    return fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
};

const say = (text) => { at("status").textContent = text; };

const ask = async (name, focus = false) => {
    clearTimeout(timer);
    running?.abort();
    const own = new AbortController(), asked = question(), began = performance.now();
    running = own;
    say(name === "advise" || name === "rank" ? `${name} …` : "…");
    try {
        const response = await post(`/live/${name}`, asked, own.signal);
        const shown = await response.json();
        if (own.signal.aborted || response.status === 409) return;
        take(name, shown);
        say(response.ok ? `${Math.round(performance.now() - began)} ms` : "");
        if (focus) at("answer").focus({ preventScroll: innerWidth > 1100 });  // beside the code it is in sight
        history.replaceState(null, "", `#${await packed(asked)}`);
    } catch (error) {
        if (error.name !== "AbortError") say("the server does not answer");
    }
};

const take = (name, shown) => {
    at("answer").innerHTML = shown.html ?? "";  // made by the server, with all text escaped
    changes = shown.answer?.changes ?? [];
    if (shown.error && !shown.html) at("answer").textContent = shown.error.message;
    if (shown.diagnostics) editor.diagnose(shown.diagnostics);
    if (name !== "annotate" || !shown.answer) return;
    editor.costs(shown.answer.lines.map((line) => ({
        line: line.line, share: line.share, title: `${(line.time_s * 1e6).toPrecision(4)} µs`,
    })));
    drawSliders(at("sliders"), shown.answer, setSize, setMachine);
};

const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask("annotate"), DELAY_MS);
};

const setSize = (name, value) => {
    at("parameters").value = words({ ...pairs(at("parameters").value), [name]: value });
    later();
};

const setMachine = (path, value, original) => {
    const values = pairs(at("set").value);
    delete values[path];
    at("set").value = words(value === original ? values : { ...values, [path]: value });
    later();
};

const share = async () => {
    const response = await post("/api/v1/runs", { question: "annotate", document: question(), title: title() });
    const kept = await response.json();
    if (!response.ok) return say(kept.error.message);
    const link = document.createElement("a");
    link.href = kept.link;
    link.textContent = new URL(kept.link, location.href).href;
    at("status").replaceChildren("kept as ", link);
    navigator.clipboard?.writeText(link.textContent).catch(() => {});
};

const apply = (change) => {
    if (change.text) editor.replace(change.text);
    if (change.flags) at("cflags").value = `${at("cflags").value || "-O3 -march=native"} ${change.flags}`;
    if (change.threads) at("threads").value = String(change.threads);
    ask("annotate");
};

const title = () => at("answer").querySelector(".headline")?.textContent.slice(0, 200) ?? "";

// The form of a launch knows the parameters of the first kernel: a pointer is an array, a number a size of it. What the
// user wrote himself stays.
const proposeArguments = () => {
    const head = /__global__\s+\w[\w\s*]*?\b(\w+)\s*\(([^)]*)\)/.exec(editor.text());
    if (!head || !["", proposed].includes(at("args").value)) return;
    proposed = head[2].split(",").filter((part) => part.trim()).map((part) => {
        const type = /\b(double|float|half|int|long|unsigned|char|short|size_t)\b/.exec(part)?.[1] ?? "float";
        const name = /(\w+)\s*(?:\[\s*\])?\s*$/.exec(part)?.[1] ?? "x";
        const value = ["double", "float", "half"].includes(type) ? `${type}:1.5` : "1000000";
        return `${name}=${/[*[]/.test(part) ? `${type}[1000000]` : value}`;
    }).join("\n");
    at("args").value = proposed;
    for (const [id, size] of [["grid", "3907"], ["block", "256"]]) if (!at(id).value) at(id).value = size;
};

const openFile = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const language = SUFFIXES[file.name.split(".").pop().toLowerCase()];
    if (language) at("language").value = language;
    editor.language(at("language").value);
    editor.replace(await file.text());
    later();
};

const start = async () => {
    const area = at("code"), place = at("editor");
    place.hidden = false;
    area.closest("label").hidden = true;
    const edited = () => { if (at("language").value === "cuda") proposeArguments(); later(); };
    editor = codeEditor(place, area.value, at("language").value, meta("nonce"), edited);
    for (const id of ["share", "remember"]) at(id).hidden = false;
    at("open").closest("label").hidden = false;
    at("open").addEventListener("change", openFile);
    at("share").addEventListener("click", share);
    at("remember").addEventListener("click", () => { at("base").value = editor.text(); });
    at("language").addEventListener("change", () => editor.language(at("language").value));
    at("workspace").addEventListener("submit", (event) => {
        event.preventDefault();
        ask(event.submitter?.value || "annotate", true);
    });
    at("workspace").addEventListener("input", (event) => {
        if (event.target.matches("input:not([type=range]), select, textarea")) later();
    });
    at("answer").addEventListener("click", (event) => {
        const button = event.target.closest("button.apply");
        if (!button) return;
        apply(changes[Number(button.dataset.change)]);
    });
    const given = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : null;
    if (given) show(given);
    if (given || !at("answer").childElementCount) ask("annotate");
};

start();
