// The Back button of a phone closes the sheet that is open before it leaves the page.

let hash = location.hash;
let spare = history.state?.sheet === true; // whether a step of the browser's history is there to be gone back

// Called while a sheet is open: Back will close it.
export function armBack() {
  if (spare) return;
  history.pushState({ sheet: true }, "");
  spare = true;
}

// `close` closes the sheet and returns whether one was open. A step that stayed after the sheet was closed otherwise is
// gone over.
export function listenToBack(close) {
  window.addEventListener("popstate", () => {
    // A link to a part of the page is no way back.
    if (location.hash !== hash) {
      hash = location.hash;
      return;
    }
    if (history.state?.sheet) return;
    spare = false;
    if (!close()) history.back();
  });
}
