import "server-only";
import nodemailer from "nodemailer";
import { errorCode } from "#contract/process/log.ts";
import { env } from "#lib/env.ts";
import { logLine } from "#lib/log.ts";

export interface Mail {
  to: string;
  subject: string;
  /** The plain text. Without HTML no link is hidden and mail programs fetch nothing. */
  text: string;
  /** The URL to which mail programs post to stop mails of this kind (RFC 8058). */
  unsubscribe?: string;
}

/** `refused`: the mail was not sent. `unknown`: the connection ended before an answer. */
type MailOutcome = "accepted" | "refused" | "unknown";

const TIMEOUT_MS = 10_000;

/** Whether mail can be sent; if not, pages offer a link to copy instead. */
export const isMailConfigured = () =>
  env().SMTP_URL !== undefined && env().MAIL_FROM !== undefined;

/** @returns whether the mail server accepted the mail */
export const sendMail = async (mail: Mail): Promise<boolean> =>
  (await trySendMail(mail)) === "accepted";

/** Sends a mail; `refused` if no mail server is configured. */
export async function trySendMail(mail: Mail): Promise<MailOutcome> {
  const { SMTP_URL: url, MAIL_FROM: from } = env();
  return url === undefined || from === undefined ? "refused" : deliverMail(mail, { url, from });
}

export async function deliverMail(
  { to, subject, text, unsubscribe }: Mail,
  { url, from }: { url: string; from: string },
): Promise<MailOutcome> {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // nodemailer must not read a file or URL that the text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const headers = unsubscribe && {
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "Auto-Submitted": "auto-generated",
  };
  try {
    const recipient = { name: "", address: to };
    await transport.sendMail({
      from,
      to: recipient,
      subject,
      text,
      ...(headers && { headers }),
    });
    return "accepted";
  } catch (error) {
    // The error's message would put the email address into the log.
    const code = errorCode(error) || "no code";
    logLine(`mail: the server did not accept a message (${code})`);
    return isRefusal(error) ? "refused" : "unknown";
  } finally {
    transport.close();
  }
}

/** Whether the server answered with a refusal, or was not reached at all. */
const isRefusal = (error: unknown) =>
  error instanceof Error &&
  (("responseCode" in error && typeof error.responseCode === "number") ||
    ("syscall" in error && ["connect", "getaddrinfo"].includes(String(error.syscall))) ||
    ["EAUTH", "EDNS"].includes(errorCode(error)));
