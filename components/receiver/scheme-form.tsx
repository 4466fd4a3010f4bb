"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { changeSchemeAction } from "#lib/receiver/actions.ts";
import { receiverKey } from "#lib/receiver/queries.ts";
import { STANDARD_SCHEME, type SignatureScheme } from "#lib/signature.ts";

const ALGORITHMS = ["sha256", "sha512", "sha1"] as const;
const ENCODINGS = ["base64", "hex"] as const;
const SIGNS = ["id.timestamp.body", "timestamp.body", "body"] as const;
const SECRETS = ["standard", "text"] as const;

/** Describes a signature that is not Standard Webhooks. */
export function SchemeForm({ scheme }: { scheme: SignatureScheme | null }) {
  const t = useTranslations("receiver.scheme");
  const scope = useScope();
  const queryClient = useQueryClient();
  const [isCustom, setCustom] = useState(scheme !== null);
  const { form, isPending, failure } = useActionForm(useScopedAction(changeSchemeAction), {
    read: (fields) => ({ scheme: isCustom ? readScheme(fields) : null }),
    onDone: () => {
      showToast({ text: t("saved") });
      void queryClient.invalidateQueries({ queryKey: receiverKey(scope) });
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
  const { headers } = scheme;
  const plain = { autoComplete: "off", spellCheck: false } as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...plain}
        id="scheme-signature"
        name="signature"
        label={t("signature")}
        defaultValue={headers.signature}
      />
      <TextField
        {...plain}
        id="scheme-prefix"
        name="prefix"
        label={t("prefix")}
        hint={t("optional")}
        defaultValue={scheme.prefix}
      />
      <TextField
        {...plain}
        id="scheme-id"
        name="id"
        label={t("id")}
        hint={t("optional")}
        defaultValue={headers.id ?? ""}
      />
      <TextField
        {...plain}
        id="scheme-timestamp"
        name="timestamp"
        label={t("timestamp")}
        hint={t("optional")}
        defaultValue={headers.timestamp ?? ""}
      />
      <SchemeField name="signs" value={scheme.signs} options={SIGNS} />
      <SchemeField name="algorithm" value={scheme.algorithm} options={ALGORITHMS} />
      <SchemeField name="encoding" value={scheme.encoding} options={ENCODINGS} />
      <SelectField
        id="scheme-secret"
        name="secret"
        label={t("secret")}
        defaultValue={scheme.secret}
      >
        {SECRETS.map((form) => (
          <option key={form} value={form}>
            {t(`secrets.${form}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        {...plain}
        id="scheme-tolerance"
        name="tolerance"
        label={t("tolerance")}
        inputMode="numeric"
        defaultValue={String(scheme.tolerance)}
      />
    </div>
  );
}

interface SchemeFieldProps {
  name: "signs" | "algorithm" | "encoding";
  value: string;
  options: readonly string[];
}

/** For options with the same name in every language. */
function SchemeField({ name, value, options }: SchemeFieldProps) {
  const t = useTranslations("receiver.scheme");
  return (
    <SelectField id={`scheme-${name}`} name={name} label={t(name)} defaultValue={value}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </SelectField>
  );
}

function readScheme(form: HTMLFormElement): SignatureScheme {
  const text = (name: string) => fieldText(form, name).trim();
  return {
    headers: {
      signature: text("signature"),
      id: text("id") || null,
      timestamp: text("timestamp") || null,
    },
    prefix: text("prefix"),
    signs: SIGNS.find((one) => one === text("signs")) ?? "body",
    algorithm: ALGORITHMS.find((one) => one === text("algorithm")) ?? "sha256",
    encoding: ENCODINGS.find((one) => one === text("encoding")) ?? "base64",
    secret: SECRETS.find((one) => one === text("secret")) ?? "text",
    tolerance: Number(text("tolerance")),
  };
}
