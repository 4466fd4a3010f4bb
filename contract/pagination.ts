import type * as z from "zod";
import type { WireTypes } from "./wire.ts";

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

/** The fields around the rows of every list; a list may add its own. */
export const pageEnvelope = <Item extends z.ZodType>(wire: WireTypes, item: Item) => ({
  count: wire.count,
  next: wire.nullable(wire.text),
  previous: wire.nullable(wire.text),
  results: wire.list(item),
});
