declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** Middleware that compresses what is written from then on, unless its headers forbid it. */
  export default function compression(): (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
}
