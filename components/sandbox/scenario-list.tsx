"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, type ComponentProps } from "react";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { resetSandboxAction, startScenarioAction } from "#lib/sandbox/actions.ts";
import { scenariosQuery, type Scenarios } from "#lib/sandbox/queries.ts";
import { scenarioText, scenarioTitle } from "#lib/sandbox/rules.ts";
import { ReplaceDialog } from "./replace-dialog.tsx";
import { useRestore, useRoleObstacle } from "./use-sandbox-action.tsx";

type Scenario = NonNullable<Scenarios>[number];
type Wish = { kind: "begin"; scenario: Scenario } | { kind: "reset" };

/** Scenarios to load, and the reset to the start of the loaded one. */
export function ScenarioListPanel() {
  const t = useTranslations("sandbox.scenarios");
  const query = useQuery(scenariosQuery(useScope()));
  const failure = useVisibleFailure(query, null);
  const [wish, setWish] = useState<Wish | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const { showUndoToast } = useRestore();
  const scenarios = query.data?.scenarios;
  const current = scenarios?.find(({ is_current }) => is_current);
  const ask = (wanted: Wish) => {
    setDone(null);
    setWish(wanted);
  };
  const finish = (words: string, undo: number | null) => {
    setWish(null);
    setDone(words);
    if (undo !== null) showUndoToast(words, undo);
  };
  return (
    <Card className="p-4 sm:p-5 lg:col-span-2" aria-labelledby="scenarios">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div>
          <CardTitle id="scenarios">{t("title")}</CardTitle>
          <p className="mt-1 text-sm text-muted">{t("text")}</p>
        </div>
        <WriteButton onClick={() => ask({ kind: "reset" })}>
          {t(current ? "toStart" : "toEmpty")}
        </WriteButton>
      </div>
      <div role="status" className="empty:sr-only">
        {done && (
          <Notice icon={CircleCheck} className="mt-3">
            {done}
          </Notice>
        )}
      </div>
      {failure ? (
        <FailurePanel failure={failure} query={query} />
      ) : (
        <Cards scenarios={scenarios} onBegin={(scenario) => ask({ kind: "begin", scenario })} />
      )}
      <BeginDialog wish={wish} onClose={() => setWish(null)} onDone={finish} />
      <ResetDialog
        isOpen={wish?.kind === "reset"}
        current={current}
        onClose={() => setWish(null)}
        onDone={finish}
      />
    </Card>
  );
}

interface CardsProps {
  /** Undefined while loading. */
  scenarios: Scenarios | undefined;
  onBegin: (scenario: Scenario) => void;
}

function Cards({ scenarios, onBegin }: CardsProps) {
  const t = useTranslations("sandbox");
  if (scenarios === undefined)
    return (
      <div aria-busy className="mt-4 grid gap-3 sm:grid-cols-2">
        {["a", "b", "c", "d"].map((key) => (
          <span key={key} className="skeleton h-32 rounded-md" />
        ))}
      </div>
    );
  if (scenarios === null || scenarios.length === 0)
    return <p className="mt-4 text-muted">{t("scenarios.none")}</p>;
  return (
    <ul className="mt-4 grid gap-3 sm:grid-cols-2">
      {scenarios.map((scenario) => (
        <li key={scenario.name} className="flex flex-col rounded-md border p-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-medium">{scenarioTitle(t, scenario.name)}</h3>
            {scenario.is_current && (
              <Badge icon={CircleCheck} className="bg-active-soft text-active">
                {t("scenarios.current")}
              </Badge>
            )}
          </div>
          <p className="mt-1 mb-3 text-sm text-muted">
            {scenarioText(t, scenario.name, scenario.description)}
          </p>
          <div className="mt-auto">
            <WriteButton onClick={() => onBegin(scenario)}>
              {t.rich(scenario.is_current ? "scenarios.again" : "scenarios.begin", {
                title: scenarioTitle(t, scenario.name),
                unseen: (words) => <span className="sr-only">{words}</span>,
              })}
            </WriteButton>
          </div>
        </li>
      ))}
    </ul>
  );
}

function WriteButton(props: Pick<ComponentProps<"button">, "onClick" | "children">) {
  const obstacle = useRoleObstacle("sandbox:write");
  return <ExplainedButton reason={obstacle} {...props} />;
}

interface WishDialogProps {
  onClose: () => void;
  onDone: (words: string, undo: number | null) => void;
}

function BeginDialog({ wish, onDone, ...props }: WishDialogProps & { wish: Wish | null }) {
  const t = useTranslations("sandbox");
  const scenario = wish?.kind === "begin" ? wish.scenario : null;
  const title = scenarioTitle(t, scenario?.name ?? "");
  return (
    <ReplaceDialog
      title={t("scenarios.beginTitle", { title })}
      label={t("scenarios.beginLabel")}
      isOpen={scenario !== null}
      action={startScenarioAction}
      input={{ name: scenario?.name ?? "" }}
      onDone={(undo) => onDone(t("scenarios.begun", { title }), undo)}
      {...props}
    >
      {scenario && scenarioText(t, scenario.name, scenario.description)}
    </ReplaceDialog>
  );
}

function ResetDialog({
  current,
  onDone,
  ...props
}: WishDialogProps & { isOpen: boolean; current: Scenario | undefined }) {
  const t = useTranslations("sandbox");
  const title = current && scenarioTitle(t, current.name);
  return (
    <ReplaceDialog
      title={t("scenarios.resetTitle")}
      label={t("scenarios.reset")}
      action={resetSandboxAction}
      input={{}}
      onDone={(undo) =>
        onDone(title ? t("scenarios.backAtStart", { title }) : t("scenarios.backAtEmpty"), undo)
      }
      {...props}
    >
      {title ? t("scenarios.toStartOf", { title }) : t("scenarios.toNone")}
    </ReplaceDialog>
  );
}
