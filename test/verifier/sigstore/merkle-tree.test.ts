import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { leafHash, rootOfInclusion } from '../../../src/verifier/sigstore/merkle-tree.ts'

/** The leaves and roots of the tests that Certificate Transparency's own implementations share. */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'))
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const sha256 = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
/** The largest power of two below n. */
const split = (n: number) => 2 ** Math.ceil(Math.log2(n) - 1)

/** MTH of RFC 9162 section 2.1.1, by recursion: the verifier climbs instead. */
function treeHash(entries: readonly Buffer[]): Buffer {
  const [only] = entries
  if (entries.length === 1 && only) return sha256(Buffer.of(0), only)
  const k = split(entries.length)
  return sha256(Buffer.of(1), treeHash(entries.slice(0, k)), treeHash(entries.slice(k)))
}

/** PATH of RFC 9162 section 2.1.3.1. */
function pathOf(m: number, entries: readonly Buffer[]): Buffer[] {
  if (entries.length === 1) return []
  const k = split(entries.length)
  return m < k
    ? [...pathOf(m, entries.slice(0, k)), treeHash(entries.slice(k))]
    : [...pathOf(m - k, entries.slice(k)), treeHash(entries.slice(0, k))]
}

const rootFor = (m: number, entries: readonly Buffer[], path = pathOf(m, entries)) =>
  rootOfInclusion(leafHash(entries[m]!), m, entries.length, path)

describe('the shared trees of Certificate Transparency', () => {
  test.each(roots.map((root, at) => [at + 1, root] as const))('of %i leaves', (size, root) => {
    const entries = leaves.slice(0, size)
    expect(treeHash(entries).toString('hex')).toBe(root)
    for (const m of entries.keys()) expect(rootFor(m, entries)?.toString('hex')).toBe(root)
  })
})

const tree = fc
  .integer({ min: 1, max: 130 })
  .chain((size) => fc.record({ size: fc.constant(size), m: fc.nat({ max: size - 1 }) }))
const entriesOf = (size: number) => Array.from({ length: size }, (_, at) => Buffer.from(`entry ${at}`))

it('leads to the root from every place of every tree', () => {
  fc.assert(
    fc.property(tree, ({ size, m }) => {
      const entries = entriesOf(size)
      expect(rootFor(m, entries)).toEqual(treeHash(entries))
    }),
    { numRuns: 300 },
  )
})

it('leads nowhere, or elsewhere, with another path, place, size or leaf', () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ size, m }, at, bit) => {
      const entries = entriesOf(size)
      const path = pathOf(m, entries)
      const root = treeHash(entries)
      // A path of another length belongs to another place or tree.
      expect(rootFor(m, entries, [...path, root])).toBeUndefined()
      if (path.length > 0) {
        expect(rootFor(m, entries, path.slice(1))).toBeUndefined()
        const changed = path.map((hash) => Buffer.from(hash))
        changed[at % path.length]![at % 32]! ^= bit
        expect(rootFor(m, entries, changed)).not.toEqual(root)
      }
      const leaf = leafHash(entries[m]!)
      const other = (m + 1) % size
      if (other !== m) expect(rootOfInclusion(leaf, other, size, path)).not.toEqual(root)
      expect(rootOfInclusion(leafHash(Buffer.from('another')), m, size, path)).not.toEqual(root)
    }),
    { numRuns: 300 },
  )
})

test('beyond the end of the tree there is no place', () => {
  const leaf = leafHash(Buffer.from('entry'))
  expect(rootOfInclusion(leaf, 0, 0, [])).toBeUndefined()
  expect(rootOfInclusion(leaf, 1, 1, [])).toBeUndefined()
  expect(rootOfInclusion(leaf, 0, 1, [])).toEqual(leaf)
})

test('a node is no leaf: its two hashes are not an entry', () => {
  const [a, b] = [leafHash(Buffer.from('a')), leafHash(Buffer.from('b'))]
  const root = rootOfInclusion(a, 0, 2, [b])
  expect(root).toEqual(sha256(Buffer.of(1), a, b))
  expect(leafHash(Buffer.concat([a, b]))).not.toEqual(root)
})

test('a path as long as a form lets through, in a tree as large, ends', () => {
  const path = Array.from({ length: 64 }, () => Buffer.alloc(32, 1))
  expect(rootOfInclusion(Buffer.alloc(32), 999_999_999_998, 999_999_999_999, path)).toBeUndefined()
})
