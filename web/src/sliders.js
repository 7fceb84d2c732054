// A slider for every size of the code and for every number of the machine that the model reads; those that matter most
// come first.

const SPAN = 1024, STEPS = 200;
const SHOWN = /^(clock\.frequency|cores\.count|memory\.bandwidth|level\.\w+\.(size|bandwidth|core_bandwidth))$/;

const shownNumber = (value, unit) => {
    const binary = unit === "B";
    const step = binary ? 1024 : 1000, names = binary ? ["", "Ki", "Mi", "Gi", "Ti"] : ["", "k", "M", "G", "T"];
    let level = 0, size = value;
    while (Math.abs(size) >= step && level < names.length - 1) { size /= step; level += 1; }
    const name = unit === "1/s" ? "Hz" : unit;
    return `${Number(size.toPrecision(4))} ${unit ? names[level] + name : names[level]}`.trim();
};

const slider = (label, title, value, middle, span, chosen) => {
    const row = document.createElement("label"), name = document.createElement("span");
    const input = document.createElement("input"), shown = document.createElement("output");
    name.textContent = label;
    row.title = title;
    Object.assign(input, { type: "range", min: "0", max: String(STEPS), step: "1" });
    const position = (number) => STEPS * (0.5 + Math.log(number / middle) / (2 * Math.log(span)));
    const number = () => middle * span ** (2 * (Number(input.value) / STEPS - 0.5));
    input.value = String(Math.round(position(value)));
    shown.textContent = chosen.show(value);
    input.setAttribute("aria-label", label);
    input.addEventListener("input", () => {
        shown.textContent = chosen.show(chosen.round(number()));
        chosen.set(chosen.round(number()));
    });
    row.append(name, input, shown);
    return row;
};

/** Draws the sliders of an answer, unless one of them is being moved. */
export const drawSliders = (parent, answer, setSize, setMachine) => {
    if (parent.contains(document.activeElement)) return;
    const rows = answer.sizes.map((size) => slider(size.name, "a size of the code", size.value, size.value, SPAN, {
        show: (value) => String(value), round: (value) => Math.max(1, Math.round(value)),
        set: (value) => setSize(size.name, value),
    }));
    const often = answer.machine_parameters.filter((each) => SHOWN.test(each.path));
    const others = answer.machine_parameters.filter((each) => !SHOWN.test(each.path));
    const opened = [...parent.querySelectorAll("details")].filter((each) => each.open).map((each) => each.className);
    const inner = folded("all other numbers of the machine", "others", opened, others.map((each) => machineSlider(each, setMachine)));
    const rest = others.length ? [inner] : [];
    const outer = folded("what if the machine had other numbers?", "often", opened,
        [...often.map((each) => machineSlider(each, setMachine)), ...rest]);
    parent.replaceChildren(...rows, ...(answer.machine_parameters.length ? [outer] : []));
};

const folded = (title, name, opened, content) => {
    const part = document.createElement("details"), head = document.createElement("summary");
    head.textContent = title;
    part.className = name;
    part.open = opened.includes(name);
    part.append(head, ...content);
    return part;
};

const machineSlider = (each, setMachine) => slider(each.path, each.meaning, each.value, each.original, 8, {
    show: (value) => `${shownNumber(value, each.unit)}${value === each.original ? "" : ` (${(value / each.original).toPrecision(3)} ×)`}`,
    round: (value) => (each.path === "cores.count" ? Math.max(1, Math.round(value)) : Number(value.toPrecision(4))),
    set: (value) => setMachine(each.path, value, each.original),
});
