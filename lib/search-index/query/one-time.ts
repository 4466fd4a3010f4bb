import "server-only";

/** The places of both in the statement. */
interface OwnerPlaces {
  seller_id: string;
  mode: string;
}

/**
 * SQL that a copied subscription bears the mark of a one-time purchase, as isOneTimePurchase says of a record.
 * @param interval_type SQL of what the products list of its period; null where that is not asked
 */
export const isMarkedOneTime = (row: string, interval_type = "null") =>
  `is_one_time(${row}.status, ${row}.current_period_start, ${row}.current_period_end,
     ${row}.next_billing_cycle, ${interval_type})`;

/** SQL of the periods that products list as one-time ones. */
export const oneTimePeriods = ({ seller_id, mode }: OwnerPlaces) =>
  `select period ->> 'pbp_id' from mirror_product p, jsonb_array_elements(p.record -> 'plan') as plan,
          jsonb_array_elements(plan -> 'billing_periods') as period
    where p.seller_id = ${seller_id} and p.mode = ${mode} and period ->> 'interval_type' = 'one_time'`;

/** SQL that it is a one-time purchase: by its mark, or by what the products list of its period. */
export const isOneTime = (row: string, owner: OwnerPlaces) =>
  isMarkedOneTime(
    row,
    `case when ${row}.pbp_id in (${oneTimePeriods(owner)}) then 'one_time' end`,
  );

/** SQL that it is one that was paid: the others wait, or have ended, as subscriptions do. */
export const isPaidOnce = (row: string, owner: OwnerPlaces) =>
  `(${row}.status = 'active' and ${isOneTime(row, owner)})`;
