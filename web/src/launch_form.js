// The form of a launch knows the kernels of the code: one field for each parameter of the chosen one, with its type. The
// fields write the text below them, which is what is asked; what the user wrote himself stays.

const TYPE = /\b(double|float|half|__half|bool|char|short|int|long|unsigned|size_t|u?int(?:8|16|32|64)_t)\b/;
const REAL = ["double", "float", "half", "__half"];

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");

const parameter = (part) => {
    const type = (TYPE.exec(part)?.[1] ?? "float").replace("__half", "half").replace("bool", "char");
    const plain = { size_t: "long", unsigned: "int", int8_t: "char", uint8_t: "char", int16_t: "short", uint16_t: "short",
        int32_t: "int", uint32_t: "int", int64_t: "long", uint64_t: "long" }[type] ?? type;
    return { name: /(\w+)\s*(?:\[[^\]]*\])?\s*$/.exec(part)?.[1] ?? "x", type: plain, array: /[*[]/.test(part) };
};

/** The kernels of a CUDA source with their parameters. */
export const kernels = (text) => {
    const heads = withoutComments(text).matchAll(/__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?\w[\w\s*]*?\b(\w+)\s*\(([^)]*)\)/g);
    return [...heads].map(([, name, list]) => ({
        name, parameters: list.split(",").filter((part) => part.trim() && part.trim() !== "void").map(parameter),
    }));
};

const usual = ({ type, array }) => (array ? `${type}[1000000]` : REAL.includes(type) ? `${type}:1.5` : "1000000");

/** Draws the fields; `changed` is called after the user has changed one. */
export const launchForm = (parent, area, grid, block, chosen, changed) => {
    let proposed = "", drawn = "";
    const values = () => Object.fromEntries(area.value.split("\n").filter((line) => line.includes("="))
        .map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1).trim()]));
    const write = (kernel, given) => {
        area.value = kernel.parameters.map((each) => `${each.name}=${given[each.name] ?? usual(each)}`).join("\n");
    };
    const field = (kernel, each, value) => {
        const label = document.createElement("label"), input = document.createElement("input");
        label.append(`${each.name}: ${each.type}${each.array ? " array" : ""}`);
        Object.assign(input, { value, autocomplete: "off", spellcheck: false });
        input.dataset.parameter = each.name;
        input.addEventListener("input", () => {
            write(kernel, { ...values(), [each.name]: input.value });
            changed();
        });
        label.append(input);
        return label;
    };
    return (text) => {
        const every = kernels(text), kernel = every.find((each) => each.name === chosen.value) ?? every[0];
        if (!kernel) { parent.replaceChildren(); drawn = ""; return; }
        if (["", proposed].includes(area.value)) {
            write(kernel, {});
            proposed = area.value;
            for (const [input, size] of [[grid, "3907"], [block, "256"]]) if (!input.value) input.value = size;
        }
        const key = JSON.stringify([every, kernel.name]);
        if (key === drawn) return;
        drawn = key;
        const given = values(), row = document.createElement("div"), title = document.createElement("p");
        row.className = "row";
        title.className = "more";
        title.textContent = every.length > 1 ? `${kernel.name}, of ${every.map((each) => each.name).join(", ")}; “function” chooses`
            : `parameters of ${kernel.name}`;
        row.append(...kernel.parameters.map((each) => field(kernel, each, given[each.name] ?? "")));
        parent.replaceChildren(title, row);
    };
};
