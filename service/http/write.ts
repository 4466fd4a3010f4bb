import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import type { ServiceContext } from "../context.ts";
import { transaction, type Database } from "../db/database.ts";
import { sellerNow, type Seller } from "../sellers/store.ts";
import { sellerOf } from "./authenticate.ts";
import { ApiError, validationError } from "./errors.ts";
import { runOnce, idempotencyKeyOf } from "./idempotency.ts";
import type { RouteDoc } from "./route-doc.ts";

/** The input of a write operation: one transaction, one seller and that seller's clock. */
export interface WriteContext extends Omit<ServiceContext, "pool" | "now"> {
  database: Database;
  seller: Seller;
  clock: () => Date;
}

export interface WriteAnswer {
  status: number;
  body: object;
}

interface WriteRoute<Input, Request, Done> extends Omit<
  RouteDoc,
  "status" | "body" | "isWrite"
> {
  status?: 200 | 201;
  schema?: z.ZodType<Input>;
  /**
   * The operation. Thrown errors roll it back; an ApiError that it returns is sent after the
   * commit, so that status changes made by time are kept.
   */
  work: (
    write: WriteContext,
    input: Input,
    request: Request,
    reply: FastifyReply,
  ) => Promise<Done | ApiError>;
  /** Runs after the commit and creates the answer. It must be repeatable, also after a crash. */
  after?: (done: Done, input: Input) => Promise<object>;
}

/**
 * A writing route: validates the body, then runs the operation in one transaction, which also stores
 * the answer if the request has an Idempotency-Key.
 */
export function writeRoute<
  Params = { id: string },
  Input = undefined,
  Done extends object = object,
>(
  { pool, now: clock, ...context }: ServiceContext,
  {
    status = 200,
    schema,
    work,
    after,
    ...doc
  }: WriteRoute<Input, FastifyRequest<{ Params: Params }>, Done>,
) {
  const handler = async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    const input = schema ? parseBody(schema, request.body) : (undefined as Input);
    const seller = sellerOf(request);
    const key = idempotencyKeyOf(request);
    const answer = await transaction(pool, async (database): Promise<WriteAnswer> => {
      const run = async () => {
        const result = await work(
          { ...context, database, seller, clock: () => sellerNow(seller, clock()) },
          input,
          request,
          reply,
        );
        return result instanceof ApiError ? result : { status, body: result };
      };
      return key === null
        ? run()
        : runOnce(database, { seller, key, request, reply, now: clock() }, run);
    });
    const isDone = after !== undefined && answer.status === status;
    const body = isDone ? await after(answer.body as Done, input) : answer.body;
    return reply.code(answer.status).send(body);
  };
  const config = { doc: { ...doc, status, isWrite: true, ...(schema && { body: schema }) } };
  return { config, handler };
}

/** @throws 400 with what is wrong, by field */
export function parseBody<Input>(schema: z.ZodType<Input>, body: unknown): Input {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}
