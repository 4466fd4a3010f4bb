import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** How the next session with the mail server goes wrong. */
export const MAIL_FAULTS = {
  closing: { takes: false },
  greylisted: { takes: false },
  unknown_recipient: { takes: false },
  sender_refused: { takes: false },
  login_refused: { takes: false },
  login_later: { takes: false },
  login_needed: { takes: false },
  content_refused: { takes: false },
  data_later: { takes: false },
  hang_before: { takes: false },
  hang_after: { takes: true },
  close_after: { takes: true },
} as const;
export type MailFault = keyof typeof MAIL_FAULTS;

interface TakenMail {
  to: string;
  from: string;
  /** The whole message as it came. */
  raw: string;
  /** The sender's request for delivery status notifications. */
  dsn: { ret: string | null; envid: string | null; notify: unknown };
}

const reply = (responseCode: number, text: string) =>
  Object.assign(new Error(text), { responseCode });

interface MailAccount {
  user: string;
  password: string;
  /** With a certificate the server demands STARTTLS before a login. */
  certificate?: { key: string; cert: string };
  /** TLS from the first byte on in place of STARTTLS. */
  isImplicit?: boolean;
}

/** A mail server on loopback that knows one user. */
export class MailSimulator {
  readonly taken: TakenMail[] = [];
  private faults: MailFault[] = [];
  private fault: MailFault | undefined;
  private readonly waiting: (() => void)[] = [];
  private readonly server: SMTPServer;

  private constructor({ user, password, certificate, isImplicit = false }: MailAccount) {
    this.server = new SMTPServer({
      ...(certificate ?? { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
      secure: isImplicit,
      logger: false,
      hideDSN: false,
      closeTimeout: 50,
      onConnect: (_session, done) => {
        this.fault = this.faults.shift();
        if (this.fault === "hang_before") this.arrive();
        else done(this.fault === "closing" ? reply(421, "4.3.2 Shutting down") : null);
      },
      onAuth: (auth, _session, done) => {
        if (this.fault === "login_later") done(reply(454, "Temporary failure"));
        else if (
          this.fault === "login_refused" ||
          auth.username !== user ||
          auth.password !== password
        )
          done(reply(535, `Login of ${auth.username} refused`));
        else done(null, { user });
      },
      onMailFrom: ({ address }, _session, done) =>
        done(this.fault === "sender_refused" ? reply(550, `No ${address} here`) : null),
      onRcptTo: ({ address }, _session, done) => {
        if (this.fault === "greylisted") done(reply(451, `Greylisted ${address}`));
        else if (this.fault === "login_needed") done(reply(530, "5.7.0 Log in first"));
        else if (this.fault === "unknown_recipient")
          done(reply(550, `5.1.1 No such user ${address}`));
        else done();
      },
      onData: (stream, session, done) => {
        let raw = "";
        stream.setEncoding("utf8").on("data", (chunk: string) => (raw += chunk));
        stream.on("end", () => this.conclude(raw, session, done));
      },
    });
    this.server.on("error", () => {});
  }

  static async listen(account: MailAccount, port = 0): Promise<MailSimulator> {
    const simulator = new MailSimulator(account);
    await new Promise<void>((done) => simulator.server.listen(port, "127.0.0.1", done));
    return simulator;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  next(fault: MailFault): void {
    this.faults.push(fault);
  }

  clear(): void {
    this.taken.length = 0;
    this.faults = [];
  }

  /** Resolves when a mail has been taken, or a session hangs at its start. */
  arrival(): Promise<void> {
    return new Promise((done) => this.waiting.push(done));
  }

  close(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }

  private arrive() {
    for (const done of this.waiting.splice(0)) done();
  }

  private conclude(raw: string, session: SMTPServerSession, done: (error?: Error) => void) {
    const { fault } = this;
    if (fault === "content_refused") return done(reply(554, `5.6.0 Refused: ${raw}`));
    if (fault === "data_later") return done(reply(452, "4.3.1 No space"));
    const { mailFrom, rcptTo } = session.envelope;
    const { dsn } = session.envelope as { dsn?: { ret?: string; envid?: string } };
    const [recipient] = rcptTo as { address: string; dsn?: { notify?: unknown } }[];
    this.taken.push({
      to: recipient?.address ?? "",
      from: mailFrom === false ? "" : mailFrom.address,
      raw,
      dsn: {
        ret: dsn?.ret ?? null,
        envid: dsn?.envid ?? null,
        notify: recipient?.dsn?.notify ?? null,
      },
    });
    this.arrive();
    if (fault === "close_after") this.cut(session.id);
    else if (fault !== "hang_after") done();
  }

  private cut(sessionId: string) {
    for (const connection of this.server.connections as Set<{
      id: string;
      _socket: { destroy(): void };
    }>)
      if (connection.id === sessionId) connection._socket.destroy();
  }
}
