"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import {
  FailureNotice,
  fieldText,
  unshownPart,
  useActionForm,
  useScopedAction,
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { Moment } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, Disclosure } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { addReceiverSecretAction, removeReceiverSecretAction } from "#lib/receiver/actions.ts";
import { receiverKey, type ReceiverSecret, type ReceiverState } from "#lib/receiver/queries.ts";
import { SchemeForm } from "./scheme-form.tsx";

const FIELDS = new Set(["secret"]);

/** For services that show their secret elsewhere, or sign in another way. */
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

function useFresh() {
  const queryClient = useQueryClient();
  const queryKey = receiverKey(useScope());
  return () => queryClient.invalidateQueries({ queryKey });
}

function Secret({ id, event, added_at, ends_at }: ReceiverSecret) {
  const t = useTranslations("receiver.secrets");
  const fresh = useFresh();
  const { run, isPending, failure } = useSellerAction(removeReceiverSecretAction);
  const name = event ?? t("pasted");

  async function remove() {
    if (!(await run({ id }))) return;
    showToast({ text: t("removed") });
    await fresh();
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
  const fresh = useFresh();
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(addReceiverSecretAction),
    {
      read: (fields) => ({ secret: fieldText(fields, "secret"), is_standard: isStandard }),
      onDone: ({ rechecked }) => {
        form.ref.current?.reset();
        showToast({ text: t("added", { count: rechecked }) });
        void fresh();
      },
    },
  );

  return (
    <form {...form} noValidate className="mt-4">
      <FailureNotice failure={unshownPart(failure, FIELDS)} />
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
