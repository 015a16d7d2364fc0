{% load static %}{% get_current_language as LANGUAGE_CODE %}// Shows a friendly page when there is no network. It caches that page and nothing else: a cached board
// would be out of date.

// The language is part of the name, so that a change of language caches the page again.
const CACHE = "offline-{{ LANGUAGE_CODE }}-{% static 'site.css' %}";
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

// Delete older caches at once: the browser may keep the old worker for minutes, and until then it
// shows what it finds here.
addEventListener("install", (event) => {
  event.waitUntil(fillCache().then(() => skipWaiting()));
});

async function fillCache() {
  await caches.open(CACHE).then((cache) => cache.addAll(FILES));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
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

/** Use the response that the browser requested while this worker was starting, if there is one. */
async function load(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

// A click on a notification opens its match, in the tab that has it open if there is one.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((tabs) => {
      const tab = tabs.find((client) => client.url === event.notification.data);
      return tab ? tab.focus() : clients.openWindow(event.notification.data);
    }),
  );
});
