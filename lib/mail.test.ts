import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { deliverMail } from "./mail.ts";

let server: SMTPServer | undefined;

afterEach(async () => {
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
  server = undefined;
});

/** @returns the server's address and the mails that it received */
async function startServer({ isRefusing = false } = {}) {
  const received: { to: string[]; text: string }[] = [];
  const started = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      isRefusing ? done(new Error("no such mailbox")) : done(),
    onData: (stream, session, done) => {
      let text = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      stream.on("end", () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  const { port } = started.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, from: "Duebook <desk@example.com>", received };
}

const MAIL = {
  to: "asha@example.com",
  subject: "Join Phewa",
  text: "https://desk.example/i/x",
};

test("a message reaches the mail server as plain text", async () => {
  const { received, ...settings } = await startServer();
  await expect(deliverMail(MAIL, settings)).resolves.toBe("accepted");
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ to: ["asha@example.com"] });
  expect(received[0]?.text).toContain("Subject: Join Phewa");
  expect(received[0]?.text).toContain("https://desk.example/i/x");
});

test("a line break in a subject cannot add a recipient", async () => {
  const { received, ...settings } = await startServer();
  await deliverMail({ ...MAIL, subject: "Join\r\nBcc: eve@example.com" }, settings);
  expect(received.flatMap(({ to }) => to)).toEqual(["asha@example.com"]);
  expect(received[0]?.text).not.toMatch(/^Bcc:/m);
});

test("a recipient field with two addresses does not reach the second address", async () => {
  const { received, ...settings } = await startServer();
  await deliverMail({ ...MAIL, to: "asha@example.com, eve@example.com" }, settings);
  expect(received.flatMap(({ to }) => to)).not.toContain("eve@example.com");
});

test("a mail with an unsubscribe URL has it in headers for mail programs", async () => {
  const { received, ...settings } = await startServer();
  const unsubscribe = `https://desk.example/api/unsubscribe/${"a".repeat(90)}`;
  await deliverMail({ ...MAIL, unsubscribe }, settings);
  const [mail] = received;
  expect(mail?.text.replaceAll(/\r\n[ \t]+/g, " ")).toContain(
    `List-Unsubscribe: <${unsubscribe}>`,
  );
  expect(mail?.text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
});

test("a rejected message and an unavailable mail server give the result “refused”", async () => {
  const { received, ...settings } = await startServer({ isRefusing: true });
  await expect(deliverMail(MAIL, settings)).resolves.toBe("refused");
  const nowhere = { url: "smtp://127.0.0.1:1", from: settings.from };
  await expect(deliverMail(MAIL, nowhere)).resolves.toBe("refused");
  expect(received).toEqual([]);
});

test("if the mail server closes the connection before it answers, the result is “unknown”", async () => {
  const started = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session) => {
      stream.resume().on("end", () => started.connections.forEach((one) => one.close()));
      expect(session.envelope.rcptTo).toHaveLength(1);
    },
  });
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  const { port } = started.server.address() as AddressInfo;
  const settings = { url: `smtp://127.0.0.1:${port}`, from: "desk@example.com" };
  await expect(deliverMail(MAIL, settings)).resolves.toBe("unknown");
});
