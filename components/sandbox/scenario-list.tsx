"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { CircleCheck } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { resetSandboxAction, startScenarioAction } from "#lib/sandbox/actions.ts";
import { type Scenarios, scenariosQuery } from "#lib/sandbox/queries.ts";
import { scenarioText, scenarioTitle } from "#lib/sandbox/rules.ts";
import { type ActionResult, fieldText } from "#components/forms/use-action.tsx";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import type { Scope } from "#lib/scope.ts";
import {
  useRestore,
  useMissingPermissionText,
  useSandboxAction,
} from "./use-sandbox-action.tsx";

type Scenario = NonNullable<Scenarios>[number];
type Wish = Scenario | "reset";

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
        <WriteButton onClick={() => ask("reset")}>
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
        <Cards scenarios={scenarios} onBegin={ask} />
      )}
      {wish === "reset" && (
        <ResetDialog current={current} onClose={() => setWish(null)} onDone={finish} />
      )}
      {wish !== null && wish !== "reset" && (
        <BeginDialog scenario={wish} onClose={() => setWish(null)} onDone={finish} />
      )}
    </Card>
  );
}

interface CardsProps {
  /** The scenarios; undefined while loading, null if the service offers none. */
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
              <Badge icon={CircleCheck} tone="active">
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
  const obstacle = useMissingPermissionText("sandbox:write");
  return <ExplainedButton reason={obstacle} {...props} />;
}

interface WishDialogProps {
  onClose: () => void;
  onDone: (words: string, undo: number | null) => void;
}

function BeginDialog({
  scenario: { name, description },
  onDone,
  onClose,
}: WishDialogProps & { scenario: Scenario }) {
  const t = useTranslations("sandbox");
  const title = scenarioTitle(t, name);
  return (
    <ReplaceDialog
      title={t("scenarios.beginTitle", { title })}
      label={t("scenarios.beginLabel")}
      action={startScenarioAction}
      input={{ name }}
      onDone={(undo) => onDone(t("scenarios.begun", { title }), undo)}
      onClose={onClose}
    >
      {scenarioText(t, name, description)}
    </ReplaceDialog>
  );
}

function ResetDialog({
  current,
  onDone,
  onClose,
}: WishDialogProps & { current: Scenario | undefined }) {
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
      onClose={onClose}
    >
      {title ? t("scenarios.toStartOf", { title }) : t("scenarios.toNone")}
    </ReplaceDialog>
  );
}

interface ReplaceDialogProps<Input> {
  title: string;
  label: string;
  onClose: () => void;
  action: (scope: Scope, input: Input) => Promise<ActionResult<{ undo: number | null }>>;
  input: Input;
  /** @param undo the id of the state saved before the replacement, or null */
  onDone: (undo: number | null) => void;
  children: ReactNode;
}

/**
 * A dialog in which the user types the seller's name to confirm that the sandbox's data is
 * replaced.
 */
function ReplaceDialog<Input>({
  action,
  input,
  onDone,
  children,
  ...dialog
}: ReplaceDialogProps<Input>) {
  const t = useTranslations("sandbox.replace");
  const id = useId();
  const { name } = useSeller();
  const [problem, setProblem] = useState<string>();
  const { ask } = useSandboxAction(action);

  function read(form: HTMLFormElement): Input | null {
    const isName = sameName(fieldText(form, "name"), name);
    setProblem(isName ? undefined : t("wrongName"));
    return isName ? input : null;
  }

  return (
    <ActionDialog
      isOpen
      noValidate
      look="danger"
      action={ask}
      read={read}
      onDone={({ undo }) => onDone(undo)}
      {...dialog}
    >
      {(_error, isPending) => (
        <>
          <p>{children}</p>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            <li>
              {t.rich("deletes", {
                name,
                strong: (words) => <strong className="font-medium text-ink">{words}</strong>,
              })}
            </li>
            <li>{t("clock")}</li>
            <li>{t("keeps")}</li>
            <li>{t("live")}</li>
          </ul>
          <TextField
            id={id}
            name="name"
            label={t("type", { name })}
            autoComplete="off"
            ref={initialFocus}
            error={problem}
          />
          {isPending && (
            <p role="status" className="text-sm text-muted">
              {t("pending")}
            </p>
          )}
        </>
      )}
    </ActionDialog>
  );
}

const sameName = (typed: string, name: string) => fold(typed) === fold(name);
const fold = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
