import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { CommandFailure, readOptions, systemReasonOf, runCommand } from "./process/command.ts";

const HELP = `npm run receiver -- --secret whsec_… [--secret whsec_…] [--port 4500] [--answer 500|410|429|slow]
Receives events as a seller's program would: verifies each signature and prints what arrived.
--answer sends an error on purpose, to watch the retries.`;

const ANSWERS = ["200", "410", "429", "500", "503", "slow"];
/** Milliseconds of a slow answer, longer than the sender's timeout. */
const SLOW = 20_000;
const MAX_BODY = 64 * 1_024;

const { values } = readOptions({
  options: {
    secret: { type: "string", multiple: true, default: [] },
    port: { type: "string", default: "4500" },
    answer: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});

interface Event {
  event: string;
  subscription_id: string;
  old_status: string;
  new_status: string;
  reason: string;
}

const seen = new Set<string>();

/** Prints a delivery in one line, or a refused one with its reason. @returns whether it is verified */
function report(headers: Record<string, string>, body: string, webhooks: Webhook[]): boolean {
  const time = new Date().toISOString().slice(11, 19);
  let problem = "";
  for (const webhook of webhooks)
    try {
      const event = webhook.verify(body, headers) as Event;
      const id = headers["webhook-id"] ?? "";
      const again = seen.has(id) ? "  (repeated: this id came before)" : "";
      seen.add(id);
      const change = `${event.old_status} → ${event.new_status} (${event.reason})`;
      console.log(`${time}  ${event.event}  ${event.subscription_id}  ${change}${again}`);
      return true;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  console.log(`${time}  REFUSED: ${problem}`);
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
    console.log(`          ${name}: ${headers[name] ?? "missing"}`);
  console.log(`          body: ${body.slice(0, 300)}`);
  return false;
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY) throw new CommandFailure("the body is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function statusOf(answer: string, isVerified: boolean): number {
  if (answer !== "200" && answer !== "slow") return Number(answer);
  return isVerified ? 200 : 400;
}

function readPort(): number {
  const port = Number(values.port);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CommandFailure("--port takes a number up to 65535.");
}

function readWebhooks(): Webhook[] {
  if (values.secret.length === 0) throw new CommandFailure("--secret is missing.\n" + HELP);
  return values.secret.map((secret) => {
    if (!secret.startsWith("whsec_"))
      throw new CommandFailure("--secret takes whsec_ followed by base64.");
    return new Webhook(secret);
  });
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const { answer } = values;
  if (!ANSWERS.includes(answer))
    throw new CommandFailure(`--answer takes ${ANSWERS.join(", ")}.`);
  const port = readPort();
  const webhooks = readWebhooks();
  const server = createServer((request, response) => {
    void readBody(request).then(
      (body) => {
        const headers = request.headers as Record<string, string>;
        const status = statusOf(answer, report(headers, body, webhooks));
        const more = status === 429 ? { "retry-after": "10" } : undefined;
        const send = () => response.writeHead(status, more).end();
        if (answer === "slow") setTimeout(send, SLOW);
        else send();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (error) =>
      fail(
        new CommandFailure(`cannot listen on port ${values.port}: ${systemReasonOf(error)}.`),
      ),
    );
    server.listen(port, "127.0.0.1", done);
  });
  const { port: taken } = server.address() as AddressInfo;
  console.log(`Listening: register http://127.0.0.1:${taken}/ as an endpoint. Ctrl+C ends it.`);
});
