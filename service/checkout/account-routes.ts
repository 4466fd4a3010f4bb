import type { FastifyInstance } from "fastify";
import { hundredths } from "#contract/amount.ts";
import {
  CheckedPaymentAccount,
  OrderPaymentAccounts,
  PaymentAccounts,
  SavedPaymentAccount,
  SavePaymentAccount,
} from "#contract/payment-accounts.ts";
import { changedMeanwhileError } from "../account/version.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import {
  describeSettings,
  presentSettings,
  readSettings,
  type ConfiguredAdapter,
} from "../outgoing/adapter-settings.ts";
import { ProviderFault } from "../providers/provider.ts";
import { payability } from "../sellers/payable.ts";
import { encryptSecret } from "../webhooks/secret.ts";
import { openAccount, paymentContext, providerIo } from "./provider.ts";
import { comparisonRoutes } from "./comparison/routes.ts";
import { selectComparisonStates } from "./comparison/store.ts";
import {
  orderAccounts,
  removeAccount,
  saveAccount,
  selectAccountOf,
  selectPaymentAccounts,
  watchedUntil,
  type PaymentAccount,
} from "./account-store.ts";

const CHECK_TIMEOUT = 15_000;
/** Set from the mode of this service, so no form asks for it. */
const ENVIRONMENT = "environment";

type Named = { provider: string };

const hasEnvironment = (adapter: ConfiguredAdapter) =>
  describeSettings(adapter).some(({ name }) => name === ENVIRONMENT);

/** The payment providers that a seller's buyers can use. */
export function paymentAccountRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now, mode } = context;
  const payments = paymentContext(context);
  const { adapters } = payments;
  const providers: PaymentAccounts["providers"] = adapters.map((adapter) => ({
    provider: adapter.provider,
    label: adapter.label,
    method: adapter.method,
    currencies: [...adapter.can.currencies],
    least: adapter.can.least,
    most: adapter.can.most,
    can_identify_buyer: adapter.can.identifyBuyer,
    settings: describeSettings(adapter).filter(({ name }) => name !== ENVIRONMENT),
  }));
  const adapterOf = (provider: string) => {
    const adapter = adapters.find((each) => each.provider === provider);
    if (!adapter) throw notFoundError();
    return adapter;
  };
  const present = async (database: Database, row: PaymentAccount) => {
    const [shown] = await presentAll(database, [row]);
    if (!shown) throw notFoundError();
    return shown;
  };
  const presentAll = async (database: Database, rows: PaymentAccount[]) => {
    const states = await selectComparisonStates(
      database,
      rows.map(({ account_id }) => account_id),
    );
    return rows.map((row): SavedPaymentAccount => {
      const state = states.find(({ account_id }) => account_id === row.account_id);
      return {
        ...presentSaved(row),
        comparison: {
          has_list: adapters.some((each) => each.provider === row.provider && "list" in each),
          is_running: state?.is_running ?? false,
          last: state?.last ?? null,
          last_statement: state?.last_statement ?? null,
        },
      };
    });
  };
  const presentSaved = (row: PaymentAccount): Omit<SavedPaymentAccount, "comparison"> => {
    const opened = openAccount(payments, row);
    const { settings, secrets_set } = opened
      ? presentSettings(opened.adapter, opened.settings)
      : { settings: {}, secrets_set: [] };
    const { [ENVIRONMENT]: _, ...shown } = settings;
    return {
      provider: row.provider,
      label: row.label,
      settings: shown,
      secrets_set,
      least: row.least,
      most: row.most,
      is_active: row.is_active,
      identifies_buyer: row.identifies_buyer,
      problem: opened ? row.problem : UNREADABLE,
      problem_at: row.problem_at?.toISOString() ?? null,
      return_url: `${publicUrl}/pay-return/${row.account_key}`,
      notice_url: `${publicUrl}/pay-notices/${row.account_key}`,
      version: row.version,
    };
  };
  const list = async (database: Database, sellerId: number): Promise<PaymentAccounts> => ({
    results: await presentAll(database, await selectPaymentAccounts(database, sellerId, mode)),
    providers,
    ...(await payability(database, sellerId, mode)),
  });
  const find = async (database: Database, seller_id: number, provider: string) => {
    const row = await selectAccountOf(database, seller_id, { mode, provider });
    if (!row) throw notFoundError();
    return row;
  };

  api.get(
    "/payment-accounts/",
    withRouteDoc({
      summary: "List the accounts at payment providers",
      description:
        "What is set up for this account, in the order in which buyers see it, and which providers can be set up with which settings. Secrets are never shown.",
      answer: PaymentAccounts,
    }),
    (request) => list(pool, sellerOf(request).seller_id),
  );

  api.post(
    "/payment-accounts/order/",
    writeRoute<Record<string, string>, OrderPaymentAccounts, PaymentAccounts>(context, {
      summary: "Order the accounts at payment providers",
      description: "Buyers see them in this order. Name every provider that is set up, once.",
      answer: PaymentAccounts,
      refusals: { 409: "They were changed in the meantime; this request changed nothing" },
      schema: OrderPaymentAccounts,
      work: async ({ database, seller: { seller_id } }, { providers: order }) => {
        const known = await selectPaymentAccounts(database, seller_id, mode);
        const names = known.map(({ provider }) => provider);
        if (names.toSorted().join(" ") !== order.toSorted().join(" "))
          throw changedMeanwhileError("The list of accounts");
        await orderAccounts(database, seller_id, { mode, order });
        return list(database, seller_id);
      },
    }),
  );

  api.post(
    "/payment-accounts/:provider/",
    writeRoute<Named, SavePaymentAccount, SavedPaymentAccount>(context, {
      summary: "Set up an account at a payment provider",
      description:
        "Settings replace the stored ones; a secret that is left out keeps its value. The credentials must be for this mode, and for the same merchant while payments at the provider can still change. A new account comes last.",
      answer: SavedPaymentAccount,
      refusals: { 409: "It was changed in the meantime; this request changed nothing" },
      schema: SavePaymentAccount,
      work: async ({ database, seller: { seller_id } }, { version, ...input }, { params }) => {
        const [key] = payments.secretsKeys;
        if (!key)
          throw detailError(
            503,
            "This service has no SERVICE_SECRETS_KEY, so it cannot store accounts.",
          );
        const { provider } = params;
        const adapter = adapterOf(provider);
        requireLimits(input);
        if (input.identifies_buyer && !adapter.can.identifyBuyer)
          throw new ApiError(400, {
            identifies_buyer: [
              `${adapter.label} does not have buyers sign in, so they need a one-time code.`,
            ],
          });
        const known = await selectAccountOf(database, seller_id, { mode, provider });
        const kept = known ? openAccount(payments, known)?.settings : undefined;
        const watched = known && (await watchedUntil(database, known.account_id));
        const settings = readSettings(
          adapter,
          { ...input.settings, ...(hasEnvironment(adapter) && { [ENVIRONMENT]: mode }) },
          kept ?? {},
        );
        if ((adapter.modeOf(settings) ?? mode) !== mode)
          throw new ApiError(400, {
            settings: [`These credentials are not for ${mode} mode.`],
          });
        const another = (adapter.merchant ?? []).filter(
          (name) => kept && kept[name] !== settings[name],
        );
        if (watched && another.length > 0) {
          const problem = [stillWatched(watched, "enter another merchant")];
          throw new ApiError(
            400,
            Object.fromEntries(another.map((name) => [`settings.${name}`, problem])),
          );
        }
        const last = (await selectPaymentAccounts(database, seller_id, mode)).at(-1);
        const row = await saveAccount(
          database,
          {
            ...input,
            seller_id,
            mode,
            provider,
            position: known?.position ?? (last?.position ?? 0) + 1,
            sealed_settings: encryptSecret(key, seller_id, JSON.stringify(settings)),
          },
          { version, at: now() },
        );
        if (!row) throw changedMeanwhileError("The account");
        return present(database, row);
      },
    }),
  );

  api.post(
    "/payment-accounts/:provider/remove/",
    writeRoute<Named, undefined, PaymentAccounts>(context, {
      summary: "Remove an account at a payment provider",
      description:
        "Deletes the account's settings, so the provider can no longer be asked about its payments. Refused while payments there can still change; switch the account off until then.",
      answer: PaymentAccounts,
      refusals: { 409: "Payments there can still change; nothing was changed" },
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const row = await find(database, seller_id, params.provider);
        const watched = await watchedUntil(database, row.account_id);
        if (watched) throw detailError(409, stillWatched(watched, "remove it"));
        await removeAccount(database, row.account_id, now());
        return list(database, seller_id);
      },
    }),
  );

  api.post(
    "/payment-accounts/:provider/check/",
    writeRoute<Named, undefined, { seller_id: number; provider: string }>(context, {
      summary: "Check an account's settings",
      description:
        "Asks the provider a question whose answer proves the settings. No money moves.",
      answer: CheckedPaymentAccount,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const { provider } = await find(database, seller_id, params.provider);
        return { seller_id, provider };
      },
      after: async ({ seller_id, provider }): Promise<CheckedPaymentAccount> => {
        const row = await selectAccountOf(pool, seller_id, { mode, provider });
        const opened = row && openAccount(payments, row);
        if (!opened) return { ok: false, text: UNREADABLE };
        try {
          return await opened.adapter.check(
            opened.settings,
            providerIo(payments, CHECK_TIMEOUT),
          );
        } catch (error) {
          if (!(error instanceof ProviderFault)) throw error;
          return { ok: false, text: error.message };
        }
      },
    }),
  );

  comparisonRoutes(api, context, { find, present });
}

const stillWatched = ({ count, until }: { count: number; until: Date }, then: string) =>
  `${count === 1 ? "One payment" : `${count} payments`} there can still change, until ${until.toISOString().slice(0, 10)} at the latest. Switch the account off for now, and ${then} after that.`;

const UNREADABLE = "The settings cannot be read. Enter them again.";

/** @throws 400 if no amount is within the limits */
function requireLimits({ least, most }: Pick<SavePaymentAccount, "least" | "most">) {
  if (least === null || most === null) return;
  if ((hundredths(least) ?? 0n) > (hundredths(most) ?? 0n))
    throw new ApiError(400, {
      most: ["The largest amount cannot be less than the smallest one."],
    });
}
