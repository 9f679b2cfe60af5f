// Writing the hand into the ledger.

import { ApiError, call } from "./api.js";
import { gettext, say } from "./dom.js";
import { lookKey } from "./match/keys.js";
import { queue } from "./match/outbox.js";
import { entry, forget, keepConfirmed, place, players } from "./memory.js";
import { SEATS } from "./model.js";
import { playerName, signed, totalText, windName } from "./words.js";

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

// Confirms `hand` (hand JSON), or saves it as the new version of the confirmed hand that the page is about, and opens
// the ledger. `draft` is forgotten then; `key` lets the hand be written once, however often it is sent. Returns whether
// it was written.
export async function confirm(hand, draft, key) {
  const photos = draft.photos.map((one) => one.photo.split("/").pop().replace(".jpg", ""));
  const body = { ...hand, players: players() };
  try {
    const written = entry
      ? await call("PUT", `/hands/${entry.id}`, { ...body, seen: entry.versions })
      : await call("POST", "/hands", { ...body, photos, key });
    forget(draft);
    keepConfirmed({ id: written.id, text: saidOf(written), next: !entry });
    location.assign(`/hands${entry ? `?before=${written.id + 1}` : ""}#hand-${written.id}`);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message, wayOut(error.code));
    return false;
  }
}

function saidOf({ score, payments, versions }) {
  if (entry?.versions === versions) return gettext("Nothing was changed.");
  const paid = SEATS.map((seat) => `${playerName(seat) || windName(seat)} ${signed(payments[seat])}`).join(
    ", ",
  );
  const said = { points: totalText(score), paid };
  return entry
    ? gettext("Corrected: %(points)s. %(paid)s.", said)
    : gettext("Confirmed: %(points)s. %(paid)s.", said);
}

function wayOut(code) {
  if (code === "already_confirmed")
    return { label: gettext("Confirmed hands"), run: () => location.assign("/hands") };
  if (code === "hand_changed") return { label: gettext("Open it again"), run: reopen };
  return null;
}

function reopen() {
  sessionStorage.removeItem(place);
  location.reload();
}
