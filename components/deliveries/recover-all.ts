import type { ActionResult } from "#components/forms/use-action.tsx";
import type { RecoveredDeliveries } from "#contract/deliveries.ts";

/**
 * Resends in steps until nothing is left, a step fails or resends nothing, or the user has left.
 * @param tell gets the sum of all steps so far, after each step but the last
 */
export async function recoverAll(
  recover: () => Promise<ActionResult<RecoveredDeliveries>>,
  tell: (sum: RecoveredDeliveries) => void,
  hasLeft: () => boolean,
): Promise<ActionResult<RecoveredDeliveries>> {
  let sum: RecoveredDeliveries = { recovered: 0, left: 0 };
  while (!hasLeft()) {
    const result = await recover();
    if (!result.ok) return result;
    const { recovered, left } = result.value;
    sum = { recovered: sum.recovered + recovered, left };
    if (left === 0 || recovered === 0 || hasLeft()) break;
    tell(sum);
  }
  return { ok: true, value: sum };
}
