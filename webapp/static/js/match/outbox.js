// Entries on their way to the server. Each has a key, so that sending one again never enters it twice; one that
// could not be sent is kept in this browser and sent when the network is back.

import { ApiError, call } from "../api.js";

const PLACE = "fanlens.outbox";

function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

function write(look, entries) {
  const kept = all();
  if (entries.length) kept[look] = entries;
  else delete kept[look];
  localStorage.setItem(PLACE, JSON.stringify(kept));
}

export function waiting(look) {
  return all()[look] || [];
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function queue(look, body) {
  write(look, [...waiting(look), { key: newKey(), ...body }]);
}

export function discard(look, key) {
  write(
    look,
    waiting(look).filter((entry) => entry.key !== key),
  );
}

// Sends what waits, in order. Returns { match, refused }: the latest answer, and the entry that the server refused,
// with the error, which then no longer waits. Throws ApiError "offline" where the server cannot be reached.
// The first entry says how many events its sender had seen; those entered after it come on top of it.
export async function flush(look, key) {
  let answer = null;
  let entry = waiting(look)[0];
  while (entry) {
    const { after, behind = 0, ...body } = entry;
    try {
      answer = await call("POST", `/matches/${key}/entries`, { ...body, after: after + behind });
    } catch (error) {
      if (!(error instanceof ApiError) || ["offline", "unreadable_answer"].includes(error.code)) throw error;
      discard(look, entry.key);
      return { match: answer, refused: { entry, error } };
    }
    discard(look, entry.key);
    entry = waiting(look)[0];
  }
  return { match: answer, refused: null };
}
