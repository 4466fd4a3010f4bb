import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { can, ROLES, type Role } from "#lib/auth/permissions.ts";
import { DUTIES } from "#lib/team/rules.ts";

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
          {DUTIES.map(({ duty, permissions }) => (
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
