// The start page offers to go on with the match that this browser keeps, if one is in play.

import { ApiError, call } from "../api.js";
import { gettext, h } from "../dom.js";
import * as keys from "./keys.js";

export function continueButton(match) {
  return h(
    "a",
    { class: "button primary big", href: `/match/${match.look_key}` },
    gettext("Continue the match of %(players)s", { players: match.players.join(", ") }),
  );
}

export async function offerMatch(place) {
  const held = keys.everyKey();
  if (!held.length) return;
  try {
    const { matches } = await call("POST", "/matches/list", { keys: held });
    const match = matches.find((one) => !one.ended);
    if (match) place.replaceChildren(continueButton(match));
  } catch (error) {
    // Without an answer the page stays as it is: Matches at the top leads to the list.
    if (!(error instanceof ApiError)) throw error;
  }
}

const place = document.getElementById("match-in-play");
if (place) offerMatch(place);
