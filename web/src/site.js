// What every page has: themes, tooltips, progress of jobs, answers that are opened again.

import { brushable } from "./brush.js";
import { packed } from "./state.js";

const body = document.body, button = document.getElementById("theme"), tip = document.getElementById("tip");
const dark = () => (body.dataset.theme ? body.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
        body.dataset.theme = dark() ? "light" : "dark";
        // the server writes it into the next page, which is never shown in the other theme first
        document.cookie = `foretell-theme=${body.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
    });
}

const show = (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
    tip.hidden = !target;
    if (!target) return;
    tip.textContent = target.dataset.tip;
    const box = target.getBoundingClientRect(), own = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(box.right + 8, innerWidth - own.width - 4))}px`;
    tip.style.top = `${Math.max(4, Math.min(box.top - 8, innerHeight - own.height - 4))}px`;
};
for (const name of ["mouseover", "focusin", "focusout"]) document.addEventListener(name, show);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

const job = document.getElementById("job");
if (job && ["queued", "running"].includes(job.dataset.state)) {
    const events = new EventSource(`/api/v1/jobs/${job.dataset.job}/events`);
    const bar = document.getElementById("progress");
    events.addEventListener("message", (event) => {
        const state = JSON.parse(event.data), { done, total } = state.progress;
        job.textContent = total ? `${state.state}: ${done} of ${total}` : state.state;
        if (total) Object.assign(bar, { max: total, value: done });
        if (!["queued", "running"].includes(state.state)) {
            events.close();
            location.reload();
        }
    });
}

for (const answer of document.querySelectorAll("main article")) brushable(answer);

const reopen = document.getElementById("reopen");
if (reopen) packed(JSON.parse(reopen.dataset.state)).then((text) => { reopen.href = `/#${text}`; });
