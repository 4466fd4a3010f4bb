import { useTranslations } from "next-intl";
import { PasswordField } from "./password-field.tsx";

interface CurrentPasswordProps {
  /** False for who comes through the provider and never set one. */
  hasPassword: boolean;
  error: string | undefined;
}

/** A session that somebody borrowed must not be enough; it is sent as `current_password`. */
export function CurrentPassword({ hasPassword, error }: CurrentPasswordProps) {
  const t = useTranslations("ui.password");
  if (!hasPassword)
    return error ? (
      <p role="alert" className="text-sm text-danger">
        {error}
      </p>
    ) : null;
  return (
    <PasswordField
      id="current-password"
      name="current_password"
      label={t("yours")}
      autoComplete="current-password"
      error={error}
    />
  );
}
