import { z } from 'zod'
import { statusSchema } from '../status.ts'
import { call, idSchema } from './call.ts'
import { localizedTextSchema } from '../localized-text-schema.ts'
import { eventIterator } from '@orpc/contract'
import { contactSchema } from '../contact.ts'
import { logEntrySchema } from '../log-events.ts'
import { serviceChoiceSchema } from '../profile.ts'

export const appContract = {
  status: call.output(statusSchema),
  acknowledge: call.input(z.object({ noticeId: idSchema })).output(statusSchema),
  /** A way to start was chosen; the first-start screen does not come back. */
  begin: call.output(statusSchema),
  /** Accepts records that were changed outside Sotto as they are now (docs/decisions/0018). Confirmed outside the window. */
  acceptRecords: call.output(statusSchema),
}

export const confirmationsContract = {
  /** The question that waits for a code of this caller's, or null. Never carries the code. */
  pending: call.output(z.object({ id: idSchema, says: localizedTextSchema }).nullable()),
  /**
   * Enters the code from the terminal, in any case, with or without the hyphen. After a wrong code,
   * `retryAfterSeconds` is the time until codes are compared again. Throws confirm/too-soon before that,
   * with the remaining seconds.
   */
  answer: call
    .input(z.object({ id: idSchema, code: z.string().min(1).max(32) }))
    .output(z.object({ accepted: z.boolean(), retryAfterSeconds: z.int().min(1).exactOptional() })),
}

export const diagnosticsContract = {
  /**
   * Every host that Sotto may connect to in the current configuration. Its own servers on loopback aren't
   * included.
   */
  contacts: call.output(z.array(contactSchema)),
  /** First the entries since the start that are still in memory, the oldest first, and then new ones. */
  watchLog: call.output(eventIterator(z.array(logEntrySchema))),
  /** Text for a report of a fault: versions, states and the log. No content, no key, no name, no address of the user's. */
  report: call.output(z.object({ text: z.string() })),
}

export const profilesContract = {
  list: call.output(z.array(serviceChoiceSchema)),
  /** Asks for confirmation outside the window. */
  choose: call.input(z.object({ profileId: idSchema })).output(statusSchema),
}
