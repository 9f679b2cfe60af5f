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
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
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

// Uses XMLHttpRequest, because fetch does not report how much of a body has been sent.
// `tileset` is the name of the tile set to read with, or "".
export function upload(photo, name, tileset, onprogress) {
  const request = new XMLHttpRequest();
  const finished = new Promise((resolve, reject) => {
    request.open("POST", "/api/v1/recognise");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onprogress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      const answer = request.response;
      if (answer === null) reject(unreadable());
      else if (request.status === 201) resolve(answer);
      else reject(new ApiError(answer.error.code, answer.error.message));
    });
    request.addEventListener("error", () => reject(offline()));
    request.addEventListener("abort", () => reject(new ApiError("cancelled", gettext("Cancelled."))));
    const form = new FormData();
    form.append("photo", photo, name);
    if (tileset) form.append("tileset", tileset);
    request.send(form);
  });
  return { finished, cancel: () => request.abort() };
}
