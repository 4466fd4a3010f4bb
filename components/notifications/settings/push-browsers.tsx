"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { FailureNotice, useAction } from "#components/forms/use-action.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Monitor } from "#components/ui/icons.tsx";
import { describeDevice } from "#lib/account/rules.ts";
import { addPushBrowserAction, removePushBrowserAction } from "#lib/notifications/actions.ts";
import type { PushBrowser } from "#lib/notifications/rules.ts";
import {
  endOwnSubscription,
  ownPushEndpoint,
  subscribeToPush,
  type PushProblem,
} from "./subscribe-to-push.ts";

interface PushBrowsersProps {
  pushKey: string;
  browsers: PushBrowser[];
}

/** The person's browsers; the service worker is installed only when one is added. */
export function PushBrowsers({ pushKey, browsers }: PushBrowsersProps) {
  const t = useTranslations("notices.browsers");
  const router = useRouter();
  const [own, setOwn] = useState<string | null>(null);
  const [problem, setProblem] = useState<PushProblem | null>(null);
  const [isAsking, setAsking] = useState(false);
  const adding = useAction(addPushBrowserAction);
  const isAdded = browsers.some(({ endpoint, is_stale }) => endpoint === own && !is_stale);

  useEffect(() => {
    void ownPushEndpoint().then(setOwn);
  }, []);

  async function add() {
    setProblem(null);
    setAsking(true);
    const subscribed = await subscribeToPush(pushKey);
    if (typeof subscribed === "string") setProblem(subscribed);
    else if (await adding.run(subscribed)) {
      setOwn(subscribed.endpoint);
      router.refresh();
    }
    setAsking(false);
  }

  return (
    <Card aria-labelledby="browsers">
      <div className="grid gap-3 px-4 pt-3 pb-3 sm:px-5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-72">
            <CardTitle id="browsers">{t("title")}</CardTitle>
            <p className="text-sm text-pretty text-muted">{t("text")}</p>
          </div>
          {!isAdded && (
            <Button isPending={isAsking} onClick={() => void add()}>
              {t("add")}
            </Button>
          )}
        </div>
        <FailureNotice failure={adding.failure} />
        <div role="status" className="empty:sr-only">
          {problem && <p className="text-warning">{t(problem)}</p>}
          {isAdded && <p className="sr-only">{t("added")}</p>}
        </div>
        <p className="text-sm text-pretty text-muted">{t("install")}</p>
      </div>
      {browsers.length === 0 ? (
        <p className="border-t px-4 py-3 text-muted sm:px-5">{t("none")}</p>
      ) : (
        <ul aria-labelledby="browsers" className="divide-y border-t">
          {browsers.map((browser) => (
            <BrowserRow key={browser.id} browser={browser} isOwn={browser.endpoint === own} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function BrowserRow({ browser, isOwn }: { browser: PushBrowser; isOwn: boolean }) {
  const t = useTranslations("notices.browsers");
  const device = describeDevice(useTranslations("account"), browser.user_agent);
  const format = useFormat();
  const router = useRouter();
  const { run, isPending, failure } = useAction(removePushBrowserAction);
  async function remove() {
    if (!(await run({ id: browser.id }))) return;
    await endOwnSubscription(browser.endpoint);
    router.refresh();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <Monitor aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {isOwn && <Badge tone="accent">{t("this")}</Badge>}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {browser.is_stale
            ? t("stale")
            : t("since", { date: format.dateTime(browser.created_at) })}
        </p>
        <FailureNotice failure={failure} />
      </div>
      <Button
        isPending={isPending}
        aria-label={t("removeOf", { device })}
        onClick={() => void remove()}
      >
        {t("remove")}
      </Button>
    </li>
  );
}
