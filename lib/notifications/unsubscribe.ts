import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "#lib/crypto/derived-key.ts";
import { env } from "#lib/env.ts";
import { isNoticeKind, type NoticeKind } from "./rules.ts";

/** The notice that a link in a mail switches off. */
interface Unsubscription {
  setting_id: string;
  kind: NoticeKind;
}

const signatureOf = (text: string): Buffer =>
  createHmac("sha256", deriveKey(env().NEXTAUTH_SECRET, "unsubscribe")).update(text).digest();

/**
 * The signed part of a link that switches one kind of mail off without signing in. It does nothing else
 * and does not expire, because mails are kept.
 */
export function unsubscribeToken({ setting_id, kind }: Unsubscription): string {
  const text = `${setting_id}.${kind}`;
  return `${text}.${signatureOf(text).toString("base64url")}`;
}

/** @returns null for a text that this installation did not sign */
export function readUnsubscribeToken(token: string): Unsubscription | null {
  const [, text = "", setting_id = "", kind = "", signature = ""] =
    /^(([0-9a-f-]{36})\.([a-z_]{1,40}))\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, "base64url");
  const own = signatureOf(text);
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
  return isNoticeKind(kind) ? { setting_id, kind } : null;
}

/** The page that a person opens from a mail, and where a mail program posts by itself (RFC 8058). */
export function unsubscribeLinks(token: string): { page: string; oneClick: string } {
  const base = env().NEXTAUTH_URL;
  return {
    page: new URL(`/unsubscribe/${token}`, base).href,
    oneClick: new URL(`/api/unsubscribe/${token}`, base).href,
  };
}
