import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import type { EventKind } from "#contract/names.ts";
import type { SellerApi } from "./seller-api.ts";
import type { ServiceClient } from "./service.ts";

export interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export const answerWith =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

export class Endpoint {
  readonly arrivals: ReceivedRequest[] = [];
  answer: Behaviour = answerWith(204);
  /** The most requests that were open at once. */
  atOnce = 0;
  private open = 0;
  private readonly server = createServer(
    (request, response) => void this.take(request, response),
  );

  static async listen(): Promise<Endpoint> {
    const endpoint = new Endpoint();
    await new Promise<void>((done) => endpoint.server.listen(0, "127.0.0.1", done));
    return endpoint;
  }

  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** Registers the endpoint. @returns its id and secret */
  async register(api: SellerApi<ServiceClient>, event: EventKind, endpoint_url = this.url) {
    const answer = await api.post("/api/v1/webhooks/", { event, endpoint_url });
    if (answer.statusCode !== 201) throw new Error(answer.body);
    const secret = String(answer.headers[WEBHOOK_SECRET_HEADER]);
    return { id: answer.json<{ id: number }>().id, secret };
  }

  /** The received events as "old > new (reason)", verified with the secret. */
  verified(secret: string): string[] {
    const webhook = new Webhook(secret);
    return this.arrivals.map(({ body, headers }) => {
      const event = webhook.verify(body, headers) as Record<string, string>;
      return `${event["old_status"]} > ${event["new_status"]} (${event["reason"]})`;
    });
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async take(request: IncomingMessage, response: ServerResponse) {
    this.open += 1;
    this.atOnce = Math.max(this.atOnce, this.open);
    response.once("close", () => (this.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = request.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString();
    this.arrivals.push({ path: request.url ?? "", headers, body });
    this.answer(response, request);
  }
}
