// Serves the offline page, and shows pushes. It keeps nothing else of the desk: pages have buyers in them.
const CACHE = "duebook-offline-1";
const OFFLINE = "/offline.html";

addEventListener("install", (event) => {
  const fetchAgain = new Request(OFFLINE, { cache: "reload" });
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add(fetchAgain))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const forgetOld = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
    );
  // With it a page is fetched while this worker starts.
  const preload = registration.navigationPreload?.enable();
  event.waitUntil(Promise.all([forgetOld, preload, clients.claim()]));
});

addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(
    (async () => {
      try {
        return (await event.preloadResponse) ?? (await fetch(event.request));
      } catch {
        return (await caches.match(OFFLINE)) ?? Response.error();
      }
    })(),
  );
});

addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data?.json() ?? {};
  event.waitUntil(
    registration.showNotification(title || "Duebook", {
      body,
      tag,
      icon: "/app-192.png",
      badge: "/app-badge.png",
      data: { url },
    }),
  );
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = new URL(event.notification.data?.url || "/", location.origin);
  // Whoever could send a push must not lead to another site.
  const href = target.origin === location.origin ? target.href : location.origin;
  event.waitUntil(
    (async () => {
      const windows = await clients.matchAll({ type: "window" });
      const open = windows.find((one) => one.url === href) ?? windows[0];
      if (!open) return clients.openWindow(href);
      await open.focus();
      if (open.url !== href) await open.navigate(href).catch(() => clients.openWindow(href));
    })(),
  );
});
