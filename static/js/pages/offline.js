// The page for no network: it goes as soon as there is one.

addEventListener("online", () => location.reload());
