import { z } from 'zod'
import {
  isTrusted,
  noRelease,
  releaseRecordSchema,
  withOlder,
  withTrust,
  withVerdict,
  type ReleaseRecord,
} from './release-record.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ body: z.instanceof(Uint8Array) })

const place = (host: string) => `enclaves/body/${host}`

/** Stores the facts of verdicts by which a rollback or a replacement of an enclave is detected. */
export function verdictsIn(database: SealedDatabase): Store['verdicts'] {
  function known(host: string): ReleaseRecord {
    const row = database.get(rowSchema, 'SELECT body FROM enclaves WHERE host = ?', host)
    return row ? database.unseal(releaseRecordSchema, place(host), row.body) : noRelease
  }
  function keep(host: string, record: ReleaseRecord): void {
    database.run(
      'INSERT INTO enclaves (host, body) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET body = excluded.body',
      host,
      database.seal(place(host), record),
    )
  }
  return {
    newestRelease: (host) => known(host).newest,
    record(verdict) {
      const before = known(verdict.enclaveHost)
      const after = withVerdict(before, verdict)
      if (after !== before) keep(verdict.enclaveHost, after)
    },
    acceptedOlder: (host, digest) => known(host).acceptedOlder.includes(digest),
    acceptOlder: (host, digest) => keep(host, withOlder(known(host), digest)),
    trusted: (host, release) => isTrusted(known(host), release),
    trust: (host, release) => keep(host, withTrust(known(host), release)),
  }
}
