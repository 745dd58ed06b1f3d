import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MAX_PROOF_BYTES, proofSchema, type Proof } from '../../shared/proof.ts'
import type { Verdict } from '../../shared/verdict.ts'
import {
  enclaveIdentitySchema,
  verifiedEnclaveSchema,
  type VerifiedEnclave,
} from '../../shared/verified-enclave.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/** In addition to the first one of a host, which is never pruned. */
const MAX_ENCLAVES = 30

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const proofRowSchema = z.object({ host: z.string(), proof: z.instanceof(Uint8Array).nullable() })
const bodySchema = verifiedEnclaveSchema.omit({ id: true })

const place = (column: 'body' | 'proof', host: string, id: string) =>
  `verified_enclaves/${column}/${host}/${id}`

/**
 * Stores each verified enclave once: a different measurement, release or key is a different enclave. For
 * each host it stores the first one and the MAX_ENCLAVES last seen, each with the proof of its first
 * verdict. A proof beyond MAX_PROOF_BYTES isn't stored, which the record states.
 */
export function verifiedEnclavesIn(database: SealedDatabase): Store['verifiedEnclaves'] {
  const toEnclave = (host: string, { id, body }: z.infer<typeof rowSchema>): VerifiedEnclave => ({
    id,
    ...database.unseal(bodySchema, place('body', host, id), body),
  })

  /** The last seen enclave first. */
  function of(host: string): VerifiedEnclave[] {
    return database
      .all(
        rowSchema,
        'SELECT id, body FROM verified_enclaves WHERE host = ? ORDER BY last_seen_at DESC, seq DESC',
        host,
      )
      .map((row) => toEnclave(host, row))
  }

  function add(identity: string, verdict: Verdict, proof: Proof): void {
    const { enclaveHost: host, verifiedAt, evidenceDigest, machine } = verdict
    const id = randomUUID()
    const hasProof = Buffer.byteLength(JSON.stringify(proof)) <= MAX_PROOF_BYTES
    const body: z.infer<typeof bodySchema> = {
      ...enclaveIdentitySchema.parse(JSON.parse(identity)),
      firstSeenAt: verifiedAt,
      sinceAt: verifiedAt,
      lastSeenAt: verifiedAt,
      evidenceDigest,
      hasProof,
      ...(machine && { machine }),
    }
    database.run(
      'INSERT INTO verified_enclaves (id, host, last_seen_at, body, proof) VALUES (?, ?, ?, ?, ?)',
      id,
      host,
      Math.trunc(verifiedAt),
      database.seal(place('body', host, id), body),
      hasProof ? database.seal(place('proof', host, id), proof) : null,
    )
  }

  function seeAgain(
    { id, ...known }: VerifiedEnclave,
    { verifiedAt, machine }: Verdict,
    current: boolean,
  ): void {
    const body: z.infer<typeof bodySchema> = {
      ...known,
      ...(machine && { machine }),
      lastSeenAt: verifiedAt,
      ...(!current && { sinceAt: verifiedAt }),
    }
    database.run(
      'UPDATE verified_enclaves SET last_seen_at = ?, body = ? WHERE id = ?',
      Math.trunc(verifiedAt),
      database.seal(place('body', known.enclaveHost, id), body),
      id,
    )
  }

  function prune(host: string): void {
    database.run(
      `DELETE FROM verified_enclaves WHERE host = ?
        AND seq <> (SELECT min(seq) FROM verified_enclaves WHERE host = ?)
        AND seq NOT IN (SELECT seq FROM verified_enclaves WHERE host = ? ORDER BY last_seen_at DESC, seq DESC LIMIT ${String(MAX_ENCLAVES)})`,
      host,
      host,
      host,
    )
  }

  return {
    of,
    record(verdict, proof) {
      if (!verdict.good) return
      const host = verdict.enclaveHost
      const identity = identityOf(verdict)
      const known = of(host)
      const at = known.findIndex((enclave) => identityOf(enclave) === identity)
      const again = known[at]
      database.transaction(() => {
        if (again) seeAgain(again, verdict, at === 0)
        else add(identity, verdict, proof)
        prune(host)
      })
    },
    proof(id) {
      const row = database.get(proofRowSchema, 'SELECT host, proof FROM verified_enclaves WHERE id = ?', id)
      return row?.proof ? database.unseal(proofSchema, place('proof', row.host, id), row.proof) : null
    },
  }
}

/** The same text for the same enclave, because the schema writes its members in a fixed order. */
function identityOf(enclave: Verdict | VerifiedEnclave): string {
  return JSON.stringify(enclaveIdentitySchema.parse(enclave))
}
