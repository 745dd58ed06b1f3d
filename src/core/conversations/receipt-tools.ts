import { createHash } from 'node:crypto'
import type { Receipt } from '../../shared/receipt.ts'
import type { ToolStep } from '../../shared/tool-call.ts'
import type { Store } from '../storage/index.ts'

type UsedTool = NonNullable<Receipt['tools']>[number]

/** The calls that one receipt can list. Further ones are only in the journal. */
const MAX_LISTED = 200

/**
 * Lists the calls of an answer in the receipts of its requests: each request's receipt has the calls up to the next
 * request. A call that didn't begin isn't listed, because no tool saw its arguments.
 */
export class ReceiptTools {
  readonly #receipts: Pick<Store['receipts'], 'get' | 'put'>
  readonly #hasDigests: boolean
  readonly #used = new Map<string, UsedTool>()
  #receiptId: string | undefined

  /**
   * @param temporary nothing that depends on the content of a temporary conversation is saved, so its calls have no
   * digests
   */
  constructor(receipts: Pick<Store['receipts'], 'get' | 'put'>, { temporary }: { temporary: boolean }) {
    this.#receipts = receipts
    this.#hasDigests = !temporary
  }

  /** Notes the receipt of the newest request, which then lists the calls. */
  addTo(receiptId: string): void {
    this.#receiptId = receiptId
    this.#write()
  }

  /** Notes a call that began or ended. */
  note({ id, tool, startedAt, state, outcome, arguments: args, resultDigest }: ToolStep): void {
    if (!tool || startedAt === undefined) return
    if (!this.#used.has(id) && this.#used.size >= MAX_LISTED) return
    const digests = this.#hasDigests && {
      argumentsDigest: createHash('sha256').update(args).digest('hex'),
      ...(resultDigest !== undefined && { resultDigest }),
    }
    this.#used.set(id, {
      ...(tool.kind === 'server' && { server: tool.sourceName }),
      tool: tool.name,
      sendsTo: tool.sendsTo,
      outcome: state === 'done' ? (outcome === 'result' ? 'result' : 'error') : 'unknown',
      ...digests,
    })
    this.#write()
  }

  #write(): void {
    if (this.#receiptId === undefined || this.#used.size === 0) return
    const receipt = this.#receipts.get(this.#receiptId)
    if (receipt) this.#receipts.put({ ...receipt, tools: [...this.#used.values()] })
  }
}
