import { startWorld, type World, type WorldOptions } from '../../../world.ts'
import type { Purchase } from '../../../../src/shared/purchase.ts'
import type { Wallet } from '../../../../src/shared/wallet.ts'

export const IMAGE = 'sandbox/bozzetto-image'
export const VIDEO = 'sandbox/carosello-video'
/** Everything that the sandbox sells is within it. */
export const HIGH = '900000000'

/** A world without an account, whose wallet is the sandbox's, and a local key that may pay for single requests. */
export interface PayingWorld extends World {
  readonly tool: string
}

export async function startPayingWorld(
  options: WorldOptions & {
    readonly wallet?: boolean
    readonly limits?: object
    readonly paidBefore?: boolean
  } = {},
): Promise<PayingWorld> {
  const world = await startWorld(options)
  await world.call('accounts/disconnect')
  if (options.wallet !== false) await world.call('wallet/connectSandbox')
  await world.call('wallet/setLimits', {
    perPayment: HIGH,
    perDay: HIGH,
    perHostAndDay: HIGH,
    automaticUpTo: HIGH,
  })
  const { secret } = (await world.call('localApi/create', {
    name: 'Tool',
    limits: { grants: ['pay-per-request'], ...options.limits },
  })) as { secret: string }
  const paying: PayingWorld = {
    ...world,
    tool: secret,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
  // The first payment to a host is for a person.
  if (options.wallet !== false && options.paidBefore !== false) await buyData(paying)
  return paying
}

/** Buys the cheapest thing as the window does. */
export async function buyData(world: World): Promise<Purchase> {
  const quoted = (await world.call('purchases/quote', {
    ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } },
  })) as Purchase
  return (await world.call('purchases/pay', { purchaseId: quoted.id })) as Purchase
}

export const wallet = async (world: World): Promise<Wallet> => (await world.call('wallet/get')) as Wallet

/** A request of a tool that knows nothing of payments. */
export function ask(world: PayingWorld, path: string, body: unknown, key = world.tool): Promise<Response> {
  return world.post(body, { authorization: `Bearer ${key}` }, path)
}

export async function codeOf(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
}
