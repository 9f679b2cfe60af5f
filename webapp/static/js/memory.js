// What this browser remembers: the hand in work for as long as its window is open, and what is the same from hand
// to hand for good: prevalent wind, rules, who sits where.

import { startHistory } from "./history.js";
import { fromRecognition } from "./intake.js";
import { emptyDraft, SEATS, setCondition } from "./model.js";

const PREVALENT = "fanlens prevalent wind";
const PROFILE = "fanlens profile";
const TILESET = "fanlens tile set";
const PLAYERS = "fanlens players";
const place = `fanlens${location.pathname}`;

// The history of this page: as it was left, or begun from what was read in the photo, or empty.
export function recall(recognition, token) {
  const remembered = sessionStorage.getItem(place);
  if (remembered) return JSON.parse(remembered);
  const draft = recognition ? fromRecognition(recognition) : emptyDraft();
  // The prevalent wind stays for four hands and more, the rules for good: those last confirmed are the likeliest.
  const wind = localStorage.getItem(PREVALENT);
  const windy = SEATS.includes(wind) ? setCondition(draft, "prevalent_wind", wind) : draft;
  const begun = setCondition(windy, "profile", localStorage.getItem(PROFILE) || "guobiao");
  // The hand of a photo is confirmed once, in whichever window.
  return recognition ? startHistory(begun, token) : startHistory(begun);
}

export function remember(history) {
  try {
    sessionStorage.setItem(place, JSON.stringify(history));
  } catch {
    // A full storage only costs the steps that could be undone.
    sessionStorage.setItem(place, JSON.stringify(startHistory(history.now, history.key)));
  }
}

export function forget(draft) {
  sessionStorage.removeItem(place);
  localStorage.setItem(PREVALENT, draft.conditions.prevalent_wind);
  localStorage.setItem(PROFILE, draft.conditions.profile);
}

// The tile set of one's own that photos are read with, or "".
export function tileset() {
  return localStorage.getItem(TILESET) || "";
}

export function setTileset(name) {
  localStorage.setItem(TILESET, name);
}

// Names by seat, blank where nobody was named.
export function players() {
  const named = JSON.parse(localStorage.getItem(PLAYERS) || "{}");
  return Object.fromEntries(SEATS.map((seat) => [seat, typeof named[seat] === "string" ? named[seat] : ""]));
}

export function setPlayers(named) {
  localStorage.setItem(PLAYERS, JSON.stringify(named));
}
