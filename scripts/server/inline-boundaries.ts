import { registerHooks } from "node:module";

const RUNTIME = "/compiled/next-server/app-page";
const CHUNK_SIZE = /void 0===(\w+)\?12800:\1/;

/**
 * Lets React write a finished page in place. By default it sends a boundary of more than 12.8 KB twice, as the
 * loading state and as hidden content that a script moves, and renders both. Next.js has no option for this
 * size. Must run before Next.js is imported.
 * @throws if the bundled React has no such size, because pages would silently be sent twice
 */
export function inlineBoundaries(): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.includes(RUNTIME) || !loaded.source) return loaded;
      const source =
        typeof loaded.source === "string"
          ? loaded.source
          : new TextDecoder().decode(loaded.source);
      if (!CHUNK_SIZE.test(source))
        throw new Error("React's progressiveChunkSize was not found in Next.js.");
      return { ...loaded, source: source.replace(CHUNK_SIZE, "1e9") };
    },
  });
}
