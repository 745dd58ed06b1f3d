import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { contactSchema } from '../contact.ts'
import { logEntrySchema } from '../log-entry.ts'
import { call } from './call.ts'

export const diagnosticsContract = {
  /** Every host that Sotto itself may connect to as it is set up now. What is served here, on loopback, is not among them. */
  contacts: call.output(z.array(contactSchema)),
  /** First what was noted since the start, the oldest first, as far as it is still held; then what is noted. */
  watchLog: call.output(eventIterator(z.array(logEntrySchema))),
  /** Text for a report of a fault: versions, states and the log. No content, no key, no name, no address of the user's. */
  report: call.output(z.object({ text: z.string() })),
}
