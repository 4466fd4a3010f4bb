"use client";

import { useTranslations } from "next-intl";
import { useState, type ComponentProps } from "react";
import { Eye, EyeOff } from "#components/ui/icons.tsx";
import { controlProps, FieldFrame, type FieldProps } from "./fields.tsx";

interface PasswordFieldProps extends FieldProps, Omit<ComponentProps<"input">, "id" | "type"> {}

/** A password field with a show button; pasting and password managers work. */
export function PasswordField({ id, label, hint, error, ...props }: PasswordFieldProps) {
  const t = useTranslations("ui.password");
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <span className="relative block">
        <input
          type={isShown ? "text" : "password"}
          autoCapitalize="none"
          spellCheck={false}
          required
          className="input pr-10 max-md:pr-12"
          {...controlProps(id, hint, error)}
          {...props}
        />
        <button
          type="button"
          aria-label={isShown ? t("hide") : t("show")}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded text-muted -outline-offset-2 hover:text-ink max-md:w-11"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </span>
    </FieldFrame>
  );
}
