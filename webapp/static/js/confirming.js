// Writing the hand into the ledger.

import { ApiError, call } from "./api.js";
import { gettext, say } from "./dom.js";
import { lookKey } from "./match/keys.js";
import { queue } from "./match/outbox.js";
import { forget, place, players } from "./memory.js";

// Enters the hand into the match that `match` is about, and goes back to its table. Without a network the entry is kept
// in this browser and sent later. Returns whether it was entered or kept.
export async function enterIntoMatch(match, hand, draft, key) {
  const { key: matchKey, after, of, winner, discarder } = match;
  const photos = draft.photos.map((one) => one.photo.split("/").pop().replace(".jpg", ""));
  const body = { win: { winner, discarder: hand.self_drawn ? null : discarder, hand }, photos };
  if (of !== null) body.of = of;
  try {
    await call("POST", `/matches/${matchKey}/entries`, { ...body, after, key });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== "offline") {
      const table = {
        label: gettext("Look at the match"),
        run: () => location.assign(`/match/${lookKey(matchKey)}`),
      };
      say(error.message, error.code === "out_of_date" ? table : null);
      return false;
    }
    queue(lookKey(matchKey), { ...body, after, key });
  }
  sessionStorage.removeItem(place);
  location.assign(`/match/${lookKey(matchKey)}`);
  return true;
}

// Confirms `hand` (hand JSON) and opens the ledger. `draft` is forgotten then; `key` lets the hand be written once,
// however often it is sent. Returns whether it was written.
export async function confirm(hand, draft, key) {
  const photos = draft.photos.map((one) => one.photo.split("/").pop().replace(".jpg", ""));
  try {
    const entry = await call("POST", "/hands", { ...hand, players: players(), photos, key });
    forget(draft);
    location.assign(`/hands#hand-${entry.id}`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const list = { label: gettext("Confirmed hands"), run: () => location.assign("/hands") };
    say(error.message, error.code === "already_confirmed" ? list : null);
    return false;
  }
}
