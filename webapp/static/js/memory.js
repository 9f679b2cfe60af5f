// What this browser remembers: the hand that is being edited, as long as its window is open, and for good what is the
// same from hand to hand: the prevalent wind, the rules, who sits where, the tile set.

import { startHistory } from "./history.js";
import { SEATS } from "./model.js";

const PREVALENT = "fanlens prevalent wind";
const PROFILE = "fanlens profile";
const TILESET = "fanlens tile set";
const TAKES_ALONE = "fanlens camera takes alone";
const PLAYERS = "fanlens players";
const asked = new URLSearchParams(location.search);
// Hands of a match, and corrections, are remembered apart from the single hand that is being edited.
export const place = ["fanlens", location.pathname, asked.get("match"), asked.get("of")]
  .filter(Boolean)
  .join("");

// The conditions of `draft`, with those last confirmed in this browser where the page offers them (`choices`).
function rememberedConditions(draft, choices) {
  const offered = (name, value) =>
    choices.some((choice) => choice.name === name && choice.options.some((one) => one.value === value));
  const last = {
    prevalent_wind: localStorage.getItem(PREVALENT),
    profile: localStorage.getItem(PROFILE),
  };
  const found = Object.entries(last).filter(([name, value]) => offered(name, value));
  return { ...draft.conditions, ...Object.fromEntries(found) };
}

// The history of this page: as it was left, or begun with the draft that the server starts it with. `token` names the
// photo: its hand is confirmed once, in whichever window.
export function recall(start, token) {
  const remembered = sessionStorage.getItem(place);
  if (remembered) return JSON.parse(remembered);
  const { draft, answer } = start;
  const begun = { ...draft, conditions: rememberedConditions(draft, answer.controls.choices) };
  return draft.photos.length ? startHistory(begun, token) : startHistory(begun);
}

export function remember(history) {
  try {
    sessionStorage.setItem(place, JSON.stringify(history));
  } catch {
    // If the storage is full, only the steps that could be undone are lost.
    sessionStorage.setItem(place, JSON.stringify(startHistory(history.now, history.key)));
  }
}

export function forget(draft) {
  sessionStorage.removeItem(place);
  localStorage.setItem(PREVALENT, draft.conditions.prevalent_wind);
  localStorage.setItem(PROFILE, draft.conditions.profile);
}

// The name of the tile set that photos are read with, or "".
export function tileset() {
  return localStorage.getItem(TILESET) || "";
}

export function setTileset(name) {
  localStorage.setItem(TILESET, name);
}

// What the live camera scores by: the rules and the prevalent wind of the last hand, and the tile set.
export function scoredBy() {
  return {
    profile: localStorage.getItem(PROFILE) || "",
    prevalent_wind: localStorage.getItem(PREVALENT) || "",
    tileset: tileset(),
  };
}

// Whether the live camera takes the photo by itself.
export function takesAlone() {
  return localStorage.getItem(TAKES_ALONE) !== "no";
}

export function setTakesAlone(yes) {
  localStorage.setItem(TAKES_ALONE, yes ? "yes" : "no");
}

// Names by seat, "" for a seat without one.
export function players() {
  const named = JSON.parse(localStorage.getItem(PLAYERS) || "{}");
  return Object.fromEntries(SEATS.map((seat) => [seat, typeof named[seat] === "string" ? named[seat] : ""]));
}

export function setPlayers(named) {
  localStorage.setItem(PLAYERS, JSON.stringify(named));
}
