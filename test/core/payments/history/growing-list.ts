import type { HistoryPage, QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'

export function record(at: number, change: Partial<QueryRecord> = {}): QueryRecord {
  return {
    at,
    model: 'sandbox/allegro-mini',
    inputTokens: 10,
    outputTokens: 20,
    cost: 1_000n,
    type: 'chat_completion',
    source: 'api',
    apiKeyId: 'key-1',
    ...change,
  }
}

/** A service that pages by number over a list which others add to. */
export class GrowingList {
  /** The newest first. */
  records: QueryRecord[]
  reads = 0
  readonly #size: number
  readonly #before: () => void

  /** @param before what happens before each page is given */
  constructor(
    records: readonly QueryRecord[],
    size: number,
    before: (list: GrowingList) => void = () => undefined,
  ) {
    this.records = records.toSorted((a, b) => b.at - a.at)
    this.#size = size
    this.#before = () => before(this)
  }

  add(records: readonly QueryRecord[]): void {
    this.records = [...records, ...this.records].toSorted((a, b) => b.at - a.at)
  }

  readonly read = (page: number): Promise<HistoryPage> => {
    this.#before()
    this.reads += 1
    return Promise.resolve({
      records: this.records.slice((page - 1) * this.#size, page * this.#size),
      unreadable: 0,
      page,
      pageSize: this.#size,
      total: this.records.length,
      pages: Math.ceil(this.records.length / this.#size),
    })
  }
}
