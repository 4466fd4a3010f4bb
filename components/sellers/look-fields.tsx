"use client";

import { useTranslations } from "next-intl";
import { ImageField } from "#components/forms/image-field.tsx";
import { fieldError } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextArea, TextField } from "#components/ui/forms/fields.tsx";
import { CheckoutHeading, PayButton } from "#components/values/checkout-look.tsx";
import type { Failure } from "#lib/failure.ts";
import { DEFAULT_COLOR, type CheckoutLook } from "#lib/format/checkout-look.ts";
import { readColor } from "#lib/sellers/rules.ts";

/** The texts as they are typed. */
type TypedLook = { [Field in keyof CheckoutLook]: string };

export const typedLookOf = (look: CheckoutLook): TypedLook => ({
  checkout_name: look.checkout_name ?? "",
  checkout_color: look.checkout_color ?? "",
  checkout_logo: look.checkout_logo ?? "",
  support_email: look.support_email ?? "",
  support_phone: look.support_phone ?? "",
  pay_otherwise: look.pay_otherwise ?? "",
});

interface LookFieldsProps {
  look: TypedLook;
  /** The name of the business as it is saved. */
  name: string;
  onChange: (look: TypedLook) => void;
  onBusy: (isBusy: boolean) => void;
  failure: Failure | null;
}

/** The business's logo, color and texts at its checkout, with a preview of what is typed. */
export function LookFields({ look, name, onChange, onBusy, failure }: LookFieldsProps) {
  const t = useTranslations("sellers.look");
  const field = (key: keyof TypedLook) => ({
    id: key,
    name: key,
    value: look[key],
    error: fieldError(failure, `own_account.${key}`) ?? fieldError(failure, key),
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...look, [key]: target.value }),
  });
  const color = readColor(look.checkout_color);
  const logo = field("checkout_logo");
  return (
    <fieldset className="grid gap-4 border-t pt-4">
      <legend className="float-left w-full font-semibold">{t("title")}</legend>
      <p className="clear-both -mt-4 text-sm text-muted">{t("text")}</p>
      <TextField
        {...field("checkout_name")}
        label={t("name.label")}
        hint={t("name.hint")}
        placeholder={name}
        isOptional
        autoComplete="off"
      />
      <ImageField
        label={t("logo")}
        images={look.checkout_logo === "" ? [] : [look.checkout_logo]}
        most={1}
        onChange={([url = ""]) => onChange({ ...look, checkout_logo: url })}
        onBusy={onBusy}
        error={logo.error}
      />
      <div className="flex items-start gap-3">
        <TextField
          {...field("checkout_color")}
          label={t("color.label")}
          hint={t("color.hint")}
          placeholder={DEFAULT_COLOR}
          isOptional
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 grow"
        />
        <input
          type="color"
          aria-label={t("color.choose")}
          value={color ?? DEFAULT_COLOR}
          onChange={({ target }) => onChange({ ...look, checkout_color: target.value })}
          className="mt-6 h-9 w-14 shrink-0 cursor-pointer rounded border bg-surface p-1 max-md:min-h-11"
        />
        {look.checkout_color !== "" && (
          <Button
            look="quiet"
            onClick={() => onChange({ ...look, checkout_color: "" })}
            className="mt-6"
          >
            {t("color.none")}
          </Button>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field("support_email")}
          type="email"
          inputMode="email"
          label={t("email")}
          hint={t("contactHint")}
          isOptional
        />
        <TextField
          {...field("support_phone")}
          type="tel"
          inputMode="tel"
          label={t("phone")}
          isOptional
        />
      </div>
      <TextArea
        {...field("pay_otherwise")}
        label={t("otherwise.label")}
        hint={t("otherwise.hint")}
        rows={3}
        className="min-h-20"
        maxLength={500}
      />
      <div
        role="group"
        aria-label={t("preview.title")}
        className="grid gap-3 rounded border bg-surface p-4"
      >
        <p className="text-xs font-medium text-muted">{t("preview.title")}</p>
        <CheckoutHeading
          seller={look.checkout_name.trim() || name}
          logo={look.checkout_logo || null}
          product={t("preview.product")}
          plan={t("preview.plan")}
        />
        <PayButton color={color} />
        {look.pay_otherwise.trim() !== "" && (
          <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">
            {look.pay_otherwise.trim()}
          </p>
        )}
        <p className="text-sm wrap-anywhere text-muted empty:hidden">
          {[look.support_email, look.support_phone]
            .filter((one) => one.trim() !== "")
            .join(" · ")}
        </p>
      </div>
    </fieldset>
  );
}
