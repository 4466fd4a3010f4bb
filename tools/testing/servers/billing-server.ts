import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect } from "vitest";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { failureOf } from "#lib/failure.ts";
import type { KeyInUse, KeyResult } from "#lib/billing/transport.ts";

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void;

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

const server = createServer((request, response) => void respond(request, response));

/** A billing service that returns the answers a test queues; the last one answers every further request. */
export const fakeService = {
  answers: [] as AnswerRequest[],
  seen: [] as Seen[],
  told: [] as KeyResult[],
  port: 0,
  async listen() {
    await new Promise<void>((resolve) => server.listen(fakeService.port, "127.0.0.1", resolve));
    fakeService.port = (server.address() as AddressInfo).port;
  },
  async close() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
};

async function respond(request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "", headers } = request;
  let body = "";
  for await (const part of request) body += part;
  fakeService.seen.push({ method, url, headers, body });
  const answer =
    fakeService.answers.length > 1 ? fakeService.answers.shift() : fakeService.answers[0];
  answer?.(request, response);
}

/** Starts and stops the server around each test of a file. */
export function useBillingServer(): void {
  beforeEach(async () => {
    Object.assign(fakeService, { answers: [], seen: [], told: [], port: 0 });
    await fakeService.listen();
  });
  afterEach(() => fakeService.close());
}

/** @param known the stored extensions of the service */
export const clientOf = (path = "", timeout = 5_000, known: Partial<KeyInUse> = {}) =>
  new BillingClient({
    baseUrl: `http://127.0.0.1:${fakeService.port}${path}`,
    connect: async () => ({
      apiKey: "sk_test_key",
      ...known,
      onKeyResult: async (result) => void fakeService.told.push(result),
    }),
    readTimeout: timeout,
    writeTimeout: timeout,
    retryDelay: 1,
  });

export const jsonAnswer =
  (status: number, body: unknown, headers: Record<string, string> = {}): AnswerRequest =>
  (_request, response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));

export const textAnswer =
  (status: number, body: string, headers: Record<string, string> = {}): AnswerRequest =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);

export const closeConnection: AnswerRequest = (request) => void request.socket.destroy();

export const emptyPage = { count: 0, next: null, previous: null, results: [] };
export const LIST_SEARCH = { status: null, page: 1, page_size: 20 };
export const CREATE_INPUT: CreateSubscription = {
  pbp_id: "pbp_1",
  return_url: "https://shop.example/",
  client: {
    phone: "9800000000",
    full_name: "Asha",
    email: "asha@example.com",
    address: "Pokhara",
  },
};

export async function failureOfCall(call: () => Promise<unknown>) {
  const error: unknown = await call().then(
    () => expect.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
  return failureOf(error);
}

export const listWithTimeout = (timeout?: number) =>
  clientOf("", timeout).listSubscriptions(LIST_SEARCH);
export const createWithTimeout = (timeout?: number) =>
  clientOf("", timeout).createSubscription(CREATE_INPUT);
