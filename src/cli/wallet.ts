import { SottoError } from '../shared/errors.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import { formatSats, formatUsd } from '../shared/format-money.ts'
import { purchaseStatus } from '../shared/purchase-status.ts'
import type { Purchase } from '../shared/purchase.ts'
import { msg } from '../shared/localized-text.ts'
import type { Topup } from '../shared/topup.ts'
import type { Wallet } from '../shared/wallet.ts'
import { withCommandClient, print } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import { failureLine, type ContractClient } from './client.ts'
import { formatMinute, terminalSafe, readAll } from './format.ts'
import { purchaseJson, walletJson } from './json-amounts.ts'
import { purchaseStatusNames } from './labels.ts'
import { promptSecret } from './passphrase.ts'
import { topupLine } from './topup-words.ts'
import type { Output } from './json-output.ts'

const SAT_PER_BITCOIN = 100_000_000n

const pauseReasons: Readonly<Record<NonNullable<Wallet['paused']>['reason'], string>> = {
  undelivered: 'several payments in a row went through, but nothing was delivered.',
  wallet: 'the wallet failed several times in a row. Check that it’s running and online.',
}

/** Longer than any connection string. */
const MAX_INPUT = 8192

/** `sotto wallet show`. Returns the exit code, as the others do. */
export function showWallet({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ wallet }) => shown(await wallet.get(), json))
}

/** `sotto wallet connect`: the connection string is a secret, so it is not an argument. */
export function connectWallet({ json, sandbox }: Output & { readonly sandbox: boolean }): Promise<number> {
  return withCommandClient(json, async (client) => {
    if (sandbox) return shown(await client.wallet.connectSandbox(), json)
    const connection = (
      process.stdin.isTTY
        ? await promptSecret('Connection string of the wallet (nostr+walletconnect://…): ')
        : await readAll({ most: MAX_INPUT, tooLong })
    ).trim()
    if (connection === '')
      throw new SottoError('wallet/connection-invalid', {
        detail: msg(
          'Standard input was empty. Pass the connection string on standard input, or run "sotto wallet connect" in a terminal.',
        ),
      })
    return shown(
      await confirmHere(client, (signal) => client.wallet.connect({ connection }, { signal })),
      json,
    )
  })
}

/** `sotto wallet disconnect`. */
export function disconnectWallet({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ wallet }) => shown(await wallet.disconnect(), json))
}

/** `sotto wallet limits`, in msat. Limits that aren't named stay as they are. */
export function setLimits(changed: Partial<SpendingLimitsText>, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    const { limits } = await client.wallet.get()
    return shown(
      await confirmHere(client, (signal) => client.wallet.setLimits({ ...limits, ...changed }, { signal })),
      json,
    )
  })
}

/** `sotto wallet payments`. */
export function listPayments({ json }: Output): Promise<number> {
  return withCommandClient(json, async ({ purchases, topups }) => {
    const list = await purchases.list()
    // Top-ups whose payment can be closed: "sotto wallet give-up" takes their IDs.
    const unresolved = (await topups.list()).filter(
      ({ payment }) => payment === 'held' || payment === 'unknown',
    )
    const lines = [...list.map(lineOf), ...unresolved.map(topupLineOf)]
    print(
      json,
      { payments: list.map(purchaseJson), topups: unresolved },
      lines.length === 0 ? 'No purchases yet.' : lines.join('\n'),
    )
    return 0
  })
}

/** `sotto wallet retry`. */
export function retryDelivery(id: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    const payment = await client.purchases.retryDelivery({ purchaseId: await found(client, id) })
    print(json, { payment: purchaseJson(payment) }, lineOf(payment))
    return payment.state === 'delivered' ? 0 : 1
  })
}

/** `sotto wallet give-up`. */
export function abandonPayment(id: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    const topupId = await foundTopup(client, id)
    if (topupId !== undefined) {
      const topup = await confirmHere(client, (signal) => client.topups.closePayment({ topupId }, { signal }))
      print(json, { topup }, topupLineOf(topup))
      return 0
    }
    const payment = await confirmHere(client, async (signal) =>
      client.purchases.abandon({ purchaseId: await found(client, id) }, { signal }),
    )
    print(json, { payment: purchaseJson(payment) }, lineOf(payment))
    return 0
  })
}

/** `sotto wallet proof`: prints only the proof on standard output. */
export function showProof(id: string, { json }: Output): Promise<number> {
  return withCommandClient(json, async (client) => {
    const proof = await confirmHere(client, async (signal) =>
      client.purchases.proof({ purchaseId: await found(client, id) }, { signal }),
    )
    print(json, proof, proof.text.trimEnd())
    return 0
  })
}

/** Finds the one payment whose ID starts this way. Throws payment/unknown. */
async function found({ purchases }: ContractClient, id: string): Promise<string> {
  const [one, another] = (await purchases.list()).filter(
    (payment) => payment.id === id || (id.length >= 4 && payment.id.startsWith(id)),
  )
  if (!one || another) throw new SottoError('payment/unknown')
  return one.id
}

/**
 * Finds the one top-up, paid from the wallet, whose ID starts this way; undefined if there's none. @throws
 * {SottoError} payment/unknown – several match
 */
async function foundTopup({ purchases, topups }: ContractClient, id: string): Promise<string | undefined> {
  const matches = (candidate: { readonly id: string }): boolean =>
    candidate.id === id || (id.length >= 4 && candidate.id.startsWith(id))
  const [one, another] = (await topups.list()).filter(
    (topup) => topup.payment !== undefined && matches(topup),
  )
  if (!one) return undefined
  if (another || (await purchases.list()).some(matches)) throw new SottoError('payment/unknown')
  return one.id
}

function topupLineOf(topup: Topup): string {
  return terminalSafe(`${topup.id}  ${formatMinute(topup.createdAt)}  ${topupLine(topup)}`)
}

function shown(wallet: Wallet, json: boolean): number {
  print(json, { wallet: walletJson(wallet) }, linesOf(wallet).map(terminalSafe).join('\n'))
  return 0
}

function linesOf({ connection, limits, spent, hosts, paused, rate }: Wallet): string[] {
  return [
    connection
      ? `${connection.kind === 'sandbox' ? 'Demo wallet (no real money)' : 'Wallet'} ${connection.publicKey} through ${connection.relays.join(', ')}${connection.alias === undefined ? '' : ` (reported name: “${connection.alias}”)`}; connected ${formatMinute(connection.connectedAt)}${connection.canLookUp ? '' : '; can’t report the outcome of a payment'}`
      : 'No wallet is connected. To connect one, run: sotto wallet connect',
    `Limits: ${formatSats(limits.perPayment)} per payment, ${formatSats(limits.perDay)} in 24 hours, ${formatSats(limits.perHostAndDay)} in 24 hours per service, ${formatSats(limits.automaticUpTo)} without asking`,
    `Last 24 hours: ${formatSats(spent.day)} paid, including fees${spent.held === '0' ? '' : `, and ${formatSats(spent.held)} held until the outcome is known`}`,
    ...hosts.map(
      ({ host, spentInDay, firstPaidAt }) =>
        `Previously paid: ${host}, ${formatSats(spentInDay)} in the last 24 hours; first paid ${formatMinute(firstPaidAt)}`,
    ),
    rate
      ? `Exchange rate: 1 bitcoin is about ${formatUsd((BigInt(rate.picoUsdPerSat) * SAT_PER_BITCOIN).toString())}, from the top-up of ${formatMinute(rate.learnedAt)}`
      : 'Exchange rate: unknown. A Lightning top-up in US dollars sets it for one day.',
    ...(paused
      ? [
          `Automatic payments are paused: ${pauseReasons[paused.reason]}${paused.until === undefined ? '' : ` They resume at ${formatMinute(paused.until)}.`}`,
        ]
      : []),
  ]
}

function lineOf(purchase: Purchase): string {
  const { id, at, host, endpoint, subject, amountMsat, worth, feeMsat, listed, failure } = purchase
  const parts = [
    `${formatSats(amountMsat)}${worth === undefined ? '' : ` (about ${formatUsd(worth)})`}${feeMsat === undefined || feeMsat === '0' ? '' : ` plus ${formatSats(feeMsat)} fee`}${listed === undefined ? '' : ` (list price ${formatUsd(listed)})`}`,
    `${endpoint === 'data' ? subject : `${endpoint} ${subject}`} at ${host}`,
    purchaseStatusNames[purchaseStatus(purchase, Date.now())],
    ...(failure ? [failureLine(failure)] : []),
  ]
  return terminalSafe(`${id}  ${formatMinute(at)}  ${parts.join('; ')}`)
}

const tooLong = (): SottoError =>
  new SottoError('wallet/connection-invalid', { detail: msg('The connection string is too long.') })
