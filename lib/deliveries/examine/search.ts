import { parameterReader, queryString, type Parameters } from "#lib/search-parameters.ts";

/** The shape of the doctor's address; null where nothing is picked. */
export interface DoctorSearch {
  /** A delivery of the service's log. */
  delivery: string | null;
  /** Which of its attempts, from 1. */
  attempt: number | null;
  /** One that came to the receiver here, by its id; then the others are null. */
  received: string | null;
}

const ID = /^[1-9]\d{0,14}$/;

/** What cannot be read picks nothing. */
export function parseDoctorSearch(parameters: Parameters): DoctorSearch {
  const { read } = parameterReader(parameters);
  const attempt = read("attempt", /^[1-9]\d{0,4}$/);
  const received = read("received", ID);
  if (received !== null) return { delivery: null, attempt: null, received };
  return {
    delivery: read("delivery", ID),
    attempt: attempt === null ? null : Number(attempt),
    received,
  };
}

/** Below the scope. */
export const doctorPath = (search: Partial<DoctorSearch> = {}): string =>
  `/settings/webhooks/doctor${queryString({ ...search })}`;
