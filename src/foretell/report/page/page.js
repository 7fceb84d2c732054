"use strict";
(() => {
    const body = document.body, button = document.getElementById("theme"), tip = document.getElementById("tip");
    const dark = () => (body.dataset.theme ? body.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
    button.hidden = false;
    button.addEventListener("click", () => { body.dataset.theme = dark() ? "light" : "dark"; });
    const show = (event) => {
        const at = event.target.closest("[data-tip]");
        tip.hidden = !at;
        if (!at) return;
        tip.textContent = at.dataset.tip;
        const box = at.getBoundingClientRect(), own = tip.getBoundingClientRect();
        const left = Math.max(4, Math.min(box.right + 8, innerWidth - own.width - 4));
        const top = Math.max(4, Math.min(box.top - 8, innerHeight - own.height - 4));
        const sheet = document.styleSheets[0], last = sheet.cssRules.length - 1;
        if (sheet.cssRules[last].selectorText === "#tip.at") sheet.deleteRule(last);
        sheet.insertRule(`#tip.at { left: ${left}px; top: ${top}px; }`, sheet.cssRules.length);
        tip.className = "at";
    };
    for (const name of ["mouseover", "focusin", "focusout"]) document.addEventListener(name, show);
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
    addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
})();
