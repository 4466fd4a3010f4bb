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
}

const TIMEOUT_MS = 10_000;

/** Whether mail can be sent; if not, pages offer a link to copy instead. */
export const isMailConfigured = () =>
  env().SMTP_URL !== undefined && env().MAIL_FROM !== undefined;

/** @returns whether the mail server accepted the mail */
export async function sendMail(mail: Mail): Promise<boolean> {
  const { SMTP_URL: url, MAIL_FROM: from } = env();
  return url !== undefined && from !== undefined && deliverMail(mail, { url, from });
}

export async function deliverMail(
  { to, subject, text }: Mail,
  { url, from }: { url: string; from: string },
): Promise<boolean> {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // nodemailer must not read a file or URL that the text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    return true;
  } catch (error) {
    // The error's message would put the email address into the log.
    const code = errorCode(error) || "no code";
    logLine(`mail: the server did not accept a message (${code})`);
    return false;
  } finally {
    transport.close();
  }
}
