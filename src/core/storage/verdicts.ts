import { z } from 'zod'
import { releaseKey } from '../../shared/release-key.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/** Releases beyond this number need consent again. */
const MOST_TRUSTED = 200

const rowSchema = z.object({ body: z.instanceof(Uint8Array) })
const bodySchema = z.object({
  newest: z.object({ tag: z.string(), digest: z.string(), logTime: z.number() }).nullable(),
  /** Digests of older releases that the user consented to, in addition to this newest one. */
  acceptedOlder: z.array(z.string()),
  /** Releases that a successful verdict or the user accepted, the last one last. Absent in schema 1. */
  trusted: z.array(z.string()).default([]),
})
type Body = z.infer<typeof bodySchema>

const place = (host: string) => `enclaves/body/${host}`

/** Stores the facts of verdicts by which a rollback or a replacement of an enclave is detected. */
export function verdictsIn(database: SealedDatabase): Store['verdicts'] {
  function known(host: string): Body {
    const row = database.get(rowSchema, 'SELECT body FROM enclaves WHERE host = ?', host)
    return row
      ? database.unseal(bodySchema, place(host), row.body)
      : { newest: null, acceptedOlder: [], trusted: [] }
  }
  function keep(host: string, body: Body): void {
    database.run(
      'INSERT INTO enclaves (host, body) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET body = excluded.body',
      host,
      database.seal(place(host), body),
    )
  }
  function isTrusted({ newest, acceptedOlder, trusted }: Body, release: string): boolean {
    return newest?.digest === release || acceptedOlder.includes(release) || trusted.includes(release)
  }
  function withTrust(body: Body, release: string): Body {
    return body.trusted.includes(release)
      ? body
      : { ...body, trusted: [...body.trusted, release].slice(-MOST_TRUSTED) }
  }
  return {
    newestRelease: (host) => known(host).newest,
    record(verdict) {
      const { good, release, enclaveHost } = verdict
      const accepted = releaseKey(verdict)
      if (!good || accepted === undefined) return
      const before = known(enclaveHost)
      const after = withTrust(before, accepted)
      const logTime = release?.loggedAt
      // The consent was for a step back from the release that was newest then. A newer release needs
      // consent again.
      if (release && logTime !== undefined && (before.newest?.logTime ?? -Infinity) < logTime) {
        keep(enclaveHost, {
          ...after,
          newest: { tag: release.tag, digest: release.digest, logTime },
          acceptedOlder: [],
        })
      } else if (after !== before) keep(enclaveHost, after)
    },
    acceptedOlder: (host, digest) => known(host).acceptedOlder.includes(digest),
    acceptOlder(host, digest) {
      const body = withTrust(known(host), digest)
      keep(
        host,
        body.acceptedOlder.includes(digest)
          ? body
          : { ...body, acceptedOlder: [...body.acceptedOlder, digest] },
      )
    },
    trusted: (host, release) => isTrusted(known(host), release),
    trust: (host, release) => keep(host, withTrust(known(host), release)),
  }
}
