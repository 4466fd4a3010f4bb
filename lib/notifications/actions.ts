"use server";

import { getTranslations } from "next-intl/server";
import * as z from "zod";
import { reserveAttempt } from "#lib/auth/credentials/throttle.ts";
import { personAction } from "#lib/auth/guards/action.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { currentVisit } from "#lib/auth/sessions/cookies.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { isMailConfigured, sendMail } from "#lib/mail.ts";
import { scopePath } from "#lib/scope.ts";
import { markNotificationsRead } from "./notification-store.ts";
import { MOST_BROWSERS, NOTICE_KINDS, NOTICES_PAGE, type TestResult } from "./rules.ts";
import { addPushBrowser, pushToPerson, removePushBrowser } from "./sending/browsers.ts";
import { isPushEndpoint } from "./sending/push.ts";
import { saveNoticeChoices } from "./store.ts";

/** Marks notifications as read. Not in the audit log, because it concerns only the user. */
export const markNotificationsReadAction = sellerAction({
  name: "notifications.read",
  permission: "subscriptions:read",
  input: z.object({ until: z.iso.datetime({ offset: true }) }),
  run: async ({ owner, user }, { until }, note) => {
    note.action = null;
    await markNotificationsRead(database(), owner, { user_id: user.id, until });
    return null;
  },
});

/** Stores the member's choices of notices. Not in the audit log either. */
export const saveNoticeChoicesAction = sellerAction({
  name: "notifications.choose",
  permission: "dashboard:open",
  input: z.object({
    mail: z.array(z.enum(NOTICE_KINDS)),
    push: z.array(z.enum(NOTICE_KINDS)),
    morning_at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, message("notices.form.badTime")),
    shows_names: z.boolean(),
  }),
  run: async ({ owner, user, role }, choices, note) => {
    note.action = null;
    await saveNoticeChoices(database(), owner, { user_id: user.id, role }, choices);
    return null;
  },
});

/** Sends the member a test mail and a test push. */
export const sendTestNoticeAction = sellerAction({
  name: "notifications.send-test",
  permission: "dashboard:open",
  input: z.object({}),
  run: async ({ scope, user }, _input, note): Promise<TestResult> => {
    note.action = null;
    const subject = { limit: "making", of: ["notice test", user.id] } as const;
    const { wait_seconds } = await reserveAttempt(database(), [subject], new Date());
    if (wait_seconds > 0)
      throw new AppError({ kind: "rate_limited", retry_after: wait_seconds });
    const t = await getTranslations("notices.test");
    const url = scopePath(scope, NOTICES_PAGE);
    const [mail, { accepted }] = await Promise.all([
      mailTest(user.email, { subject: t("subject"), text: t("body") }),
      pushToPerson(
        database(),
        user.id,
        { title: t("subject"), body: t("body"), url, tag: "test" },
        TEST_TTL,
      ),
    ]);
    return { mail, browsers: accepted };
  },
});

/** Seconds for which a push service keeps a test. */
const TEST_TTL = 600;

async function mailTest(
  to: string,
  mail: { subject: string; text: string },
): Promise<TestResult["mail"]> {
  if (!isMailConfigured()) return "off";
  return (await sendMail({ to, ...mail })) ? "sent" : "failed";
}

const KEY = /^[\w-]+$/;

const NOT_ADDED = {
  too_many: message("notices.browsers.many", { count: MOST_BROWSERS }),
  taken: message("notices.browsers.taken"),
  no_key: message("notices.noPush.title"),
};

/** Adds the browser that calls it to those that get the person's pushes. */
export const addPushBrowserAction = personAction({
  input: z.object({
    endpoint: z.url().max(1_000).refine(isPushEndpoint),
    p256dh: z.string().regex(KEY).length(87),
    auth: z.string().regex(KEY).length(22),
  }),
  run: async ({ user }, target) => {
    const { user_agent } = await currentVisit();
    const problem = await addPushBrowser(database(), user.id, { ...target, user_agent });
    if (problem === null) return null;
    throw new AppError({ kind: "conflict", detail: NOT_ADDED[problem] });
  },
});

export const removePushBrowserAction = personAction({
  input: z.object({ id: z.guid() }),
  run: async ({ user }, { id }) => {
    if (!(await removePushBrowser(database(), user.id, id)))
      throw new AppError({ kind: "not_found" });
    return null;
  },
});
