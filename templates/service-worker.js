{% load static %}{% get_current_language as LANGUAGE_CODE %}// Shows a friendly page when there is no network. It keeps that page and nothing else: a board that it
// served would be a stale one.

// Whoever chooses another language gets another worker, which keeps the page in that language.
const KEPT = "offline-{{ LANGUAGE_CODE }}-{% static 'site.css' %}";
const OFFLINE = "{% url 'offline' %}";
const FILES = [
  OFFLINE,
  "{% static 'tokens.css' %}",
  "{% static 'site.css' %}",
  "{% static 'icon.svg' %}",
  "{% static 'js/pages/site.js' %}",
  "{% static 'js/parts/settings.js' %}",
  "{% static 'js/parts/dom.js' %}",
  "{% static 'js/pages/offline.js' %}",
];

// What other workers kept goes as soon as this one has its own: a browser may put off the change of workers
// for minutes, and until then the one before shows what it finds here.
addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => skipWaiting()));
});

async function keep() {
  await caches.open(KEPT).then((cache) => cache.addAll(FILES));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

addEventListener("activate", (event) => {
  event.waitUntil(registration.navigationPreload?.enable());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(load(event).catch(() => caches.match(OFFLINE)));
  } else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

/** A page from the network, which the browser has asked for while this worker was starting. */
async function load(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

// A notification that somebody touches leads to its match, in the tab that has it open.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((open) => {
      const there = open.find((client) => client.url === event.notification.data);
      return there ? there.focus() : clients.openWindow(event.notification.data);
    }),
  );
});
