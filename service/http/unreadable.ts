import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const ANSWERS: Record<string, [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const UNREADABLE: [string, string] = ["400 Bad Request", "The request is not readable HTTP."];

/** Malformed HTTP never reaches a route, but still gets an answer in the usual format. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] = ANSWERS[error.code ?? ""] ?? UNREADABLE;
  const body = JSON.stringify({ detail: text });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/** Accepts requests with an Expect header that Node does not know, instead of answering 417. */
export function ignoreExpectations({ server }: FastifyInstance): void {
  server.on("checkExpectation", (request, response) =>
    server.emit("request", request, response),
  );
}
