import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import { hashNewPassword, hashPassword, isBreached, verifyPassword } from "./password.ts";

const PASSWORD = "four words of mine";
const DIGITS = createHash("sha1").update(PASSWORD).digest("hex").toUpperCase();
const REST = DIGITS.slice(5);
const FILLER = "0".repeat(35);

let server: Server | undefined;

afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

async function startService(answer: RequestListener) {
  const asked: { path: string | undefined; padding: unknown }[] = [];
  const started = createServer((request, response) => {
    asked.push({ path: request.url, padding: request.headers["add-padding"] });
    answer(request, response);
  });
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(started.address() as AddressInfo).port}/range`;
  return { url, asked };
}

const telling = (...lines: string[]) =>
  startService((_request, response) => response.end(lines.join("\r\n")));

/** Returns the log lines that the lookup writes. */
async function logOf(look: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  await look();
  return lines;
}

test("the check for breached passwords sends only the first five digits of the password's hash", async () => {
  const { url, asked } = await telling(`${FILLER}:4`, `${REST}:17`);
  await expect(isBreached(PASSWORD, `${url}/`)).resolves.toBe(true);
  expect(asked).toEqual([{ path: `/range/${DIGITS.slice(0, 5)}`, padding: "true" }]);
});

test("a padding entry in the response of the breach service does not make a password breached", async () => {
  const { url } = await telling(`${FILLER}:4`, `${REST}:0`, "", REST, "<html>");
  await expect(isBreached(PASSWORD, url)).resolves.toBe(false);
});

test.each<[string, RequestListener]>([
  ["fails", (_request, response) => response.writeHead(503).end(`${REST}:17`)],
  ["redirects", (_request, response) => response.writeHead(302, { location: "/" }).end()],
  ["disconnects", (request) => request.socket.destroy()],
  ["does not answer", () => {}],
])(
  "if the breach service %s, the password is accepted, with a log line that does not reveal the password",
  async (_how, answer) => {
    const { url } = await startService(answer);
    const lines = await logOf(() =>
      expect(isBreached(PASSWORD, url, 100)).resolves.toBe(false),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("BREACHED_PASSWORDS_URL did not answer");
    expect(lines[0]).not.toMatch(new RegExp(`${PASSWORD}|${DIGITS.slice(0, 5)}|${REST}`, "i"));
  },
);

test("a new password is looked up at the configured breach service only after it has passed the local checks", async () => {
  const { url, asked } = await telling(`${REST}:17`);
  stubEnvironment({ BREACHED_PASSWORDS_URL: url });
  const choose = (password: string) =>
    hashNewPassword(password, { email: "asha@example.com", sellers: [] }).then(
      () => "taken",
      (error: unknown) => JSON.stringify(failureOf(error)),
    );
  await expect(choose("iloveyou1")).resolves.toContain("fields.password.common");
  expect(asked).toEqual([]);
  await expect(choose(PASSWORD)).resolves.toContain("fields.password.breached");
  await expect(choose("another four words")).resolves.toBe("taken");
  expect(asked).toHaveLength(2);
});

test("only the right password matches the stored hash, and no password matches for an unknown user", async () => {
  const stored = await hashPassword("नमस्ते, correct horse");
  expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  await expect(verifyPassword(stored, "नमस्ते, correct horse")).resolves.toBe(true);
  await expect(verifyPassword(stored, "correct horse")).resolves.toBe(false);
  await expect(verifyPassword(null, "correct horse")).resolves.toBe(false);
});

test("of twelve passwords checked at once, more than the limit, only the right one matches", async () => {
  const stored = await hashPassword("right");
  const tries = Array.from({ length: 12 }, (_, at) =>
    verifyPassword(stored, at === 7 ? "right" : "no"),
  );
  const answers = await Promise.all(tries);
  expect(answers.map(Number).join("")).toBe("000000010000");
});
