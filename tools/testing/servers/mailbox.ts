import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail server that stores all messages. */
export async function startMailbox() {
  const received: { to: string; text: string }[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? new Error("no such mailbox") : undefined),
    onData: (stream, session, done) => {
      let text = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      stream.on("end", () => {
        // Quoted-printable breaks long lines, such as links.
        const bytes = text
          .replace(/=\r?\n/g, "")
          .replace(/=([\dA-F]{2})/g, (_whole, hex: string) =>
            String.fromCodePoint(Number.parseInt(hex, 16)),
          );
        const whole = Buffer.from(bytes, "latin1").toString();
        received.push({ to: session.envelope.rcptTo[0]?.address ?? "", text: whole });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Duebook <desk@example.com>" },
    received,
    /** Refuses mails to this address from now on. */
    refuse: (address: string) => refused.add(address),
    /** The first link of the last message to that address; empty if there is none. */
    linkTo: (to: string) =>
      /https?:\/\/\S+/.exec(received.findLast((mail) => mail.to === to)?.text ?? "")?.[0] ?? "",
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
