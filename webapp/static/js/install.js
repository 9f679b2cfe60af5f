// Registers the service worker, which keeps the pages for use without a network. Browsers allow one over HTTPS or on
// localhost only.

if (window.isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Without it the page works the same as long as there is a network.
  });
}
