import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** How the next request is answered instead of as documented. */
export const GATEWAY_FAULTS = {
  /** The gateway does not accept the message. */
  too_many: { takes: false },
  busy: { takes: false },
  server_error: { takes: false },
  refused: { takes: false },
  error_in_200: { takes: false },
  redirect: { takes: false },
  hang_before: { takes: false },
  close_before: { takes: false },
  /** The gateway accepts the message, but the sender does not learn it. */
  hang_after: { takes: true },
  close_after: { takes: true },
  close_mid_answer: { takes: true },
  bad_gateway: { takes: true },
  /** A 503 from a proxy that gave up waiting for the gateway. */
  gave_up: { takes: true },
  html: { takes: true },
  empty: { takes: true },
  huge: { takes: true },
  /** The answer comes byte by byte and never ends. */
  slow: { takes: true },
} as const;
export type GatewayFault = keyof typeof GATEWAY_FAULTS;

export interface SimulatedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TakenMessage {
  to: string;
  text: string;
  reference: string | null;
  /** The URL for reports that the message named. */
  reportUrl: string | null;
  fields: Record<string, unknown>;
}

export interface SimulatedAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** The messages that this answer accepts. */
  taken?: TakenMessage[];
}

export interface SimulatedReport {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The protocol of one gateway; strict about what its documents demand. */
export interface GatewayProtocol {
  answer(request: SimulatedRequest): SimulatedAnswer;
  /** The documented refusal of wrong credentials. */
  refusal(request: SimulatedRequest): SimulatedAnswer;
  /** An error that comes with status 200 and quotes the request. */
  errorIn200(request: SimulatedRequest): SimulatedAnswer;
  /** A report of a state in the gateway's words, signed as the gateway signs, if it does. */
  report?(taken: TakenMessage, state: string, code?: string): SimulatedReport;
  /** Answers the commands at /_sim/ that only this gateway has; null for all others. */
  control?(request: SimulatedRequest): SimulatedAnswer | null;
  /** Clears the gateway's memory. */
  clear?(): void;
}

export const formIn = ({ headers, body }: SimulatedRequest): URLSearchParams | null =>
  headers["content-type"]?.startsWith("application/x-www-form-urlencoded")
    ? new URLSearchParams(body)
    : null;

export function jsonIn({ headers, body }: SimulatedRequest): Record<string, unknown> | null {
  if (!headers["content-type"]?.startsWith("application/json")) return null;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const HUGE_BYTES = 50 * 1_024 * 1_024;
const PAGE = "<!doctype html><title>Bad gateway</title><h1>Something went wrong</h1>";

/**
 * A gateway on loopback. Methods control it, or requests to /_sim/: POST next {"fault", "times"},
 * POST report {"index", "state", "times"}, POST clear, GET taken, GET requests.
 */
export class GatewaySimulator {
  readonly taken: TakenMessage[] = [];
  /** All received requests, including refused ones. */
  readonly requests: SimulatedRequest[] = [];
  /** Sends a report of this state before a message's request is answered. */
  reportEarly: string | null = null;
  private readonly faults: GatewayFault[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly protocol: GatewayProtocol;
  private readonly server = createServer(
    (request, response) => void this.serve(request, response),
  );

  private constructor(protocol: GatewayProtocol) {
    this.protocol = protocol;
    this.server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("error", () => {}).on("close", () => this.sockets.delete(socket));
    });
  }

  static async listen(protocol: GatewayProtocol, port = 0): Promise<GatewaySimulator> {
    const simulator = new GatewaySimulator(protocol);
    await new Promise<void>((done, fail) =>
      simulator.server.once("error", fail).listen(port, "127.0.0.1", done),
    );
    return simulator;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Answers the next request with this fault; several faults are used in order. */
  next(fault: GatewayFault): void {
    this.faults.push(fault);
  }

  /** Resolves when the next request has arrived. */
  arrival(): Promise<void> {
    return new Promise((done) => this.waiting.push(done));
  }

  /** Sends reports of a message to its URL for reports. @returns the statuses of the answers */
  async report(taken: TakenMessage, state: string, times = 1): Promise<number[]> {
    const report = this.protocol.report?.(taken, state);
    if (!report) return [];
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push(await post(report));
    return statuses;
  }

  /** Sends a report with a forged signature or token. @returns the answer's status; null without one */
  async forgeReport(taken: TakenMessage, state: string): Promise<number | null> {
    const report = this.protocol.report?.(taken, state);
    if (!report) return null;
    const headers = Object.fromEntries(
      Object.entries(report.headers).map(([name, value]) => [
        name,
        /signature/i.test(name) ? `${value.slice(0, -4)}AAA=` : value,
      ]),
    );
    const url = report.url.replace(/([?&]token=)[^&]*/, "$1forged");
    return post({ ...report, url, headers });
  }

  /** Drops the faults that a test set, so that answers are as documented again. */
  calm(): void {
    this.faults.length = 0;
  }

  clear(): void {
    this.taken.length = 0;
    this.requests.length = 0;
    this.calm();
    this.protocol.clear?.();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse) {
    const request = await readRequest(incoming);
    if (!request) return;
    if (request.path.startsWith("/_sim/")) return this.control(request, response);
    this.requests.push(request);
    const fault = this.faults.shift();
    const answer =
      fault === undefined || GATEWAY_FAULTS[fault].takes ? this.protocol.answer(request) : null;
    const taken = answer?.taken ?? [];
    this.taken.push(...taken);
    for (const done of this.waiting.splice(0)) done();
    if (this.reportEarly !== null)
      for (const message of taken) await this.report(message, this.reportEarly);
    if (fault === undefined || (answer && answer.status >= 300)) send(response, answer);
    else this.fail(fault, request, response, answer);
  }

  private fail(
    fault: GatewayFault,
    request: SimulatedRequest,
    response: ServerResponse,
    answer: SimulatedAnswer | null,
  ) {
    const { protocol } = this;
    switch (fault) {
      case "too_many":
        response.writeHead(429, { "retry-after": "7" }).end("Too many requests");
        return;
      case "busy":
        response.writeHead(503, { "retry-after": "30" }).end(PAGE);
        return;
      case "server_error":
        send(response, { status: 500, body: { message: "Internal server error" } });
        return;
      case "refused":
        send(response, protocol.refusal(request));
        return;
      case "error_in_200":
        send(response, protocol.errorIn200(request));
        return;
      case "redirect":
        response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
        return;
      case "close_before":
      case "close_after":
        response.destroy();
        return;
      case "close_mid_answer": {
        const whole = JSON.stringify(answer?.body ?? "");
        response.writeHead(answer?.status ?? 200, { "content-length": whole.length });
        response.write(whole.slice(0, whole.length / 2), () => response.destroy());
        return;
      }
      case "bad_gateway":
        response.writeHead(502, { "content-type": "text/html" }).end(PAGE);
        return;
      case "gave_up":
        response.writeHead(503, { "content-type": "text/html" }).end(PAGE);
        return;
      case "html":
        response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
        return;
      case "empty":
        response.writeHead(200).end();
        return;
      case "huge":
        response.writeHead(200, { "content-type": "application/json" });
        response.write(JSON.stringify(answer?.body ?? ""));
        response.end(Buffer.alloc(HUGE_BYTES, " "));
        return;
      case "slow": {
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(drip));
        return;
      }
      case "hang_before":
      case "hang_after":
    }
  }

  private async control(request: SimulatedRequest, response: ServerResponse) {
    if (request.method === "POST" && request.path === "/_sim/report") {
      const { index = -1, state = "delivered", times = 1 } = givenIn(request);
      const message = this.taken.at(Number(index));
      const statuses = message ? await this.report(message, String(state), Number(times)) : [];
      return send(response, { status: 200, body: { statuses } });
    }
    const own = this.protocol.control?.(request);
    return send(response, own ?? answerControl(request, this, Object.keys(GATEWAY_FAULTS)));
  }
}

/** The JSON of a request to /_sim/; empty if the body is not JSON. */
export function givenIn({ body }: SimulatedRequest): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

interface Controlled {
  taken: readonly unknown[];
  requests?: readonly unknown[];
  next(fault: string): void;
  clear(): void;
}

/** @returns null if the sender disconnected before the end of the request */
async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return null;
  }
  const { method = "", headers, url = "" } = incoming;
  const { pathname: path, searchParams: query } = new URL(url, "http://simulator.example");
  return { method, path, query, headers, body: Buffer.concat(chunks).toString() };
}

/** Serves the commands to a simulator that does not speak HTTP itself, such as the mail server. */
export async function listenForControl(
  simulator: Controlled,
  faults: string[],
  port: number,
): Promise<Server> {
  const server = createServer((incoming, response) => {
    void readRequest(incoming).then((request) =>
      send(response, request && answerControl(request, simulator, faults)),
    );
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return server;
}

/** Answers the commands that every simulator has. */
function answerControl(
  request: SimulatedRequest,
  simulator: Controlled,
  faults: string[],
): SimulatedAnswer {
  const route = `${request.method} ${request.path}`;
  const { fault, times = 1 } = givenIn(request);
  if (route === "GET /_sim/taken") return { status: 200, body: simulator.taken };
  if (route === "GET /_sim/requests") return { status: 200, body: simulator.requests ?? [] };
  if (route === "POST /_sim/clear") simulator.clear();
  else if (route === "POST /_sim/next" && faults.includes(String(fault)))
    for (let time = 0; time < Number(times); time += 1) simulator.next(String(fault));
  else return { status: 400, body: { faults } };
  return { status: 200, body: {} };
}

/** @returns the status; 0 without an answer */
const post = ({ url, headers, body }: SimulatedReport) =>
  fetch(url, { method: "POST", headers, body }).then(
    ({ status }) => status,
    () => 0,
  );

function send(response: ServerResponse, answer: SimulatedAnswer | null) {
  const { status, body, headers = {} } = answer ?? { status: 500, body: "" };
  const isText = typeof body === "string";
  const type = isText ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
