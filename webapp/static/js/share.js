// Shares the score as text, as a picture, as a link that opens the hand, or as notation.

import { ApiError, picture } from "./api.js";
import { fanName, gettext, say } from "./dom.js";
import { SEATS } from "./model.js";
import { playerName, signed, totalText, windName } from "./words.js";

// Over plain HTTP a page has neither clipboard nor share sheet. There the text goes into the notation field, selected.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.getElementById("notation-text");
    document.getElementById("notation").open = true;
    field.value = text;
    field.focus();
    field.select();
    document.execCommand("copy");
  }
  say(gettext("Copied."));
}

// A link that opens the hand with everything that is known about how it was won.
export function link({ notation, draft }) {
  const { profile, opening, discarder, self_drawn: drawn } = draft.hand;
  const query = new URLSearchParams({ h: notation, profile });
  if (opening) query.set("opening", opening);
  if (discarder && !drawn) query.set("discarder", discarder);
  return `${location.origin}/hand?${query}`;
}

export function scoreText({ score, payments, notation }) {
  const fans = score.awards.map(
    (award) => `${fanName(award)}${award.count > 1 ? ` ×${award.count}` : ""} ${award.points}`,
  );
  const named = (seat) => [windName(seat), playerName(seat)].filter(Boolean).join(" ");
  const paid = payments ? SEATS.map((seat) => `${named(seat)} ${signed(payments[seat])}`) : [];
  return [totalText(score), ...fans, ...paid, notation].join("\n");
}

async function handOver(data, instead) {
  try {
    await navigator.share(data);
  } catch (error) {
    if (error.name !== "AbortError") await instead();
  }
}

export async function shareText(answer) {
  const text = scoreText(answer);
  const onOneLine = () => copy(text.split("\n").join(" · "));
  if (navigator.share) await handOver({ title: "Fanlens", text, url: link(answer) }, onOneLine);
  else await onOneLine();
}

function download(file) {
  const address = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = file.name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

export async function sharePicture(answer) {
  say(gettext("Drawing the picture…"));
  const players = Object.fromEntries(SEATS.map((seat) => [seat, playerName(seat)]));
  let drawn;
  try {
    drawn = await picture({ ...answer.draft.hand, players });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
    return;
  }
  await shareFile(new File([drawn], `fanlens-${answer.score.total}.png`, { type: "image/png" }));
}

// Opens the share sheet where it takes files, and downloads the picture elsewhere.
export async function shareFile(file) {
  const save = () => {
    download(file);
    say(gettext("The picture was saved to your downloads."));
  };
  if (navigator.canShare?.({ files: [file] })) await handOver({ files: [file], title: "Fanlens" }, save);
  else save();
}
