declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  import type { BrotliOptions } from "node:zlib";

  type Filter = (request: IncomingMessage, response: ServerResponse) => boolean;

  /** Middleware that compresses everything written from then on, unless the headers forbid it. */
  function compression(options: {
    filter: Filter;
    brotli: BrotliOptions;
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

  namespace compression {
    /** Whether the answer's type is worth compressing. */
    const filter: Filter;
  }

  export default compression;
}
