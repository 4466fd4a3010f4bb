import type { FastifyReply } from "fastify";
import { html, type Html } from "../http/html.ts";
import { LANGUAGES, TEXTS, type Reader } from "./reader.ts";

export interface Frame {
  title: string;
  body: Html;
  /** Where the browser goes by itself, without a script; this page if no URL is given. */
  onward?: { seconds: number; address?: string };
  /** The query that the language links keep. */
  query?: Record<string, string>;
}

export function renderPage({ title, body, query = {} }: Frame, reader: Reader): string {
  return html`<!doctype html>
    <html lang="${reader.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/pay-assets/checkout.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        ${languageSwitch(reader, query)}
        <main>${body}</main>
      </body>
    </html> `.text;
}

/** Links to the page in each language, in that language. */
function languageSwitch(
  { language: current, texts, canSwitch }: Reader,
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

export function sendPage(reply: FastifyReply, frame: Frame, reader: Reader) {
  const { onward } = frame;
  if (onward)
    reply.header(
      "refresh",
      onward.address ? `${onward.seconds}; url=${onward.address}` : String(onward.seconds),
    );
  return reply.type("text/html; charset=utf-8").send(renderPage(frame, reader));
}

export const notice = (text: string | null, tone: "bad" | "good" | "calm" = "bad") =>
  text &&
  html`<p class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${text}</p>`;

export function messagePage(title: string, text: string): Frame {
  return {
    title,
    body: html`<header><h1>${title}</h1></header>
      <p>${text}</p>`,
  };
}
