import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRequestOrigin } from "#contract/process/network.ts";
import { ApiError, isUnreachable, logFault, RETRY_SOON_HEADERS } from "../http/errors.ts";
import { html, type Html } from "../http/html.ts";
import { colorSheetLink, supportFooter, type Branding } from "./branding.ts";
import { LANGUAGES, readerOf, TEXTS, type PageReader } from "./reader.ts";
import type { CheckoutTexts } from "./texts-en.ts";

export interface PageFrame {
  title: string;
  body: Html;
  /**
   * The URL to which the browser goes after some seconds, without a script; without a URL it
   * reloads this page.
   */
  onward?: { seconds: number; address?: string };
  branding?: Branding;
  /** The query parameters that the language links keep. */
  query?: Record<string, string>;
}

function renderPage(
  { title, body, branding, query = {} }: PageFrame,
  reader: PageReader,
): string {
  return html`<!doctype html>
    <html lang="${reader.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/pay-assets/checkout.css" />
        ${branding && colorSheetLink(branding)}
        <link rel="icon" href="data:," />
      </head>
      <body>
        ${languageSwitch(reader, query)}
        <main>${body}${branding && supportFooter(branding, reader)}</main>
      </body>
    </html> `.text;
}

/** Links to the page in each language, in that language. */
function languageSwitch(
  { language: current, texts, canSwitch }: PageReader,
  query: Record<string, string>,
): Html | null {
  if (!canSwitch) return null;
  const addressIn = (lang: string) => `?${new URLSearchParams({ ...query, lang }).toString()}`;
  return html`<nav class="languages" aria-label="${texts.languages}">
    ${LANGUAGES.map((language) =>
      language === current
        ? html`<span aria-current="true">${TEXTS[language].name}</span>`
        : html`<a href="${addressIn(language)}" lang="${language}" hreflang="${language}"
            >${TEXTS[language].name}</a
          >`,
    )}
  </nav>`;
}

export function sendPage(reply: FastifyReply, frame: PageFrame, reader: PageReader) {
  const { onward } = frame;
  if (onward)
    reply.header(
      "refresh",
      onward.address ? `${onward.seconds}; url=${onward.address}` : String(onward.seconds),
    );
  return reply.type("text/html; charset=utf-8").send(renderPage(frame, reader));
}

export const noticeBox = (text: string | null, tone: "bad" | "good" | "calm" = "bad") =>
  text &&
  html`<p class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${text}</p>`;

function messagePage(title: string, text: string): PageFrame {
  return {
    title,
    body: html`<header><h1>${title}</h1></header>
      <p>${text}</p>`,
  };
}

/** @param formTargets where the page's forms may lead, as sources */
export const policyOf = (formTargets: string) =>
  `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`;

type FaultWords = Record<PageReader["language"], Partial<CheckoutTexts["fault"]>>;

/**
 * Headers and error pages of the pages for buyers, which refuse forms of other sites. Buyers return to
 * the shop by a link and a refresh, not by redirecting the form: form-action would silently block a
 * redirect to another origin.
 */
export function guardPages(
  app: FastifyInstance,
  {
    formTargets,
    publicUrl,
    faults,
  }: {
    formTargets: string;
    publicUrl: string;
    /** Texts of the error pages, instead of the checkout's. */
    faults?: FaultWords;
  },
) {
  const headers = {
    "content-security-policy": policyOf(formTargets),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
  };
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    if (request.method === "POST" && isForeign(request, publicUrl)) throw new ApiError(403, {});
  });
  app.setErrorHandler((error, request, reply) => sendFault(error, request, reply, faults));
}

function isForeign({ headers, protocol }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin";
  const { origin } = headers;
  const arrived = { host: headers.host, scheme: protocol };
  return origin !== undefined && !isRequestOrigin(origin, arrived, publicUrl);
}

function sendFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  faults: FaultWords | undefined,
) {
  const status = statusOf(error);
  if (status >= 500) logFault(request, error, "checkout failed");
  const kind = status === 404 ? "missing" : status < 500 ? "refused" : "broken";
  if (status === 503) reply.headers(RETRY_SOON_HEADERS);
  const reader = readerOf(request);
  const fault = { ...reader.texts.fault, ...faults?.[reader.language] };
  return sendPage(reply.code(status), messagePage(fault[kind], fault[`${kind}Text`]), reader);
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.status;
  if (error instanceof Error && "statusCode" in error) return Number(error.statusCode);
  return isUnreachable(error) ? 503 : 500;
}
