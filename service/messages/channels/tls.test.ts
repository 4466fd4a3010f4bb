import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MailSimulator } from "#tools/simulators/smtp-simulator.ts";
import { createSelfSignedCertificate } from "../../testing/self-signed.ts";
import type { OutgoingMessage } from "./channel.ts";
import { smtp } from "./smtp.ts";
import { sparrow } from "./sparrow.ts";

const certificate = createSelfSignedCertificate("localhost");
const trusted = getCACertificates("default");
const trust = () => setDefaultCACertificates([...trusted, certificate.cert]);
afterEach(() => setDefaultCACertificates(trusted));

const MESSAGE: OutgoingMessage = {
  id: "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11",
  to: "+9779812345678",
  text: "Hello",
  subject: "Hello",
  kind: "reminder",
  template: null,
  unsubscribeUrl: null,
  reportUrl: null,
  validSeconds: null,
};
const io = () => ({ signal: new AbortController().signal, allowPrivate: true });

describe("an SMS gateway with TLS", () => {
  let server: Server;
  let arrived: number;
  beforeEach(async () => {
    arrived = 0;
    server = createServer(certificate, (request, response) => {
      arrived += 1;
      request.resume();
      if (request.url === "/cut/v2/sms/") request.on("end", () => response.destroy());
      else response.end(JSON.stringify({ count: 1, response_code: 200 }));
    });
    await new Promise<void>((done) => server.listen(0, "localhost", done));
  });
  afterEach(() => new Promise((done) => server.close(done)));

  const send = (path = "") => {
    const { port } = server.address() as AddressInfo;
    const baseUrl = `https://localhost:${port}${path}`;
    return sparrow.send(MESSAGE, { baseUrl, token: "token", from: "PHEWA" }, io());
  };

  it("with a trusted certificate accepts a message", async () => {
    trust();
    expect(await send()).toEqual({ state: "accepted", reference: null });
  });

  it("with an untrusted certificate gets no message", async () => {
    expect(await send()).toMatchObject({ state: "retry", code: "not_reached" });
    expect(arrived).toBe(0);
  });

  it("that closes the connection after a message gives the message the state 'unknown'", async () => {
    trust();
    expect(await send("/cut")).toMatchObject({ state: "unknown" });
    expect(arrived).toBe(1);
  });
});

describe("a mail server with TLS", () => {
  const ACCOUNT = { user: "desk", password: "mail-password" };

  it.each([
    ["starttls", false],
    ["tls", true],
  ])("accepts a mail with %s", async (security, isImplicit) => {
    trust();
    const server = await MailSimulator.listen({ ...ACCOUNT, certificate, isImplicit });
    const settings = {
      host: "localhost",
      port: server.port,
      security,
      ...ACCOUNT,
      from: "desk@phewa.example",
    };
    const message = { ...MESSAGE, to: "asha@buyers.example" };
    expect(await smtp.send(message, settings, io())).toMatchObject({ state: "accepted" });
    expect(server.taken).toHaveLength(1);
    await server.close();
  });
});
