"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { Moment } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  addReceiverSecretAction,
  changeSchemeAction,
  removeReceiverSecretAction,
} from "#lib/receiver/actions.ts";
import { receiverKey, type ReceiverSecret, type ReceiverState } from "#lib/receiver/queries.ts";
import { SIGNATURE_OPTIONS, type SignatureScheme, STANDARD_SCHEME } from "#lib/signature.ts";

const FIELDS = new Set(["secret"]);

/** Settings for services that show their secret elsewhere, or sign in another format. */
export function ReceiverSecrets({ receiver }: { receiver: ReceiverState }) {
  const t = useTranslations("receiver.secrets");
  return (
    <Card className="min-w-0 px-4 py-3 sm:px-5">
      <Disclosure title={t("title")} className="font-semibold">
        <p className="my-2 text-muted">{t("text")}</p>
        {receiver.secrets.length === 0 ? (
          <p className="text-muted">{t("none")}</p>
        ) : (
          <ul aria-label={t("title")} className="divide-y border-y">
            {receiver.secrets.map((secret) => (
              <Secret key={secret.id} {...secret} />
            ))}
          </ul>
        )}
        <PasteSecret isStandard={(receiver.scheme?.secret ?? "standard") === "standard"} />
        <SchemeForm key={JSON.stringify(receiver.scheme)} scheme={receiver.scheme} />
      </Disclosure>
    </Card>
  );
}

export function useReceiverRefresh() {
  const queryClient = useQueryClient();
  const queryKey = receiverKey(useScope());
  return () => queryClient.invalidateQueries({ queryKey });
}

function Secret({ id, event, added_at, ends_at }: ReceiverSecret) {
  const t = useTranslations("receiver.secrets");
  const refresh = useReceiverRefresh();
  const { run, isPending, failure } = useSellerAction(removeReceiverSecretAction);
  const name = event ?? t("pasted");

  async function remove() {
    if (!(await run({ id }))) return;
    showToast({ text: t("removed") });
    await refresh();
  }

  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-0 flex-1">
          {name}{" "}
          <span className="text-sm text-muted">
            {t(ends_at ? "until" : "since")} <Moment iso={ends_at ?? added_at} />
          </span>
        </span>
        <Button
          look="quiet"
          aria-label={t("removeOf", { event: name })}
          isPending={isPending}
          onClick={() => void remove()}
        >
          {t("remove")}
        </Button>
      </div>
      <FailureNotice failure={failure} />
    </li>
  );
}

function PasteSecret({ isStandard }: { isStandard: boolean }) {
  const t = useTranslations("receiver.paste");
  const refresh = useReceiverRefresh();
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(addReceiverSecretAction),
    {
      read: (fields) => ({ secret: fieldText(fields, "secret"), is_standard: isStandard }),
      onDone: ({ rechecked }) => {
        form.ref.current?.reset();
        showToast({ text: t("added", { count: rechecked }) });
        void refresh();
      },
    },
  );

  return (
    <form {...form} noValidate className="mt-4">
      <FailureNotice failure={unshownFailure(failure, FIELDS)} />
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-72">
          <TextField
            id="receiver-secret"
            name="secret"
            label={t("label")}
            autoComplete="off"
            spellCheck={false}
            error={error("secret")}
          />
        </div>
        <div className="sm:mt-6.5">
          <SubmitButton isPending={isPending}>{t("add")}</SubmitButton>
        </div>
      </div>
    </form>
  );
}

function SchemeForm({ scheme }: { scheme: SignatureScheme | null }) {
  const t = useTranslations("receiver.scheme");
  const refresh = useReceiverRefresh();
  const [isCustom, setCustom] = useState(scheme !== null);
  const { form, isPending, failure } = useActionForm(useScopedAction(changeSchemeAction), {
    read: (fields) => ({ scheme: isCustom ? readScheme(fields) : null }),
    onDone: () => {
      showToast({ text: t("saved") });
      void refresh();
    },
  });

  return (
    <form {...form} noValidate className="mt-5 grid gap-4">
      <SelectField
        id="scheme"
        label={t("title")}
        value={isCustom ? "custom" : "standard"}
        onChange={(event) => setCustom(event.currentTarget.value === "custom")}
      >
        <option value="standard">{t("standard")}</option>
        <option value="custom">{t("custom")}</option>
      </SelectField>
      {isCustom && <CustomFields scheme={scheme ?? STANDARD_SCHEME} />}
      <div role="alert" className="empty:sr-only">
        {failure?.kind === "validation" && <p className="text-danger">{t("wrong")}</p>}
      </div>
      <FailureNotice failure={failure?.kind === "validation" ? null : failure} />
      <div>
        <SubmitButton isPending={isPending}>{t("save")}</SubmitButton>
      </div>
    </form>
  );
}

function CustomFields({ scheme }: { scheme: SignatureScheme }) {
  const t = useTranslations("receiver.scheme");
  const { headers, prefix } = scheme;
  const texts = { ...headers, prefix };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["signature", "prefix", "id", "timestamp"] as const).map((name) => (
        <TextField
          key={name}
          id={`scheme-${name}`}
          name={name}
          label={t(name)}
          hint={name === "signature" ? undefined : t("optional")}
          autoComplete="off"
          spellCheck={false}
          defaultValue={texts[name] ?? ""}
        />
      ))}
      {(["signs", "algorithm", "encoding"] as const).map((name) => (
        <SelectField
          key={name}
          id={`scheme-${name}`}
          name={name}
          label={t(name)}
          defaultValue={scheme[name]}
        >
          {SIGNATURE_OPTIONS[name].map((option) => (
            <option key={option}>{option}</option>
          ))}
        </SelectField>
      ))}
      <SelectField
        id="scheme-secret"
        name="secret"
        label={t("secret")}
        defaultValue={scheme.secret}
        options={SIGNATURE_OPTIONS.secret.map((form) => [form, t(`secrets.${form}`)])}
      />
      <TextField
        id="scheme-tolerance"
        name="tolerance"
        label={t("tolerance")}
        autoComplete="off"
        spellCheck={false}
        inputMode="numeric"
        defaultValue={String(scheme.tolerance)}
      />
    </div>
  );
}

function readScheme(form: HTMLFormElement): SignatureScheme {
  const text = (name: string) => fieldText(form, name).trim();
  // The action validates the options.
  return {
    headers: {
      signature: text("signature"),
      id: text("id") || null,
      timestamp: text("timestamp") || null,
    },
    prefix: text("prefix"),
    signs: text("signs") as SignatureScheme["signs"],
    algorithm: text("algorithm") as SignatureScheme["algorithm"],
    encoding: text("encoding") as SignatureScheme["encoding"],
    secret: text("secret") as SignatureScheme["secret"],
    tolerance: Number(text("tolerance")),
  };
}
