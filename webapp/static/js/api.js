// Calls the JSON API. A failure is an ApiError with a code and a sentence to show.

import { gettext } from "./dom.js";

export class ApiError extends Error {
  // `answer` is the whole answer of the server, where there was one.
  constructor(code, message, answer = null) {
    super(message);
    this.code = code;
    this.answer = answer;
  }
}

function offline() {
  return new ApiError("offline", gettext("Fanlens cannot be reached. Check the network; nothing is lost."));
}

function unreadable() {
  return new ApiError("unreadable_answer", gettext("The answer could not be read. Try again."));
}

export async function call(method, path, body, signal) {
  if (body === undefined) return send(method, path, { headers: {}, body }, signal);
  const headers = { "Content-Type": "application/json" };
  return send(method, path, { headers, body: JSON.stringify(body) }, signal);
}

async function send(method, path, content, signal) {
  let response;
  try {
    response = await fetch(`/api/v1${path}`, { method, signal, ...content });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw offline();
  }
  let answer;
  try {
    answer = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw unreadable();
  }
  if (!response.ok) throw new ApiError(answer.error.code, answer.error.message, answer);
  return answer;
}

// The score of a hand as a picture: a Blob.
export async function picture(body) {
  let response;
  try {
    response = await fetch("/api/v1/picture", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return await response.blob();
  } catch {
    throw offline();
  }
  const answer = await response.json().catch(() => {
    throw unreadable();
  });
  throw new ApiError(answer.error.code, answer.error.message);
}

const PATIENCE = 5;

// Sends a frame of the live camera with its fields; null and "" are left out.
export async function lookAt(frame, fields, signal) {
  const body = new FormData();
  body.append("photo", frame, "frame.jpg");
  for (const [name, value] of Object.entries(fields)) if (value) body.append(name, String(value));
  return send("POST", "/look", { body }, signal);
}

// Uses XMLHttpRequest, because fetch does not report how much of a body has been sent.
// `tileset` is the name of the tile set to read with, or ""; `evidence` what the live camera saw before, or "". While the server reads too many photos, waits as long as
// it asks for and sends the photo again, a few times.
export function upload(photo, name, tileset, onprogress, evidence = "") {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append("photo", photo, name);
  if (tileset) form.append("tileset", tileset);
  if (evidence) form.append("evidence", evidence);
  let attempts = 0;
  let waiting = null;
  let giveUp = () => {};
  const send = () => {
    attempts += 1;
    request.open("POST", "/api/v1/recognise");
    request.responseType = "json";
    request.send(form);
  };
  const finished = new Promise((resolve, reject) => {
    giveUp = () => reject(new ApiError("cancelled", gettext("Cancelled.")));
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onprogress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      const answer = request.response;
      const pause = Number(request.getResponseHeader("Retry-After"));
      if (answer === null) reject(unreadable());
      else if (request.status === 201) resolve(answer);
      else if (request.status === 503 && pause > 0 && attempts < PATIENCE)
        waiting = setTimeout(send, 1000 * pause);
      else reject(new ApiError(answer.error.code, answer.error.message));
    });
    request.addEventListener("error", () => reject(offline()));
    request.addEventListener("abort", giveUp);
  });
  send();
  const cancel = () => {
    clearTimeout(waiting);
    request.abort();
    giveUp();
  };
  return { finished, cancel };
}
