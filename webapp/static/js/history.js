// Undo and redo: drafts behind, the one shown, drafts ahead; and the key under which the hand is confirmed, so that
// neither a second tap nor a second window writes it twice.

const MAX_PAST = 60;

// Twenty random letters; crypto.randomUUID is kept away from pages over plain HTTP.
function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(10))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export function startHistory(draft, key = randomKey()) {
  return { past: [], now: draft, ahead: [], key };
}

export function step(history, draft) {
  return { ...history, past: [...history.past, history.now].slice(-MAX_PAST), now: draft, ahead: [] };
}

export function undo(history) {
  if (!history.past.length) return history;
  return {
    ...history,
    past: history.past.slice(0, -1),
    now: history.past.at(-1),
    ahead: [history.now, ...history.ahead],
  };
}

export function redo(history) {
  if (!history.ahead.length) return history;
  return {
    ...history,
    past: [...history.past, history.now],
    now: history.ahead[0],
    ahead: history.ahead.slice(1),
  };
}
