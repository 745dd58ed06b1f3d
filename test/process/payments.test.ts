import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientOver } from '../../src/cli/client.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import type { Purchase } from '../../src/shared/purchase.ts'
import type { Topup } from '../../src/shared/topup.ts'
import type { Wallet } from '../../src/shared/wallet.ts'
import { atTerminal, hasTerminal } from './terminal.ts'
import { codesIn, runSotto, startSotto, type SottoProcess } from './sotto-process.ts'
import { dataOf, errorCodeOf } from './command-json.ts'

let folder: string
const running: SottoProcess[] = []
async function start(): Promise<SottoProcess> {
  const sotto = await startSotto(folder)
  running.push(sotto)
  return sotto
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-payments-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sotto) => sotto.stop('SIGKILL')))
  await rm(folder, { recursive: true, force: true })
})

const list = async (sotto: SottoProcess): Promise<Purchase[]> =>
  (await sotto.call('purchases/list')) as Purchase[]
const quote = async (sotto: SottoProcess, ask: object): Promise<Purchase> =>
  (await sotto.call('purchases/quote', { ask })) as Purchase
const VIDEO = { endpoint: 'videos', body: { model: 'sandbox/carosello-video', prompt: 'an otter' } }
const DATA = { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } }

/** Types the code that the terminal shows, as a person would who agrees. */
async function agree(sotto: SottoProcess): Promise<void> {
  const shown = (): string[] => codesIn(sotto.stderr())
  const before = agreed.get(sotto) ?? 0
  await expect.poll(() => shown().length, { timeout: 20_000 }).toBe(before + 1)
  agreed.set(sotto, before + 1)
  const { id } = (await sotto.call('confirmations/pending')) as { id: string }
  expect(await sotto.call('confirmations/answer', { id, code: shown().at(-1) })).toEqual({ accepted: true })
}
const agreed = new Map<SottoProcess, number>()

async function connected(): Promise<SottoProcess> {
  const sotto = await start()
  await sotto.call('accounts/disconnect')
  await sotto.call('wallet/connectSandbox')
  return sotto
}

describe('a killed process', () => {
  it('after the payment: the next process knows the wallet, the spending and the video, and fetches it without another payment', async () => {
    const first = await connected()
    const quoted = await quote(first, VIDEO)
    const paying = first.call('purchases/pay', { purchaseId: quoted.id })
    await agree(first)
    const submitted = (await paying) as Purchase
    expect(submitted.state).toBe('paid')
    const before = (await first.call('wallet/get')) as Wallet
    await first.stop('SIGKILL')

    const second = await start()
    const after = (await second.call('wallet/get')) as Wallet
    expect(after.connection).toMatchObject({ kind: 'sandbox', publicKey: before.connection!.publicKey })
    expect(after).toMatchObject({ spent: before.spent, limits: before.limits })
    expect(after.hosts).toHaveLength(before.hosts.length)
    const delivered = (): Promise<Purchase | undefined> =>
      list(second).then((all) => all.find(({ id }) => id === quoted.id))
    await expect.poll(delivered, { timeout: 60_000 }).toMatchObject({
      state: 'delivered',
      job: { status: 'completed' },
      files: [{ contentType: 'video/mp4' }],
    })
    expect(((await second.call('wallet/get')) as Wallet).spent).toEqual(before.spent)
  }, 120_000)

  it('before the payment: nothing is bought, and the next start pays nothing', async () => {
    const first = await connected()
    const quoted = await quote(first, DATA)
    // The confirmation is pending and stays unanswered.
    void first.call('purchases/pay', { purchaseId: quoted.id }).catch(() => undefined)
    await expect.poll(() => first.call('confirmations/pending')).not.toBeNull()
    await first.stop('SIGKILL')
    const second = await start()
    expect(await list(second)).toMatchObject([{ id: quoted.id, state: 'quoted' }])
    expect(await second.call('wallet/get')).toMatchObject({ spent: { day: '0', held: '0' }, hosts: [] })
  }, 90_000)
})

describe('sotto wallet', () => {
  it('shows, limits, lists and removes through the running Sotto', async () => {
    const sotto = await connected()
    const wallet = (...args: string[]) => runSotto(['wallet', ...args], { SOTTO_DATA_DIR: folder })
    const shown = await wallet()
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringContaining('Demo wallet (no real money)') as string,
    ])
    expect(shown.stdout).toContain(
      'Limits: 20,000 sats per payment, 50,000 sats in 24 hours, 50,000 sats in 24 hours per service, 1,000 sats without asking',
    )
    expect(dataOf((await wallet('limits', '--per-day', '10,000', '--json')).stdout)).toMatchObject({
      wallet: { limits: { perDayMsat: '10000000', perPaymentMsat: '20000000' } },
    })
    expect((await wallet('payments')).stdout).toBe('No purchases yet.\n')

    const quoted = await quote(sotto, DATA)
    const paying = sotto.call('purchases/pay', { purchaseId: quoted.id })
    await agree(sotto)
    expect(await paying).toMatchObject({ state: 'delivered' })
    expect((await wallet('payments')).stdout).toMatch(
      new RegExp(`^${quoted.id} .*data/api/websearch/search at sandbox; Delivered\n$`),
    )
    expect(await wallet('retry', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(payment/unknown)') as string,
    })
    expect(await wallet('retry', quoted.id.slice(0, 8))).toMatchObject({ code: 0 })
    expect(await wallet('give-up', quoted.id.slice(0, 8))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(payment/cannot-close)') as string,
    })
    expect(dataOf((await wallet('disconnect', '--json')).stdout)).toMatchObject({
      wallet: { connection: null },
    })
  }, 120_000)

  it.runIf(hasTerminal)(
    'lists a top-up whose payment has no known outcome, and closes it once a person confirms',
    async () => {
      const sotto = await start()
      await sotto.call('wallet/connectSandbox')
      await sotto.call('sandbox/setWalletFault', { fault: 'held' })
      const wallet = (...args: string[]) => runSotto(['wallet', ...args], { SOTTO_DATA_DIR: folder })
      const topup = (await sotto.call('topups/create', {
        method: 'btc-lightning',
        amount: '5000',
        currency: 'SATS',
      })) as Topup
      expect(await wallet('give-up', topup.id.slice(0, 8))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('(payment/unknown)') as string,
      })
      const paying = sotto.call('topups/payFromWallet', { topupId: topup.id })
      await expect
        .poll(() => sotto.call('topups/list'), { timeout: 60_000 })
        .toMatchObject([{ id: topup.id, payment: 'held' }])
      await paying
      expect((await wallet('payments')).stdout).toMatch(new RegExp(`^${topup.id} .*top-up of 5,000 sats`))
      await using terminal = atTerminal(['wallet', 'give-up', topup.id.slice(0, 8)], {
        SOTTO_DATA_DIR: folder,
      })
      // A question belongs to its asker: here the owner's commands.
      const { confirmations } = clientOver(ownerFetch(folder))
      await expect.poll(() => confirmations.pending(), { timeout: 20_000 }).not.toBeNull()
      const { id = '' } = (await confirmations.pending()) ?? {}
      expect(await confirmations.answer({ id, code: codesIn(sotto.stderr()).at(-1) ?? '' })).toEqual({
        accepted: true,
      })
      expect([await terminal.ended, terminal.written()]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^${topup.id} .*top-up of 5,000 sats`, 'm')) as string,
      ])
      expect(await sotto.call('topups/list')).toMatchObject([{ id: topup.id, payment: 'closed' }])
      expect((await wallet('payments')).stdout).toBe('No purchases yet.\n')
      expect(await wallet('give-up', topup.id)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('(payment/cannot-close)') as string,
      })
    },
    120_000,
  )

  it('reads a connection only from standard input, and repeats no secret', async () => {
    const sotto = await connected()
    const secret = '3'.repeat(64)
    const refused = await runSotto(
      ['wallet', 'connect', '--json'],
      { SOTTO_DATA_DIR: folder },
      `nostr+walletconnect://${'0'.repeat(64)}?relay=wss%3A%2F%2Frelay.example&secret=${secret}\n`,
    )
    expect([refused.code, errorCodeOf(refused.stdout)]).toEqual([2, 'wallet/connection-invalid'])
    expect(refused.stdout + refused.stderr + sotto.stderr()).not.toContain(secret)
    expect(
      (await runSotto(['wallet', 'connect', `nostr+walletconnect://x`], { SOTTO_DATA_DIR: folder })).code,
    ).not.toBe(0)
  }, 90_000)
})
