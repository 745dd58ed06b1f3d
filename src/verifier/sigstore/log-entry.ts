import { msg } from '../message.ts'
import type { LogEntry } from './bundle-form.ts'
import { readCheckpoint, isLogSignature } from './checkpoint.ts'
import { leafHash, rootOfInclusion } from './merkle-tree.ts'
import { SigstoreRefusal } from './refusal.ts'
import { within, type TrustedLog } from './trusted-root.ts'

/**
 * Whether a log that was in force at the entry's time signed a promise to include the entry. Only this signed
 * entry timestamp (over canonical JSON, RFC 8785) confirms a time, because a proof of inclusion states none.
 */
export function isPromised(
  { body, integratedTime, logId, logIndex, promise }: LogEntry,
  logs: readonly TrustedLog[],
): boolean {
  const log = logs.find(({ id, inForce }) => id.equals(logId) && within(inForce, integratedTime * 1000))
  if (!promise || !log) return false
  const signed = { body: body.toString('base64'), integratedTime, logID: logId.toString('hex'), logIndex }
  return isLogSignature(log, Buffer.from(JSON.stringify(signed)), promise)
}

/**
 * Checks that the entry is in the tree that its log signed, and that the log is trusted at that time.
 *
 * @param promised the result of `isPromised`
 * @param times Unix ms: the known times at which the signature existed
 * @throws {SigstoreRefusal} `sigstore/log-key-untrusted`, `sigstore/log-inclusion-invalid`,
 * `sigstore/log-root-mismatch`
 */
export function requireLogged(
  entry: LogEntry,
  promised: boolean,
  times: readonly number[],
  logs: readonly TrustedLog[],
): void {
  const { logId, promise, integratedTime, proof } = entry
  // A log of the second generation makes no promise and states no time. It must be in force at the times that
  // other witnesses confirm.
  const at = promise && integratedTime !== 0 ? [integratedTime * 1000] : times
  const log = logs.find(({ id, inForce }) => id.equals(logId) && at.every((time) => within(inForce, time)))
  if (!log)
    throw new SigstoreRefusal(
      'sigstore/log-key-untrusted',
      msg('log {logId}, at that time', { logId: logId.toString('hex') }),
    )
  if (promise && !promised)
    throw new SigstoreRefusal(
      'sigstore/log-inclusion-invalid',
      msg('an entry with an invalid signed timestamp'),
    )

  const checkpoint = readCheckpoint(proof.checkpoint, log)
  if (!checkpoint)
    throw new SigstoreRefusal('sigstore/log-inclusion-invalid', msg('a checkpoint with an invalid signature'))
  // The proof must lead to the tree that the log signed (RFC 9162 section 2.1.3), and its claimed root must
  // be the same.
  if (proof.treeSize !== checkpoint.treeSize || !proof.rootHash.equals(checkpoint.rootHash)) {
    throw new SigstoreRefusal(
      'sigstore/log-root-mismatch',
      msg('a proof to root {hash}', { hash: proof.rootHash.toString('hex') }),
    )
  }
  const root = rootOfInclusion(leafHash(entry.body), proof.logIndex, checkpoint.treeSize, proof.hashes)
  if (!root?.equals(checkpoint.rootHash))
    throw new SigstoreRefusal(
      'sigstore/log-inclusion-invalid',
      msg('an inclusion path that doesn’t lead to the log’s signed root'),
    )
}
