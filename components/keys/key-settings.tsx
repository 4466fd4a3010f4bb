"use client";

import { useTranslations } from "next-intl";
import { AccountElsewhere } from "#components/forms/account-elsewhere.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import {
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CircleCheck, CircleOff, Hourglass, KeyRound } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { KEY_SCOPES, type KeyScope } from "#contract/names.ts";
import type { Mode } from "#lib/scope.ts";
import type { KeyList, KeyListResult, ListedKey } from "#lib/keys/rules.ts";
import {
  LeakedKeyButton,
  MakeKeyButton,
  RevokeKeyButton,
  RollKeyButton,
} from "./key-dialogs.tsx";
import { LastUse } from "./last-use.tsx";
import { TryKey } from "./try-key.tsx";

export function KeySettings({ result }: { result: KeyListResult }) {
  const t = useTranslations("apiKeys");
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result)
    return (
      <AccountElsewhere
        icon={KeyRound}
        title={t("elsewhere.title")}
        text={t("elsewhere.text")}
      />
    );
  return <Keys list={result} />;
}

function Keys({ list: { keys, is_cut, has_password, api_url } }: { list: KeyList }) {
  const t = useTranslations("apiKeys");
  const mayWrite = usePermission("connection:write");
  const working = keys.filter(({ state }) => state === "active");
  const ended = keys.filter(({ state }) => state !== "active");
  return (
    <div className="grid max-w-3xl gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-xl flex-1 basis-80 text-pretty text-muted">{t("intro")}</p>
        {mayWrite && <MakeKeyButton hasPassword={has_password} address={api_url} />}
      </div>
      <Card>
        {working.length === 0 ? (
          <StatePanel icon={KeyRound} title={t("empty.title")} text={t("empty.text")} />
        ) : (
          <ul aria-label={t("title")} className="divide-y">
            {working.map((key) => (
              <li key={key.id} className="px-4 py-4 sm:px-5">
                <KeyFacts listed={key} />
                {mayWrite && key.own !== "connected" && (
                  <div className="mt-3 flex flex-wrap gap-2">
                    <RollKeyButton listed={key} hasPassword={has_password} />
                    <LeakedKeyButton listed={key} hasPassword={has_password} />
                    {key.own === null && (
                      <RevokeKeyButton listed={key} hasPassword={has_password} />
                    )}
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {ended.length > 0 && (
        <Card className="px-4 py-3 sm:px-5">
          <Disclosure
            title={t("ended", { count: ended.length })}
            className="font-semibold max-md:min-h-11"
          >
            <ul aria-label={t("ended", { count: ended.length })} className="mt-2 divide-y">
              {ended.map((key) => (
                <li key={key.id} className="py-3">
                  <KeyFacts listed={key} />
                </li>
              ))}
            </ul>
          </Disclosure>
        </Card>
      )}
      {is_cut && <p className="text-sm text-muted">{t("newest", { count: keys.length })}</p>}
      <Card className="min-w-0 px-4 py-3 sm:px-5">
        <TryKey address={api_url} className="font-semibold max-md:min-h-11" />
      </Card>
    </div>
  );
}

function KeyFacts({ listed }: { listed: ListedKey }) {
  const t = useTranslations("apiKeys");
  const format = useFormat();
  const { name, prefix, last_four, scopes, created_at, own } = listed;
  const { mode } = useScope();
  // A newer service may know more scopes.
  const nameOf = (scope: string) => (isKnownScope(scope) ? t(`scopes.${scope}.name`) : scope);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{name || t("unnamed")}</span>
        {own && (
          <Badge icon={CircleCheck} tone="accent">
            {t("own.badge")}
          </Badge>
        )}
        <KeyState listed={listed} />
      </div>
      <p className="mt-0.5 font-mono text-sm break-all text-muted">
        <span>{startOf(mode)}</span>
        <span>{prefix}_</span>
        <span aria-hidden>…</span>
        {last_four}
      </p>
      <p className="mt-1 text-sm text-muted">
        {t("facts", {
          scopes: scopes.map(nameOf).join(", "),
          made: format.date(created_at),
        })}{" "}
        · <LastUse listed={listed} />
      </p>
      {own && (
        <p className="mt-1 text-sm text-muted">
          {t(own === "made" ? "own.text" : "own.given")}
        </p>
      )}
    </>
  );
}

/** The prefix of a mode's keys. */
const startOf = (mode: Mode) => `dbk_${mode}_`;

const isKnownScope = (scope: string): scope is KeyScope =>
  KEY_SCOPES.some((known) => known === scope);

const SOON_MS = 14 * 24 * 60 * 60 * 1_000;

function KeyState({ listed: { state, expires_at } }: { listed: ListedKey }) {
  const t = useTranslations("apiKeys.states");
  const format = useFormat();
  const { now } = useSeller();
  if (state === "revoked") return <Badge icon={CircleOff}>{t("revoked")}</Badge>;
  if (state === "expired")
    return (
      <Badge icon={CircleOff}>
        {t("expired", { moment: expires_at ? format.dateTime(expires_at) : "" })}
      </Badge>
    );
  if (expires_at === null)
    return (
      <Badge icon={CircleCheck} tone="active">
        {t("endless")}
      </Badge>
    );
  const isSoon = Date.parse(expires_at) - Date.parse(now) < SOON_MS;
  return (
    <Badge icon={Hourglass} tone={isSoon ? "warning" : "active"}>
      {t("ends", { moment: format.dateTime(expires_at) })}
    </Badge>
  );
}
