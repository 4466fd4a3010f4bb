declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Filter = (request: IncomingMessage, response: ServerResponse) => boolean;

  /** Middleware that compresses what is written from then on, unless its headers forbid it. */
  function compression(options: {
    filter: Filter;
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

  namespace compression {
    /** Whether the answer's type is worth compressing. */
    const filter: Filter;
  }

  export default compression;
}
