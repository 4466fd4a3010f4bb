import type { NextConfig } from "next";

/** For every answer; the rest of the content policy comes with a nonce a page. */
const HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=()" },
  {
    key: "Content-Security-Policy",
    value: "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  },
];

const config: NextConfig = {
  poweredByHeader: false,
  headers: () => [{ source: "/:path*", headers: HEADERS }],
  // `npm run verify` checks the types of everything; whoever only starts Duebook need not wait.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ["pg", "@node-rs/argon2"],
};

export default config;
