import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { LedgerDatabase } from '../../src/sandbox/ledger/database.ts'
import { Ledger } from '../../src/sandbox/ledger/ledger.ts'

let database: LedgerDatabase
let ledger: Ledger
let creditId = ''
let apiKey = ''
beforeEach(() => {
  database = new LedgerDatabase(':memory:')
  ledger = new Ledger(database, randomBytes)
  ;({ creditId, apiKey } = ledger.createAccount(1, 0n))
})

const identity = () => ledger.keys.identify(apiKey)
const key = () => ledger.keys.list(creditId, false, 2)[0] ?? expect.unreachable()

test('the identity of a key follows each change of the key, and its revocation', () => {
  expect(identity()).toMatchObject({ creditId, expireAt: null, revoked: false })
  ledger.keys.update(key(), { expireAt: 99 }, 2)
  expect(identity()).toMatchObject({ expireAt: 99, revoked: false })
  ledger.keys.revoke(key().id, 3)
  expect(identity()).toMatchObject({ revoked: true })
})

test('an unknown key can be created later', () => {
  expect(ledger.keys.identify('sk-none')).toBeUndefined()
  const created = ledger.keys.create(
    creditId,
    { name: 'Second', usageLimit: null, resetPeriod: null, expireAt: null },
    2,
  )
  expect(ledger.keys.identify(created?.apiKey ?? '')).toMatchObject({ creditId, revoked: false })
})

test('the identity of a key is restored after a transaction is rolled back', () => {
  expect(identity()).toMatchObject({ revoked: false })
  expect(() =>
    database.atomically(() => {
      ledger.keys.revoke(key().id, 3)
      expect(identity()).toMatchObject({ revoked: true })
      throw new Error('taken back')
    }),
  ).toThrow('taken back')
  expect(identity()).toMatchObject({ revoked: false })
})
