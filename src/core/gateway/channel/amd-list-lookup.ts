import {
  MAX_REVOCATION_LIST_BYTES,
  AMD_KEY_SERVER,
  type CollateralRecord,
} from '../../../shared/collateral-record.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import type { SevProduct } from '../../../shared/policy/sev-snp.ts'
import type { TrustSet } from '../../../shared/trust.ts'
import { readAmdList } from '../../../verifier/index.ts'

const TIMEOUT_MS = 20_000
/** After an attempt, whether it failed or not, AMD isn't asked for the same list again before this time. */
const RETRY_AFTER_MS = 3 * 3600_000

/** The newest collateral that was seen. The store implements it. */
export interface CollateralMemory {
  /** Returns one record for each name. @throws {SottoError} store/damaged */
  newest(): readonly CollateralRecord[]
  /**
   * Replaces the record of each name unless the stored one is newer.
   * @throws {SottoError} store/unwritable, database/…
   */
  record(records: readonly CollateralRecord[]): void | Promise<void>
}

interface LookupOptions {
  readonly fetch: Fetch
  readonly memory: CollateralMemory
  /** Unix ms. */
  readonly now: () => number
  readonly monotonic: () => number
}

export interface AmdListLookup {
  /**
   * Downloads AMD's revocation list of a product, and remembers it if AMD signed it, it is in force, and it is newer than the known one. Joins
   * a download in flight. Never rejects.
   *
   * @returns whether a newer list is known now; false at once if the last attempt was less than three hours ago
   */
  refresh(product: SevProduct, roots: TrustSet['amd']): Promise<boolean>
  /** Cancels downloads in progress. */
  close(): void
}

/** Gets revocation lists from AMD's key server. The request has no credentials, and names only the product. */
export function createAmdListLookup({ fetch, memory, now, monotonic }: LookupOptions): AmdListLookup {
  const begun = new Map<SevProduct, number>()
  const inFlight = new Map<SevProduct, Promise<boolean>>()
  const closed = new AbortController()

  async function download(product: SevProduct, roots: TrustSet['amd']): Promise<boolean> {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const der = await fetchAmdList(fetch, `https://${AMD_KEY_SERVER}`, product, signal)
    const list = readAmdList(der, roots, product, now())
    if ('code' in list || closed.signal.aborted) return false
    const known = memory.newest().find(({ name }) => name === list.name)
    if (known && known.version >= list.version) return false
    await memory.record([list])
    return true
  }

  return {
    refresh(product, roots) {
      const joined = inFlight.get(product)
      if (joined) return joined
      if (monotonic() - (begun.get(product) ?? -Infinity) < RETRY_AFTER_MS) return Promise.resolve(false)
      begun.set(product, monotonic())
      const attempt = download(product, roots)
        .catch(() => false)
        .finally(() => inFlight.delete(product))
      inFlight.set(product, attempt)
      return attempt
    },
    close: () => closed.abort(),
  }
}

/**
 * Downloads the revocation list of a product (AMD 57230, "VCEK CRL"). Nothing of it is verified.
 *
 * @param server an origin, without a slash at its end
 * @returns at most 64 KiB of DER, as the server sent them
 * @throws {Error} for a longer body, for any status other than 200, so a redirect isn't followed, and what `fetch` rejects with
 */
export async function fetchAmdList(
  fetch: Fetch,
  server: string,
  product: SevProduct,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const response = await fetch(`${server}/vcek/v1/${product}/crl`, {
    method: 'GET',
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal,
  })
  if (response.status !== 200) {
    for await (const _ of response.body ?? []) break
    throw new Error(`the server answers with status ${String(response.status)}`)
  }
  return readBytes(response.body, MAX_REVOCATION_LIST_BYTES, () => new RangeError('the list is too large'))
}
