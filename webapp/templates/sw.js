// Keeps the shell of the page for when there is no network. Pages come from the network first, so that they are
// never stale where it is there; files come from the cache, whose name changes with their content. Hands, photos and
// scores are never kept.

const CACHE = "fanlens-{{ version }}";
const ASSETS = {{ assets|tojson }};
const SHELL = {{ shell|tojson }};

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([...ASSETS, ...SHELL]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function page(request) {
  const cache = await caches.open(CACHE);
  const path = new URL(request.url).pathname;
  try {
    const answer = await fetch(request);
    if (answer.ok && SHELL.includes(path)) await cache.put(path, answer.clone());
    return answer;
  } catch (error) {
    const kept = (await cache.match(path)) || (await cache.match("/"));
    if (kept) return kept;
    throw error;
  }
}

async function file(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) || fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname.startsWith("/static/") || pathname.startsWith("/artwork/")) event.respondWith(file(request));
});
