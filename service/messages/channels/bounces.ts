import { isSame } from "../../outgoing/settings.ts";
import { codeOf } from "./adapter.ts";
import type { ReadReports, ReportedState, ReportRequest } from "./channel.ts";

/** The most parts that are read; a mail server's notification has fewer. */
const MOST_PARTS = 10;
const OUR_ID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

type Fields = Map<string, string>;

/** Header fields by name in lower case, the first of each; continued lines are joined. */
function fieldsIn(text: string): Fields {
  const lines = text.replaceAll(/\n[ \t]+/g, " ").split("\n");
  const fields: Fields = new Map();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

interface Part {
  type: string;
  fields: Fields;
  body: string;
}

function partOf(text: string): Part {
  const end = text.indexOf("\n\n");
  const fields = fieldsIn(end < 0 ? text : text.slice(0, end));
  const [type = ""] = (fields.get("content-type") ?? "").split(";");
  return { type: type.trim().toLowerCase(), fields, body: end < 0 ? "" : text.slice(end + 2) };
}

/** The parts of a report about a delivery; none for any other mail. */
function partsOf(mail: string): Part[] {
  const { type, fields, body } = partOf(mail);
  const boundary = /;\s*boundary\s*=\s*(?:"([^"\n]{1,100})"|([^\s;"]{1,100}))/i.exec(
    fields.get("content-type") ?? "",
  );
  const line = boundary?.[1] ?? boundary?.[2];
  if (type !== "multipart/report" || line === undefined) return [];
  return `\n${body}`
    .split(`\n--${line}`)
    .slice(1, MOST_PARTS + 1)
    .map((part) => partOf(part.slice(part.indexOf("\n") + 1)));
}

const STATUSES = ["message/delivery-status", "message/global-delivery-status"];
const RETURNED = [
  "text/rfc822-headers",
  "message/rfc822",
  "message/global-headers",
  "message/global",
];

/** The failure of a mail of this channel that a notification (RFC 3464) reports; null if none. */
function readNotification(mail: string): ReportedState | null {
  const parts = partsOf(mail);
  const [about, ...recipients] = (parts.find(({ type }) => STATUSES.includes(type))?.body ?? "")
    .split(/\n{2,}/)
    .map(fieldsIn);
  // Each mail has one recipient; a mailing list that forwarded it may report several.
  const failed = recipients.find((one) => one.get("action")?.toLowerCase() === "failed");
  if (!about || !failed) return null;
  const returned = parts.find(({ type }) => RETURNED.includes(type))?.body ?? "";
  const [, reference = null, id = null] =
    new RegExp(`^(<(${OUR_ID})@[^\\s<>]{1,190}>)$`).exec(
      fieldsIn(returned.split("\n\n", 1)[0] ?? "").get("message-id") ?? "",
    ) ?? [];
  const envelope = about.get("original-envelope-id") ?? "";
  const messageId = new RegExp(`^${OUR_ID}$`).test(envelope) ? envelope : id;
  if (messageId === null) return null;
  const status = /^[45]\.\d{1,3}\.\d{1,3}/.exec(failed.get("status") ?? "");
  const code = status && codeOf(status[0]);
  return {
    reference: reference ?? `<${messageId}>`,
    messageId,
    state: "failed",
    code,
    at: null,
  };
}

/**
 * Reads a mail that came back, as the operator's mail server posts it.
 * @returns null without the right secret
 */
export function readBounce(
  { headers, rawBody }: ReportRequest,
  secret: string | undefined,
): ReadReports | null {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  if (secret === undefined || !isSame(given, secret)) return null;
  const report = readNotification(rawBody.toString("latin1").replaceAll(/\r\n?/g, "\n"));
  return { reports: report ? [report] : [] };
}
