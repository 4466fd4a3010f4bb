import { useTranslations } from "next-intl";
import { FieldError } from "#components/ui/forms/fields.tsx";
import type { Role } from "#lib/auth/permissions.ts";

interface RolePickerProps {
  roles: readonly Role[];
  /** The initial role. */
  value: Role;
  onChoose?: (role: Role) => void;
  error?: string | undefined;
}

/** Radio buttons of roles with their permissions. */
export function RolePicker({ roles, value, onChoose, error }: RolePickerProps) {
  const t = useTranslations("team");
  const roleNames = useTranslations("layout.roles");
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{t("role.label")}</legend>
      {roles.map((role) => (
        <label
          key={role}
          htmlFor={`role-${role}`}
          className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-2.5 rounded border bg-surface px-3 py-2 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            id={`role-${role}`}
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === value}
            onChange={() => onChoose?.(role)}
            className="mt-0.5 size-4 accent-accent outline-none"
          />
          <span className="font-medium">{roleNames(role)}</span>
          <span className="col-start-2 text-sm text-muted">{t(`may.${role}`)}</span>
        </label>
      ))}
      {error && <FieldError id="role-error">{error}</FieldError>}
    </fieldset>
  );
}

export function readRole<Choice extends Role>(
  form: HTMLFormElement,
  roles: readonly Choice[],
): Choice | undefined {
  const chosen = new FormData(form).get("role");
  return roles.find((role) => role === chosen);
}
