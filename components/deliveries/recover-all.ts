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
  let recovered = 0;
  for (;;) {
    const result = await recover();
    if (!result.ok) return result;
    recovered += result.value.recovered;
    const sum = { recovered, left: result.value.left };
    if (sum.left === 0 || result.value.recovered === 0 || hasLeft())
      return { ok: true, value: sum };
    tell(sum);
  }
}
