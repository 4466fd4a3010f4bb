import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ["pg", "@node-rs/argon2"],
};

export default config;
