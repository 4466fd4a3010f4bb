"use client";

import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { canAssign, ROLES } from "#lib/auth/permissions.ts";
import { changeRoleAction, removeMemberAction } from "#lib/team/actions.ts";
import type { Member } from "#lib/team/rules.ts";
import { readRole, RolePicker } from "./role-picker.tsx";

interface MemberActionsProps {
  member: Member;
  /** The signed-in person's role. */
  hasPassword: boolean;
}

/** The actions on one member; none if the member's role is above one's own. */
export function MemberActions({ member, hasPassword }: MemberActionsProps) {
  const t = useTranslations("team");
  const { role: own, name: seller } = useSeller();
  const removeMember = useScopedAction(removeMemberAction);
  const changeRole = useScopedAction(changeRoleAction);
  const [open, setOpen] = useState<"role" | "removal" | null>(null);
  const roles = ROLES.filter((role) => canAssign(own, role));
  const { user_id, name, role } = member;
  const [chosenRole, setChosen] = useState(role);
  const onClose = () => setOpen(null);
  if (!canAssign(own, role)) return <Actions />;
  return (
    <Actions>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        onClick={() => {
          setChosen(role);
          setOpen("role");
        }}
        aria-label={t("changeRole.of", { name })}
      >
        {t("changeRole.label")}
      </Button>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        onClick={() => setOpen("removal")}
        aria-label={t("remove.title", { name })}
      >
        {t("remove.label")}
      </Button>
      <ActionDialog
        title={t("changeRole.title", { name })}
        label={t("changeRole.label")}
        isOpen={open === "role"}
        onClose={onClose}
        action={changeRole}
        read={(form) => {
          const chosen = readRole(form, roles);
          if (!chosen) return null;
          return {
            user_id,
            role: chosen,
            current_password: fieldText(form, "current_password"),
          };
        }}
      >
        {(error) => (
          <>
            <RolePicker roles={roles} value={role} onChoose={setChosen} error={error("role")} />
            {chosenRole === "owner" && (
              <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
            )}
            <p className="text-sm text-muted">{t("changeRole.text", { name })}</p>
          </>
        )}
      </ActionDialog>
      <ActionDialog
        title={t("remove.title", { name })}
        label={t("remove.label")}
        isOpen={open === "removal"}
        onClose={onClose}
        action={removeMember}
        read={() => ({ user_id })}
      >
        {() => <p>{t("remove.text", { name, seller })}</p>}
      </ActionDialog>
    </Actions>
  );
}

/** Keeps the columns aligned in rows without actions. */
export function Actions({ children }: { children?: ReactNode }) {
  return (
    <div className="flex max-lg:empty:hidden max-sm:-ml-4 max-sm:basis-full max-sm:pl-11 sm:justify-end lg:w-52">
      {children}
    </div>
  );
}
