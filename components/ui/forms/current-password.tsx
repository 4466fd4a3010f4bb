import { useTranslations } from "next-intl";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { PasswordField } from "./password-field.tsx";

interface CurrentPasswordProps {
  /** Whether the person has a password; people who sign in by a provider may have none. */
  hasPassword: boolean;
  error: string | undefined;
  /** Whether this is the dialog's first field, which gets the focus. */
  isFirst?: boolean;
}

/** Asks for the password against stolen sessions; sent as `current_password`. */
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
