import { hash } from 'node:crypto'

/** RFC 9162 section 2.1.1: a leaf's hash and a node's begin apart, so that no node can be shown as a leaf. */
const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

/** SHA-256 over 00 and the entry (RFC 9162 section 2.1.1). */
export function leafHash(leaf: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([LEAF, leaf]), 'buffer')
}

/**
 * Returns the root that an inclusion proof leads to (RFC 9162 section 2.1.3.2, with its names). Returns
 * undefined if the path's length doesn't fit this index in a tree of this size.
 *
 * @param leafIndex and treeSize: exact integers
 * @param inclusionPath from the leaf's sibling upwards
 */
export function rootOfInclusion(
  leaf: Buffer,
  leafIndex: number,
  treeSize: number,
  inclusionPath: readonly Buffer[],
): Buffer | undefined {
  if (leafIndex >= treeSize) return undefined
  let fn = leafIndex
  let sn = treeSize - 1
  let r = leaf
  for (const p of inclusionPath) {
    if (sn === 0) return undefined
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      r = nodeHash(r, p)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 ? r : undefined
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer')
}
