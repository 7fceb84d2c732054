// Selects points of a picture, and with them the rows of the table that they stand for: by dragging over the picture, or
// point by point with Enter or the space bar. Escape selects all again.

const at = (svg, event) => {
    const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    return [(event.clientX - box.left) * view.width / box.width, (event.clientY - box.top) * view.height / box.height];
};

const inside = (point, [x0, y0], [x1, y1]) => {
    const x = Number(point.getAttribute("cx")), y = Number(point.getAttribute("cy"));
    return x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
};

/** Makes the pictures of an answer brushable. */
export const brushable = (answer) => {
    const pictures = [...answer.querySelectorAll("svg[data-brush]")];
    const rows = [...answer.querySelectorAll("tr[data-row]")];
    if (!pictures.length || !rows.length || answer.querySelector(".brushed")) return;
    const selected = new Set(), said = document.createElement("p");
    said.className = "more brushed";
    said.setAttribute("role", "status");
    rows[0].closest("section").querySelector("h2").after(said);
    const show = () => {
        const all = !selected.size;
        for (const row of rows) row.hidden = !all && !selected.has(row.dataset.row);
        for (const point of answer.querySelectorAll("circle[data-row]"))
            point.classList.toggle("dimmed", !all && !selected.has(point.dataset.row));
        said.textContent = all ? "drag over a picture, or press Enter on a point, to select designs"
            : `${selected.size} selected; Escape, or a click into the picture, shows all`;
    };
    const toggle = (point) => {
        if (!selected.delete(point.dataset.row)) selected.add(point.dataset.row);
        show();
    };
    for (const svg of pictures) brush(svg, selected, show, toggle);
    answer.addEventListener("keydown", (event) => {
        if (event.key === "Escape") { selected.clear(); show(); }
    });
    show();
};

const brush = (svg, selected, show, toggle) => {
    const points = [...svg.querySelectorAll("circle[data-row]")];
    let start = null, frame = null;
    svg.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        start = at(svg, event);
        frame = document.createElementNS(svg.namespaceURI, "rect");
        frame.setAttribute("class", "brush");
        svg.append(frame);
        svg.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => {
        if (!start) return;
        const end = at(svg, event);
        for (const [name, side] of [["x", 0], ["y", 1]]) {
            frame.setAttribute(name, Math.min(start[side], end[side]));
            frame.setAttribute(side ? "height" : "width", Math.abs(start[side] - end[side]));
        }
    });
    svg.addEventListener("pointerup", (event) => {
        if (!start) return;
        const end = at(svg, event), moved = Math.abs(end[0] - start[0]) + Math.abs(end[1] - start[1]) > 6;
        const clicked = points.find((point) => inside(point, [start[0] - 6, start[1] - 6], [start[0] + 6, start[1] + 6]));
        frame.remove();
        if (moved) {
            selected.clear();
            for (const point of points) if (inside(point, start, end)) selected.add(point.dataset.row);
            show();
        } else if (clicked) toggle(clicked);
        else { selected.clear(); show(); }
        start = null;
    });
    svg.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        const point = event.target.closest("circle[data-row]");
        if (!point) return;
        event.preventDefault();
        toggle(point);
    });
};
