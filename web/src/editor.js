// The workspace: asks while the user types, and shows what comes back.

import { codeEditor } from "./code_editor.js";
import { brushable } from "./brush.js";
import { launchForm } from "./launch_form.js";
import { drawSliders } from "./sliders.js";
import { packed, pairs, unpacked, words } from "./state.js";
import { drawVersions } from "./versions.js";

const DELAY_MS = 300;
const NAMES = { c: "code.c", cpp: "code.cpp", fortran: "code.f90", cuda: "code.cu", sass: "code.sass", assembly: "code.s",
    profile: "profile.csv", toml: "code.toml" };
const SUFFIXES = { c: "c", cpp: "cpp", cc: "cpp", cxx: "cpp", f90: "fortran", f: "fortran", cu: "cuda", sass: "sass", s: "assembly",
    toml: "toml", csv: "profile", json: "profile", txt: "profile", out: "profile" };
const TEXT_FIELDS = ["threads", "function", "cflags", "grid", "block"];
const at = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name=${name}]`).content;

const stream = crypto.randomUUID();
let editor, timer = 0, running = null, changes = [], drawLaunch = () => {};

// a machine of a project is PROJECT/FILE in the menu
const machine = (value) => {
    const slash = value.indexOf("/");
    return slash < 0 ? value : { project: value.slice(0, slash), machine: value.slice(slash + 1) };
};

const question = () => {
    const name = at("name").value.trim() || NAMES[at("language").value];
    const asked = { code: { name, text: editor.text() }, on: machine(at("machine").value), guess: true };
    if (at("machine_file").value.trim()) asked.on = { name: "machine.toml", text: at("machine_file").value };
    if (at("base").value.trim()) asked.base = { name, text: at("base").value };
    for (const key of ["parameters", "set"]) if (at(key).value.trim()) asked[key] = pairs(at(key).value);
    for (const key of TEXT_FIELDS) if (at(key).value.trim()) asked[key] = at(key).value.trim();
    const args = at("args").value.split("\n").map((line) => line.trim()).filter(Boolean);
    if (args.length) asked.args = args;
    return asked;
};

const languageOf = (name) => SUFFIXES[String(name).split(".").pop().toLowerCase()];

const show = (asked) => {
    const usual = Object.keys(NAMES).find((key) => NAMES[key] === asked.code.name);
    const language = usual ?? languageOf(asked.code.name);
    if (language) at("language").value = language;
    at("name").value = usual ? "" : asked.code.name ?? "";
    editor.language(at("language").value);
    editor.replace(asked.code.text ?? "");
    if (typeof asked.on === "string") at("machine").value = asked.on;
    else if (asked.on?.project) at("machine").value = `${asked.on.project}/${asked.on.machine}`;
    at("machine_file").value = asked.on?.text ?? "";
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
        take(name, shown, asked);
        say(response.ok ? `${Math.round(performance.now() - began)} ms` : "");
        if (focus) at("answer").focus({ preventScroll: innerWidth > 1100 });  // beside the code it is in sight
        history.replaceState(null, "", `#${await packed(asked)}`);
    } catch (error) {
        if (error.name !== "AbortError") say("the server does not answer");
    }
};

const take = (name, shown, asked) => {
    at("answer").innerHTML = shown.html ?? "";  // made by the server, with all text escaped
    changes = shown.answer?.changes ?? [];
    if (shown.error && !shown.html) at("answer").textContent = shown.error.message;
    if (shown.diagnostics) editor.diagnose(shown.diagnostics);
    brushable(at("answer"));
    const versions = at("versions");
    if (versions) drawVersions(versions, asked.base?.text ?? "", asked.code.text, editor.reading(), meta("nonce"));
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

const openFile = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const language = languageOf(file.name);
    if (language) at("language").value = language;
    at("name").value = file.name;
    editor.language(at("language").value);
    editor.replace(await file.text());
    later();
};

const start = async () => {
    const area = at("code"), place = at("editor");
    place.hidden = false;
    area.closest("label").hidden = true;
    drawLaunch = launchForm(at("parameters-of-kernel"), at("args"), at("grid"), at("block"), at("function"), later);
    const kernel = () => { if (at("language").value === "cuda") drawLaunch(editor.text()); };
    const edited = () => { kernel(); later(); };
    editor = codeEditor(place, area.value, at("language").value, meta("nonce"), edited);
    at("remember").hidden = false;
    at("open").closest("label").hidden = false;
    at("open").addEventListener("change", openFile);
    at("remember").addEventListener("click", () => { at("base").value = editor.text(); });
    at("language").addEventListener("change", () => {
        editor.language(at("language").value);
        if (languageOf(at("name").value) !== at("language").value) at("name").value = "";
        if (at("language").value === "cuda") at("launch").open = true;
        kernel();
    });
    at("function").addEventListener("input", kernel);
    at("workspace").addEventListener("submit", (event) => {
        event.preventDefault();
        const value = event.submitter?.value || "annotate";
        if (value === "share") share();
        else if (value.startsWith("apply-")) apply(changes[Number(value.slice(6))]);
        else ask(value, true);
    });
    at("workspace").addEventListener("input", (event) => {
        if (event.target.matches("input:not([type=range]), select, textarea")) later();
    });
    const given = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : null;
    if (given) show(given);
    if (given || !at("answer").childElementCount) ask("annotate");
};

start();
