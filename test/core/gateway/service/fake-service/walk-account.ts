import { expect } from 'vitest'
import {
  connectAutomaticTopup,
  disconnectAutomaticTopup,
} from '../../../../../src/core/gateway/service/account/automatic-topup.ts'
import type { ApiKey } from '../../../../../src/core/gateway/service/account/api-key.ts'
import { createAccount } from '../../../../../src/core/gateway/service/account/create-account.ts'
import { createKey, revokeKey, updateKey } from '../../../../../src/core/gateway/service/account/keys.ts'
import { readAutomaticTopup } from '../../../../../src/core/gateway/service/account/read/automatic-topup.ts'
import { readBalance } from '../../../../../src/core/gateway/service/account/read/balance.ts'
import { readHistory } from '../../../../../src/core/gateway/service/account/read/history.ts'
import { getKey, listKeys } from '../../../../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../../../../src/core/gateway/service/account/read/payment-methods.ts'
import { readTopupStatus } from '../../../../../src/core/gateway/service/account/read/topup-status.ts'
import { createTopup } from '../../../../../src/core/gateway/service/account/topup.ts'
import { codeOf } from '../scripted.ts'
import type { MeantInvoice, MeantKey } from './account-routes.ts'
import type { FakeService } from './index.ts'
import { picoOf } from './wire-value.ts'

const CONNECTION =
  'nostr+walletconnect://69effe7b49a6dd5cf525bd0905917a5005ffe480b58eeb8e861418cf3ae760d9?relay=wss%3A%2F%2Frelay.example&secret=71a8c14c1407c113601079c4302dab36460f0ccd0ad506f1f2dc73b5100e4f3c'
const REFUSED = 'service/key-refused'

/** The client's account calls: what it reads is what the service means. */
export async function walkAccount({ service, as, world }: FakeService): Promise<void> {
  const { meaning } = world
  const nobody = as({})
  expect(await createAccount(nobody)).toEqual({ creditId: meaning.creditId, apiKey: meaning.apiKey })
  expect(await readBalance(service)).toBe(picoOf(meaning.balance.text))
  expect(await codeOf(readBalance(as({ creditId: 'some-other-account' })))).toBe(REFUSED)
  await walkTopups(service, nobody, world)
  await walkAutomaticTopup(service, as, world)
  await walkKeys(service, as, world)
  await walkHistory(service, as, world)
}

async function walkTopups(
  service: FakeService['service'],
  nobody: FakeService['service'],
  world: FakeService['world'],
): Promise<void> {
  const { entries, unreadable } = await readPaymentMethods(nobody)
  expect(entries).toEqual(
    world.meaning.methods.map(({ method, currencies, limits }) => ({
      method,
      currencies,
      displayName: method,
      limits: Object.fromEntries(
        Object.entries(limits).map(([currency, { min, max }]) => [
          currency,
          { min: min.text, max: max.text },
        ]),
      ),
    })),
  )
  expect(unreadable).toBe(world.unreadable)
  for (const [method, amount, currency] of [
    ['btc-lightning', 100, 'SATS'],
    ['btc', 20.5, 'USD'],
  ] as const) {
    const created = await createTopup(service, { method, amount, currency })
    const meant = world.invoices.at(-1)!
    expect(created).toEqual(invoiceView(meant, false))
    expect(await readTopupStatus(service, created.id)).toEqual(invoiceView(meant, true))
  }
  expect(await codeOf(readTopupStatus(service, 'unknown-invoice'))).toBe('service/not-found')
}

async function walkAutomaticTopup(
  service: FakeService['service'],
  as: FakeService['as'],
  world: FakeService['world'],
): Promise<void> {
  expect(await readAutomaticTopup(service)).toEqual({ connected: false })
  await connectAutomaticTopup(service, { connection: CONNECTION, threshold: 7.5 })
  expect(world.wallet).toMatchObject({ threshold: { text: '7.5' }, amount: { text: '10' } })
  expect(await readAutomaticTopup(service)).toEqual({
    connected: true,
    threshold: picoOf('7.5'),
    amount: picoOf('10'),
  })
  expect(await codeOf(readAutomaticTopup(as({ creditId: 'some-other-account' })))).toBe(REFUSED)
  await disconnectAutomaticTopup(service)
  expect(await readAutomaticTopup(service)).toEqual({ connected: false })
}

async function walkKeys(
  service: FakeService['service'],
  as: FakeService['as'],
  world: FakeService['world'],
): Promise<void> {
  const expiresAt = Date.UTC(2027, 0, 1)
  const created = await createKey(service, {
    name: 'Agent',
    spendingCap: 5.25,
    resetPeriod: 'weekly',
    expiresAt,
  })
  const [first, key] = world.keys as [MeantKey, MeantKey]
  expect(created).toEqual({
    ...pick(key, ['id', 'name', 'spendingCap', 'resetPeriod', 'resetsAt', 'expiresAt', 'createdAt']),
    apiKey: key.secret,
  })
  expect(await codeOf(createKey(service, { name: 'Agent' }))).toBe('service/rejected')
  const shown = [
    'id',
    'name',
    'spendingCap',
    'spentInPeriod',
    'spentInAll',
    'resetPeriod',
    'resetsAt',
    'expiresAt',
    'createdAt',
    'updatedAt',
    'revokedAt',
  ] as const
  expect(await listKeys(service)).toEqual({
    keys: [pick(first, shown), pick(key, shown)],
    unreadable: world.unreadable,
  })
  expect((await listKeys(service, { showKey: true })).keys.map(({ apiKey }) => apiKey)).toEqual([
    first.secret,
    key.secret,
  ])
  expect(await getKey(service, key.id)).toEqual(
    pick(key, ['id', 'name', 'createdAt', 'updatedAt', 'revokedAt']),
  )
  const updated = await updateKey(service, key.id, { name: 'Renamed', spendingCap: null, resetPeriod: null })
  expect([key.name, key.cap, key.period, key.expiresAt]).toEqual(['Renamed', null, null, expiresAt])
  expect(updated).toEqual(
    pick(key, [
      'id',
      'name',
      'spendingCap',
      'spentInPeriod',
      'resetPeriod',
      'resetsAt',
      'expiresAt',
      'createdAt',
      'updatedAt',
    ]),
  )
  await revokeKey(service, key.id)
  expect(
    await codeOf(createTopup(as({ apiKey: key.secret }), { method: 'btc', amount: 1, currency: 'USD' })),
  ).toBe(REFUSED)
  expect((await listKeys(service)).keys.map(({ id }) => id)).toEqual([first.id])
  expect(
    (await listKeys(service, { includeRevoked: true })).keys.map(({ id, revokedAt }) => [id, revokedAt]),
  ).toEqual([
    [first.id, null],
    [key.id, key.revokedAt],
  ])
  expect(await codeOf(getKey(service, 'unknown-key'))).toBe('service/not-found')
  expect(await codeOf(listKeys(as({ creditId: 'some-other-account' })))).toBe(REFUSED)
}

async function walkHistory(
  service: FakeService['service'],
  as: FakeService['as'],
  world: FakeService['world'],
): Promise<void> {
  const { records, apiKey, creditId } = world.meaning
  const views = (found: typeof records): unknown[] =>
    found.map(({ at, model, input, output, cost, type, source, key, online, free }) => ({
      at,
      model,
      inputTokens: input,
      outputTokens: output,
      cost: picoOf(cost.text),
      type,
      source,
      ...(key !== null && { apiKeyId: key }),
      online,
      freeModel: free,
    }))
  const pageOf = (found: typeof records, page: number, pageSize: number): unknown => ({
    records: views(found.slice((page - 1) * pageSize, page * pageSize)),
    unreadable: world.unreadable,
    page,
    pageSize,
    total: found.length,
    pages: Math.ceil(found.length / pageSize),
  })
  const ownRecords = records.filter(({ key }) => key === apiKey)
  expect(await readHistory(as({ apiKey }))).toEqual(pageOf(ownRecords, 1, 20))
  expect(await readHistory(as({ apiKey }), { allKeys: true, page: 2, pageSize: 3 })).toEqual(
    pageOf(records, 2, 3),
  )
  expect(await readHistory(as({ creditId }), { model: 'large', source: 'api' })).toEqual(
    pageOf(
      records.filter(({ model, source }) => model === 'large' && source === 'api'),
      1,
      20,
    ),
  )
  expect(await readHistory(service, { apiKey, type: 'image' })).toEqual(
    pageOf(
      ownRecords.filter(({ type }) => type === 'image'),
      1,
      20,
    ),
  )
  expect(await codeOf(readHistory(as({ apiKey: 'sk-of-nobody-at-all' })))).toBe(REFUSED)
}

function invoiceView(
  { id, method, amount, currency, createdAt, expiresAt, paid, state, invoice, address }: MeantInvoice,
  status: boolean,
): unknown {
  return {
    id,
    amount,
    currency,
    createdAt,
    expiresAt,
    ...(method === 'btc-lightning' ? { lightningInvoice: invoice } : { paymentAddress: address }),
    ...(status && { state: state.toLowerCase(), amountPaid: paid }),
  }
}

function pick(
  { id, name, cap, period, spent, total, expiresAt, createdAt, revokedAt }: MeantKey,
  members: readonly (keyof ApiKey)[],
): object {
  const all: Readonly<Record<string, unknown>> = {
    id,
    name,
    spendingCap: cap && picoOf(cap.text),
    spentInPeriod: picoOf(spent.text),
    spentInAll: picoOf(total.text),
    resetPeriod: period,
    resetsAt: period === null ? null : createdAt + 86_400_000,
    expiresAt,
    createdAt,
    updatedAt: createdAt,
    revokedAt,
  }
  return Object.fromEntries(members.map((member) => [member, all[member]]))
}
