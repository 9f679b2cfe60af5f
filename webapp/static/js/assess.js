// Asking the server what a draft is worth and what the page shows about it.

import { ApiError, call } from "./api.js";
import { requestOf } from "./model.js";

let asking = null;

// What is left of an answer when the next one cannot be had: the score is unknown, the choices stay.
function unanswered(answer, problem) {
  const draft = { ...answer.draft, checks: [], lit: [], ready: false, ask: null, sure: false };
  Object.assign(draft, { key: null, status: problem.message });
  const nothing = { score: null, payments: null, notation: null, why: null, what_if: null, waiting: null };
  return { ...answer, ...nothing, problem, draft };
}

// The answer of /assess to a draft, or null when a newer question has replaced this one. `last` is the answer before,
// of which the page keeps what it can where the server cannot be reached.
export async function assess(draft, last) {
  asking?.abort();
  asking = new AbortController();
  try {
    return await call("POST", "/assess", requestOf(draft), asking.signal);
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!(error instanceof ApiError)) throw error;
    return unanswered(last, { code: error.code, message: error.message });
  }
}
