import type {
  PlaintextAnswer,
  PlaintextAsk,
  PlaintextRequest,
  PayableAsk,
  Relay,
} from '../gateway/relay/index.ts'

export type { PlaintextAnswer, PlaintextAsk, PayableAsk }

/** A record of the service's history, with the members that are compared. */
export interface HistoryRecord {
  /** Unix ms. */
  readonly at: number
  readonly model: string
  readonly type?: string | undefined
  readonly cost?: bigint | undefined
}

/** `pages`: the total number of pages. */
export interface HistoryPage {
  readonly records: readonly HistoryRecord[]
  readonly pages: number
}

/** The service as the studio uses it: only through the relay. core.ts implements it. */
export interface StudioService extends Pick<Relay, 'quote' | 'look' | 'estimate'> {
  readonly revision: 'A' | 'B'
  open(request: PlaintextRequest): Promise<PlaintextAnswer>
  /** Fetches a signed address of the service. Throws service/…, service/foreign-address. */
  fetchOwn(
    address: string,
    signal: AbortSignal,
  ): Promise<{
    readonly status: number
    readonly contentType: string
    readonly body: AsyncIterable<Uint8Array>
  }>
  /** The account whose balance pays now; null if none is connected. */
  accountId(): string | null
  /** Days are UTC (`YYYY-MM-DD`) and both included; pages are counted from 1. */
  history(
    days: { readonly from: string; readonly until: string },
    page: number,
    signal: AbortSignal,
  ): Promise<HistoryPage>
}
