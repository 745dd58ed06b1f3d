import { createNwcWallet, readNwcConnection } from '../../../../src/core/payments/nwc/index.ts'
import { createPaymentTransport } from '../../../../src/core/gateway/relay/index.ts'
import { connectAutomaticTopup } from '../../../../src/core/gateway/service/account/automatic-topup.ts'
import { createKey } from '../../../../src/core/gateway/service/account/keys.ts'
import { readBalance } from '../../../../src/core/gateway/service/account/read/balance.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import { createOutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { CrashOrder, CrashMessage } from './crash.ts'
import { buyData, startPayingWorld } from './single-requests-world.ts'

/**
 * Pays, so that every secret of a payment is in memory. Then makes Sotto's own parts fail while they use the
 * secrets, and dies of their errors.
 */
const order = JSON.parse(process.argv[2] ?? '') as CrashOrder
const PASSPHRASE = 'a horse that nobody else has'

const world = await startPayingWorld({
  vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: PASSPHRASE }),
})
const simulated = await world.sandbox.wallet()
const control = await world.sandbox.control()
const [account] = (await world.call('accounts/list')) as { id: string }[]
const { apiKey, creditId } = (await world.call('accounts/reveal', { accountId: account?.id })) as {
  apiKey: string
  creditId: string
}
await buyData(world)
const connection = simulated.connection('sotto')
const preimage = simulated.payments().findLast(({ preimage }) => preimage !== null)?.preimage ?? ''
const token = /"authorization":"L402 ([^:"]+):/.exec(Buffer.concat(world.outbound).toString())?.[1] ?? ''
const secrets = {
  'the API key': apiKey,
  'the credit id': creditId,
  'the wallet’s secret': new URL(connection).searchParams.get('secret') ?? '',
  'the L402 token': token,
  'the preimage': preimage,
  'the passphrase': PASSPHRASE,
  'a local key': world.tool,
}

const { fetch } = createOutboundFetch()
const now = Date.now
const service = (baseUrl = world.sandbox.baseUrl) => ({
  fetch,
  now,
  access: () => ({ baseUrl, apiKey, creditId }),
})
const request = {
  endpoint: 'data',
  method: 'POST',
  path: '/v1/data/api/websearch/search',
  contentType: 'application/json',
  body: Buffer.from('{"query":"x"}'),
} as const
const proof = { idempotencyKey: 'k', authorization: `L402 ${token}:${preimage}` }
const { signal } = new AbortController()
const sendRequest = (baseUrl?: string) =>
  createPaymentTransport(service(baseUrl), 'sandbox').send(request, proof, signal)
const failing: Readonly<Record<string, () => unknown>> = {
  'a connection with two secrets': () =>
    readNwcConnection(`${connection}&secret=${secrets['the wallet’s secret']}`),
  'a connection of another scheme': () => readNwcConnection(connection.replace('nostr', 'nostrx')),
  'a wallet whose relay is gone': async () => {
    await simulated.setFault('relay-gone')
    await using wallet = createNwcWallet(readNwcConnection(connection), { now })
    await wallet.capabilities(AbortSignal.timeout(500))
  },
  'a key that is refused': async () => {
    control.setRouteFault('POST /credits/balance', { status: 401 })
    await readBalance(service())
  },
  'a service that is not there': () => sendRequest('http://127.0.0.1:9'),
  'an address that is none': () => sendRequest('http://127.0.0.1:99999'),
  'a proof that is refused': async () => {
    control.setRouteFault('POST /v1/data/api/websearch/search', { status: 401 })
    await sendRequest()
  },
  'a proof that no header holds': () =>
    createPaymentTransport(service(), 'sandbox').send(
      request,
      { ...proof, authorization: `${proof.authorization}\n` },
      signal,
    ),
  'a connection that the service refuses': () =>
    connectAutomaticTopup(service(), { connection: `${connection} `, threshold: 1, amount: 1 }),
  'a key without a name': () => createKey(service(), { name: '' }),
  'a vault that does not open': () =>
    unlockVault({ mode: 'file', folder: world.folder, passphrase: `${PASSPHRASE}r` }).then((vault) =>
      vault.unlock(`${PASSPHRASE}!`),
    ),
}
const thrown: unknown[] = []
const names: string[] = []
for (const [name, fail] of Object.entries(failing)) {
  try {
    await fail()
  } catch (error) {
    thrown.push(new SottoError('proxy/internal', { cause: error }), error)
    names.push(name)
  }
}

function lastError(): Error {
  const all = Object.values(secrets)
  if (order.of === 'message') return new Error(`it failed with ${all.join(' ')}`)
  // Nested as deep as the other errors.
  if (order.of === 'cause')
    return new AggregateError(
      all.map(
        (secret) =>
          new SottoError('proxy/internal', {
            cause: Object.assign(new Error('of bytes'), {
              held: /^[0-9a-f]{64}$/.test(secret) ? Buffer.from(secret, 'hex') : Buffer.from(secret),
            }),
          }),
      ),
      'it failed',
    )
  return new AggregateError(thrown, 'it failed')
}

process.send?.({ secrets, thrown: names } satisfies CrashMessage, () => {
  if (order.by === 'rejection') void Promise.reject(lastError())
  else
    setImmediate(() => {
      throw lastError()
    })
})
