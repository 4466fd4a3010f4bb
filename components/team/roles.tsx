import { useTranslations } from "next-intl";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Check, Crown, Eye, Headset, ShieldCheck } from "#components/ui/icons.tsx";
import { can, type Role, ROLES } from "#lib/auth/permissions.ts";
import { PERMISSION_GROUPS } from "#lib/team/rules.ts";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { ChoiceCard, ChoiceGroup } from "#components/ui/forms/choices.tsx";

/** Permissions by role, from the table that the guards check. */
export function RoleTable() {
  const t = useTranslations("team");
  const roleNames = useTranslations("layout.roles");
  return (
    <Card className="overflow-hidden">
      <div className="px-4 pt-4 pb-2 sm:px-5 sm:pt-5">
        <CardTitle id="roles">{t("duties.title")}</CardTitle>
      </div>
      <table aria-labelledby="roles" className="w-full text-sm">
        <thead>
          <tr className="border-b text-left text-muted">
            <th scope="col" className="py-2 pl-4 font-medium sm:pl-5">
              <span className="sr-only">{t("duties.what")}</span>
            </th>
            {ROLES.map((role) => (
              <th
                key={role}
                scope="col"
                className="w-13 py-2 text-center text-xs font-medium sm:w-20 sm:text-sm"
              >
                {roleNames(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {PERMISSION_GROUPS.map(({ duty, permissions }) => (
            <tr key={duty}>
              <th scope="row" className="py-2 pr-2 pl-4 text-left font-normal sm:pl-5">
                {t(`duties.${duty}`)}
              </th>
              {ROLES.map((role) => (
                <td key={role} className="text-center">
                  <Mark isHeld={permissions.every((one) => can(role, one))} role={role} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Mark({ isHeld, role }: { isHeld: boolean; role: Role }) {
  const t = useTranslations("team.duties");
  if (!isHeld)
    return (
      <span className="text-faint">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("notFor", { role })}</span>
      </span>
    );
  return (
    <>
      <Check aria-hidden className="mx-auto size-4 text-active" />
      <span className="sr-only">{t("yes")}</span>
    </>
  );
}

const LOOKS: Record<Role, BadgeLook> = {
  owner: { icon: Crown, tone: "accent" },
  admin: { icon: ShieldCheck, tone: "pending" },
  support: { icon: Headset, tone: "active" },
  viewer: { icon: Eye, tone: "inactive" },
};

export function RoleBadge({ role }: { role: Role }) {
  const t = useTranslations("layout.roles");
  return <Badge {...LOOKS[role]}>{t(role)}</Badge>;
}

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
    <ChoiceGroup id="role" label={t("role.label")} error={error}>
      {roles.map((role) => (
        <ChoiceCard
          key={role}
          type="radio"
          name="role"
          value={role}
          defaultChecked={role === value}
          onChange={() => onChoose?.(role)}
          title={roleNames(role)}
          text={t(`may.${role}`)}
        />
      ))}
    </ChoiceGroup>
  );
}

export function readRole<Choice extends Role>(
  form: HTMLFormElement,
  roles: readonly Choice[],
): Choice | undefined {
  const chosen = new FormData(form).get("role");
  return roles.find((role) => role === chosen);
}
