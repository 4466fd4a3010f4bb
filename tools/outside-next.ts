import { registerHooks } from "node:module";

// Node.js loads the dashboard's code without Next.js's bundler, which drops the marker of server
// code and finds next/headers without an extension.
registerHooks({
  resolve(specifier, context, resolve) {
    if (specifier === "server-only") return resolve("node:module", context);
    return resolve(/^next\/[a-z]+$/.test(specifier) ? `${specifier}.js` : specifier, context);
  },
});
