"use client";

import { useTranslations } from "next-intl";
import { useState, type FormEvent } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { StepList, useSteps } from "#components/forms/step-list.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Plus } from "#components/ui/icons.tsx";
import { Dialog, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { ChoiceCard, ChoiceGroup } from "#components/ui/forms/choices.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { RegisteredWebhook } from "#lib/webhooks/queries.ts";
import {
  describeEvent,
  describeWriteFailure,
  isAddressRefused,
  addressProblemOf,
  EXAMPLE_ENDPOINT_URL,
  type AddressProblem,
} from "#lib/webhooks/rules.ts";
import { ShownSecrets, type ShownSecret } from "./shown-secrets.tsx";
import { useWebhookWrites } from "./webhook-writes.tsx";

interface AddEndpointProps {
  /** What to do if no secret was shown. */
  lostAdvice: string;
  /** The kinds of events that can be registered. */
  events: readonly string[];
}

export function AddEndpoint(props: AddEndpointProps) {
  const t = useTranslations("webhooks.add");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-4" />
        {t("add")}
      </Button>
      <Dialog keepsWords title={t("title")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <AddSteps {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** Registers each event by itself, then shows the new secrets. */
function AddSteps({
  lostAdvice,
  events: kinds,
  onClose,
}: AddEndpointProps & { onClose: () => void }) {
  const t = useTranslations();
  const { create, refresh } = useWebhookWrites();
  const { start, clear, reports, isRunning, hasBegun } = useSteps<RegisteredWebhook>(
    refresh,
    isAddressRefused,
  );
  useDialogHold(isRunning);
  const [given, setGiven] = useState<Given>({ endpoint_url: "", events: SPECIFIED_EVENTS });
  const secrets = reports.flatMap(({ label, outcome }): ShownSecret[] =>
    outcome.state === "done" && outcome.value.is_new
      ? [{ event: label, secret: outcome.value.secret }]
      : [],
  );

  function submit({ endpoint_url, events }: Given) {
    setGiven({ endpoint_url, events });
    start(
      events.map((event) => ({
        key: event,
        label: event,
        run: () => create({ event, endpoint_url }),
      })),
    );
  }

  if (!hasBegun) return <AddForm {...{ given, kinds, onClose }} onSubmit={submit} />;
  const hasSecrets = secrets.length > 0 && !isRunning;
  return (
    <div className="grid gap-4">
      {(isRunning || secrets.length < reports.length) && (
        <StepList
          label={t("webhooks.add.steps")}
          steps={reports}
          describe={(failure) => describeWriteFailure(t, failure, "create")}
        >
          {({ is_new }) => t(is_new ? "webhooks.add.registered" : "webhooks.add.already")}
        </StepList>
      )}
      {hasSecrets ? (
        <ShownSecrets {...{ secrets, lostAdvice }} onDone={onClose} />
      ) : (
        <div className="flex justify-end gap-2">
          <Button disabled={isRunning} onClick={clear}>
            {t("webhooks.add.back")}
          </Button>
          <Button disabled={isRunning} onClick={onClose}>
            {t("webhooks.add.close")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface Given {
  endpoint_url: string;
  events: readonly string[];
}

function AddForm({
  given,
  kinds,
  onSubmit,
  onClose,
}: {
  given: Given;
  kinds: readonly string[];
  onSubmit: (given: Given) => void;
  onClose: () => void;
}) {
  const t = useTranslations("webhooks");
  const { mode } = useScope();
  const [problem, setProblem] = useState<AddressProblem | null>(null);
  const [hasNoEvents, setHasNoEvents] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const endpoint_url = fieldText(form, "endpoint_url").trim();
    const events = new FormData(form).getAll("event").map(String);
    const found = addressProblemOf(endpoint_url);
    setProblem(found);
    setHasNoEvents(events.length === 0);
    if (!found && events.length > 0) onSubmit({ endpoint_url, events });
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        id="endpoint-url"
        name="endpoint_url"
        ref={initialFocus}
        label={t("add.address")}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={EXAMPLE_ENDPOINT_URL}
        hint={t(mode === "live" ? "add.liveHint" : "add.testHint")}
        defaultValue={given.endpoint_url}
        error={problem ? t(`problem.${problem}`) : undefined}
      />
      <EventChoice
        kinds={kinds}
        chosen={given.events}
        error={hasNoEvents ? t("add.noEvents") : undefined}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("add.cancel")}</Button>
        <Button type="submit" look="primary">
          {t("add.submit")}
        </Button>
      </div>
    </form>
  );
}

function EventChoice({
  kinds,
  chosen,
  error,
}: {
  kinds: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
}) {
  const t = useTranslations("webhooks");
  return (
    <ChoiceGroup id="events" label={t("add.events")} error={error}>
      {kinds.map((kind) => (
        <ChoiceCard
          key={kind}
          type="checkbox"
          name="event"
          value={kind}
          defaultChecked={chosen.includes(kind)}
          title={<code className="text-sm">{kind}</code>}
          text={describeEvent(t, kind)}
        />
      ))}
    </ChoiceGroup>
  );
}
