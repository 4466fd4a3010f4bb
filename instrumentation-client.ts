import { withNepaliNumbers } from "#lib/i18n/nepali-numbers.ts";

// Where zod keeps its settings, if a page brings it. Otherwise it tries whether it may evaluate code,
// and the content policy reports that. Not zod's own `config`: every page would load it for this line.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

Intl.NumberFormat = withNepaliNumbers(Intl.NumberFormat);

// Where traces are wanted, and only there, this is fetched.
if ("traced" in document.documentElement.dataset)
  void import("#lib/query/traced-fetch.ts").then(({ traceFetches }) => traceFetches(window));
