import { createId, createKeyText, createTime, type Meaning } from './meaning.ts'
import type { UnspecifiedShapes } from './unspecified-shapes.ts'
import type { Random } from './random.ts'
import { Refusal, type Answer, type Received } from './request.ts'
import { Decimal, type WireObject, type WireValue } from './wire-value.ts'

export interface World {
  readonly meaning: Meaning
  readonly shapes: UnspecifiedShapes
  readonly random: Random
  readonly keys: MeantKey[]
  readonly invoices: MeantInvoice[]
  wallet: { readonly threshold: Decimal; readonly amount: Decimal } | null
  /** How many entries of the last list were not sent in a readable form. */
  unreadable: number
}
export type Route = (world: World, received: Received, parameters: readonly string[]) => Answer

/** Specification, API key object. Times are in Unix ms. */
export interface MeantKey {
  readonly id: string
  readonly secret: string
  name: string
  cap: Decimal | null
  period: string | null
  readonly spent: Decimal
  readonly total: Decimal
  expiresAt: number | null
  readonly createdAt: number
  revokedAt: number | null
}
export interface MeantInvoice {
  readonly id: string
  readonly method: string
  readonly amount: string
  readonly currency: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly paid: string
  readonly state: string
  readonly invoice: string
  readonly address: string
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const PERIODS = ['daily', 'weekly', 'monthly']

/** Throws Refusal unless an active key asks. @param other whether the header `api-key` counts too (specification, Authentication 1) */
export function requireKey({ keys }: World, { headers }: Received, other = false): MeantKey {
  const apiKey =
    /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? (other ? headers['api-key'] : undefined)
  const key = keys.find(({ secret, revokedAt }) => secret === apiKey && revokedAt === null)
  if (!key) throw new Refusal('unauthorized')
  return key
}

function requireAccount({ meaning }: World, { headers }: Received): void {
  if (headers['x-credit-id'] !== meaning.creditId) throw new Refusal('unauthorized')
}

export function demand(valid: boolean, kind: Refusal['kind'] = 'invalid'): asserts valid {
  if (!valid) throw new Refusal(kind)
}

export const accountRoutes: Readonly<Record<string, Route>> = {
  'POST /accounts/create': ({ meaning: { creditId, apiKey }, shapes, random }) => {
    const members = { credit_id: creditId, api_key: apiKey }
    const odd = {
      balance: random.pick<WireValue>([new Decimal('0'), null, 'none', {}, [null]]),
      ...shapes.extras(),
    }
    const bodies: (() => WireValue)[] = [
      () => shapes.object({ ...members, ...odd }),
      () => ({ account: members, ...odd }),
      () => ({ data: { account: { ...members, ...odd } } }),
      () => ({ credit_id: creditId, data: { api_key: apiKey, ...odd } }),
      () => ({ success: false, data: null, ...members }),
      () => ({ data: { credit_id: null, api_key: '' }, ...members }),
    ]
    return { status: random.pick([200, 201]), body: random.pick(bodies)() }
  },
  'POST /credits/balance': ({ meaning, shapes, random }, { json }) => {
    demand(json?.['credit_id'] === meaning.creditId, 'unauthorized')
    return {
      status: 200,
      body: shapes.object({
        balance: meaning.balance,
        ...(random.chance(0.5) && { currency: shapes.anyCase('USD') }),
      }),
    }
  },
  'GET /topup/payment-methods': (world) => {
    const { meaning, shapes, random } = world
    let skipped = 0
    const entries = meaning.methods.map(({ method, currencies, limits }) => {
      const { members, noise } = shapes.withNoise(currencies.map((currency) => shapes.anyCase(currency)))
      const named = Object.fromEntries(
        Object.entries(limits).map(([currency, { min, max }]) => [shapes.anyCase(currency), { min, max }]),
      )
      const broken = random.chance(0.2) ? { EUR: null } : {}
      // A noise of text is a currency that the client doesn't know.
      const readable = members.filter((member) => typeof member !== 'string' || member !== 'noise')
      skipped += noise - (members.length - readable.length) + Object.keys(broken).length
      return {
        ...shapes.named(['method', 'id', '_id'], method),
        supported_currencies: readable,
        limits: { ...named, ...broken },
      }
    })
    const { body, unreadable } = shapes.list(entries, 'supported_methods')
    world.unreadable = unreadable + skipped
    return { status: 200, body }
  },
  'POST /topup/create/:': (world, received, [method = '']) => {
    requireKey(world, received, true)
    const { amount, currency } = received.json ?? {}
    demand(
      typeof amount === 'number' &&
        amount > 0 &&
        typeof currency === 'string' &&
        ['SATS', 'BTC', 'USD'].includes(currency),
    )
    demand(
      world.meaning.methods.some((each) => each.method === method),
      'unknown',
    )
    const { random } = world
    const createdAt = createTime(random)
    const invoice = {
      id: random.text('ABCDEFGHabcdefgh123456789', 22),
      method,
      amount: String(amount),
      currency,
      createdAt,
      expiresAt: createdAt + 900_000,
      paid: '0',
      state: random.pick(['New', 'Processing', 'Settled', 'Expired', 'Invalid']),
      invoice: `lnbc10u1p${random.text(BECH32, 60)}`,
      address: `bc1q${random.text(BECH32, 38)}`,
    }
    world.invoices.push(invoice)
    return { status: random.pick([200, 201]), body: invoiceBody(world, invoice, false) }
  },
  'GET /topup/status/:': (world, received, [id = '']) => {
    requireKey(world, received)
    const invoice = world.invoices.find((each) => each.id === id)
    demand(invoice !== undefined, 'unknown')
    return { status: 200, body: invoiceBody(world, invoice, true) }
  },
  'POST /nwc-auto-topup/connect': (world, received) => {
    requireAccount(world, received)
    const { nwc_url: url, threshold_usd: threshold = 10, topup_amount_usd: amount = 10 } = received.json ?? {}
    demand(
      typeof url === 'string' &&
        typeof threshold === 'number' &&
        threshold >= 5 &&
        typeof amount === 'number',
    )
    world.wallet = { threshold: new Decimal(String(threshold)), amount: new Decimal(String(amount)) }
    return { status: 200, body: world.shapes.object({ connected: true }) }
  },
  'GET /nwc-auto-topup': (world, received) => {
    requireAccount(world, received)
    const { wallet, shapes, random } = world
    if (wallet === null) {
      if (random.chance(0.2)) throw new Refusal('unknown')
      return {
        status: 200,
        body: random.pick<() => WireValue>([
          () => null,
          () => ({ data: null }),
          () => shapes.object({}),
          () => shapes.object({ connected: false }),
          () => ({ connected: 'false', data: null, threshold_usd: 10 }),
        ])(),
      }
    }
    return {
      status: 200,
      body: shapes.object({
        ...(random.chance(0.5) && { connected: random.pick([true, 'true']) }),
        ...(random.chance(0.5) && { nwc_url: 'nostr+walletconnect://hidden' }),
        threshold_usd: wallet.threshold,
        topup_amount_usd: wallet.amount,
      }),
    }
  },
  'DELETE /nwc-auto-topup/connection': (world, received) => {
    requireAccount(world, received)
    world.wallet = null
    return { status: 200, body: world.shapes.object({}) }
  },
  'GET /keys': (world, received) => {
    requireAccount(world, received)
    const all = received.query.get('include_disabled') === 'true'
    const { members, noise } = world.shapes.withNoise(
      world.keys.filter(({ revokedAt }) => all || revokedAt === null).map((key) => keyBody(key, received)),
    )
    world.unreadable = noise
    return { status: 200, body: { status: 'success', data: members } }
  },
  'POST /keys': (world, received) => {
    requireAccount(world, received)
    const { json = {} } = received
    requireName(world, json['name'])
    const key: MeantKey = {
      id: createId(world.random),
      secret: createKeyText(world.random),
      name: '',
      cap: null,
      period: null,
      spent: new Decimal('0'),
      total: new Decimal('0'),
      expiresAt: null,
      createdAt: createTime(world.random),
      revokedAt: null,
    }
    change(key, json)
    demand(key.period === null || key.cap !== null)
    world.keys.push(key)
    const { _id, name, usage_limit_usd, reset_period, reset_at, expire_at, created_at } = keyBody(
      key,
      received,
    )
    return {
      status: 201,
      body: {
        status: 'success',
        data: {
          _id,
          name,
          api_key: key.secret,
          usage_limit_usd,
          reset_period,
          reset_at,
          expire_at,
          created_at,
        },
      },
    }
  },
  'GET /keys/:': (world, received, [id]) => {
    requireAccount(world, received)
    const { _id, name, api_key, created_at, updated_at, deleted_at } = keyBody(findKey(world, id), received)
    return {
      status: 200,
      body: { status: 'success', data: { _id, name, api_key, created_at, updated_at, deleted_at } },
    }
  },
  'PATCH /keys/:': (world, received, [id]) => {
    requireAccount(world, received)
    const key = findKey(world, id)
    const { json = {} } = received
    if ('name' in json) requireName(world, json['name'])
    change(key, json)
    const { api_key: _, total_usage_all_time_usd: __, deleted_at: ___, ...shown } = keyBody(key, received)
    return { status: 200, body: { status: 'success', data: shown } }
  },
  'DELETE /keys/:': (world, received, [id]) => {
    requireAccount(world, received)
    const key = findKey(world, id)
    demand(key.revokedAt === null, 'unknown')
    key.revokedAt = createTime(world.random)
    return { status: 200, body: { status: 'success', message: 'API key revoked successfully' } }
  },
  'GET /queries/history': (world, received) => {
    const { query } = received
    const asAccount = query.get('credit_id') === world.meaning.creditId
    const key = asAccount
      ? query.get('api_key')
      : query.get('all_keys') === 'true'
        ? null
        : requireKey(world, received, true).secret
    if (!asAccount) requireKey(world, received, true)
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_count') ?? 20)]
    demand(size >= 1 && size <= 100 && page >= 1)
    const found = world.meaning.records.filter(
      (record) =>
        (key === null || record.key === key) &&
        (query.get('model') ?? record.model) === record.model &&
        (query.get('query_type') ?? record.type) === record.type &&
        (query.get('query_source') ?? record.source) === record.source,
    )
    const { members, noise } = world.shapes.withNoise(
      found.slice((page - 1) * size, page * size).map((record): WireObject => ({
        timestamp: new Date(record.at).toISOString(),
        model: record.model,
        input_count: new Decimal(String(record.input)),
        output_count: new Decimal(String(record.output)),
        price_in_usd: record.cost,
        query_type: record.type,
        query_source: record.source,
        api_key_id: record.key,
        isOnline: record.online,
        isFreeModel: record.free,
      })),
    )
    world.unreadable = noise
    const count = (value: number): Decimal => new Decimal(String(value))
    return {
      status: 200,
      body: {
        status: 'success',
        data: members,
        pagination: {
          page: count(page),
          page_count: count(size),
          total: count(found.length),
          total_pages: count(Math.ceil(found.length / size)),
        },
      },
    }
  },
}

function invoiceBody(
  { shapes, random }: World,
  { id, method, amount, currency, createdAt, expiresAt, paid, state, invoice, address }: MeantInvoice,
  status: boolean,
): WireObject {
  const lightning = method === 'btc-lightning'
  return shapes.object({
    ...shapes.named(['invoice_id', 'id', '_id'], id),
    amount: new Decimal(amount),
    currency: shapes.anyCase(currency),
    created_at: shapes.moment(createdAt),
    expires_at: shapes.moment(expiresAt),
    ...(lightning
      ? { lightning_invoice: random.pick([invoice, invoice.toUpperCase()]), payment_address: null }
      : { payment_address: address }),
    ...(status && { status: shapes.anyCase(state), amount_paid: new Decimal(paid) }),
  })
}

function keyBody(
  { id, secret, name, cap, period, spent, total, expiresAt, createdAt, revokedAt }: MeantKey,
  { query }: Received,
): WireObject {
  const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
  return {
    _id: id,
    name,
    ...(query.get('show_key') === 'true' && { api_key: secret }),
    usage_limit_usd: cap,
    current_period_usage_usd: spent,
    total_usage_all_time_usd: total,
    reset_period: period,
    reset_at: period === null ? null : time(createdAt + 86_400_000),
    expire_at: time(expiresAt),
    created_at: time(createdAt),
    updated_at: time(createdAt),
    deleted_at: time(revokedAt),
  }
}

function findKey({ keys }: World, id: string | undefined): MeantKey {
  const key = keys.find((each) => each.id === id)
  demand(key !== undefined, 'unknown')
  return key
}

function requireName({ keys }: World, name: unknown): void {
  demand(typeof name === 'string' && name.length >= 1 && name.length <= 25)
  demand(!keys.some((key) => key.name === name), 'conflict')
}

/** Specification, API keys: null clears. */
function change(
  key: MeantKey,
  { name, usage_limit_usd: cap, reset_period: period, expire_at: end }: Readonly<Record<string, unknown>>,
): void {
  demand(cap === undefined || cap === null || (typeof cap === 'number' && cap >= 0.01))
  demand(period === undefined || period === null || (typeof period === 'string' && PERIODS.includes(period)))
  demand(end === undefined || end === null || typeof end === 'string')
  if (typeof name === 'string') key.name = name
  if (cap !== undefined) key.cap = cap === null ? null : new Decimal(String(cap))
  if (period !== undefined) key.period = period
  if (end !== undefined) key.expiresAt = end === null ? null : Date.parse(end)
}
