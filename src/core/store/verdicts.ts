import { z } from 'zod'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ body: z.instanceof(Uint8Array) })
const bodySchema = z.object({
  newest: z.object({ tag: z.string(), digest: z.string(), logTime: z.number() }).nullable(),
  /** Digests of older releases that the user consented to, beside this newest one. */
  acceptedOlder: z.array(z.string()),
})
type Body = z.infer<typeof bodySchema>

const place = (host: string) => `enclaves/body/${host}`

/** What must be remembered of verdicts so that an enclave cannot be rolled back unseen. */
export function verdictsIn(database: SealedDatabase): Store['verdicts'] {
  function known(host: string): Body {
    const row = database.get(rowSchema, 'SELECT body FROM enclaves WHERE host = ?', host)
    return row ? database.unseal(bodySchema, place(host), row.body) : { newest: null, acceptedOlder: [] }
  }
  function keep(host: string, body: Body): void {
    database.run('INSERT INTO enclaves (host, body) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET body = excluded.body', host, database.seal(place(host), body))
  }
  return {
    newestRelease: (host) => known(host).newest,
    record({ good, release, enclaveHost }) {
      if (!good || release?.loggedAt === undefined) return
      const { newest } = known(enclaveHost)
      if (newest && newest.logTime >= release.loggedAt) return
      // Consent was to a step back from the newest then; from this one it has to be asked anew.
      keep(enclaveHost, { newest: { tag: release.tag, digest: release.digest, logTime: release.loggedAt }, acceptedOlder: [] })
    },
    acceptedOlder: (host, digest) => known(host).acceptedOlder.includes(digest),
    acceptOlder(host, digest) {
      const body = known(host)
      if (!body.acceptedOlder.includes(digest)) keep(host, { ...body, acceptedOlder: [...body.acceptedOlder, digest] })
    },
  }
}
