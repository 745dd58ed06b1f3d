import { vi } from 'vitest'
import type * as VaultKey from '../src/core/storage/vault/vault-key.ts'

// In the tests' process, a vault key is created at the lowest cost that can still be unlocked: an eighth of the
// shipped cost. The vault stores its cost, so everything else works as shipped. The shipped cost has separate
// tests, which undo this mock (test/core/storage/vault/shipped-cost.test.ts). Shipped code can't choose another
// cost.
vi.mock('../src/core/storage/vault/vault-key.ts', async (original) => ({
  ...(await original<typeof VaultKey>()),
  SCRYPT: { N: 2 ** 14, r: 8, p: 1 },
}))
