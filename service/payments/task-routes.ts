import type { FastifyInstance } from "fastify";
import { FIELD_MESSAGES } from "#contract/field-messages.ts";
import type { PaymentTaskDecision } from "#contract/names.ts";
import {
  DecidePaymentTask,
  PaymentTask,
  PaymentTaskPage,
  PaymentTaskQuery,
} from "#contract/recorded-payments.ts";
import { askAbout } from "../checkout/charges/ask.ts";
import {
  countAsPaid,
  endHeld,
  refundHeld,
  lockHeldCharge,
} from "../checkout/charges/decide.ts";
import type { LockedCharge } from "../checkout/charges/conclude.ts";
import { selectCharge, wakePayments } from "../checkout/charges/store.ts";
import { labelOf, paymentContext, type PaymentContext } from "../checkout/provider.ts";
import type { ServiceContext } from "../context.ts";
import { violatesConstraint, type Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { pageBefore } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { writeRoute, type WriteContext } from "../http/write.ts";
import { ProviderFault } from "../providers/provider.ts";
import {
  countOpenTasks,
  lockTask,
  noteAsked,
  selectTasks,
  type ListedTask,
  type TaskRow,
} from "../payment-tasks/task-store.ts";
import { closeTask } from "../payment-tasks/tasks.ts";

const HELD: readonly PaymentTaskDecision[] = [
  "count_as_paid",
  "give_back",
  "nothing_came",
  "ask_again",
];

function decisionsOf({
  kind,
  closed_at,
  can_ask,
}: Pick<ListedTask, "kind" | "closed_at" | "can_ask">): PaymentTaskDecision[] {
  if (closed_at !== null) return [];
  if (kind === "held") return [...HELD];
  return can_ask ? ["noted", "ask_again"] : ["noted"];
}

/** What the route's `work` hands to its `after`. */
interface Decided {
  seller_id: number;
  task_id: string;
  asked_charge_id: string | null;
}

/** Money that a person has to check (ADR 0260). */
export function paymentTaskRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl } = context;
  const payments = paymentContext(context);
  const present = (task: ListedTask): PaymentTask => {
    const { label: _label, charge_id: _id, can_ask: _can, ...row } = task;
    return {
      ...row,
      provider_label: labelOf(payments.adapters, task),
      decisions: decisionsOf(task),
    };
  };
  const read = async (database: Database, sellerId: number, task_id: string) => {
    const [task] = await selectTasks(database, sellerId, { task_id }, 1);
    if (!task) throw notFoundError();
    return present(task);
  };

  api.get(
    "/payment-tasks/",
    filteredRoute({
      summary: "List money to check",
      description:
        "Payments whose provider says neither that they were made nor that they failed, and money that moved without this service. Newest first; closed tasks are ordered by when they were closed. `next` is the URL of the next page.",
      filters: PaymentTaskQuery,
      meanings: {
        is_open: "Only open tasks, or only closed ones",
        subscription_id: "Only tasks about this subscription",
        before: "Only tasks before the one with this id",
        page_size: "Rows per page",
      },
      answer: PaymentTaskPage,
      read: async ({ page_size: size, is_open, ...rest }, request) => {
        const query = {
          ...rest,
          is_open: is_open === undefined ? undefined : is_open === "true",
        };
        const { seller_id } = sellerOf(request);
        const rows = await selectTasks(pool, seller_id, query, size + 1);
        const page = pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => id });
        return {
          open: await countOpenTasks(pool, seller_id),
          next: page.next,
          results: page.results.map(present),
        };
      },
    }),
  );

  api.post(
    "/payment-tasks/:id/decide/",
    writeRoute<{ id: string }, DecidePaymentTask, Decided>(context, {
      summary: "Decide about money",
      description:
        "Send one of the task's `decisions`. `count_as_paid` counts the money as the payment, or gives it back if nothing is owed any more; `give_back` gives the money back; `nothing_came` ends the charge as not paid; `noted` closes the task and changes nothing else; `ask_again` asks the provider now, and the task closes by itself if the answer decides it.",
      answer: PaymentTask,
      refusals: {
        409: "The task was decided in the meantime, or the provider was not asked; nothing was changed",
      },
      schema: DecidePaymentTask,
      work: async (write, input, { params }) => {
        const task = await decideTask(write, payments, params.id, input);
        return {
          seller_id: task.seller_id,
          task_id: task.task_id,
          asked_charge_id: input.decision === "ask_again" ? task.charge_id : null,
        };
      },
      after: async ({ seller_id, task_id, asked_charge_id }) => {
        if (asked_charge_id !== null) await ask(asked_charge_id);
        return read(pool, seller_id, task_id);
      },
    }),
  );

  /** @throws 409 if there is no answer */
  async function ask(chargeId: string) {
    const charge = await selectCharge(pool, chargeId);
    if (!charge) throw notFoundError();
    try {
      await askAbout(payments, charge);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      throw detailError(409, "The provider did not answer. Ask again later.");
    }
    const asked = await selectCharge(pool, chargeId);
    if (asked?.times_asked === charge.times_asked)
      throw detailError(
        409,
        "The provider was asked just now, or requests to it are paused after errors. Ask again in a minute.",
      );
  }
}

/** @returns the task as it was */
async function decideTask(
  { database, seller, clock }: WriteContext,
  payments: PaymentContext,
  id: string,
  { decision, note, by }: DecidePaymentTask,
): Promise<TaskRow> {
  const { seller_id } = seller;
  const [known] = isUuid(id) ? await selectTasks(database, seller_id, { task_id: id }, 1) : [];
  if (!known) throw notFoundError();
  if (decision !== "ask_again" && note === "")
    throw new ApiError(400, { note: [FIELD_MESSAGES.blank] });
  if (!decisionsOf({ ...known, closed_at: null }).includes(decision))
    throw new ApiError(400, { decision: ["This task does not allow this decision."] });
  const held = await lockHeldOf(database, known, payments.now());
  const task = await lockTask(database, seller_id, id);
  if (!task) throw notFoundError();
  if (task.closed_at !== null)
    throw detailError(
      409,
      task.closed_by === null
        ? "The provider's answer decided this task in the meantime."
        : `${task.closed_by} decided this task in the meantime.`,
    );
  if (decision === "ask_again") {
    await noteAsked(database, task, clock());
    return task;
  }
  if (task.kind === "held") {
    if (!held)
      throw detailError(409, "The provider's answer decided this task in the meantime.");
    await settleHeld(database, held, { decision, note, by });
  }
  await closeTask(database, task, { at: clock(), by, decision, note });
  return task;
}

async function lockHeldOf(
  database: Database,
  { kind, charge_id, subscription_id }: ListedTask,
  realNow: Date,
): Promise<LockedCharge | null> {
  if (kind !== "held" || charge_id === null || subscription_id === null) return null;
  return lockHeldCharge(database, { charge_id, subscription_id }, realNow);
}

async function settleHeld(
  database: Database,
  held: LockedCharge,
  { decision, note, by }: DecidePaymentTask,
) {
  try {
    if (decision === "count_as_paid") await countAsPaid(database, held);
    else if (decision === "give_back") await refundHeld(database, held, { by, reason: note });
    else await endHeld(database, held);
  } catch (error) {
    const isPaid = ["one_active_per_period", "one_payment_per_period"].some((name) =>
      violatesConstraint(error, name),
    );
    if (!isPaid) throw error;
    throw detailError(
      409,
      "The subscription was paid in the meantime. Read the task again before you decide.",
    );
  }
  await wakePayments(database);
}
