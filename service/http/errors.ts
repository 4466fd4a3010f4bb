import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { limitedOutageLog, isOutage } from "#contract/process/database.ts";
import { errorCode, errorWithoutMessage } from "#contract/process/log.ts";
import { violatesConstraint } from "../db/database.ts";

/** An error answer with the status and body that the specification defines. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Record<string, string | string[]>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    body: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const detailError = (status: number, text: string, headers?: Record<string, string>) =>
  new ApiError(status, { detail: text }, headers);

// Spec choice, not found: the same answer for unknown, malformed and other sellers' ids.
export const notFoundError = () => detailError(404, "Not found.");

const ALREADY_ACTIVE = "This buyer already has an active subscription for this billing period.";

/**
 * The error of an active duplicate, found under the row's lock, or by the unique index if two
 * requests race.
 */
export const alreadyActiveError = () => detailError(400, ALREADY_ACTIVE);

export const isAlreadyActive = (error: unknown): boolean =>
  error instanceof ApiError && error.body["detail"] === ALREADY_ACTIVE;

/** Groups errors by the first key of the path; a deeper path is written as "path: text". */
export function validationError(error: z.ZodError): ApiError {
  const fields = new Map<string, string[]>();
  for (const { path, message } of error.issues.flatMap(issuesByField)) {
    const [field, ...inner] = path.map(String);
    if (field === undefined) return detailError(400, "Send a JSON object.");
    const text = inner.length > 0 ? `${inner.join(".")}: ${message}` : message;
    fields.set(field, [...(fields.get(field) ?? []), text]);
  }
  return new ApiError(400, Object.fromEntries(fields));
}

/** The parsed query of a request. @throws ApiError 400 that names each field that is not valid */
export function validQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(query);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data;
}

/** Names each field that a strict schema does not know. */
const issuesByField = (
  issue: z.core.$ZodIssue,
): Pick<z.core.$ZodIssue, "path" | "message">[] =>
  issue.code === "unrecognized_keys"
    ? issue.keys.map((key) => ({
        path: [...issue.path, key],
        message: "There is no such field.",
      }))
    : [issue];

export const RETRY_SOON_HEADERS = { "retry-after": "2" };

const MESSAGES: Record<number, string> = {
  400: "The request body is not readable JSON.",
  404: "Not found.",
  408: "The request took too long to arrive.",
  413: "The request body is too large.",
  414: "The address is too long.",
  415: "Send the body as application/json.",
};

declare module "fastify" {
  interface FastifyInstance {
    logOutage: (error: unknown) => void;
  }
}

export function handleErrors(app: FastifyInstance) {
  app.decorate(
    "logOutage",
    limitedOutageLog((msg, fields) => app.log.error(fields, msg)),
  );
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    if (error instanceof ApiError)
      return reply.code(error.status).headers(error.headers).send(error.body);
    if (violatesConstraint(error, "one_active_per_period"))
      return reply.code(400).send(alreadyActiveError().body);
    const status = error.statusCode ?? 500;
    if (status < 500)
      return reply
        .code(status)
        .send({ detail: MESSAGES[status] ?? "The request was refused." });
    logFault(request, error, "request failed");
    return sendFault(reply, isUnreachable(error) ? 503 : 500);
  });
}

function sendFault(reply: FastifyReply, status: 500 | 503) {
  if (status === 503) reply.headers(RETRY_SOON_HEADERS);
  return reply.code(status).send({
    detail:
      status === 503
        ? "The service cannot reach its database. Try again in a moment."
        : "Something went wrong here. The request id in the header x-request-id helps to find it.",
  });
}

const NO_TIME = new Set(["55P03", "57014", "25P03", "40P01"]);

/** Whether the database was unavailable or out of time: the same request may succeed soon. */
export const isUnreachable = (error: unknown) =>
  isDatabaseDown(error) || NO_TIME.has(errorCode(error));

/** Whether the error affects every request; includes errors of the job library. */
export const isDatabaseDown = (error: unknown) =>
  isOutage(error) || (error instanceof Error && error.message.startsWith("LISTEN"));

/** Logs an error; an unavailable database is logged once for all requests. */
export function logFault({ log, server }: FastifyRequest, error: unknown, msg: string) {
  if (isDatabaseDown(error)) return server.logOutage(error);
  log.error({ fault: errorWithoutMessage(error) }, msg);
}
