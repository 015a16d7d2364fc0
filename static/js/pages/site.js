// Every page: the settings, and a service worker for when there is no network.

import "../parts/settings.js";

// Without HTTPS there are service workers on localhost only. If this fails, the next page retries.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
