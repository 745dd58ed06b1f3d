import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import type { Roots } from './roots.ts'
import { logId, rekorHost } from './sigstore-roots.ts'

/** Leaves and nodes are hashed with different prefixes (RFC 6962 section 2.1). */
export function leafHash(leaf: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(leaf).digest()
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

/** The largest power of two below `size`. */
function split(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

/** Merkle tree hash of hashed leaves; without leaves, the hash of the empty string. */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return createHash('sha256').digest()
  if (leaves.length === 1) return only
  const half = split(leaves.length)
  return nodeHash(treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)))
}

/** RFC 6962 section 2.1.1: the siblings on the way from leaf `index` up to the root, lowest first. */
export function inclusionPath(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return []
  const half = split(leaves.length)
  return index < half
    ? [...inclusionPath(leaves.slice(0, half), index), treeHash(leaves.slice(half))]
    : [...inclusionPath(leaves.slice(half), index - half), treeHash(leaves.slice(0, half))]
}

/** dev.sigstore.rekor.v1.TransparencyLogEntry, in JSON. */
export interface LogEntry {
  readonly logIndex: string
  readonly logId: { readonly keyId: string }
  readonly kindVersion: { readonly kind: 'dsse'; readonly version: '0.0.1' }
  readonly integratedTime: string
  readonly inclusionPromise: { readonly signedEntryTimestamp: string }
  readonly inclusionProof: {
    readonly logIndex: string
    readonly rootHash: string
    readonly treeSize: string
    readonly hashes: readonly string[]
    readonly checkpoint: { readonly envelope: string }
  }
  readonly canonicalizedBody: string
}

const treeId = '2605736670972794746'
/** Entries of shards before this one: the index in the log is not the index in the tree. */
const earlierShards = 121_904_333

const logs = new WeakMap<Roots, Rekor>()

/** The log of these roots, one for each: two logs with one key would be two different histories. */
export function rekorOf(roots: Roots): Rekor {
  const existing = logs.get(roots)
  if (existing) return existing
  const rekor = new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey)
  logs.set(roots, rekor)
  return rekor
}

/** Rekor version 1: an append-only log with an entry of other people around each of ours. */
export class Rekor {
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject
  readonly #leaves: Buffer[] = []

  constructor(publicKey: KeyObject, privateKey: KeyObject) {
    this.#publicKey = publicKey
    this.#privateKey = privateKey
    this.#others(37)
  }

  /** Appends the canonical body of an entry and proves that it is in. @param at Unix ms */
  append(body: Buffer, at: number): LogEntry {
    const treeIndex = this.#leaves.push(leafHash(body)) - 1
    this.#others(3)
    const id = logId(this.#publicKey)
    const logIndex = earlierShards + treeIndex
    const integratedTime = Math.floor(at / 1000)
    const canonicalizedBody = body.toString('base64')
    const root = treeHash(this.#leaves)
    return {
      logIndex: String(logIndex),
      logId: { keyId: id.toString('base64') },
      kindVersion: { kind: 'dsse', version: '0.0.1' },
      integratedTime: String(integratedTime),
      inclusionPromise: {
        // Signed over RFC 8785 JSON: members in order, no white space.
        signedEntryTimestamp: this.#sign(
          JSON.stringify({ body: canonicalizedBody, integratedTime, logID: id.toString('hex'), logIndex }),
        ).toString('base64'),
      },
      inclusionProof: {
        logIndex: String(treeIndex),
        rootHash: root.toString('base64'),
        treeSize: String(this.#leaves.length),
        hashes: inclusionPath(this.#leaves, treeIndex).map((hash) => hash.toString('base64')),
        checkpoint: { envelope: this.#checkpoint(root, id) },
      },
      canonicalizedBody,
    }
  }

  /** A signed note (https://github.com/transparency-dev/formats/blob/main/log/README.md). */
  #checkpoint(root: Buffer, id: Buffer): string {
    const note = `${rekorHost} - ${treeId}\n${this.#leaves.length}\n${root.toString('base64')}\n`
    const signature = Buffer.concat([id.subarray(0, 4), this.#sign(note)]).toString('base64')
    return `${note}\n— ${rekorHost} ${signature}\n`
  }

  #sign(text: string): Buffer {
    return sign('sha256', Buffer.from(text), this.#privateKey)
  }

  #others(count: number): void {
    for (let n = 0; n < count; n += 1) {
      this.#leaves.push(
        leafHash(createHash('sha256').update(`another entry ${this.#leaves.length}`).digest()),
      )
    }
  }
}
