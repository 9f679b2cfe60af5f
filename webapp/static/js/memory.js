// What this browser remembers: the hand that is being edited, as long as its window is open, and for good what is the
// same from hand to hand: the prevalent wind, the rules, who sits where, the tile set.

import { readJson } from "./dom.js";
import { startHistory } from "./history.js";
import { SEATS } from "./model.js";

const PREVALENT = "fanlens prevalent wind";
const PROFILE = "fanlens profile";
const TILESET = "fanlens tile set";
const TAKES_ALONE = "fanlens camera takes alone";
const PLAYERS = "fanlens players";
const CONFIRMED = "fanlens confirmed";
const DEALT = "fanlens dealt";
const UNFINISHED = "fanlens unfinished";
const asked = new URLSearchParams(location.search);
// The confirmed hand that this page corrects: { id, versions, players }; null on every other page.
export const entry = readJson("start")?.entry ?? null;
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
  const remembered = JSON.parse(sessionStorage.getItem(place) || "null") ?? unfinishedHere();
  if (entry) {
    // A hand that was corrected since is begun anew.
    if (remembered?.seen === entry.versions) return remembered;
    return { ...startHistory(start.draft), seen: entry.versions };
  }
  if (remembered) return remembered;
  const { draft, answer } = start;
  const begun = { ...draft, conditions: rememberedConditions(draft, answer.controls.choices) };
  return draft.photos.length ? startHistory(begun, token) : startHistory(begun);
}

export function remember(history) {
  const only = { ...history, past: [], ahead: [] };
  try {
    sessionStorage.setItem(place, JSON.stringify(history));
  } catch {
    // If the storage is full, only the steps that could be undone are lost.
    sessionStorage.setItem(place, JSON.stringify(only));
  }
  if (entry || asked.get("match")) return;
  if (history.now.tiles.length) {
    const kept = { address: location.pathname, place, history: only };
    localStorage.setItem(UNFINISHED, JSON.stringify(kept));
  } else forgetUnfinished();
}

export function forget(draft) {
  sessionStorage.removeItem(place);
  if (entry) return;
  forgetUnfinished();
  localStorage.setItem(PREVALENT, draft.conditions.prevalent_wind);
  localStorage.setItem(PROFILE, draft.conditions.profile);
}

// The single hand that was edited last in this browser and not confirmed: { address, place, history }, or null. It
// outlives its window.
export function unfinished() {
  return JSON.parse(localStorage.getItem(UNFINISHED) || "null");
}

function unfinishedHere() {
  const kept = unfinished();
  return asked.has("continue") && kept?.place === place ? kept.history : null;
}

function forgetUnfinished() {
  if (unfinished()?.place === place) localStorage.removeItem(UNFINISHED);
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

// Names by seat, "" for a seat without one: those of the confirmed hand that is corrected here, else those at the table.
export function players() {
  const named = entry
    ? JSON.parse(sessionStorage.getItem(`${place} players`) || "null") || entry.players
    : JSON.parse(localStorage.getItem(PLAYERS) || "{}");
  return Object.fromEntries(SEATS.map((seat) => [seat, typeof named[seat] === "string" ? named[seat] : ""]));
}

export function setPlayers(named) {
  if (entry) sessionStorage.setItem(`${place} players`, JSON.stringify(named));
  else localStorage.setItem(PLAYERS, JSON.stringify(named));
}

// What the list of hands says about the hand that was just confirmed: { id, text, next: whether a next hand follows }.
export function keepConfirmed(said) {
  sessionStorage.setItem(CONFIRMED, JSON.stringify(said));
}

export function takeConfirmed() {
  const said = JSON.parse(sessionStorage.getItem(CONFIRMED) || "null");
  sessionStorage.removeItem(CONFIRMED);
  return said;
}

// After the hand with this number everyone moves one seat on: South becomes East, and East becomes North. Once a hand.
export function passTheDeal(id) {
  if (localStorage.getItem(DEALT) === String(id)) return;
  const named = players();
  setPlayers(Object.fromEntries(SEATS.map((seat, at) => [seat, named[SEATS[(at + 1) % 4]]])));
  localStorage.setItem(DEALT, String(id));
}

// Who is East once the deal has passed on after this hand, or "".
export function nextEast(id) {
  return players()[localStorage.getItem(DEALT) === String(id) ? "E" : "S"];
}
