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
  "{% static 'js/site.js' %}",
  "{% static 'js/settings.js' %}",
  "{% static 'js/make.js' %}",
  "{% static 'js/offline.js' %}",
];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(registration.navigationPreload?.enable());
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))),
  );
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
