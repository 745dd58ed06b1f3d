import type { StoredAsk } from '../../../shared/job-ask.ts'
import { sendFromBalance } from '../send.ts'
import type { PayableAsk } from '../service.ts'
import { ofKind, type JobHandler, type HandlerOptions } from './job-handler.ts'

/** One call of a data endpoint. The response is the whole result: files that it names aren't fetched. */
export function createDataHandler(options: HandlerOptions): JobHandler {
  return {
    check: () => undefined,
    payable: (ask) => Promise.resolve(requestOf(ask)),
    estimated: (ask) => Promise.resolve(requestOf(ask)),
    async send({ id, ask }) {
      if (await sendFromBalance(id, requestOf(ask), options)) options.jobs.apply(id, { type: 'answered' })
    },
    save: () => Promise.resolve(),
  }
}

function requestOf(ask: StoredAsk): PayableAsk {
  const { method, path, input } = ofKind('data', ask)
  return { endpoint: 'data', method, path, input }
}
