import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inclusionPath, leafHash, treeHash } from '../../src/sandbox/world/rekor.ts'

const node = (left: Buffer, right: Buffer) =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

/** RFC 9162 section 2.1.3.2, which goes up from the leaf where the writer goes down from the root. */
function rootOf(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer | undefined {
  let [fn, sn, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (sn === 0) return undefined
    if (fn % 2 === 1 || fn === sn) {
      hash = node(sibling, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else {
      hash = node(hash, sibling)
    }
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return sn === 0 ? hash : undefined
}

test('a path leads from every leaf to the root, and from no other leaf', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), (size, seed) => {
      const leaves = Array.from({ length: size }, (_, n) => leafHash(Buffer.from(`leaf ${n}`)))
      const index = seed % size
      const path = inclusionPath(leaves, index)
      expect(rootOf(leaves[index]!, index, size, path)).toEqual(treeHash(leaves))
      expect(rootOf(leafHash(Buffer.from('another')), index, size, path)).not.toEqual(treeHash(leaves))
    }),
  )
})

test('the empty tree and the tree of one leaf, as RFC 6962 section 2.1 has them', () => {
  expect(treeHash([]).toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  expect(treeHash([leafHash(Buffer.alloc(0))]).toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
})
