import { vi } from 'vitest'
import type * as VaultKey from '../src/core/storage/vault/vault-key.ts'

// In the tests' own process what a passphrase opens is made at the least cost that may be opened at all: an eighth of the shipped
// one. The cost stands in what is made, so that everything else is as shipped; the shipped one has tests of its own, which take
// this away again (test/core/storage/vault/shipped-cost.test.ts). Nothing that ships can choose another.
vi.mock('../src/core/storage/vault/vault-key.ts', async (original) => ({
  ...(await original<typeof VaultKey>()),
  SCRYPT: { N: 2 ** 14, r: 8, p: 1 },
}))
