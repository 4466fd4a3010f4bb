import type { FastifyReply } from "fastify";
import { html, type Html } from "./html.ts";

export interface Frame {
  title: string;
  body: Html;
  /** Where the browser goes by itself, without a script; the same page if no address is given. */
  onward?: { seconds: number; address?: string };
}

export function page({ title, body }: Frame): string {
  return html`<!doctype html>
    <html lang="en">
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
        <main>${body}</main>
      </body>
    </html> `.text;
}

export function sendPage(reply: FastifyReply, frame: Frame) {
  const { onward } = frame;
  if (onward)
    reply.header(
      "refresh",
      onward.address ? `${onward.seconds}; url=${onward.address}` : String(onward.seconds),
    );
  return reply.type("text/html; charset=utf-8").send(page(frame));
}

export const money = (currency: string, amount: string) => {
  const [whole = "", fraction = ""] = amount.split(".");
  return `${currency} ${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
};

export const longDate = (date: Temporal.PlainDate) =>
  date.toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric" });

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
