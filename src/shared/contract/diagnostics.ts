import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { contactSchema } from '../contact.ts'
import { logEntrySchema } from '../log-entry.ts'
import { call } from './call.ts'

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
