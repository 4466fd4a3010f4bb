import { connect, isIP, type Socket } from "node:net";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import * as z from "zod";
import { guardedLookup, PrivateTarget, resolveByDns } from "../../outgoing/guarded-lookup.ts";
import { isRefusedAddress } from "../../webhooks/target.ts";
import { secretText } from "../../outgoing/settings.ts";
import { defineAdapter } from "./adapter.ts";
import { readBounce } from "./bounces.ts";
import type { ChannelIo, OutgoingMessage, SendResult } from "./channel.ts";
import { describeGatewayError, targetRulesOf } from "../../outgoing/gateway.ts";

const STEP_MS = 10_000;
const IDLE_MS = 30_000;
const WHOLE_MS = 60_000;
/** A greylisting server accepts a message that comes again after some minutes. */
const LATER_SECONDS = 5 * 60;
const MAIL_PORTS = [25, 465, 587, 2525];

const ADDRESS =
  /^[^\s@<>"(),:;\\[\]\p{Cc}]{1,64}@([\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u;
const address = z.string().max(254).regex(ADDRESS);

const SmtpSettings = z
  .strictObject({
    host: z
      .string()
      .regex(/^[A-Za-z0-9.:-]{1,253}$/)
      .describe("The mail server."),
    port: z.int().min(1).max(65_535).default(587).describe("465 with TLS, 587 with STARTTLS."),
    security: z
      .enum(["starttls", "tls", "none"])
      .default("starttls")
      .describe("How the connection is encrypted; “none” only inside the own network."),
    user: z.string().min(1).max(254).optional().describe("The user to log in as."),
    password: z.string().min(1).max(500).optional().describe("The password of the user."),
    from: address.describe("The sender's mail address."),
    fromName: z
      .string()
      .regex(/^[^\p{Cc}]{1,100}$/u)
      .optional()
      .describe("The sender's name."),
    replyTo: address.optional().describe("Where answers go; the sender if empty."),
    returnPath: address
      .optional()
      .describe("Where mail that could not be delivered is returned to; the sender if empty."),
    bounceSecret: secretText()
      .optional()
      .describe(
        "A secret with which your mail server may post such mail to the address for delivery reports.",
      ),
  })
  .refine(({ user, password }) => Boolean(user) === Boolean(password), {
    error: "A login has a user and a password.",
    path: ["password"],
  });
type SmtpSettings = z.infer<typeof SmtpSettings>;

type Refusal = Extract<SendResult, { state: "failed" }>;

class Refused extends Error {}

/** The session with a mail server; `hasLeft` once it has been given the message. */
class Session {
  hasLeft = false;
  private readonly settings: SmtpSettings;
  private readonly io: ChannelIo;
  private socket: Socket | undefined;
  private connection: SMTPConnection | undefined;

  constructor(settings: SmtpSettings, io: ChannelIo) {
    this.settings = settings;
    this.io = io;
  }

  /** Connects, calls `steps`, and closes; the signal or a time limit ends it early. */
  async run(steps: (session: Session) => Promise<void>): Promise<void> {
    const signal = AbortSignal.any([this.io.signal, AbortSignal.timeout(WHOLE_MS)]);
    const stopped = Promise.withResolvers<never>();
    const timedOut = Object.assign(new Error(), { code: "ETIMEDOUT" });
    if (signal.aborted) throw timedOut;
    const stop = () => stopped.reject(timedOut);
    signal.addEventListener("abort", stop);
    try {
      await Promise.race([stopped.promise, this.open().then(() => steps(this))]);
    } finally {
      signal.removeEventListener("abort", stop);
      this.close();
    }
  }

  private async open() {
    const { host, port, security, user = "", password = "", from } = this.settings;
    const rules = targetRulesOf(this.io);
    const isGuarded = rules.mode === "live";
    if (isGuarded && security === "none")
      throw new Refused("The connection to the mail server has to be encrypted.");
    if (isGuarded && !MAIL_PORTS.includes(port))
      throw new Refused(`Use one of the ports ${MAIL_PORTS.join(", ")}.`);
    if (isIP(host) !== 0 && isRefusedAddress(rules, host)) throw new PrivateTarget();
    const lookup = guardedLookup(this.io.resolve ?? resolveByDns, rules);
    const socket = connect({ host, port, lookup, timeout: STEP_MS });
    this.socket = socket;
    await new Promise<void>((done, fail) => {
      socket.once("connect", done).once("error", fail);
      socket.once("timeout", () => fail(Object.assign(new Error(), { code: "ETIMEDOUT" })));
    });
    socket.removeAllListeners();
    socket.setTimeout(0);
    const connection = new SMTPConnection({
      host,
      port,
      connection: socket,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      name: from.slice(from.lastIndexOf("@") + 1),
      greetingTimeout: STEP_MS,
      connectionTimeout: STEP_MS,
      socketTimeout: IDLE_MS,
    });
    this.connection = connection;
    await this.step((done) => connection.connect(done));
    if (user) await this.step((done) => connection.login({ user, pass: password }, done));
  }

  send(envelope: SMTPConnection.Envelope, raw: Buffer) {
    const left = () => (this.hasLeft = true);
    // Read only when the server has asked for the message.
    const message = Readable.from(
      (function* () {
        left();
        yield raw;
      })(),
    );
    return this.step((done) =>
      this.connection?.send(envelope, message, (error) => done(error)),
    );
  }

  private step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise<void>((done, fail) => {
      this.connection?.once("error", fail);
      begin((error) => {
        this.connection?.off("error", fail);
        if (error) fail(error);
        else done();
      });
    });
  }

  private close() {
    // An error after the result is known is of no interest.
    this.connection?.on("error", () => {});
    this.socket?.on("error", () => {});
    if (this.connection) this.connection.close();
    this.socket?.destroy();
  }
}

/** The server's refusal, with its enhanced status code if it gives one; null if there is none. */
function replyOf(error: unknown) {
  const { responseCode, response, command, code } = error as SMTPConnection.SMTPError;
  if (!responseCode || responseCode < 400 || responseCode > 599) return null;
  const finer = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
  const said = finer ? `${responseCode} ${finer}` : String(responseCode);
  return { status: responseCode, said, step: command ?? "", isLogin: code === "EAUTH" };
}

const LOGIN = new Set([530, 534, 535, 538]);

function refusalOf({ status, said, step, isLogin }: NonNullable<ReturnType<typeof replyOf>>) {
  const failed = (about: Refusal["about"], text: string): Refusal => ({
    state: "failed",
    code: said,
    about,
    text: `${text} (${said}).`,
  });
  if (isLogin || LOGIN.has(status))
    return failed("credentials", "The mail server does not accept the login");
  if (step === "RCPT TO")
    return failed("recipient", "The mail server does not accept the recipient");
  if (step === "DATA") return failed("message", "The mail server does not accept the message");
  if (step === "MAIL FROM")
    return failed("credentials", "The mail server does not accept the sender");
  return failed("credentials", "The mail server refuses the connection");
}

/** What a failed session means for the message. */
function resultOf(error: unknown, hasLeft: boolean): SendResult {
  if (error instanceof Refused || error instanceof PrivateTarget) {
    const text = error.message || "The name leads to a private address: not connected.";
    return { state: "failed", code: "address_refused", text, about: "credentials" };
  }
  const reply = replyOf(error);
  if (reply && reply.status >= 500) return refusalOf(reply);
  if (reply)
    return {
      state: "retry",
      code: reply.said,
      text: `The mail server takes the message later (${reply.said}).`,
      afterSeconds: LATER_SECONDS,
    };
  const { originalCode } = error as { originalCode?: string };
  const text = describeGatewayError(
    originalCode ? Object.assign(new Error(), { code: originalCode }) : error,
  ).replaceAll("gateway", "mail server");
  return hasLeft
    ? { state: "unknown", text }
    : { state: "retry", code: "not_reached", text, afterSeconds: null };
}

async function mailOf(message: OutgoingMessage, settings: SmtpSettings) {
  const { from, fromName = "", replyTo, returnPath } = settings;
  const { attachment } = message;
  const id = message.id.replaceAll(/[^\w.-]/g, "");
  const messageId = `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`;
  const composed = new MailComposer({
    from: { name: fromName, address: from },
    to: { name: "", address: message.to },
    ...(replyTo && { replyTo: { name: "", address: replyTo } }),
    subject: message.subject ?? "",
    text: message.text,
    attachments: attachment
      ? [
          {
            filename: attachment.name,
            contentType: attachment.mediaType,
            content: attachment.content,
          },
        ]
      : [],
    messageId,
    headers: {
      // Asks automatic responders not to answer.
      "Auto-Submitted": "auto-generated",
      ...(message.unsubscribeUrl && {
        "List-Unsubscribe": `<${new URL(message.unsubscribeUrl).href}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const raw = await composed.build();
  const { from: sender, to } = composed.getEnvelope();
  const envelope: SMTPConnection.Envelope = {
    from: returnPath ?? sender,
    to,
    size: raw.length,
    dsn: { ret: "HDRS", envid: id, notify: ["FAILURE", "DELAY"] },
  };
  return { messageId, raw, envelope };
}

/** SMTP (RFC 5321) with TLS, delivery status notifications and one-click unsubscribing. */
export const smtp = defineAdapter<SmtpSettings>({
  provider: "smtp",
  channel: "email",
  settings: SmtpSettings,
  secrets: ["password", "bounceSecret"],
  send: async (message, settings, io) => {
    if (!ADDRESS.test(message.to) || message.to.length > 254)
      return {
        state: "failed",
        code: "wrong_address",
        text: "The recipient's mail address is not valid.",
        about: "recipient",
      };
    const { messageId, raw, envelope } = await mailOf(message, settings);
    const session = new Session(settings, io);
    try {
      await session.run((opened) => opened.send(envelope, raw));
      return { state: "accepted", reference: messageId };
    } catch (error) {
      return resultOf(error, session.hasLeft);
    }
  },
  check: async (settings, io) => {
    try {
      await new Session(settings, io).run(async () => {});
      const text = settings.user
        ? "The mail server accepts the login."
        : "The mail server answers; no login was tried.";
      return { ok: true, text };
    } catch (error) {
      const result = resultOf(error, false);
      return { ok: false, text: result.state === "accepted" ? "" : result.text };
    }
  },
  readReports: (request, { bounceSecret }) => readBounce(request, bounceSecret),
});
