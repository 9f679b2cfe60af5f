// Undo and redo: drafts before, the one shown, drafts after; and the key under which the hand is confirmed, so that
// neither a second tap nor a second window writes it twice.

const MAX_PAST = 60;

// Twenty random letters. crypto.randomUUID does not exist on pages over plain HTTP.
function randomKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(10))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function startHistory(draft, key = randomKey()) {
  return { past: [], now: draft, ahead: [], key };
}

export function step(history, draft) {
  return { ...history, past: [...history.past, history.now].slice(-MAX_PAST), now: draft, ahead: [] };
}

// Replaces the draft shown by one that differs only in what the server said about it.
export function amend(history, draft) {
  return { ...history, now: draft };
}

export function undo(history) {
  const { past, now, ahead } = history;
  if (!past.length) return history;
  return { ...history, past: past.slice(0, -1), now: past.at(-1), ahead: [now, ...ahead] };
}

export function redo(history) {
  const { past, now, ahead } = history;
  if (!ahead.length) return history;
  return { ...history, past: [...past, now], now: ahead[0], ahead: ahead.slice(1) };
}
