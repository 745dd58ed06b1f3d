import { SottoError } from '../shared/errors.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import { formatSats, formatUsd } from '../shared/format-money.ts'
import type { Purchase } from '../shared/purchase.ts'
import { say } from '../shared/say.ts'
import type { Wallet } from '../shared/wallet.ts'
import { atDoor, print } from './at-door.ts'
import { terminalSafe } from './chat.ts'
import { confirmHere } from './confirm-here.ts'
import { failureLine, type DoorClient } from './door-client.ts'
import { promptSecret } from './passphrase.ts'

interface Output {
  /** One line of JSON on standard output. */
  readonly json: boolean
}

const SAT_PER_BITCOIN = 100_000_000n

/** Longer than any connection. */
const MAX_INPUT = 8192

/** `sotto wallet show`. Returns the exit code, as the others do. */
export function showWallet({ json }: Output): Promise<number> {
  return atDoor(json, async ({ wallet }) => shown(await wallet.get(), json))
}

/** `sotto wallet connect`: the connection is a secret, and no argument. */
export function connectWallet({ json, sandbox }: Output & { readonly sandbox: boolean }): Promise<number> {
  return atDoor(json, async (client) => {
    if (sandbox) return shown(await client.wallet.connectSandbox(), json)
    const connection = (process.stdin.isTTY ? await promptSecret('The wallet’s connection (nostr+walletconnect://…): ') : await readInput()).trim()
    if (connection === '') throw new SottoError('wallet/connection-invalid', { detail: say('Nothing was given on standard input.') })
    return shown(await confirmHere(client, (signal) => client.wallet.connect({ connection }, { signal })), json)
  })
}

/** `sotto wallet disconnect`. */
export function disconnectWallet({ json }: Output): Promise<number> {
  return atDoor(json, async ({ wallet }) => shown(await wallet.disconnect(), json))
}

/** `sotto wallet limits`, in msat: what is not named stays. */
export function setLimits(changed: Partial<SpendingLimitsText>, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const { limits } = await client.wallet.get()
    return shown(await confirmHere(client, (signal) => client.wallet.setLimits({ ...limits, ...changed }, { signal })), json)
  })
}

/** `sotto wallet payments`. */
export function listPayments({ json }: Output): Promise<number> {
  return atDoor(json, async ({ purchases }) => {
    const list = await purchases.list()
    print(json, { payments: list }, list.length === 0 ? 'Nothing was paid for by itself yet.' : list.map(lineOf).join('\n'))
    return 0
  })
}

/** `sotto wallet retry`. */
export function retryDelivery(id: string, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const payment = await client.purchases.retryDelivery({ purchaseId: await found(client, id) })
    print(json, { payment }, lineOf(payment))
    return payment.state === 'delivered' ? 0 : 1
  })
}

/** `sotto wallet give-up`. */
export function giveUpPayment(id: string, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const payment = await confirmHere(client, async (signal) => client.purchases.giveUp({ purchaseId: await found(client, id) }, { signal }))
    print(json, { payment }, lineOf(payment))
    return 0
  })
}

/** `sotto wallet proof`: the proof alone on standard output. */
export function showProof(id: string, { json }: Output): Promise<number> {
  return atDoor(json, async (client) => {
    const proof = await confirmHere(client, async (signal) => client.purchases.proof({ purchaseId: await found(client, id) }, { signal }))
    print(json, proof, proof.text.trimEnd())
    return 0
  })
}

/** The one payment whose id begins so. Throws payment/unknown. */
async function found({ purchases }: DoorClient, id: string): Promise<string> {
  const [one, another] = (await purchases.list()).filter((payment) => payment.id === id || (id.length >= 4 && payment.id.startsWith(id)))
  if (!one || another) throw new SottoError('payment/unknown')
  return one.id
}

function shown(wallet: Wallet, json: boolean): number {
  print(json, { wallet }, linesOf(wallet).map(terminalSafe).join('\n'))
  return 0
}

function linesOf({ connection, limits, spent, hosts, paused, rate }: Wallet): string[] {
  return [
    connection
      ? `${connection.kind === 'sandbox' ? 'The sandbox’s wallet, play money' : 'Wallet'} ${connection.publicKey} by way of ${connection.relays.join(', ')}${connection.alias === undefined ? '' : ` (calls itself “${connection.alias}”)`}; connected ${when(connection.connectedAt)}${connection.canLookUp ? '' : '; cannot say what became of a payment'}`
      : 'No wallet is connected.',
    `Limits: ${formatSats(limits.perPayment)} at once, ${formatSats(limits.perDay)} in 24 hours, ${formatSats(limits.perHostAndDay)} at one service, ${formatSats(limits.automaticUpTo)} without asking`,
    `Spent in 24 hours: ${formatSats(spent.day)}${spent.held === '0' ? '' : `, and ${formatSats(spent.held)} held`}`,
    ...hosts.map(({ host, spentInDay, firstPaidAt }) => `Paid before: ${host}, first ${when(firstPaidAt)}; ${formatSats(spentInDay)} in 24 hours`),
    rate ? `Rate: a bitcoin is about ${formatUsd((BigInt(rate.picoUsdPerSat) * SAT_PER_BITCOIN).toString())}, by the topup invoice of ${when(rate.learnedAt)}` : 'Rate: not known. A Lightning topup in dollars tells it for a day.',
    ...(paused ? [`Paused after failures in a row (${paused.reason})${paused.until === undefined ? '' : ` until ${when(paused.until)}`}`] : []),
  ]
}

function lineOf({ id, at, host, endpoint, subject, state, amountMsat, worth, feeMsat, listed, failure }: Purchase): string {
  const parts = [
    `${formatSats(amountMsat)}${worth === undefined ? '' : ` (about ${formatUsd(worth)})`}${feeMsat === undefined || feeMsat === '0' ? '' : ` and ${formatSats(feeMsat)} fee`}${listed === undefined ? '' : ` (listed ${formatUsd(listed)})`}`,
    `${endpoint === 'data' ? subject : `${endpoint} ${subject}`} at ${host}`,
    state,
    ...(failure ? [failureLine(failure)] : []),
  ]
  return terminalSafe(`${id}  ${when(at)}  ${parts.join('; ')}`)
}

function when(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_INPUT) throw new SottoError('wallet/connection-invalid', { detail: say('It is too long.') })
  }
  return text
}
