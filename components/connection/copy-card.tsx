"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { Moment } from "#components/values/moment.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { showToast } from "#components/ui/overlays/toast.ts";
import { describeFailure } from "#lib/failure.ts";
import {
  requestFullSyncAction,
  startCopyAction,
  stopCopyAction,
} from "#lib/search-index/actions.ts";
import {
  indexQuery,
  type IndexSettings,
  type ListProgress,
} from "#lib/search-index/queries.ts";

/** The copy that is searched and counted: whether there is one, how old it is, how far it has come. */
export function CopyCard({ initial }: { initial: IndexSettings }) {
  const t = useTranslations("connection.copy");
  const query = indexQuery(useScope());
  const { data: copy } = useQuery({ ...query, initialData: initial });
  const queryClient = useQueryClient();
  const starting = useSellerAction(startCopyAction);
  const stopping = useSellerAction(stopCopyAction);
  const looking = useSellerAction(requestFullSyncAction);
  const refresh = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const isOn = copy.state !== "off";

  async function change(is_on: boolean) {
    if (await (is_on ? starting : stopping).run({})) await refresh();
  }

  async function look() {
    if (!(await looking.run({}))) return;
    showToast({ text: t("looking") });
    await refresh();
  }

  return (
    <Card className="mt-4 max-w-2xl p-4 sm:p-5">
      <div className="flex items-center justify-between gap-4">
        <CardTitle>{t("title")}</CardTitle>
        <Switch
          label={t("switch")}
          isOn={isOn}
          isPending={starting.isPending || stopping.isPending}
          onSwitch={(is_on) => void change(is_on)}
        />
      </div>
      <p className="mt-1 mb-4 text-muted">{t("text")}</p>
      <FailureNotice failure={starting.failure ?? stopping.failure ?? looking.failure} />
      {isOn && (
        <>
          <CopyFacts copy={copy} />
          <div className="mt-5">
            <Button isPending={looking.isPending} onClick={() => void look()}>
              {t("look")}
            </Button>
          </div>
          {copy.hint_url && <HintAddress url={copy.hint_url} />}
        </>
      )}
    </Card>
  );
}

function CopyFacts({ copy }: { copy: IndexSettings }) {
  const t = useTranslations("connection.copy");
  const tAll = useTranslations();
  const { state, read_at, lists, failure } = copy;
  return (
    <>
      {failure && (
        <Notice look="warning" icon={CircleAlert} role="status" className="mb-4">
          {t("why", { title: describeFailure(tAll, failure).title })}
        </Notice>
      )}
      <dl className="divide-y border-y">
        <Fact name={t("state")}>
          {t(`states.${failure && state !== "ready" ? "halted" : state}`)}
        </Fact>
        <Fact name={t("age")}>
          {read_at ? (
            <Moment iso={read_at} />
          ) : (
            <span className="text-muted">{t("never")}</span>
          )}
        </Fact>
        {lists.map((progress) => (
          <Fact key={progress.list} name={t(`lists.${progress.list}`)}>
            <Progress {...progress} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

function Progress({ read, total, is_walking }: ListProgress) {
  const t = useTranslations("connection.copy.progress");
  const format = useFormat();
  const values = { read: format.count(read), total: format.count(total ?? read) };
  if (!is_walking) return read === 0 && total === null ? t("waiting") : t("whole", values);
  return total === null ? t("unknown", values) : t("known", values);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}

function HintAddress({ url }: { url: string }) {
  const t = useTranslations("connection.copy.hints");
  return (
    <div className="mt-5">
      <h3 className="font-medium">{t("label")}</h3>
      <p className="mt-1 mb-2 text-sm text-muted">{t("text")}</p>
      <CodeBlock text={url} copyLabel={t("copy")} />
    </div>
  );
}
