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
  "{% static 'js/parts/waiting-count.js' %}",
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

// A message from the server while no page is open. The page's own notifications have the same tag, so
// that one replaces the other.
addEventListener("push", (event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(show(title, body, url));
});

function show(title, body, url) {
  const { href, pathname } = new URL(url, location.origin);
  const options = { body, tag: pathname, renotify: true, icon: "{% static 'icon-turn.svg' %}", data: href };
  return registration.showNotification(title, options);
}

// What pages that are open, but not in view, hear of matches that they don't show.
const GAMES = { {% for kit in kits %}"{{ kit.slug }}": "{{ kit.name|escapejs }}", {% endfor %}};
const TEXTS = {
  moved: ["{% translate "{name} moved in {game}. It's your turn." as text %}{{ text|escapejs }}"],
  joined: [
    "{% translate "{name} is here: {game} has started. {name} goes first." as text %}{{ text|escapejs }}",
    "{% translate "{name} is here: {game} has started. It's your turn." as text %}{{ text|escapejs }}",
  ],
  rematch: ["{% translate "{name} offers you a rematch in {game}." as text %}{{ text|escapejs }}"],
  others: ["{% translate "Your matches: {count} waiting for you" as text %}{{ text|escapejs }}"],
};
const TITLES = {
  moved: "{% translate "Your turn" as text %}{{ text|escapejs }}",
  joined: "{% translate "Your friend is here" as text %}{{ text|escapejs }}",
  rematch: "{% translate "Rematch?" as text %}{{ text|escapejs }}",
  others: "{% translate "Your turn" as text %}{{ text|escapejs }}",
};

addEventListener("message", (event) => event.waitUntil(tell(event.data)));

async function tell({ what, isTurn = false, name = "", game = "", count = 0, url }) {
  const tabs = await clients.matchAll({ type: "window" });
  if (tabs.some(({ visibilityState }) => visibilityState === "visible")) return;
  // Every other page hears more than a match's page does.
  if (what === "others" && tabs.some((tab) => !new URL(tab.url).pathname.startsWith("/m/"))) return;
  const values = { name, game: GAMES[game], count };
  const text = TEXTS[what].at(isTurn ? -1 : 0).replaceAll(/{(\w+)}/g, (_, value) => String(values[value]));
  await show(TITLES[what], text, url);
}

// The browser has renewed its subscription. If it doesn't say which one, the next page subscribes again.
addEventListener("pushsubscriptionchange", (event) => {
  if (event.oldSubscription) event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

async function renew(old, renewed) {
  const subscription = renewed ?? (await registration.pushManager.subscribe(old.options));
  const { endpoint, keys } = subscription.toJSON();
  const headers = { "Content-Type": "application/json" };
  await fetch("/api/push/", { method: "POST", headers, body: JSON.stringify({ old: old.endpoint, endpoint, keys }) });
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
