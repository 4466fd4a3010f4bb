import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { validQuery } from "./errors.ts";
import { withRouteDoc, type RouteDoc } from "./route-doc.ts";

type ReadRequest = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Record<string, string>;
}>;

interface FilteredRoute<Query extends z.ZodObject, Answer extends z.ZodType> extends Pick<
  RouteDoc,
  "summary" | "description" | "refusals"
> {
  filters: Query;
  meanings: Record<keyof z.output<Query>, string>;
  answer: Answer;
  read: (
    query: z.output<Query>,
    request: ReadRequest,
    reply: FastifyReply,
  ) => Promise<z.output<Answer>>;
}

/** A reading route with filters in its query; a wrong one is refused by field. */
export function filteredRoute<Query extends z.ZodObject, Answer extends z.ZodType>({
  filters,
  meanings,
  read,
  refusals,
  ...doc
}: FilteredRoute<Query, Answer>) {
  return {
    ...withRouteDoc({
      ...doc,
      query: { schemas: filters.shape as Record<string, z.ZodType>, meanings },
      refusals: {
        400: { text: "A value in the query is not valid", schema: "FieldErrors" },
        ...refusals,
      },
    }),
    handler: (request: ReadRequest, reply: FastifyReply) =>
      read(validQuery(filters, request.query), request, reply),
  };
}
