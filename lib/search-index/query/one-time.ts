import "server-only";

/** Placeholders of the seller and the mode. */
interface OwnerPlaces {
  seller_id: string;
  mode: string;
}

/**
 * SQL condition: the subscription is marked as a one-time purchase, as isOneTimePurchase says.
 * @param interval_type SQL of the listed period's type; null to ignore it
 */
export const isMarkedOneTime = (row: string, interval_type = "null") =>
  `is_one_time(${row}.status, ${row}.current_period_start, ${row}.current_period_end,
     ${row}.next_billing_cycle, ${interval_type})`;

/** SQL of the periods that products list as one-time. */
export const oneTimePeriods = ({ seller_id, mode }: OwnerPlaces) =>
  `select period ->> 'pbp_id' from mirror_product p, jsonb_array_elements(p.record -> 'plan') as plan,
          jsonb_array_elements(plan -> 'billing_periods') as period
    where p.seller_id = ${seller_id} and p.mode = ${mode} and period ->> 'interval_type' = 'one_time'`;

/** SQL condition: a one-time purchase by its mark or by its listed period. */
export const isOneTime = (row: string, owner: OwnerPlaces) =>
  isMarkedOneTime(
    row,
    `case when ${row}.pbp_id in (${oneTimePeriods(owner)}) then 'one_time' end`,
  );

/** SQL condition: a paid one-time purchase. Others are pending or ended like subscriptions. */
export const isPaidOnce = (row: string, owner: OwnerPlaces) =>
  `(${row}.status = 'active' and ${isOneTime(row, owner)})`;
