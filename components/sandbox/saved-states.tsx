"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { Trash2 } from "#components/ui/icons.tsx";
import { deleteStateAction, saveStateAction } from "#lib/sandbox/actions.ts";
import { type States, statesQuery } from "#lib/sandbox/queries.ts";
import { Button } from "#components/ui/button.tsx";
import type { SavedState } from "#contract/sandbox.ts";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import type { Translate } from "#lib/i18n/message.ts";
import {
  SandboxFailure,
  useRestore,
  useMissingPermissionText,
  useSandboxAction,
} from "./use-sandbox-action.tsx";

export function SavedStates() {
  const t = useTranslations("sandbox.states");
  const query = useQuery(statesQuery(useScope()));
  const failure = useVisibleFailure(query, null);
  const [wish, setWish] = useState<StateWish | null>(null);
  return (
    <Card className="min-w-0 p-4 sm:p-5" aria-labelledby="states">
      <CardTitle id="states">{t("title")}</CardTitle>
      {failure ? (
        <FailurePanel failure={failure} query={query} />
      ) : (
        <Content states={query.data?.states} onWish={setWish} />
      )}
      <StateDialog wish={wish} onClose={() => setWish(null)} />
    </Card>
  );
}

interface ContentProps {
  /** The saved states; undefined while loading, null if the service cannot save any. */
  states: States | undefined;
  onWish: (wish: StateWish) => void;
}

function Content({ states, onWish }: ContentProps) {
  const t = useTranslations("sandbox.states");
  if (states === undefined) return <span aria-busy className="skeleton mt-3 h-32 rounded-md" />;
  if (states === null) return <p className="mt-2 text-sm text-muted">{t("none")}</p>;
  const saved = states.results.filter(({ kind }) => kind === "saved");
  const automatic = states.results.filter(({ kind }) => kind !== "saved");
  const isFull = states.most_saved > 0 && saved.length >= states.most_saved;
  return (
    <>
      <p className="mt-1 text-sm text-muted">{t("text")}</p>
      <SaveForm obstacle={isFull ? t("full", { count: states.most_saved }) : null} />
      {saved.length > 0 && (
        <ul aria-label={t("saved")} className="mt-3 divide-y border-t">
          {saved.map((state) => (
            <SavedStateRow key={state.id} state={state} onWish={onWish} />
          ))}
        </ul>
      )}
      {automatic.length > 0 && (
        <div className="mt-3 border-t pt-2">
          <Disclosure
            title={t("automatic", { count: automatic.length })}
            className="text-sm font-medium"
          >
            <ul aria-label={t("kept")} className="divide-y">
              {automatic.map((state) => (
                <SavedStateRow key={state.id} state={state} onWish={onWish} />
              ))}
            </ul>
          </Disclosure>
        </div>
      )}
    </>
  );
}

function SaveForm({ obstacle }: { obstacle: string | null }) {
  const t = useTranslations("sandbox.states");
  const id = useId();
  const forbidden = useMissingPermissionText("sandbox:write");
  const [problem, setProblem] = useState<string>();
  const { run, isPending, failure } = useSandboxAction(saveStateAction);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const name = fieldText(form, "state").trim();
    setProblem(name === "" ? t("nameIt") : undefined);
    if (name === "" || forbidden !== null || obstacle !== null) return;
    if (await run({ name })) form.reset();
  }

  return (
    <form method="post" noValidate className="mt-3" onSubmit={(event) => void submit(event)}>
      <SandboxFailure failure={failure} />
      <div className="flex items-end gap-2">
        <TextField
          id={id}
          name="state"
          label={t("name")}
          maxLength={80}
          autoComplete="off"
          error={problem}
          className="min-w-0 flex-1"
        />
        <ExplainedButton
          type="submit"
          className={problem ? "mb-6" : undefined}
          reason={forbidden ?? obstacle}
          isPending={isPending}
        >
          {t("save")}
        </ExplainedButton>
      </div>
    </form>
  );
}

interface StateRowProps {
  state: SavedState;
  onWish: (wish: StateWish) => void;
}

function SavedStateRow({ state, onWish }: StateRowProps) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const forbidden = useMissingPermissionText("sandbox:write");
  const name = stateName(t, state);
  const obstacle = forbidden ?? (state.is_restorable ? null : t("states.outdated"));
  return (
    <li className="flex items-center justify-between gap-2 py-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-muted tabular-nums">
          {t("states.about", {
            time: format.dateTime(state.clock_at),
            count: state.subscriptions,
          })}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <ExplainedButton reason={obstacle} onClick={() => onWish({ does: "restore", state })}>
          {t.rich("states.goBack", {
            name,
            unseen: (words) => <span className="sr-only">{words}</span>,
          })}
        </ExplainedButton>
        {forbidden === null && (
          <Button
            look="quiet"
            aria-label={t("states.deleteNamed", { name })}
            onClick={() => onWish({ does: "delete", state })}
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </li>
  );
}

interface StateWish {
  does: "restore" | "delete";
  state: SavedState;
}

function StateDialog({ wish, onClose }: { wish: StateWish | null; onClose: () => void }) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { ask: restore, report } = useRestore();
  const { ask: remove } = useSandboxAction(deleteStateAction);
  if (!wish) return null;
  const { does, state } = wish;
  const name = stateName(t, state);
  const read = () => ({ id: state.id });
  if (does === "delete")
    return (
      <ActionDialog
        title={t("states.deleteTitle", { name })}
        label={t("states.delete")}
        look="danger"
        isOpen
        action={remove}
        onDone={onClose}
        {...{ onClose, read }}
      >
        {() => <p>{t("states.deleteText")}</p>}
      </ActionDialog>
    );
  return (
    <ActionDialog
      title={t("states.restoreTitle", { name })}
      label={t("states.restore")}
      isOpen
      action={restore}
      onDone={(restored) => {
        report(restored);
        onClose();
      }}
      {...{ onClose, read }}
    >
      {() => (
        <>
          <p>
            {t("states.then", {
              time: format.dateTime(state.clock_at),
              count: state.subscriptions,
              customers: state.customers,
            })}
          </p>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            <li>{t("states.all")}</li>
            <li>{t("states.notUnsent")}</li>
            <li>{t("states.webhooks")}</li>
            <li>{t("states.comeBack")}</li>
          </ul>
        </>
      )}
    </ActionDialog>
  );
}

/**
 * The name of a saved state, such as "Before a clock move"; an unknown kind is shown by its own
 * name.
 */
function stateName(t: Translate<"sandbox">, { kind, name }: SavedState): string {
  if (name !== "") return name;
  const key = `states.kinds.${kind as "saved"}` as const;
  return t.has(key) ? t(key) : kind.replaceAll("_", " ");
}
