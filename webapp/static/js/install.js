// Registers the worker that keeps the shell, where the browser allows one (HTTPS or localhost).

if (window.isSecureContext && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Without it the page works the same, only not without a network.
  });
}
