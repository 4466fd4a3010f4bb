import { hostname, networkInterfaces } from "node:os";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withNextIntl = createNextIntlPlugin({
  requestConfig: "./lib/i18n-request.ts",
  experimental: {
    // Words are parsed when Duebook is built, so that no browser has to fetch a parser.
    messages: {
      path: "./lib/i18n/messages",
      format: "json",
      locales: ["en", "ne"],
      sourceLocale: "en",
      precompile: true,
    },
  },
});

/** Headers of every answer; proxy.ts adds those of pages. */
const HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
];

/** Headers of files that proxy.ts does not see; opened as a page, they may do nothing. */
const NO_PAGE = [
  "/_next/static/:path*",
  "/icons.svg",
  "/app-:name.png",
  "/manifest.webmanifest",
  "/api/words",
  "/api/:seller/:mode(test|live)/:path*",
  "/healthz",
  "/readyz",
];
const NO_PAGE_HEADERS = [
  {
    key: "Content-Security-Policy",
    value: "default-src 'none'; frame-ancestors 'none'",
  },
];

/** The policy of the page that the service worker shows without a connection, for its one style. */
function offlinePolicy(): string {
  const page = readFileSync(new URL("public/offline.html", import.meta.url), "utf8");
  const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  return `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`;
}

/** Files of the installed app, each with what it may do. */
const APP_FILES = {
  // The worker asks the server for pages.
  "/sw.js": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  "/offline.html": offlinePolicy(),
};

const KEPT_FOR_GOOD = "public, max-age=31536000, immutable";

/** Pages that moved, by their path within a seller and mode: old links lead to the new page for good. */
const MOVED_PAGES = [
  ["/collection/results", "/reports/reminders"],
  ["/figures", "/reports"],
  ["/proofs", "/payments"],
  ["/settings/record", "/settings/audit-log"],
  ["/settings/webhooks/doctor", "/settings/webhooks/deliveries/examine"],
  ["/settings/webhooks/received", "/settings/webhooks/deliveries/received"],
  ["/settings/reconciliation", "/settings/connection"],
] as const;

/** The names that this machine is opened by when Duebook listens on all of them (HOST=0.0.0.0). */
const ownNames = () => [
  hostname(),
  ...Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
];

const config: NextConfig = {
  poweredByHeader: false,
  // scripts/dashboard.ts compresses, also with Brotli and what the API routes answer.
  compress: false,
  headers: () => [
    { source: "/:path*", headers: HEADERS },
    ...Object.entries(APP_FILES).map(([source, value]) => ({
      source,
      headers: [{ key: "Content-Security-Policy", value }],
    })),
    ...NO_PAGE.map((source) => ({ source, headers: NO_PAGE_HEADERS })),
    // Pages name these with a query that changes with their content.
    { source: "/(icons?).svg", headers: [{ key: "Cache-Control", value: KEPT_FOR_GOOD }] },
  ],
  // Next keeps the query string.
  redirects: () =>
    MOVED_PAGES.map(([from, to]) => ({
      source: `/:seller/:mode(test|live)${from}`,
      destination: `/:seller/:mode${to}`,
      permanent: true,
    })),
  // The address that receivers had before; services that know it go on sending there.
  rewrites: () => [{ source: "/api/hints/:token", destination: "/api/received/:token" }],
  // `npm run verify` checks all types; starting Duebook need not wait for that.
  typescript: { ignoreBuildErrors: true },
  // The development server refuses its socket to other names, and without it no page comes to life.
  allowedDevOrigins: ownNames(),
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ["pg", "@node-rs/argon2", "web-push"],
};

export default withNextIntl(config);
