// The state of the workspace as a document: the question, and a text for the address bar.

const bytesToText = (bytes) => {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const textToBytes = (text) => {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
};

const through = async (bytes, stream) => {
    const result = new Response(new Blob([bytes]).stream().pipeThrough(stream));
    return new Uint8Array(await result.arrayBuffer());
};

/** A document as the fragment of an address: deflated, base64url. */
export const packed = async (document_) => {
    const bytes = new TextEncoder().encode(JSON.stringify(document_));
    return bytesToText(await through(bytes, new CompressionStream("deflate-raw")));
};

/** The document of a fragment; null where it is none. */
export const unpacked = async (text) => {
    try {
        const bytes = await through(textToBytes(text), new DecompressionStream("deflate-raw"));
        const found = JSON.parse(new TextDecoder().decode(bytes));
        return typeof found === "object" && found !== null && typeof found.code === "object" ? found : null;
    } catch {
        return null;
    }
};

/** NAME=VALUE words as an object; numbers as numbers. */
export const pairs = (text) => {
    const result = {};
    for (const word of text.split(/[\s,;]+/)) {
        const at = word.indexOf("=");
        if (at > 0) {
            const value = word.slice(at + 1);
            result[word.slice(0, at)] = /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value) ? Number(value) : value;
        }
    }
    return result;
};

export const words = (values) => Object.entries(values ?? {}).map(([name, value]) => `${name}=${value}`).join(" ");
