import { MAX_DOCUMENT_BYTES } from '../../../shared/convertible-document.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers documentsContract. Nothing is sent before the fee is accepted. Throws vault/locked and what the contract names. */
export function documentsArea(core: ApiContext, os: Implementer['documents']) {
  /** A call over app:// isn't aborted when the window leaves it, so it's stopped by its ID. */
  const running = new Map<string, AbortController>()

  return {
    convert: os.convert.handler(
      async ({ input: { id, name, content: blob, acceptsFee }, signal, context }) => {
        const { conversions } = core.open()
        if (blob.size > MAX_DOCUMENT_BYTES) throw new SottoError('document/too-large')
        const stop = new AbortController()
        running.set(id, stop)
        try {
          const content = new Uint8Array(await blob.arrayBuffer())
          if (!acceptsFee && !conversions.has(name, content))
            throw new SottoError('document/fee-not-accepted')
          const { text, receiptId, cost } = await conversions.convert({
            name,
            content,
            caller: { kind: context.caller.kind },
            signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
          })
          if (text === '') throw new SottoError('document/no-text', { receiptId })
          return { text, receiptId, ...(cost !== undefined && { cost: cost.toString() }) }
        } finally {
          running.delete(id)
        }
      },
    ),
    stop: os.stop.handler(({ input: { id } }) => running.get(id)?.abort(new SottoError('request/canceled'))),
  }
}
