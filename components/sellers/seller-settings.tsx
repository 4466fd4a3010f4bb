"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { Check, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { AccountProfile } from "#contract/account.ts";
import { updateSellerAction } from "#lib/sellers/actions.ts";
import { readLeaveReasons } from "#lib/money/leave-reasons.ts";
import type { SellerDetails } from "#lib/sellers/rules.ts";
import type { Mode } from "#lib/scope.ts";
import { AccountFields, readAccountFields } from "./account-fields.tsx";
import { LookFields, typedLookOf } from "./look-fields.tsx";
import { LeaveSettings } from "./leave-settings.tsx";
import { readSellerFields, SellerFields, type SellerChoices } from "./seller-fields.tsx";

const URL_START = "https://";

interface SellerSettingsProps extends SellerChoices {
  seller: SellerDetails & {
    code: string;
    return_url: string | null;
    leave_reasons: string[];
    needs_leave_reason: boolean;
  };
  /** The URL of Duebook's return page. */
  ownPage: string;
  /** Settings that need the seller's account at the billing service; null without one. */
  account: AccountProfile | null;
}

export function SellerSettings({ seller, ownPage, account, ...choices }: SellerSettingsProps) {
  const t = useTranslations("sellers");
  const tOfLeaving = useTranslations("leaving");
  const router = useRouter();
  const returnUrl = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"unchanged" | "changed" | "saved">("unchanged");
  const [missed, setMissed] = useState<Mode | null>(null);
  const [logoMissed, setLogoMissed] = useState<Mode | null>(null);
  const [look, setLook] = useState(account && typedLookOf(account));
  const [isUploading, setUploading] = useState(false);
  // The version as saved last: newer than that of the page until it is loaded again.
  const version = useRef(account?.version ?? "");
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(updateSellerAction),
    {
      read: (fields) => ({
        ...readSellerFields(fields),
        leave_reasons: readLeaveReasons(tOfLeaving, fieldText(fields, "leave_reasons")),
        needs_leave_reason: fieldText(fields, "needs_leave_reason") !== "",
        own_account: account &&
          look && { version: version.current, ...readAccountFields(fields), ...look },
      }),
      onDone: (saved) => {
        version.current = saved.version ?? "";
        setMissed(saved.missed);
        setLogoMissed(saved.logo_missed);
        setState("saved");
        router.refresh();
      },
    },
  );

  return (
    <div className="grid max-w-2xl gap-4">
      <Card className="p-4 sm:p-5">
        <form {...form} noValidate className="grid gap-4" onChange={() => setState("changed")}>
          <LeaveGuard isDirty={state === "changed"} />
          <CardTitle>{t("title")}</CardTitle>
          <FailureNotice failure={failure} />
          <SellerFields values={seller} failure={failure} {...choices} />
          <TextField
            id="return_url"
            name="return_url"
            type="url"
            inputMode="url"
            label={t("returnUrl.label")}
            isOptional
            defaultValue={seller.return_url ?? ""}
            placeholder={URL_START}
            hint={t("returnUrl.hint")}
            error={error("return_url")}
            ref={returnUrl}
          />
          <div className="-mt-2 grid justify-items-start gap-1">
            <Button
              onClick={() => {
                if (!returnUrl.current) return;
                returnUrl.current.value = ownPage;
                returnUrl.current.focus();
                setState("changed");
              }}
            >
              {t("returnUrl.own")}
            </Button>
            <p className="text-xs text-muted">{t("returnUrl.ownHint")}</p>
          </div>
          {account && <AccountFields account={account} failure={failure} />}
          {look && (
            <LookFields
              {...{ look, failure }}
              name={seller.name}
              onChange={(changed) => {
                setLook(changed);
                setState("changed");
              }}
              onBusy={setUploading}
            />
          )}
          <LeaveSettings
            reasons={seller.leave_reasons}
            isNeeded={seller.needs_leave_reason}
            failure={failure}
          />
          {missed && state === "saved" && (
            <Notice look="warning" icon={TriangleAlert} role="status">
              {t("account.missed", { mode: missed })}
            </Notice>
          )}
          {logoMissed && state === "saved" && (
            <Notice look="warning" icon={TriangleAlert} role="status">
              {t("look.logoMissed", { mode: logoMissed })}
            </Notice>
          )}
          <div className="flex items-center gap-3">
            <SubmitButton isPending={isPending} disabled={isUploading}>
              {t("save")}
            </SubmitButton>
            <span role="status" className="flex items-center gap-1 text-sm text-active">
              {state === "saved" && (
                <>
                  <Check aria-hidden className="size-4" /> {t("saved")}
                </>
              )}
            </span>
          </div>
        </form>
      </Card>
      <Card className="flex flex-wrap items-center justify-between gap-3 p-4 sm:p-5">
        <div className="min-w-0">
          <CardTitle>{t("code.title")}</CardTitle>
          <p className="text-sm text-muted">{t("code.text")}</p>
          <p className="mt-1 font-mono">{seller.code}</p>
        </div>
        <CopyButton text={seller.code} label={t("code.copy")} />
      </Card>
    </div>
  );
}
