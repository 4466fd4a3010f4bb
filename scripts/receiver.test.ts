import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({
  event: "checkout.succeeded",
  subscription_id: "5f0c7c1e",
  old_status: "pending_checkout",
  new_status: "active",
  reason: "payment",
});

/** Options to wait for output, which arrives some time after the answer. */
const RETRY_SOON = { timeout: 10_000 };

let program: ChildProcess;
let printed: string;
afterEach(() => program.kill());

async function start(...options: string[]): Promise<string> {
  printed = "";
  const started = spawn(process.execPath, [
    join(import.meta.dirname, "receiver.ts"),
    "--port",
    "0",
    ...options,
  ]);
  program = started;
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => {
      // Output of the program that ran before does not belong to this one.
      if (program === started) printed += chunk.toString();
    });
  await expect.poll(() => printed, RETRY_SOON).toMatch(/\n/);
  return /http:\S+/.exec(printed)?.[0] ?? "";
}

const send = (url: string, key = secret, at = new Date(), text = body) =>
  fetch(url, {
    method: "POST",
    body: text,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(key).sign("msg_1", at, body),
    },
  });

describe("npm run receiver", () => {
  it("prints each event in one line, and marks a repeated event", async () => {
    const url = await start("--secret", secret);
    expect((await send(url)).status).toBe(200);
    expect((await send(url)).status).toBe(200);
    const line = "checkout.succeeded  5f0c7c1e  pending_checkout → active (payment)";
    await expect
      .poll(() => printed, RETRY_SOON)
      .toContain(`${line}  (repeated: this id came before)\n`);
    expect(printed).toContain(`${line}\n`);
  });

  it("refuses a delivery with a wrong secret, an old time or a changed body, and says why", async () => {
    const url = await start("--secret", secret);
    const other = `whsec_${randomBytes(32).toString("base64")}`;
    expect((await send(url, other)).status).toBe(400);
    expect((await send(url, secret, new Date(Date.now() - 6 * 60_000))).status).toBe(400);
    expect((await send(url, secret, new Date(), body.replace("5", "6"))).status).toBe(400);
    await expect
      .poll(() => printed.match(/REFUSED: .*/g), RETRY_SOON)
      .toEqual([
        "REFUSED: No matching signature found",
        "REFUSED: Message timestamp too old",
        "REFUSED: No matching signature found",
      ]);
    expect(printed).not.toContain(secret);
  });

  it("accepts deliveries signed with either secret during a rotation", async () => {
    const other = `whsec_${randomBytes(32).toString("base64")}`;
    const url = await start("--secret", secret, "--secret", other);
    for (const key of [secret, other]) expect((await send(url, key)).status).toBe(200);
  });

  it("answers deliveries with the status that the option --answer names", async () => {
    const answer = await send(await start("--secret", secret, "--answer", "429"));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "10"]);
  });

  it.each([
    [["--answer", "200"], "--secret is missing."],
    [["--secret", secret, "--port", "http"], "--port takes a number up to 65535."],
    [["--secret", secret, "--answer", "404"], "--answer takes 200, "],
  ])("reports wrong options in one line (%#)", async (options, complaint) => {
    await start(...options);
    expect(printed).toContain(`duebook: ${complaint}`);
    if (program.exitCode === null) await once(program, "exit");
    expect(program.exitCode).toBe(1);
  });
});
