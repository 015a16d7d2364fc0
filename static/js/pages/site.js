// Every page: the settings, how many matches wait, and a service worker for when there is no network.

import { isOn } from "../parts/settings.js";
import { showWaiting } from "../parts/waiting-count.js";

// A match's page hears it on the match's own socket. Without a network there is nothing to load.
if (document.documentElement.dataset.guest === "yes" && !document.querySelector("#match[data-match]")) {
  import("../net/me.js")
    .then(({ followMe }) =>
      followMe({
        onMessage(told) {
          showWaiting(told.your_turn, true);
          if (isOn("notification")) import("../parts/other-matches.js").then(({ noticeMatches }) => noticeMatches(told));
        },
      }),
    )
    .catch(() => {});
}

// Without HTTPS there are service workers on localhost only. If this fails, the next page retries.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
