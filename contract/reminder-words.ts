/** Why a reminder that waited is not sent any more. */
export const REMINDER_WITHDRAWALS = {
  off: "The schedule or its step was switched off.",
  gone: "The subscription is gone.",
  suspended: "The account may not take payments.",
  settled: "It was paid, rescheduled or cancelled in the meantime.",
  held: "Its reminders are held.",
  opted_out: "The buyer wants no reminders.",
  superseded: "A later reminder took its place.",
  late: "Its day is over.",
  limit: "The buyer got as many reminders as the schedule allows in a week.",
} as const;

/** Why a reminder cannot be sent now. */
export const REMINDER_REFUSALS = {
  switched_off: "The schedule of reminders is off.",
  unfit: "This step does not fit the subscription as it is now.",
  quiet: "Reminders do not go at this time; see the quiet hours and weekdays.",
  unreachable: "No channel reaches this buyer.",
  sent: "This step went to this buyer already.",
} as const;
