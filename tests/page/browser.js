// What the modules of the page expect of a browser, as far as their own logic needs it. Import this first.

class MemoryStorage {
  constructor() {
    this.kept = new Map();
    this.room = Number.POSITIVE_INFINITY; // characters that one value may have
  }

  getItem(name) {
    return this.kept.get(name) ?? null;
  }

  setItem(name, value) {
    if (value.length > this.room) throw new Error("QuotaExceededError");
    this.kept.set(name, String(value));
  }

  removeItem(name) {
    this.kept.delete(name);
  }
}

export const listeners = new Map();

const words = {
  language: "en",
  messages: { Cancel: ["取消"], "%(number)s tile": ["%(number)s 张"] },
  tiles: { "1m": "1 Characters" },
  fans: {},
  sprite: "/tiles.svg",
};

globalThis.document = {
  activeElement: null,
  getElementById: (id) => (id === "page-words" ? { textContent: JSON.stringify(words) } : null),
  querySelectorAll: () => [],
  addEventListener: (kind, run) => listeners.set(kind, run),
};
globalThis.location = { pathname: "/photo/token-of-photo" };
globalThis.sessionStorage = new MemoryStorage();
globalThis.localStorage = new MemoryStorage();
if (!globalThis.crypto) globalThis.crypto = (await import("node:crypto")).webcrypto;
