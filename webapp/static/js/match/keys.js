// The keys of matches that this browser holds, by look key: { enter, own }. Whoever has a key may use it.

const PLACE = "fanlens.matches";

function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

// Keeps the keys of an answer of the API: `keys` and, for whoever started the match, `owner_key`.
export function keep(answer) {
  const kept = all();
  const before = kept[answer.keys.look] || {};
  kept[answer.keys.look] = {
    enter: answer.keys.enter || before.enter || null,
    own: answer.owner_key || before.own || null,
  };
  localStorage.setItem(PLACE, JSON.stringify(kept));
}

// The strongest key that this browser holds for the match that `key` opens; `key` itself if it holds none.
export function strongest(key) {
  for (const [look, { enter, own }] of Object.entries(all())) {
    if ([look, enter, own].includes(key)) return own || enter || look;
  }
  return key;
}

// The look key of the match that `key` opens, by which this browser keeps what belongs to the match.
export function lookKey(key) {
  for (const [look, { enter, own }] of Object.entries(all()))
    if ([look, enter, own].includes(key)) return look;
  return key;
}

export function ownKey(look) {
  return all()[look]?.own || null;
}

// Keeps the match, but no longer as its owner.
export function giveUp(look) {
  const kept = all();
  if (kept[look]) kept[look].own = null;
  localStorage.setItem(PLACE, JSON.stringify(kept));
}

export function everyKey() {
  return Object.entries(all()).map(([look, { enter, own }]) => own || enter || look);
}

export function drop(look) {
  const kept = all();
  delete kept[look];
  localStorage.setItem(PLACE, JSON.stringify(kept));
}
