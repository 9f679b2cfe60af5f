// Writing the hand into the ledger.

import { ApiError, call } from "./api.js";
import { gettext, say } from "./dom.js";
import { forget, players } from "./memory.js";

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
