import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { guardPages, sendPage, type PageFrame } from "../checkout/page.ts";
import { LANGUAGE_QUERY, readerOf, type PageReader } from "../checkout/reader.ts";
import type { ServiceContext } from "../context.ts";
import { notFoundError } from "../http/errors.ts";
import { html } from "../http/html.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { findRecipient, setOptOut } from "./recipients.ts";
import { REMINDER_WORDS } from "./words.ts";

// Mail programs send only RFC 8058's field, which ends the reminders.
const Choice = z.object({ choice: z.enum(["stop", "resume"]).default("stop") });

/** The characters of a key; for anything else there is no page and no query. */
const KEY = /^[\w-]+$/;

type StopPage = FastifyRequest<{ Params: { key: string } }>;

/** The page on which a recipient ends or resumes reminders; its address is in each reminder. */
export async function stopRoutes(
  app: FastifyInstance,
  { pool, now, publicUrl }: ServiceContext,
) {
  await app.register(formbody, { bodyLimit: 1_024 });
  // RFC 8058 allows this form of the same field, too.
  app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (_, __, done) =>
    done(null, {}),
  );
  guardPages(app, { formTargets: "'self'", publicUrl });
  const show = async (key: string, reader: PageReader) => {
    const found = KEY.test(key) ? await findRecipient(pool, key) : null;
    if (!found) throw notFoundError();
    return stopPage(found, reader);
  };

  app.get(
    "/stop/:key",
    withRouteDoc({
      summary: "Show the page that stops reminders",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    async (request: StopPage, reply) => {
      const reader = readerOf(request);
      return sendPage(reply, await show(request.params.key, reader), reader);
    },
  );

  app.post(
    "/stop/:key",
    withRouteDoc({
      summary: "Stop or resume reminders",
      description: "Also for mail programs, as RFC 8058 describes: their request stops them.",
      success: "The page, which says whether reminders are sent",
      answer: "text/html",
      form: { schema: Choice, example: { choice: "stop" } },
    }),
    async (request: StopPage, reply) => {
      const { key } = request.params;
      const { choice } = Choice.catch({ choice: "stop" }).parse(request.body ?? {});
      const at = choice === "stop" ? now() : null;
      if (!KEY.test(key) || !(await setOptOut(pool, key, at))) throw notFoundError();
      const reader = readerOf(request);
      return sendPage(reply, await show(key, reader), reader);
    },
  );
}

function stopPage(
  { name, has_opted_out }: { name: string; has_opted_out: boolean },
  { language }: PageReader,
): PageFrame {
  const { title, running, ended, end, resume, keeps } = REMINDER_WORDS[language].page;
  return {
    title,
    body: html`<header><h1>${title}</h1></header>
      <p role="status">${has_opted_out ? ended(name) : running(name)}</p>
      <form method="post">
        <button name="choice" value="${has_opted_out ? "resume" : "stop"}">
          ${has_opted_out ? resume : end}
        </button>
      </form>
      <p>${keeps}</p>`,
  };
}
