import { createHash } from 'node:crypto'

/** RFC 6962 section 2.1: leaves and nodes are hashed under different prefixes. */
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

/** Merkle tree hash of hashed leaves; of no leaves it is the hash of nothing. */
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
