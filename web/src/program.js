// The page of programs: a capture is chosen or dropped, sent with progress, and its answer is shown.

const at = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
const form = at("program"), input = at("capture"), drop = at("drop"), bar = at("sent"), most = Number(form.dataset.most);
const say = (text) => { at("status").textContent = text; };
const mebibytes = (bytes) => (bytes / 1048576).toFixed(1);
let running = null;

const fail = (text) => {
    const said = document.createElement("p");
    said.className = "error";
    said.setAttribute("role", "alert");
    said.textContent = text;
    at("answer").replaceChildren(said);
    say("");
};

const finished = (request, began) => {
    bar.hidden = true;
    if (request !== running) return;
    let shown = {};
    try {
        shown = JSON.parse(request.responseText);
    } catch { /* the answer of a proxy, or none */ }
    if (shown.html) at("answer").innerHTML = shown.html;  // made by the server, with all text escaped
    else return fail(shown.error?.message ?? "the server does not answer");
    say(request.status === 200 ? `${((performance.now() - began) / 1000).toFixed(1)} s` : "");
    at("answer").focus({ preventScroll: true });
};

const ask = (question) => {
    const file = input.files[0];
    if (!file) return fail("no capture was chosen");
    if (file.size > most) return fail(`${file.name} has ${mebibytes(file.size)} MiB: more than ${mebibytes(most)} MiB`);
    running?.abort();
    const request = running = new XMLHttpRequest(), began = performance.now();
    const query = new URLSearchParams({ name: file.name, on: at("machine").value });
    request.open("POST", `/program/${question}?${query}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-csrf-token", meta("csrf"));
    request.upload.addEventListener("progress", ({ loaded, total }) => {
        Object.assign(bar, { hidden: false, max: total, value: loaded });
        say(loaded < total ? `${mebibytes(loaded)} of ${mebibytes(total)} MiB sent` : "predicting …");
    });
    request.addEventListener("load", () => finished(request, began));
    request.addEventListener("error", () => finished(request, began));
    request.send(file);
};

form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(event.submitter?.value || "predict");
});
input.addEventListener("change", () => ask("predict"));
if (input.files.length) ask("predict");  // it was chosen before this script ran
for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
});
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    ask("predict");
});
