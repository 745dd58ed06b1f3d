import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashOfLocalKey, newLocalKey } from '../../../../src/core/gateway/proxy/guards.ts'

it('creates keys of 192 random bits that are valid in a header', () => {
  const keys = Array.from({ length: 100 }, newLocalKey)
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(100)
  for (const { secret } of keys) expect(secret).toMatch(/^sk-sotto-[\w-]{32}$/)
})

it('finds a key by its SHA-256 hash, like keys that an older version saved', () => {
  const { secret, hash } = newLocalKey()
  expect(hash).toBe(createHash('sha256').update(secret).digest('hex'))
  expect(hashOfLocalKey(secret)).toBe(hash)
})
