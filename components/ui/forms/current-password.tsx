import { useTranslations } from "next-intl";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { PasswordField } from "./password-field.tsx";

interface CurrentPasswordProps {
  /** False for who comes through the provider and never set one. */
  hasPassword: boolean;
  error: string | undefined;
  /** The first field of its dialog, which gets the focus. */
  isFirst?: boolean;
}

/** A session that somebody borrowed must not be enough; it is sent as `current_password`. */
export function CurrentPassword({ hasPassword, error, isFirst = false }: CurrentPasswordProps) {
  const t = useTranslations("ui.password");
  if (!hasPassword)
    return error ? (
      <p role="alert" className="text-sm text-danger">
        {error}
      </p>
    ) : null;
  return (
    <PasswordField
      ref={isFirst ? initialFocus : undefined}
      id="current-password"
      name="current_password"
      label={t("yours")}
      autoComplete="current-password"
      error={error}
    />
  );
}
