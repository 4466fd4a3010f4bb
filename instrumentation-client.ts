import { withNepaliNumbers } from "#lib/i18n/nepali-numbers.ts";

// Settings of zod, if a page loads it: without them, zod tries whether it may evaluate code, and
// the content policy reports that. Zod's own `config` would make every page load zod for this line.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

Intl.NumberFormat = withNepaliNumbers(Intl.NumberFormat);

// The router knows a record over its list (components/list/links.tsx) only in the document in which it was opened.
// In another one the record's own page is loaded.
window.addEventListener(
  "popstate",
  (event) => {
    const { overListOf = performance.timeOrigin } =
      (event.state as { overListOf?: number } | null) ?? {};
    if (overListOf === performance.timeOrigin) return;
    event.stopImmediatePropagation();
    window.location.reload();
  },
  { capture: true },
);

// Fetched only where traces are wanted.
if ("traced" in document.documentElement.dataset)
  void import("#lib/query/traced-fetch.ts").then(({ traceFetches }) => traceFetches(window));
